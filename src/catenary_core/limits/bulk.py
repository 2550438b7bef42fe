"""Limit on concurrent bulk operations: a write of over 100 items holds one of the user's slots until its call ends."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import cache

import uuid_utils
from google.protobuf.descriptor import Descriptor
from google.protobuf.message import Message

from catenary.options.v1 import options_pb2
from catenary_core.background.failures import end, run_step
from catenary_core.call.call import Call
from catenary_core.call.methods import Binding
from catenary_core.database.transactions import Database, Transaction
from catenary_core.limits import counters, hourly
from catenary_core.limits.slots import SLOT_SECONDS, Slots
from catenary_wire import limit_sentences

ITEMS = 100
"""A write of more items is a bulk operation."""
HELD_SECONDS = 30 * 86_400.0
"""Seconds after which a slot that `hold` took expires: nothing runs as long."""


async def hold(tx: Transaction, user_id: str, limit: int, slot_id: str) -> None:
    """Take a slot for a bulk operation that outlasts its call, until `free`.

    Raises RATE_LIMIT_EXCEEDED: all slots of the user are taken.
    """
    locked = await counters.lock(tx, counters.USER_BULK, user_id)
    slots = Slots(locked.state, limit, locked.now)
    if not slots.take(slot_id, HELD_SECONDS):
        raise hourly.limit_exceeded(limit_sentences.bulk_operations, slots.standing(), locked.now)
    await counters.store(tx, counters.USER_BULK, user_id, slots.state())


async def free(tx: Transaction, user_id: str, slot_id: str) -> None:
    """Free the slot of a bulk operation that has ended."""
    locked = await counters.lock(tx, counters.USER_BULK, user_id)
    slots = Slots(locked.state, 0, locked.now)
    slots.release(slot_id)
    await counters.store(tx, counters.USER_BULK, user_id, slots.state())


class Bulk:
    """The slots for users' bulk operations."""

    def __init__(self, db: Database, limit: int) -> None:
        self._db = db
        self._limit = limit

    @asynccontextmanager
    async def slot(self, binding: Binding, request: Message, call: Call) -> AsyncIterator[None]:
        """Hold a slot while the block runs; do nothing unless the call is a bulk operation.

        Raises RATE_LIMIT_EXCEEDED: all slots of the user are taken.
        """
        if not _is_bulk(binding, request):
            yield
            return
        user_id, slot_id = call.caller.principal_id, str(uuid_utils.uuid4())
        async with self._db.transaction() as tx:
            locked = await counters.lock(tx, counters.USER_BULK, user_id)
            slots = Slots(locked.state, self._limit, locked.now)
            if not slots.take(slot_id):
                raise hourly.limit_exceeded(limit_sentences.bulk_operations, slots.standing(), locked.now)
            await counters.store(tx, counters.USER_BULK, user_id, slots.state())
        hourly.report(call, slots.standing())
        renewing = asyncio.create_task(self._renew(user_id, slot_id), name="bulk slot")
        try:
            yield
        finally:
            try:
                await end(renewing)
            finally:
                # Also if the caller has gone: the slot must not stay taken until it expires.
                free = self._change(user_id, lambda slots: slots.release(slot_id))
                await asyncio.shield(run_step("freeing a bulk slot", lambda: free))

    async def _renew(self, user_id: str, slot_id: str) -> None:
        while True:
            await asyncio.sleep(SLOT_SECONDS / 3)
            await run_step("renewing a bulk slot", lambda: self._change(user_id, lambda slots: slots.renew(slot_id)))

    async def _change(self, user_id: str, change: Callable[[Slots], None]) -> None:
        async with self._db.transaction() as tx:
            locked = await counters.lock(tx, counters.USER_BULK, user_id)
            slots = Slots(locked.state, self._limit, locked.now)
            change(slots)
            await counters.store(tx, counters.USER_BULK, user_id, slots.state())


def _is_bulk(binding: Binding, request: Message) -> bool:
    if binding.options.limit != options_pb2.LIMIT_BULK:
        return False
    lists = _lists(binding.descriptor.input_type)
    return not lists or any(len(getattr(request, name)) > ITEMS for name in lists)


@cache
def _lists(request: Descriptor) -> tuple[str, ...]:
    """Return the names of the request's lists of items."""
    return tuple(
        field.name
        for field in request.fields
        if field.is_repeated and field.message_type is not None and not field.message_type.GetOptions().map_entry
    )
