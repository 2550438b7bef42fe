"""`catenary events tail`: events, one per line, over server-sent events."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from typing import Any

import aiohttp
import orjson

from catenary_cli import show
from catenary_cli.error_sentences import sentence_of
from catenary_cli.remote.api import Access, Api, ApiError

PAUSES = (1.0, 2.0, 5.0, 10.0)
"""Seconds before the first, second … attempt to reconnect; the last one holds for all further attempts."""
PASSING = (401, 408, 429, 499, 500, 502, 503, 504)
"""Statuses that another attempt, with a new token, may not get."""


async def tail(access: Access, project_id: str | None, types: Sequence[str], after: str | None, *, raw: bool) -> None:
    """Print events until interrupted; after a lost connection, continue without a gap.

    Raises:
        ApiError: The server refuses the first attempt, or a later one for a lasting reason, such as a lost role.
    """
    last, failures, begun = after, 0, False
    while True:
        try:
            async with Api(access) as api:
                async for id_, data in _blocks(api, project_id, types, last):
                    begun, failures, last = True, 0, id_ or last
                    if data is not None:
                        event = orjson.loads(data)
                        if raw:
                            show.json(event, indent=False)
                        else:
                            show.line(_line(event))
            reason = "the stream ended"
        except ApiError as error:
            if not begun or error.status not in PASSING:
                raise
            reason = str(error)
        except (aiohttp.ClientError, TimeoutError, OSError) as error:
            if not begun:
                raise
            reason = sentence_of(error) or type(error).__name__
        pause = PAUSES[min(failures, len(PAUSES) - 1)]
        failures += 1
        show.note(f"Connecting again in {pause:.0f} s: {reason}")
        await asyncio.sleep(pause)


async def _blocks(
    api: Api, project_id: str | None, types: Sequence[str], last: str | None
) -> AsyncIterator[tuple[str | None, bytes | None]]:
    """Yield the `id` and `data` of each block of the stream (HTML Living Standard, section 9.2.6).

    Blocks of our server have at most one line of each.
    """
    query = [("types", name) for name in types]
    if project_id is not None:
        query.append(("project_id", project_id))
    headers = {} if last is None else {"Last-Event-ID": last}
    async with api.stream("events", query, headers) as content:
        fields: dict[bytes, bytes] = {}
        async for line in content:
            name, _, value = line.rstrip(b"\n").partition(b": ")
            if name:
                fields[name] = value
            elif fields:
                id_ = fields.get(b"id")
                yield None if id_ is None else id_.decode(), fields.get(b"data")
                fields = {}


def _line(event: dict[str, Any]) -> str:
    """Format an event for people: time, type, subject, actor."""
    by = f"  by {event['actor_id']}" if event["actor_id"] else ""
    return f"{event['occurred_at'][:19]}Z  {event['type']:<28}  {event['subject']}{by}"
