"""Creates deliveries from events: a consumer of the event log, in one process of the installation at a time."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence

import uuid_utils

from catenary_core.access.audience import Audiences, may_see
from catenary_core.call.call import Identity, IdentityCheck
from catenary_core.database.statements import Row
from catenary_core.database.transactions import Transaction
from catenary_core.event_log.consumer import Consumer
from catenary_core.event_log.event_types import covers
from catenary_core.frame import Frame
from catenary_core.services.webhooks.deliveries import queries
from catenary_core.services.webhooks.tables import CHANNEL
from catenary_core.services.webhooks.visibility import identities

CONSUMER = "webhooks"
"""The consumer's name."""
_MAX_ROWS = 2000
"""Maximum number of deliveries that one statement inserts."""


class DeliveryFanOut(Consumer):
    """Creates a delivery for each webhook that selects an event and whose owner may see it.

    Sending checks the visibility again. While there is no webhook, events are not read from the database.
    """

    def __init__(self, frame: Frame, standing: IdentityCheck) -> None:
        super().__init__(frame.db, frame.wakeups, CONSUMER, queries.WANTED, self.make)
        self._standing = standing
        self._audiences = Audiences(frame.db)

    async def make(self, tx: Transaction, events: Sequence[Row]) -> None:
        """Create the deliveries of these events."""
        webhooks = await tx.all(queries.ENABLED)
        webhook_identities = await identities(self._standing, webhooks)
        self._audiences.forget()  # events that no webhook selected may have changed visibility
        viewers = await self._audiences.of(events)
        wanted: dict[str, list[tuple[Row, Identity]]] = {}
        made: list[tuple[str, str, str, str]] = []
        for event, event_viewers in zip(events, viewers, strict=True):
            type_ = event["type"]
            if type_ not in wanted:
                wanted[type_] = list(_subscribed(type_, webhooks, webhook_identities))
            await asyncio.sleep(0)  # many webhooks need many comparisons
            made += [
                (str(uuid_utils.uuid7()), webhook["webhook_id"], event["id"], type_)
                for webhook, identity in wanted[type_]
                if event["sequence"] > webhook["after_sequence"] and may_see(identity, type_, event_viewers)
            ]
            while len(made) >= _MAX_ROWS:
                await _write(tx, made[:_MAX_ROWS])
                del made[:_MAX_ROWS]
        if made:
            await _write(tx, made)


async def _write(tx: Transaction, made: Sequence[tuple[str, str, str, str]]) -> None:
    columns = zip(*made, strict=True)
    await tx.execute(queries.MAKE, **{name: list(column) for name, column in zip(queries.NEW, columns, strict=True)})
    await tx.notify(CHANNEL)


def _subscribed(
    type_: str, webhooks: Sequence[Row], webhook_identities: Sequence[Identity | None]
) -> Iterator[tuple[Row, Identity]]:
    for webhook, identity in zip(webhooks, webhook_identities, strict=True):
        if identity is not None and any(covers(name, type_) for name in webhook["events"]):
            yield webhook, identity
