"""The one pipeline behind both doors: the gRPC server and the edge in the same process.

request id → deadline → authenticate → limit → validate → authorize → idempotency → servicer → entity tag → domain error to
status. A request is a protobuf message; an answer is a dict in the shape of the response message.
"""

from __future__ import annotations

import asyncio
import math
import re
import time
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Mapping
from contextlib import aclosing, nullcontext
from dataclasses import dataclass
from typing import Any, Protocol

import psycopg
import structlog
import uuid_utils
from google.protobuf.message import Message
from psycopg_pool import PoolTimeout

from catenary.options.v1 import options_pb2
from catenary_core import metrics
from catenary_core.access.policy import Policy
from catenary_core.background.failures import traces
from catenary_core.call import errors, preconditions
from catenary_core.call.call import Call, Identity
from catenary_core.call.errors import DomainError
from catenary_core.call.methods import Binding
from catenary_core.call.stream_ends import WatchedStream
from catenary_core.call.validation import check, lower_ids
from catenary_core.idempotency.replay import Idempotency
from catenary_core.limits.gate import Limits
from catenary_core.tracing import Begin

_log = structlog.get_logger(__name__)
DEFAULT_TIMEOUT = 30.0
MAX_TIMEOUT = 3600.0
_SANE_REQUEST_ID = re.compile(r"[A-Za-z0-9._-]{1,128}", re.ASCII)

Metadata = Mapping[str, str]


class Authenticator(Protocol):
    """Who the credentials in the metadata belong to."""

    async def authenticate(self, metadata: Metadata) -> Identity:
        """The caller; AUTHENTICATION_REQUIRED, INVALID_TOKEN or TOKEN_EXPIRED otherwise."""
        ...


@dataclass(slots=True)
class UnaryResponse:
    """A response: its dict, and metadata that goes out as headers."""

    body: dict[str, Any]
    metadata: dict[str, str]
    request_id: str


@dataclass(slots=True)
class StreamResponse:
    """A streamed response: metadata first, then its dicts."""

    metadata: dict[str, str]
    items: AsyncGenerator[dict[str, Any], None]
    request_id: str


class Dispatch:
    """Calls servicers' methods by gRPC path."""

    def __init__(
        self,
        bindings: Mapping[str, Binding],
        servicers: Mapping[str, object],
        authenticator: Authenticator,
        policy: Policy,
        limits: Limits | None = None,
        idempotency: Idempotency | None = None,
        trace: Begin | None = None,
    ) -> None:
        """`servicers` are by the full name of their proto service; one that is missing or lacks a method is a ValueError.

        Without `limits` nothing is limited, without `idempotency` the keys of calls are ignored, without `trace` there
        are no traces, as in tests of one service.
        """
        self.bindings = bindings
        self._handlers = {path: _handler(binding, servicers) for path, binding in bindings.items()}
        self._authenticator = authenticator
        self._policy = policy
        self._limits = limits
        self._idempotency = idempotency
        self._trace = trace
        policy.check(bindings)

    async def call(
        self,
        method: str,
        request: Message | AsyncIterator[Message],
        metadata: Metadata,
        timeout: float | None = None,  # noqa: ASYNC109 (the caller's deadline, kept on the call)
    ) -> UnaryResponse:
        """Calls a method with one answer; a failure is a CallError."""
        call, started = _new_call(method, metadata, timeout), time.perf_counter()
        body = await self._guarded(call, request, started)
        self._ended(call, "OK", started)
        return UnaryResponse(body, call.reply, call.request_id)

    async def open(
        self,
        method: str,
        request: Message,
        metadata: Metadata,
        timeout: float | None = None,  # noqa: ASYNC109 (the caller's deadline, kept on the call)
    ) -> StreamResponse:
        """Calls a method with a stream of answers; refusals come before the first item.

        A subscription has no deadline but the caller's own.
        """
        call, started = _new_call(method, metadata, timeout), time.perf_counter()
        if timeout is None and method in self.bindings and self.bindings[method].options.subscription:
            call.deadline = math.inf
        items = await self._guarded(call, request, started)
        opened = time.perf_counter()

        def ended(code: str) -> None:
            self._ended(call, code, started, opened)

        return StreamResponse(call.reply, WatchedStream(_translated(items, call), ended), call.request_id)

    async def _guarded(self, call: Call, request: Message | AsyncIterator[Message], started: float) -> Any:
        if self._trace is not None:
            call.span = self._trace(call.metadata.get("traceparent", ""))
        try:
            async with asyncio.timeout(min(call.deadline - time.monotonic(), MAX_TIMEOUT)):
                body = await self._run(call, request)
        except asyncio.CancelledError:  # the caller went away
            self._ended(call, "CANCELLED", started)
            raise
        except Exception as error:  # noqa: BLE001 (the one place that turns every failure into a status)
            failed = _translate(error, call)
            self._ended(call, failed.code().name, started)
            raise failed from None
        return body

    def _ended(self, call: Call, code: str, started: float, opened: float | None = None) -> None:
        """Logs and counts a call; a stream at its end, which took as long to answer as to open (`opened`)."""
        now = time.perf_counter()
        seconds = (opened or now) - started
        duration = round((now - started) * 1000, 2)
        _log.info("call", request_id=call.request_id, method=call.method, code=code, duration_ms=duration)
        if call.method in self.bindings:
            metrics.called(call.method, code, seconds)
        if call.span is not None:
            told = {"rpc.grpc.status": code, "catenary.request_id": call.request_id}
            call.span.end(call.method, told, failed=code in ("INTERNAL", "UNAVAILABLE"))

    async def _run(self, call: Call, request: Message | AsyncIterator[Message]) -> Any:
        binding = self.bindings.get(call.method)
        if binding is None:
            raise DomainError("NOT_IMPLEMENTED", f"There is no method {call.method}.")
        if binding.options.privilege != options_pb2.PRIVILEGE_PUBLIC:
            call.identity = await self._authenticator.authenticate(call.metadata)
            if self._limits is not None:
                await self._limits.charge(call)
        head, body = (request, request) if isinstance(request, Message) else await _peek(request)
        lower_ids(head)
        check(head)
        call.condition = preconditions.condition_of(binding, call.metadata)
        await self._policy.authorize(binding, head, call)
        async with self._limits.bulk(binding, head, call) if self._limits is not None else nullcontext():
            if self._idempotency is None:
                return await self._served(body, call)
            return await self._idempotency.run(binding, head, body, call, self._served)

    async def _served(self, request: Any, call: Call) -> Any:
        """The servicer's answer, with its entity tag in the reply."""
        binding = self.bindings[call.method]
        answer = await self._handlers[call.method](request, call)
        if call.condition is not None:
            raise RuntimeError(f"{call.method} did not compare If-Match; it must call preconditions.check")
        tag = preconditions.tag_of(binding, answer)
        if tag is not None:
            call.reply.setdefault("etag", tag)
        return answer


def _handler(binding: Binding, servicers: Mapping[str, object]) -> Callable[[Any, Call], Awaitable[Any]]:
    service = binding.descriptor.containing_service.full_name
    handler = getattr(servicers.get(service), binding.handler, None)
    if handler is None:
        raise ValueError(f"{service} has no servicer with the method {binding.handler}")
    return handler  # type: ignore[no-any-return]


def _new_call(method: str, metadata: Metadata, timeout: float | None) -> Call:
    request_id = metadata.get("x-request-id", "")
    if not _SANE_REQUEST_ID.fullmatch(request_id):
        request_id = str(uuid_utils.uuid7())
    seconds = DEFAULT_TIMEOUT if timeout is None else min(timeout, MAX_TIMEOUT)
    return Call(method, metadata, request_id, time.monotonic() + seconds)


async def _peek(requests: AsyncIterator[Message]) -> tuple[Message, AsyncIterator[Message]]:
    """The first message of a stream, for validation and policy, and the stream with that message still in it."""
    first = await anext(requests, None)
    if first is None:
        raise DomainError("VALIDATION_ERROR", "The stream ended before its first message.")

    async def again() -> AsyncIterator[Message]:
        yield first
        async for item in requests:
            lower_ids(item)
            check(item)
            yield item

    return first, again()


async def _translated(items: AsyncGenerator[dict[str, Any], None], call: Call) -> AsyncGenerator[dict[str, Any], None]:
    """The items until the call's deadline. Closing it closes the servicer's own, which may hold something open."""
    try:
        async with aclosing(items):
            while True:
                async with asyncio.timeout(_remaining(call)):
                    item = await anext(items, None)
                if item is None:
                    return
                yield item
    except Exception as error:  # noqa: BLE001 (the streaming half of the one translation)
        raise _translate(error, call) from None


def _remaining(call: Call) -> float | None:
    return None if math.isinf(call.deadline) else call.deadline - time.monotonic()


def _translate(error: Exception, call: Call) -> errors.CallError:
    """The one place where failures become statuses; what was not foreseen is logged and hidden."""
    match error:
        case errors.CallError():
            return error
        case DomainError():
            return errors.to_call_error(error, call.request_id)
        case TimeoutError():
            message = "The call was not done within its deadline; it may still take effect."
            return errors.to_call_error(DomainError("TIMEOUT", message), call.request_id)
        case psycopg.OperationalError() | PoolTimeout():
            _log.error("database lost", request_id=call.request_id, method=call.method, **traces(error))
            unavailable = DomainError("UNAVAILABLE", "The database can't be reached now; try again.", retry_after=1.0)
            return errors.to_call_error(unavailable, call.request_id)
        case _:
            _log.error("unexpected fault", request_id=call.request_id, method=call.method, **traces(error))
            return errors.internal(call.request_id)
