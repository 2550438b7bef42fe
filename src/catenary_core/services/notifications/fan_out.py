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
from catenary_core.services.notifications.rules import RULES, Notice, Recipient, subject_of

NAME = "notifications"
"""The consumer's name."""
WANTED = event.c.type == sa.any_(sa.literal(sorted(RULES), type_=sa.ARRAY(sa.Text)))
"""The condition for events that have a rule."""


async def make(tx: Transaction, rows: Sequence[Row]) -> None:
    """Notify the users of each event. The number of statements that find the users doesn't grow with the events."""
    notices = [(row, RULES[row["type"]](row)) for row in rows]
    users = await _users(tx, [notice for _, several in notices for notice in several])
    for row, several in notices:
        for kind, user_ids in _each_once(several, users):
            await notify(
                tx,
                kind,
                user_ids,
                subject=subject_of(row),
                project_id=row["project_id"],
                event_id=row["id"],
                actor_id=row["actor_id"],
            )


def _each_once(
    notices: Sequence[Notice], users: Mapping[Recipient, Mapping[str, set[str]]]
) -> Iterable[tuple[str, set[str]]]:
    """Return the users by kind of notification; each user stands under its first notice."""
    told: set[str] = set()
    found: dict[str, set[str]] = defaultdict(set)
    for notice in notices:
        new = users[notice.to].get(notice.id, set()) - told - {notice.excluded_user_id}
        found[notice.kind] |= new
        told |= new
    return found.items()


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
