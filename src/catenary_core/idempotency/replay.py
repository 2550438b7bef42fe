"""Idempotency-Key: a repeated POST gets the response of the first one (guide/conventions.md, "Idempotency-Key").

The response is written in the transaction of the change itself: a call with a key is one transaction
(`Database.as_one`), the servicer's transactions are parts of it, and it commits together with the stored response. So a
process that dies leaves both or nothing: a repetition gets the response, or runs. Equal calls at the same time compete
for an advisory lock, for which nobody waits and which PostgreSQL releases at the end of the transaction, however it
ends.

A servicer that waits for others (an evaluation for its worker) commits earlier by `Call.settle`, with the response for
a repetition in case the call does not finish.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from google.protobuf.message import Message

from catenary_core.call import errors
from catenary_core.call.call import Call
from catenary_core.call.errors import DomainError
from catenary_core.call.methods import Binding
from catenary_core.database.statements import Row
from catenary_core.database.transactions import Database, Transaction, UnitOfWork
from catenary_core.idempotency import records
from catenary_core.idempotency.content import KeyedContent, Sealer
from catenary_core.secrets import Secrets

KEY = "idempotency-key"
"""Name of the key in request metadata, and of the header over HTTP."""
ROUTE = "catenary-route"
"""Name of an edge's request metadata with method and path template; one gRPC method may have several paths."""
HEADER = "Idempotency-Key"
"""Name of the header in error messages."""
MAX_KEY = 255
"""Longest key, in characters."""
_UNSTORED_STATUSES = frozenset({401, 403, 429, 499})
"""HTTP statuses that are never stored.

Such refusals precede this step, so the same call may get another response later.
"""

Handler = Callable[[Any, Call], Awaitable[Any]]
"""Runs a call: takes the request and the call, returns the response."""


class Idempotency:
    """Runs each call with a key once."""

    def __init__(self, db: Database, secrets: Secrets) -> None:
        self._db = db
        self._sealer = Sealer(secrets)

    async def run(self, binding: Binding, head: Message, body: Any, call: Call, handler: Handler) -> Any:
        """Return the response of `handler(body, call)`, or the stored one of an equal call.

        Args:
            binding: the method.
            head: the request, or the first message of the stream `body`.
            body: the request.
            call: the call.
            handler: runs the call.

        Raises IDEMPOTENCY_KEY_REUSED: the key was used with another body.
        Raises IDEMPOTENCY_IN_PROGRESS: the first call with the key still runs.
        Raises VALIDATION_ERROR: the key is malformed.
        """
        route = call.metadata.get(ROUTE, call.method)
        if KEY not in call.metadata or not takes_key(binding, route):
            return await handler(body, call)
        content = KeyedContent(head, None if isinstance(body, Message) else body)
        record_id = self._sealer.record_id(call.caller, route, _checked(call.metadata[KEY]))
        attempt = _Attempt(self._db, self._sealer, record_id, content, call)
        try:
            if content.is_stream:
                # The transaction begins after the servicer has the file: a slow upload holds no connection.
                await attempt.look()
            return await attempt.run(handler)
        except _FoundError as found:
            return await attempt.replay(found.row)
        except _HeldError:
            raise _in_progress(1.0) from None


def takes_key(binding: Binding, route: str) -> bool:
    """Return whether calls of the method may have a key: POST with a caller. On other methods the key is ignored.

    An older route may be a POST although its method is bound to PUT.
    """
    is_post = binding.posts or (route.startswith("POST ") and not binding.reads)
    return is_post and not binding.is_public and not binding.descriptor.server_streaming


class _FoundError(Exception):
    """The key has a stored response."""

    def __init__(self, row: Row) -> None:
        super().__init__()
        self.row = row


class _HeldError(Exception):
    """The first call with the key still runs; no DomainError, since it may pass through the servicer's transaction."""


class _Attempt:
    """One call with a key."""

    def __init__(self, db: Database, sealer: Sealer, record_id: bytes, content: KeyedContent, call: Call) -> None:
        self._db = db
        self._sealer = sealer
        self._record_id = record_id
        self._content = content
        self._call = call
        self._settled = False

    async def look(self) -> None:
        """Look for a stored response, and for another call that ends with one just now.

        Raises:
            _FoundError: the key has one.
            _HeldError: another call with the key stores what it received.
        """
        async with self._db.read() as tx:
            await self._claim(tx)  # in autocommit: the lock ends with its statement

    async def run(self, handler: Handler) -> Any:
        """Run the call and store its response in one transaction.

        Raises:
            _FoundError: the key has a stored response.
            _HeldError: another call with the key runs.
        """
        failed: DomainError | None = None
        body: Any = None
        async with self._db.as_one(self._claim) as unit:
            self._call.settler = lambda *answer: self._settle(unit, *answer)
            if not self._content.is_stream:
                await unit.begin()
            try:
                body = await handler(self._content.body, self._call)
            except DomainError as error:
                status = errors.http_status(error.reason)
                # The unread rest of a refused upload can't be compared with a repetition.
                if status >= 500 or status in _UNSTORED_STATUSES or not self._content.is_whole:
                    raise
                failed = error
                sealed = self._sealer.seal_error(errors.to_call_error(error, self._call.request_id))
            else:
                sealed = self._sealer.seal(body, self._call.reply)
            await self._content.read_rest()
            if self._settled:
                async with self._db.transaction() as tx:
                    await self._put(tx, sealed, None)
            else:
                await self._put(await unit.begin(), sealed, None)
        if failed is not None:
            raise failed
        return body

    async def replay(self, row: Row) -> Any:
        """Return the stored body, with its metadata in the call's reply, or raise the stored error."""
        await self._content.read_rest()
        if not self._sealer.has_fingerprint(self._content, bytes(row["fingerprint"])):
            raise DomainError(
                "IDEMPOTENCY_KEY_REUSED",
                "This Idempotency-Key was used with another body; send a new key with a new request.",
                details={"parameter": HEADER, "constraint": "reused"},
            )
        if (row["running_seconds"] or 0.0) > 0:
            raise _in_progress(row["running_seconds"])
        return self._sealer.open(row["answer"], self._call)

    async def _claim(self, tx: Transaction) -> None:
        if not (await tx.one(records.LOCK, number=int.from_bytes(self._record_id[:8], signed=True)))["got"]:
            raise _HeldError
        await self._find(tx)

    async def _find(self, tx: Transaction) -> None:
        row = await tx.one_or_none(records.FIND, record_id=self._record_id)
        if row is not None:
            raise _FoundError(row)

    async def _settle(self, unit: UnitOfWork, body: Any, reply: dict[str, str], seconds: float) -> None:
        if body is not None:
            await self._content.read_rest()
            await self._put(await unit.begin(), self._sealer.seal(body, reply), seconds)
        await unit.commit()
        if body is not None:
            self._settled = True
            unit.detach()

    async def _put(self, tx: Transaction, sealed: bytes, running_seconds: float | None) -> None:
        await tx.execute(
            records.PUT,
            record_id=self._record_id,
            fingerprint=self._sealer.fingerprint(self._content),
            answer=sealed,
            running_seconds=running_seconds,
        )


def _in_progress(seconds: float) -> DomainError:
    return DomainError(
        "IDEMPOTENCY_IN_PROGRESS",
        "The first call with this Idempotency-Key still runs; send the same call again when it has ended.",
        retry_after=seconds,
    )


def _checked(key: str) -> str:
    """Return the key.

    Raises VALIDATION_ERROR: the key does not have 1 to 255 printable ASCII characters.
    """
    if not 0 < len(key) <= MAX_KEY or not (key.isascii() and key.isprintable()):
        raise errors.invalid(
            HEADER,
            "{field} must have 1 to {most} printable ASCII characters.",
            value=key,
            constraint="length" if len(key) > MAX_KEY or not key else "characters",
            most=MAX_KEY,
        )
    return key
