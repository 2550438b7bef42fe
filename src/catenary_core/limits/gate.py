"""The limits that the dispatcher enforces: hourly, for calls that no edge has counted, on bulk operations, of space."""

from __future__ import annotations

from contextlib import AbstractAsyncContextManager

from google.protobuf.message import Message

from catenary_core.call.call import Call
from catenary_core.call.methods import Binding
from catenary_core.database.transactions import Database
from catenary_core.limits.bulk import Bulk
from catenary_core.limits.free_space import FreeSpace
from catenary_core.limits.meter import Meter
from catenary_core.settings import CoreSettings


class Limits:
    """The limits of one process; call `start` before use and `stop` after it."""

    def __init__(self, settings: CoreSettings, db: Database, space: FreeSpace) -> None:
        self._meter = Meter(db, settings.requests_per_hour)
        self._space = space
        self._bulk = Bulk(db, settings.bulk_operations)

    async def start(self) -> None:
        """Start the background work."""
        await self._meter.start()

    async def stop(self) -> None:
        """Stop the background work and return unused leases."""
        await self._meter.stop()

    async def charge(self, call: Call) -> None:
        """Count an authenticated call.

        Raises RATE_LIMIT_EXCEEDED: the caller has no calls left.
        """
        await self._meter.charge(call)

    async def refund(self, call: Call) -> None:
        """Take back the count of a call that turned out to cost nothing."""
        await self._meter.refund(call)

    def check_space(self, binding: Binding) -> None:
        """Check that a method may store something now, see `free_space`.

        Raises UNAVAILABLE: the method stores something, and too little space is free.
        """
        self._space.check(binding)

    def bulk(self, binding: Binding, request: Message, call: Call) -> AbstractAsyncContextManager[None]:
        """Hold a slot during a bulk operation; do nothing for other calls.

        Raises RATE_LIMIT_EXCEEDED: all slots of the user are taken.
        """
        return self._bulk.slot(binding, request, call)
