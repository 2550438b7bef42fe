"""The audit trail of a process's calls: changes in their transaction, logins, Admins' reads, refusals."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from google.protobuf.message import Message

from catenary.options.v1 import options_pb2
from catenary_core.audit import entries
from catenary_core.audit.entries import AuditEntry
from catenary_core.audit.minute_counts import MinuteCounts
from catenary_core.audit.subjects import Subject, Subjects
from catenary_core.call.call import Call
from catenary_core.call.errors import DomainError, http_status
from catenary_core.call.methods import Binding
from catenary_core.database.transactions import Database, UnitOfWork
from catenary_wire.refusals import STATUSES

Handler = Callable[[Any, Call], Awaitable[Any]]
"""Runs a call: takes the request and the call, returns the response."""
_OTHERS = (options_pb2.PRIVILEGE_WORKER, options_pb2.PRIVILEGE_EDGE, options_pb2.PRIVILEGE_EDGE_ALONE)
"""Privileges of methods by which no caller changes anything."""


class Trail:
    """Writes the entries of calls."""

    def __init__(self, db: Database, bindings: Mapping[str, Binding], counts: MinuteCounts) -> None:
        """Set the trail up.

        Args:
            db: database of the changes and of the trail.
            bindings: the methods, by gRPC path.
            counts: counts refused calls and repeated logins.
        """
        self._db = db
        self._subjects = Subjects(bindings.values())
        self._counts = counts

    async def run(self, binding: Binding, head: Message, body: Any, call: Call, handler: Handler) -> Any:
        """Return the response of `handler(body, call)`; write the entry of a successful call that the trail keeps.

        The entry of a change is in its transaction, so all transactions of such a call are one.

        Args:
            binding: the method.
            head: the request, or the first message of the stream `body`.
            body: the request.
            call: the call.
            handler: runs the call.
        """
        if binding.options.privilege in _OTHERS:
            return await handler(body, call)
        if binding.reads:
            answer = await handler(body, call)
            if binding.options.audit == options_pb2.AUDIT_ADMIN_READ and _is_of_others(call, answer):
                async with self._db.transaction() as tx:
                    await entries.write(tx, self._entry(binding, head, call, answer))
            return answer
        async with self._db.within_one() as (unit, is_own):
            keeper = _Keeper(unit, call, lambda answer: self._entry(binding, head, call, answer), is_own=is_own)
            try:
                answer = await handler(body, call)
            except DomainError:
                if is_own:  # what a servicer commits before it refuses, such as a count of failed logins, stays
                    await unit.commit()
                raise
            if binding.options.audit == options_pb2.AUDIT_LOGIN and unit.open_transaction is None:
                self._counts.add(self._entry(binding, head, call, answer))  # the first of an hour has a transaction
            await keeper.keep(answer)
        return answer

    def refused(self, call: Call, error: Exception) -> None:
        """Count a refused call, unless an edge of ours made it, which reports what it answers."""
        if not isinstance(error, DomainError) or http_status(error.reason) not in STATUSES:
            return
        if call.metadata.get("catenary-edge") != "1":
            caller = entries.caller_of(call.identity, call.metadata)
            self._counts.add(AuditEntry(call.method, error.reason, request_id=call.request_id, **caller))

    def _entry(self, binding: Binding, head: Message, call: Call, answer: Mapping[str, Any]) -> AuditEntry:
        is_login = binding.options.audit == options_pb2.AUDIT_LOGIN
        subject = Subject(None) if is_login else self._subjects.of(binding, head, answer)
        return AuditEntry(
            entries.LOGIN if is_login else binding.path,
            subject=subject.path,
            request_id=call.request_id,
            details={"ids": subject.ids} if subject.ids else None,
            **entries.caller_of(call.identity, call.metadata),
        )


class _Keeper:
    """Writes the entry of one change once: at the end of its call, or where the call commits before it waits."""

    def __init__(self, unit: UnitOfWork, call: Call, entry: Callable[[Any], AuditEntry], *, is_own: bool) -> None:
        self._unit = unit
        self._is_own = is_own
        self._entry = entry
        self._kept = False
        self._settler = call.settler
        call.settler = self._settle

    async def keep(self, answer: Any) -> None:
        """Write the entry, unless nothing has begun a transaction."""
        tx = self._unit.open_transaction
        if tx is not None and not self._kept:
            self._kept = True
            await entries.write(tx, self._entry(answer))

    async def _settle(self, body: dict[str, Any] | None, reply: dict[str, str], seconds: float) -> None:
        if body is not None:
            await self.keep(body)
        if self._settler is not None:
            await self._settler(body, reply, seconds)
        elif self._is_own:
            await self._unit.commit()
            if body is not None:
                self._unit.detach()


def _is_of_others(call: Call, answer: Mapping[str, Any]) -> bool:
    """Return whether an Admin read something else than one record of their own."""
    record = next((value for value in answer.values() if isinstance(value, Mapping)), None)
    return call.caller.admin and (record is None or record.get("user_id") != call.caller.user_id)
