"""The dispatcher: one pipeline for calls through the gRPC server and from an edge in the same process.

request id → deadline → authenticate → limit → validate → authorize → free space → idempotency → audit → servicer → entity
tag → after a read that waited, authenticate and authorize again → domain error to status. A request is a protobuf message; a
response is a dict in the shape of the response message.
"""

from __future__ import annotations

import asyncio
import math
import re
import time
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Mapping
from contextlib import aclosing, nullcontext
from dataclasses import dataclass
from functools import partial
from typing import Any

import psycopg
import structlog
import uuid_utils
from google.protobuf.message import Message
from psycopg_pool import PoolTimeout

from catenary_core import metrics
from catenary_core.access import nameless
from catenary_core.access.policy import Policy
from catenary_core.audit.trail import Trail
from catenary_core.background.failures import traces
from catenary_core.call import errors, preconditions
from catenary_core.call.call import Authenticator, Call
from catenary_core.call.errors import DomainError
from catenary_core.call.finite import Check, finite_check
from catenary_core.call.methods import Binding
from catenary_core.call.stream_ends import WatchedStream
from catenary_core.call.validation import check, lower_ids
from catenary_core.idempotency.replay import Idempotency
from catenary_core.limits.gate import Limits
from catenary_wire.spans import Begin

_log = structlog.get_logger(__name__)
DEFAULT_TIMEOUT = 30.0
"""Deadline in seconds of a call that sets none."""
MAX_TIMEOUT = 3600.0
"""Longest deadline in seconds."""
CHECKED_AGAIN_AFTER = 1.0
"""Seconds after which the caller of a read is checked again before the response, as after `Prefer: wait`."""
_SANE_REQUEST_ID = re.compile(r"[A-Za-z0-9._-]{1,128}", re.ASCII)

Metadata = Mapping[str, str]
"""Request metadata by lower-case name."""


@dataclass(slots=True)
class UnaryResponse:
    """The response of a unary call."""

    body: dict[str, Any]
    """Dict in the shape of the response message."""
    metadata: dict[str, str]
    """Response metadata, which become headers over HTTP."""
    request_id: str
    """Id of the call."""


@dataclass(slots=True)
class StreamResponse:
    """The response of a streaming call."""

    metadata: dict[str, str]
    """Response metadata, sent before the first item."""
    items: AsyncGenerator[dict[str, Any], None]
    """Dicts in the shape of the response message."""
    request_id: str
    """Id of the call."""


class Dispatch:
    """Calls the servicers' methods by gRPC path."""

    def __init__(
        self,
        bindings: Mapping[str, Binding],
        servicers: Mapping[str, object],
        authenticator: Authenticator,
        policy: Policy,
        limits: Limits | None = None,
        idempotency: Idempotency | None = None,
        trace: Begin | None = None,
        trail: Trail | None = None,
    ) -> None:
        """Find the handler of each method and check the declared privileges.

        Args:
            bindings: the methods, by gRPC path.
            servicers: servicers by the full name of their proto service.
            authenticator: verifies credentials.
            policy: authorizes calls.
            limits: rate limits; None for no limits.
            idempotency: Idempotency-Key support; None ignores the keys.
            trace: starts a span per call; None for no traces.
            trail: the audit trail; None for none. Tests of single services leave these four out.

        Raises:
            ValueError: a servicer is missing or lacks a method, or a method's request does not name its project.
        """
        self.bindings = bindings
        self._handlers = {path: _handler(binding, servicers) for path, binding in bindings.items()}
        self._finite = {path: finite_check(binding.descriptor.output_type) for path, binding in bindings.items()}
        shared = {path: binding for path, binding in bindings.items() if binding.options.sharing}
        self._plans = {path: nameless.plan_of(binding.descriptor.output_type) for path, binding in shared.items()}
        self._authenticator = authenticator
        self._policy = policy
        self._limits = limits
        self._idempotency = idempotency
        self._trace = trace
        self._trail = trail
        policy.check(bindings)

    async def call(
        self,
        method: str,
        request: Message | AsyncIterator[Message],
        metadata: Metadata,
        timeout: float | None = None,  # noqa: ASYNC109 (the caller's deadline, kept on the call)
        on_authenticated: Callable[[], None] | None = None,
    ) -> UnaryResponse:
        """Call a method with one response; every failure is a CallError.

        Args:
            method: gRPC path.
            request: request message, or a stream of them.
            metadata: request metadata by lower-case name.
            timeout: deadline in seconds from now; None: DEFAULT_TIMEOUT.
            on_authenticated: is told when the caller has authenticated.
        """
        call, started = _new_call(method, metadata, timeout, on_authenticated), time.perf_counter()
        body = await self._guarded(call, request, started)
        self._ended(call, "OK", started)
        return UnaryResponse(body, call.reply, call.request_id)

    async def open(
        self,
        method: str,
        request: Message | AsyncIterator[Message],
        metadata: Metadata,
        timeout: float | None = None,  # noqa: ASYNC109 (the caller's deadline, kept on the call)
        on_authenticated: Callable[[], None] | None = None,
    ) -> StreamResponse:
        """Call a method with a stream of responses; a refusal is raised before the first item.

        Args:
            method: gRPC path.
            request: request message, or a stream of them.
            metadata: request metadata by lower-case name.
            timeout: deadline in seconds from now; None: no deadline for a subscription, else DEFAULT_TIMEOUT.
            on_authenticated: is told when the caller has authenticated.
        """
        call, started = _new_call(method, metadata, timeout, on_authenticated), time.perf_counter()
        if timeout is None and method in self.bindings and self.bindings[method].options.subscription:
            call.deadline = math.inf
        items = await self._guarded(call, request, started)
        opened = time.perf_counter()

        def ended(code: str) -> None:
            self._ended(call, code, started, opened)

        return StreamResponse(
            call.reply, WatchedStream(_translated(items, call, self._finite.get(method)), ended), call.request_id
        )

    async def _guarded(self, call: Call, request: Message | AsyncIterator[Message], started: float) -> Any:
        if self._trace is not None:
            call.span = self._trace(call.metadata.get("traceparent", ""))
        try:
            left = DEFAULT_TIMEOUT if math.isinf(call.deadline) else min(call.deadline - time.monotonic(), MAX_TIMEOUT)
            async with asyncio.timeout(left):
                body = await self._run(call, request)
        except asyncio.CancelledError:  # the caller has gone
            self._ended(call, "CANCELLED", started)
            raise
        except Exception as error:  # noqa: BLE001 (the one place that turns every failure into a status)
            if self._trail is not None:
                self._trail.refused(call, error)
            failed = _translate(error, call)
            self._ended(call, failed.code().name, started)
            raise failed from None
        return body

    def _ended(self, call: Call, code: str, started: float, opened: float | None = None) -> None:
        """Log and count a finished call; a stream's duration in metrics is the time to its opening (`opened`)."""
        now = time.perf_counter()
        seconds = (opened or now) - started
        duration = round((now - started) * 1000, 2)
        _log.info("call", request_id=call.request_id, method=call.method, code=code, duration_ms=duration)
        if call.method in self.bindings:
            metrics.count_call(call.method, code, seconds)
        if call.span is not None:
            attributes = {"rpc.grpc.status": code, "catenary.request_id": call.request_id}
            call.span.end(call.method, attributes, failed=code in ("INTERNAL", "UNAVAILABLE"))

    async def _run(self, call: Call, request: Message | AsyncIterator[Message]) -> Any:
        binding = self.bindings.get(call.method)
        if binding is None:
            raise DomainError("NOT_IMPLEMENTED", f"There is no method {call.method}.")
        if not binding.is_public:
            call.identity = await self._authenticator.authenticate(call.metadata)
            if call.on_authenticated is not None:
                call.on_authenticated()
            if self._limits is not None:
                await self._limits.charge(call)
            self._policy.admit(binding, call)
        is_both = binding.descriptor.server_streaming
        head, body = (request, request) if isinstance(request, Message) else await _peek(request, checked=not is_both)
        lower_ids(head)
        check(head)
        call.condition = preconditions.condition_of(binding, call.metadata)
        await self._policy.authorize(binding, head, call)
        if self._limits is not None:
            self._limits.check_space(binding)
        began = time.monotonic()
        async with self._limits.bulk(binding, head, call) if self._limits is not None else nullcontext():
            if self._idempotency is None:
                answer = await self._kept(binding, head, body, call)
            else:
                kept = partial(self._kept, binding, head)
                answer = await self._idempotency.run(binding, head, body, call, kept)
        if call.is_uncounted and self._limits is not None:
            await self._limits.refund(call)
        if binding.reads and call.identity is not None and time.monotonic() - began > CHECKED_AGAIN_AFTER:
            call.identity = await self._authenticator.authenticate(call.metadata)
            await self._policy.authorize(binding, head, call)
        return answer

    async def _kept(self, binding: Binding, head: Message, request: Any, call: Call) -> Any:
        """Return the servicer's response; what it changes is in the audit trail."""
        if self._trail is None:
            return await self._served(request, call)
        return await self._trail.run(binding, head, request, call, self._served)

    async def _served(self, request: Any, call: Call) -> Any:
        """Return the servicer's response; add its entity tag to the response metadata."""
        binding = self.bindings[call.method]
        answer = await self._handlers[call.method](request, call)
        if call.identity is not None and call.identity.kind == "link" and (plan := self._plans.get(call.method)):
            is_stream = binding.descriptor.server_streaming
            answer = nameless.stream_without_names(answer, plan) if is_stream else nameless.without_names(answer, plan)
        check_finite = self._finite[call.method]
        if check_finite is not None and not binding.descriptor.server_streaming:
            check_finite(answer)
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
    return handler  # type: ignore[no-any-return]  # getattr has no type


def _new_call(
    method: str, metadata: Metadata, timeout: float | None, on_authenticated: Callable[[], None] | None
) -> Call:
    request_id = metadata.get("x-request-id", "")
    if not _SANE_REQUEST_ID.fullmatch(request_id):
        request_id = str(uuid_utils.uuid7())
        metadata = {**metadata, "x-request-id": request_id}
    seconds = DEFAULT_TIMEOUT if timeout is None else min(timeout, MAX_TIMEOUT)
    return Call(method, metadata, request_id, time.monotonic() + seconds, on_authenticated=on_authenticated)


async def _peek(requests: AsyncIterator[Message], *, checked: bool) -> tuple[Message, AsyncIterator[Message]]:
    """Return the first message of a stream, for validation and policy, and the complete stream.

    Unless `checked`, the servicer checks the later messages itself: where both sides stream, a fault is answered in place.
    """
    first = await anext(requests, None)
    if first is None:
        raise DomainError("VALIDATION_ERROR", "The stream ended before its first message.")

    async def whole_stream() -> AsyncIterator[Message]:
        yield first
        async for item in requests:
            if checked:
                lower_ids(item)
                check(item)
            yield item

    return first, whole_stream()


async def _translated(
    items: AsyncGenerator[dict[str, Any], None], call: Call, check_finite: Check | None
) -> AsyncGenerator[dict[str, Any], None]:
    """Yield the items until the call's deadline.

    Closing this generator closes the servicer's own, which may hold resources.
    """
    try:
        async with aclosing(items):
            while True:
                async with asyncio.timeout(_remaining(call)):
                    item = await anext(items, None)
                if item is None:
                    return
                if check_finite is not None:
                    check_finite(item)
                yield item
    except Exception as error:  # noqa: BLE001 (the streaming half of the one translation)
        raise _translate(error, call) from None


def _remaining(call: Call) -> float | None:
    return None if math.isinf(call.deadline) else call.deadline - time.monotonic()


def _translate(error: Exception, call: Call) -> errors.CallError:
    """Translate a failure into a status; log an unforeseen failure and hide its details."""
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
