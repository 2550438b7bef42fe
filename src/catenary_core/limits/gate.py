"""What of the limits stands in the dispatcher: the hourly one of calls that no edge has counted, and bulk operations."""

from __future__ import annotations

from contextlib import AbstractAsyncContextManager

from google.protobuf.message import Message

from catenary_core.call.call import Call
from catenary_core.call.methods import Binding
from catenary_core.database.transactions import Database
from catenary_core.limits.bulk import Bulk
from catenary_core.limits.meter import Meter
from catenary_core.settings import CoreSettings


class Limits:
    """The limits of one process; `start` and `stop` around its use."""

    def __init__(self, settings: CoreSettings, db: Database) -> None:
        self._meter = Meter(db, settings.requests_per_hour)
        self._bulk = Bulk(db, settings.bulk_operations)

    async def start(self) -> None:
        """Begins the background work."""
        await self._meter.start()

    async def stop(self) -> None:
        """Ends it, and gives back what is held."""
        await self._meter.stop()

    async def charge(self, call: Call) -> None:
        """Counts an authenticated call; RATE_LIMIT_EXCEEDED when the caller has none left."""
        await self._meter.charge(call)

    def bulk(self, binding: Binding, request: Message, call: Call) -> AbstractAsyncContextManager[None]:
        """Holds a slot around the call when it is a bulk operation; RATE_LIMIT_EXCEEDED when the caller has none left."""
        return self._bulk.slot(binding, request, call)
