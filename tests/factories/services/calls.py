"""Short calls of a dispatcher in tests, and readers of what they leave behind."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable
from copy import copy
from dataclasses import dataclass
from typing import Any

import orjson
import pytest
import sqlalchemy as sa
from google.protobuf.message import Message
from google.rpc import error_details_pb2
from grpc_status import rpc_status

from catenary_core.call import messages as wire
from catenary_core.call.errors import CallError
from catenary_core.database.statements import Row, Statement
from catenary_core.database.transactions import Database
from catenary_core.server.dispatch import Dispatch, StreamResponse

_EVENTS = Statement(sa.text("SELECT type, project_id, actor_id, subject, data FROM events.event ORDER BY id"))


@dataclass(frozen=True, slots=True)
class Violation:
    """A broken rule: the field, the sentence and the rule's name."""

    field: str
    message: str
    constraint: str


@dataclass(frozen=True, slots=True)
class Refusal:
    """A failed call: its reason, the details of its ErrorInfo, and the rules that its request breaks."""

    reason: str
    message: str
    details: dict[str, Any]
    violations: tuple[Violation, ...] = ()

    @property
    def fields(self) -> list[str]:
        """The fields of the broken rules, in their order."""
        return [violation.field for violation in self.violations]


class Caller:
    """One caller's view of a dispatcher. Each answer is also made a message, so that its shape is right."""

    def __init__(self, dispatch: Dispatch, name: str) -> None:
        self._dispatch = dispatch
        self._metadata = {"authorization": name, "catenary-edge": "1"}  # some methods are for edges alone
        self._paths = {path.rpartition("/")[2]: path for path in dispatch.bindings}

    def sending(self, name: str, value: str) -> Caller:
        """Return the same caller with a further entry in the metadata of each call."""
        other = copy(self)
        other._metadata = {**self._metadata, name: value}
        return other

    async def call(self, method: str, **fields: Any) -> dict[str, Any]:
        """Call a unary method by its RPC name."""
        path = self._paths[method]
        return await self._answer(path, self._dispatch.bindings[path].request(**fields))

    async def metadata(self, method: str, **fields: Any) -> dict[str, str]:
        """Call a method and return its response metadata."""
        path = self._paths[method]
        return (
            await self._dispatch.call(path, self._dispatch.bindings[path].request(**fields), self._metadata)
        ).metadata

    async def refused(self, method: str, **fields: Any) -> Refusal:
        """Return the refusal that a unary method must give."""
        with pytest.raises(CallError) as caught:
            await self.call(method, **fields)
        return refusal_of(caught.value)

    async def send(self, method: str, messages: Iterable[dict[str, Any]]) -> dict[str, Any]:
        """Return the answer of a client-streaming method."""
        path = self._paths[method]
        request = self._dispatch.bindings[path].request

        async def stream() -> AsyncIterator[Message]:
            for fields in messages:
                yield request(**fields)

        return await self._answer(path, stream())

    async def send_refused(self, method: str, messages: Iterable[dict[str, Any]]) -> Refusal:
        """Return the refusal that a client-streaming method must give."""
        with pytest.raises(CallError) as caught:
            await self.send(method, messages)
        return refusal_of(caught.value)

    async def open(self, method: str, **fields: Any) -> StreamResponse:
        """Return the stream of a server-streaming method."""
        path = self._paths[method]
        return await self._dispatch.open(path, self._dispatch.bindings[path].request(**fields), self._metadata)

    async def list(self, method: str, **fields: Any) -> dict[str, Any]:
        """Return the answer of a method that gives a list in parts, joined as the edge joins it."""
        stream = await self.open(method, **fields)
        descriptor = self._dispatch.bindings[self._paths[method]].descriptor.output_type
        parts = [part async for part in stream.items]
        for part in parts:
            wire.to_message(descriptor, part)
            assert list(part) == [field.name for field in descriptor.fields]
        key = descriptor.fields[0].name
        return parts[0] | {key: [row for part in parts for row in part[key]]}

    async def open_refused(self, method: str, **fields: Any) -> Refusal:
        """Return the refusal that a server-streaming method must give."""
        with pytest.raises(CallError) as caught:
            await self.open(method, **fields)
        return refusal_of(caught.value)

    async def _answer(self, path: str, request: Message | AsyncIterator[Message]) -> dict[str, Any]:
        answer = await self._dispatch.call(path, request, self._metadata)
        descriptor = self._dispatch.bindings[path].descriptor.output_type
        wire.to_message(descriptor, answer.body)
        assert list(answer.body) == [field.name for field in descriptor.fields]
        return answer.body


def refusal_of(error: CallError) -> Refusal:
    """Return the reason and details of a failed call."""
    status = rpc_status.from_call(error)
    assert status is not None
    info = error_details_pb2.ErrorInfo()
    status.details[0].Unpack(info)
    bad = error_details_pb2.BadRequest()
    for detail in status.details:
        detail.Unpack(bad)
    violations = tuple(Violation(one.field, one.description, one.reason.lower()) for one in bad.field_violations)
    details = {key: orjson.loads(text) for key, text in info.metadata.items()}
    return Refusal(info.reason, status.message, details, violations)


async def events_of(db: Database) -> list[Row]:
    """Return every event of the log, oldest first."""
    async with db.read() as tx:
        return await tx.all(_EVENTS)
