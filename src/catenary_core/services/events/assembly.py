"""The parts that the events service adds to a core: the order of the log, and its streams."""

from __future__ import annotations

from catenary_core.database.transactions import Transaction
from catenary_core.frame import Assembly, CoreParts, Frame
from catenary_core.services.events import releases
from catenary_core.services.events.feed import Feed
from catenary_core.services.events.sequencer import Sequencer
from catenary_core.services.events.servicer import EventServicer


def assemble(frame: Frame, parts: CoreParts) -> None:
    """Add the service's parts."""
    feed = Feed(frame, parts.recheck)
    parts.servicers["catenary.platform.v1.EventService"] = EventServicer(frame, feed, parts.bindings)
    parts.background += [Sequencer(frame), feed]
    parts.streams = feed
    parts.closers.append(feed.close)


async def _announce(tx: Transaction) -> None:
    await releases.announce(tx, releases.installed())


ASSEMBLY = Assembly(assemble=assemble, unwatched={"events.release": "no response shows it"}, at_start=(_announce,))
