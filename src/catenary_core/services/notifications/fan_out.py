"""Creation of notifications from events, run by a `Consumer`."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

import sqlalchemy as sa

from catenary_core.database.statements import Row
from catenary_core.database.transactions import Transaction
from catenary_core.event_log.events import event
from catenary_core.event_log.notifications import notify
from catenary_core.services.notifications import queries
from catenary_core.services.notifications.rules import RULES, Notice, Recipient

NAME = "notifications"
"""The consumer's name."""
WANTED = event.c.type == sa.any_(sa.literal(sorted(RULES), type_=sa.ARRAY(sa.Text)))
"""The condition for events that have a rule."""


async def make(tx: Transaction, rows: Sequence[Row]) -> None:
    """Notify the users of each event. The number of statements that find the users doesn't grow with the events."""
    notices = [(row, notice) for row in rows if (notice := RULES[row["type"]](row)) is not None]
    users = await _users(tx, [notice for _, notice in notices])
    for row, notice in notices:
        await notify(
            tx,
            notice.kind,
            users[notice.to].get(notice.id, set()) - {notice.excluded_user_id},
            subject=row["subject"],
            project_id=row["project_id"],
            event_id=row["id"],
            actor_id=row["actor_id"],
        )


async def _users(tx: Transaction, notices: Iterable[Notice]) -> Mapping[Recipient, Mapping[str, set[str]]]:
    """Find the users that the notices' ids stand for, by kind of recipient and id."""
    ids: dict[Recipient, set[str]] = defaultdict(set)
    for notice in notices:
        ids[notice.to].add(notice.id)
    found: dict[Recipient, dict[str, set[str]]] = defaultdict(dict)
    found[Recipient.USER] = {id_: {id_} for id_ in ids.pop(Recipient.USER, ())}
    for to, wanted in ids.items():
        for row in await tx.all(queries.USERS[to], ids=list(wanted)):
            found[to].setdefault(row["id"], set()).add(row["user_id"])
    return found
