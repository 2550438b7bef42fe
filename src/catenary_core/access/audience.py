"""Visibility of events, for streams, webhooks and notifications alike (guide/conventions.md, "Events").

A project's events are visible to its members, `user.*` to that user, events of a data service to all who may see the
row, `system.*` to every caller; Admins see all of these. `notification.created` is visible to the notification's user
alone. An event of two projects is visible to those who see both. Visibility is decided when an event is delivered, not
when it was written.
"""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence

import sqlalchemy as sa

from catenary.options.v1 import options_pb2
from catenary_core.access import visibility
from catenary_core.access.addressees import NO_ADDRESSEE, Addressee, addressees
from catenary_core.call.call import Identity
from catenary_core.database.columns import Id, active_project
from catenary_core.database.statements import Row, Statement
from catenary_core.database.transactions import Database
from catenary_core.event_log import notifications
from catenary_core.event_log.event_types import surface_of
from catenary_wire.json_form import enum_numbers

Users = frozenset[str] | None
"""Ids of the users who see something besides Admins; None: every caller."""
Viewers = Users | Addressee
"""Those who see an event; an Addressee: this user alone, without the Admins."""
NOBODY: frozenset[str] = frozenset()
"""Viewers of an event that only Admins see."""
_SURFACES = frozenset(enum_numbers(options_pb2.Surface.DESCRIPTOR))
KEEP_SECONDS = 1.0
"""Time in seconds for which viewers are cached."""
_KEEP_ENTRIES = 10_000

# Views of the projects service: the first has all projects, deleted ones too, the second the active ones.
_member_user = sa.table("member_user", sa.column("project_id", Id), sa.column("user_id", Id), schema="projects")
_project_role = sa.table("project_role", sa.column("project_id", Id), sa.column("user_id", Id), schema="projects")
_of_ids = sa.any_(sa.bindparam("ids", type_=sa.ARRAY(Id)))
_MEMBERS = Statement(
    sa.select(_member_user.c.project_id, _member_user.c.user_id).where(_member_user.c.project_id == _of_ids)
)
_ACTIVE = Statement(
    sa.select(active_project.c.project_id, _project_role.c.user_id)
    .outerjoin_from(active_project, _project_role, _project_role.c.project_id == active_project.c.project_id)
    .where(active_project.c.project_id == _of_ids)
)


class Audiences:
    """Finds the viewers of many events with one look-up per batch and kind of project.

    Results are cached for KEEP_SECONDS, and dropped at once by events that change them.
    """

    def __init__(self, db: Database, clock: Callable[[], float] = time.monotonic) -> None:
        self._db = db
        self._clock = clock
        self._changes = 0
        self._members: dict[str, tuple[float, Users]] = {}
        self._confidential: dict[str, tuple[float, Users]] = {}

    def forget(self) -> None:
        """Drop the cache, for a reader after skipped events."""
        self._changes += 1
        self._members.clear()
        self._confidential.clear()

    async def of(self, rows: Sequence[Row]) -> list[Viewers]:
        """Return the viewers of each event, in order; `rows` are those of `event_log.reader.read`."""
        self._drop_changed(rows)
        members = await self._found(
            self._members, {row["project_id"] for row in rows if _by_member(row)}, self._read_members
        )
        confidential = await self._found(
            self._confidential,
            {row["environment_project_id"] for row in rows if row["environment_project_id"] is not None},
            self._read_confidential,
        )
        told = await self._read_addressees([row for row in rows if row["type"] == notifications.CREATED])
        return [told[row["id"]] if row["id"] in told else _viewers(row, members, confidential) for row in rows]

    async def members(self, project_ids: Iterable[str]) -> dict[str, frozenset[str]]:
        """Return the users with a role in each active project, never from the cache; inactive projects are omitted."""
        found: dict[str, set[str]] = {}
        async with self._db.read() as tx:
            for row in await tx.all(_ACTIVE, ids=list(project_ids)):
                found.setdefault(row["project_id"], set()).add(row["user_id"])
        return {project_id: frozenset(users) for project_id, users in found.items()}

    def _drop_changed(self, rows: Sequence[Row]) -> None:
        """Drop cached viewers possibly changed by the events; the events are committed, so later reads are newer."""
        for row in rows:
            if row["type"].startswith("project."):
                self._changes += 1
                self._members.pop(row["project_id"], None)
                self._confidential.clear()  # its members see the confidential projects linked to it
            elif row["type"].startswith("environment.project."):
                self._changes += 1
                self._confidential.pop(row["environment_project_id"], None)

    async def _found(
        self,
        kept: dict[str, tuple[float, Users]],
        ids: set[str],
        read: Callable[[list[str]], Awaitable[Mapping[str, Users]]],
    ) -> Mapping[str, Users]:
        now, changes = self._clock(), self._changes
        found = {id_: kept[id_][1] for id_ in ids if id_ in kept and kept[id_][0] > now}
        if missing := list(ids - found.keys()):
            new = await read(missing)
            found.update(new)
            # If a change arrived during the look-up, its result may be older than the change: don't cache it.
            if changes == self._changes:
                if len(kept) > _KEEP_ENTRIES:
                    kept.clear()
                kept.update({id_: (now + KEEP_SECONDS, viewers) for id_, viewers in new.items()})
        return found

    async def _read_members(self, ids: list[str]) -> Mapping[str, Users]:
        found: dict[str, set[str]] = {id_: set() for id_ in ids}
        async with self._db.read() as tx:
            for row in await tx.all(_MEMBERS, ids=ids):
                found[row["project_id"]].add(row["user_id"])
        return {id_: frozenset(users) for id_, users in found.items()}

    async def _read_addressees(self, rows: Sequence[Row]) -> Mapping[str, Addressee]:
        """Return the users of the notifications that these events tell of, by event id; never from the cache."""
        if not rows:
            return {}
        ids = {row["id"]: row["data"]["notification"]["notification_id"] for row in rows}
        async with self._db.read() as tx:
            found = await addressees(tx, set(ids.values()))
        return {event_id: found.get(id_, NO_ADDRESSEE) for event_id, id_ in ids.items()}

    async def _read_confidential(self, ids: list[str]) -> Mapping[str, Users]:
        async with self._db.read() as tx:
            return await visibility.viewers(tx, ids)


def may_see(identity: Identity, type_: str, viewers: Viewers) -> bool:
    """Return whether an identity may see an event with these viewers; a credential needs the surface in its scopes."""
    if isinstance(viewers, Addressee):
        if not viewers.is_seen_by(identity):
            return False
    elif viewers is not None and not identity.admin and identity.user_id not in viewers:
        return False
    if identity.kind == "person":  # from an identity provider, or the owner of a webhook: without scopes
        return True
    surface = surface_of(type_)
    return not identity.scopes.isdisjoint({f"{surface}:read", f"{surface}:write"})


def is_narrowed(identity: Identity) -> bool:
    """Return whether a credential sees less than its user: an API key, or a token that lacks a surface."""
    if identity.kind == "person":
        return False
    return identity.kind == "api_key" or any(
        identity.scopes.isdisjoint({f"{surface}:read", f"{surface}:write"}) for surface in _SURFACES
    )


def _by_member(row: Row) -> bool:
    return row["project_id"] is not None and not row["type"].startswith(("user.", "system.", "notification."))


def _viewers(row: Row, members: Mapping[str, Users], confidential: Mapping[str, Users]) -> Users:
    type_: str = row["type"]
    if type_.startswith("system."):
        return None
    if type_.startswith("user."):
        return frozenset({row["actor_id"]})
    found = []
    if row["project_id"] is not None:
        found.append(members[row["project_id"]])
    if row["environment_project_id"] is not None:
        found.append(confidential[row["environment_project_id"]])
    if not found:
        return NOBODY if surface_of(type_) == "platform" else None
    # A row of both, as a link of a project's tag to an evaluation, is seen by those who see both.
    named = [viewers for viewers in found if viewers is not None]
    return frozenset.intersection(*named) if named else None
