"""Responses without the names of people, for callers with a share link.

Which fields name a person is read from the response's descriptor, so no servicer has to remember it.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator, Mapping
from contextlib import aclosing
from typing import Any

from google.protobuf.descriptor import Descriptor

_PEOPLE = frozenset({"catenary.platform.v1.UserReference", "catenary.type.v1.Creator"})
"""Messages that name a person."""

Plan = Mapping[str, "Plan | None"]
"""Fields of a message that name a person (None), or that hold messages with such fields."""


def plan_of(message: Descriptor, within: frozenset[str] = frozenset()) -> Plan:
    """Return the plan of a response message.

    Raises ValueError: a map's messages name people, which no plan describes.
    """
    found: dict[str, Plan | None] = {}
    for field in message.fields:
        inner = field.message_type
        if inner is None or inner.full_name in within:
            continue
        if inner.full_name in _PEOPLE:
            found[field.name] = None
        elif plan := plan_of(inner, within | {message.full_name}):
            if inner.GetOptions().map_entry:
                raise ValueError(f"{field.full_name} is a map whose messages name people")
            found[field.name] = plan
    return found


def without_names(body: Mapping[str, Any], plan: Plan) -> dict[str, Any]:
    """Return a copy of a response whose fields with people are None."""
    return {name: _without(value, plan[name]) if name in plan else value for name, value in body.items()}


def _without(value: Any, plan: Plan | None) -> Any:
    if plan is None or value is None:
        return None
    if isinstance(value, list):
        return [without_names(item, plan) for item in value]
    return without_names(value, plan)


async def stream_without_names(
    items: AsyncIterator[dict[str, Any]], plan: Plan
) -> AsyncGenerator[dict[str, Any], None]:
    """Yield the responses of a stream as `without_names` returns them; closing this generator closes the stream."""
    async with aclosing(items) as opened:  # type: ignore[type-var]  # servicers return generators
        async for item in opened:
            yield without_names(item, plan)
