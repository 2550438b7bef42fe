"""Reads and writes of one kind of row of a data service, with the events of the writes.

A service declares each of its resources once. Deletion is soft; unique rules hold among active rows. Writers of a
resource with a unique rule wait for each other, so a conflict is found by a query and not by an exception.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Generic

import sqlalchemy as sa
import uuid_utils
from sqlalchemy.dialects.postgresql import insert as pg_insert
from sqlalchemy.sql.elements import ColumnElement

from catenary_core.access import references, rights
from catenary_core.call import preconditions
from catenary_core.call.call import Call
from catenary_core.call.errors import DomainError, conflict, invalid, not_found
from catenary_core.call.item_faults import ItemFaults
from catenary_core.database.columns import CLOCK, DELETED, INSTANT, TIES, Id
from catenary_core.database.statements import Row, ShapeT, Statement
from catenary_core.database.transactions import Transaction
from catenary_core.event_log import events
from catenary_wire.sentences import Fields, ResourceName, Sentence

_TIMES = ("created_at", "updated_at")
_LOCK = Statement(
    sa.select(sa.func.pg_advisory_xact_lock(sa.func.hashtextextended(sa.bindparam("name", type_=sa.Text), 0)))
)
_ids = sa.bindparam("ids", type_=sa.ARRAY(Id))


def same(row: Row) -> Any:
    """Return the row itself: its columns are labelled as the message's fields (see `statements.shaped`)."""
    return row


@dataclass(frozen=True, slots=True, eq=False)
class Resource(Generic[ShapeT]):
    """A kind of row, and the shape of its message."""

    service: str
    """Name of the service; event types are `<service>.<name>.created` and so on."""
    name: str
    """Singular key of the resource."""
    path: str
    """REST path as `resource_path` makes it; its variables beside the id are fields of the message."""
    table: sa.Table
    """The table."""
    rows: sa.Select[Any]
    """Query for the rows, with columns labelled as the message's fields."""
    id_field: str = "id"
    """Name of the primary key."""
    unique: tuple[str, ...] = ()
    """Columns of the unique rule."""
    private: frozenset[str] = frozenset()
    """Fields that events omit: personal data, and text of comments."""
    project: str | None = None
    """Field with the project of the environment context service that decides who sees the row's events."""
    writer_role: int | None = None
    """Role that changes and deletes a row of a kept project (`access.rights`); None: a role is never needed."""
    owned: bool = False
    """True if only the row's creator, the table's `created_by`, and Admins change and delete it."""
    tied: bool = False
    """True if the row's `reference_id` ties the row to a project (`access.references`), whose viewers see its events."""
    always: tuple[ColumnElement[bool], ...] = ()
    """Conditions of all reads and writes of one row, such as visibility; `context` has their parameters."""
    used_unseen: ColumnElement[bool] | None = None
    """Condition that something uses the row which the caller may not see; then only Admins change and delete the row."""
    message: Callable[[Row], ShapeT] = same
    """Makes the message's dict of a row."""

    @property
    def id_column(self) -> sa.Column[Any]:
        """The table's primary key."""
        return self.table.c[self.id_field]

    async def get(self, tx: Transaction, id_: str, *, show_deleted: bool = False, **context: Any) -> ShapeT:
        """Return the message of one row.

        Raises NOT_FOUND: no such row for this caller, or a deleted one without `show_deleted`.
        """
        row = await tx.one_or_none(_fetch(self), ids=[id_], **context)
        if row is None or (row["deleted_at"] is not None and not show_deleted):
            raise not_found(self._words)
        return self.message(row)

    async def create(
        self,
        tx: Transaction,
        call: Call,
        items: Sequence[Mapping[str, Any]],
        *,
        path: str = "",
        faults: ItemFaults | None = None,
        **context: Any,
    ) -> list[ShapeT]:
        """Insert rows; return their messages, in the order of `items`.

        Args:
            tx: transaction of the change.
            call: call that makes the change.
            items: new rows; all have the same columns, and one without an id gets one.
            path: field of the request with the list of items; empty for a request of one object.
            faults: conflicts that the servicer has found, which are refused with those found here.
            context: parameters of the conditions of `always`.

        Raises CONFLICT: an id is taken, or a unique rule is broken. The refusal names all such items and fields.
        """
        if self.unique:
            await self.lock_writers(tx)
        made = [{self.id_field: str(uuid_utils.uuid7()), **item} for item in items]
        if self.tied:
            ties = await references.ties_of(tx, call, [item["reference_id"] for item in made])
            made = [item | tie for item, tie in zip(made, ties, strict=True)]
        ids = await self._insert(tx, made)
        faults = ItemFaults() if faults is None else faults
        if len(ids) != len(made):
            await self._note_clashes(tx, made, ids, path, faults)
        faults.refuse()
        messages = await self.read(tx, [item[self.id_field] for item in made], **context)
        await self.write_events(tx, call, "created", messages)
        return messages

    async def add_missing(self, tx: Transaction, rows: Sequence[Mapping[str, Any]]) -> list[str]:
        """Insert the rows without a conflict, and without events; return their ids, in order.

        The caller must have called `wait`.
        """
        ids = await self._insert(tx, rows)
        return [row[self.id_field] for row in rows if row[self.id_field] in ids]

    async def states(self, tx: Transaction, ids: Sequence[str]) -> dict[str, bool]:
        """Map each existing id to whether its row is active; omit unknown ids."""
        return {row[self.id_field]: row["active"] for row in await tx.all(_states(self), ids=list(ids))}

    async def any_row(self, tx: Transaction) -> bool:
        """Return whether the table has any row, deleted rows included."""
        return await tx.one_or_none(_any(self)) is not None

    async def change(self, tx: Transaction, call: Call, id_: str, values: Mapping[str, Any], **context: Any) -> ShapeT:
        """Change an active row; return its message. Without `values` the row stays unchanged.

        Raises NOT_FOUND: no such row for this caller.
        Raises CONFLICT: a unique rule is broken.
        Raises PRECONDITION_FAILED: the row is not in the version of If-Match.
        Raises PERMISSION_DENIED: the caller may not change the row, or the change would hide it from the caller.
        """
        if not values and call.condition is None and self.writer_role is None and not self.owned:
            return await self.get(tx, id_, **context)
        await self.lock_target(tx, call, id_, **context)
        if not values:
            return await self.get(tx, id_, **context)
        if self.tied and "reference_id" in values:
            (tie,) = await references.ties_of(tx, call, [values["reference_id"]])
            values = {**values, **tie}
        names = frozenset(values)
        given = {f"new_{name}": value for name, value in values.items()}
        if not values.keys().isdisjoint(self.unique):
            compared = {name: value for name, value in given.items() if name.removeprefix("new_") in self.unique}
            if await tx.one_or_none(_clash(self, names & frozenset(self.unique)), id=id_, **compared) is not None:
                raise self._conflict(values)
        await tx.execute(_update(self, names), id=id_, **given)
        row = await tx.one_or_none(_fetch(self), ids=[id_], **context)
        if row is None:
            raise DomainError(
                "PERMISSION_DENIED",
                Sentence(
                    "The change would hide the {resource} from you; ask who would see it.",
                    {"resource": ResourceName(self._words)},
                ),
            )
        message = self.message(row)
        await self.write_events(tx, call, "updated", [message])
        return message

    async def delete(self, tx: Transaction, call: Call, id_: str, **context: Any) -> ShapeT:
        """Delete an active row; return its message.

        Raises NOT_FOUND: no such row for this caller.
        Raises PERMISSION_DENIED: the caller may not delete the row.
        Raises PRECONDITION_FAILED: the row is not in the version of If-Match.
        """
        await self.lock_target(tx, call, id_, **context)
        await tx.execute(_delete(self), id=id_)
        (message,) = await self.read(tx, [id_], **context)
        await self.write_events(tx, call, "deleted", [message])
        return message

    async def lock(self, tx: Transaction, id_: str, **context: Any) -> Row:
        """Lock an active row until the end of the transaction; return the table's row.

        Raises NOT_FOUND: no such row for this caller.
        """
        if self.unique:  # Always before the row lock, so that two writers never deadlock.
            await self.lock_writers(tx)
        row = await tx.one_or_none(_hold(self), id=id_, **context)
        if row is None:
            raise not_found(self._words)
        return row

    async def lock_target(self, tx: Transaction, call: Call, id_: str, **context: Any) -> Row:
        """Lock the target row of a change or deletion, as `lock`, and check the caller's right and the call's If-Match.

        A servicer with checks of its own before `change` or `delete` calls this first, to keep the order of refusals.

        Raises PERMISSION_DENIED: the row is another user's (`owned`) or used unseen (`used_unseen`), or of a kept project
        where the caller lacks the role.
        Raises PRECONDITION_FAILED: the row is not in the version of If-Match.
        """
        row = await self.lock(tx, id_, **context)
        if self.writer_role is not None:
            await rights.check(tx, call, self.writer_role, [row])
        if self.owned and not call.caller.admin and row["created_by"] != call.caller.user_id:
            raise DomainError(
                "PERMISSION_DENIED",
                Sentence(
                    "Only the creator of a {resource} or an Admin may change or delete it; ask one of them.",
                    {"resource": ResourceName(self._words)},
                ),
            )
        # A statement of its own: that of the lock does not see who began to use the row while it waited for them.
        if self.used_unseen is not None and (await tx.one(_used_unseen(self), id=id_, **context))["used"]:
            raise DomainError(
                "PERMISSION_DENIED",
                Sentence(
                    "Only an Admin may change or delete this {resource} by now; ask one, or create another.",
                    {"resource": ResourceName(self._words)},
                ),
            )
        if call.condition is not None:
            (message,) = await self.read(tx, [id_], **context)
            preconditions.check(call, message)
        return row

    async def read(self, tx: Transaction, ids: Sequence[str], **context: Any) -> list[ShapeT]:
        """Return the messages of existing rows, in the order of the ids."""
        rows = {row[self.id_field]: row for row in await tx.all(_fetch(self), ids=list(ids), **context)}
        return [self.message(rows[id_]) for id_ in ids]

    async def active(self, tx: Transaction, ids: Sequence[str]) -> set[str]:
        """Return the ids of active rows, to which a request body may refer."""
        return {row[self.id_field] for row in await tx.all(_active(self), ids=list(ids))}

    async def write_events(
        self,
        tx: Transaction,
        call: Call | None,
        what: str,
        messages: Sequence[ShapeT],
        projects: Mapping[str, str | None] | None = None,
    ) -> None:
        """Write the event `<service>.<name>.<what>` of each message.

        Args:
            tx: transaction of the change.
            call: call that makes the change; None for the platform itself.
            what: `created`, `updated` or `deleted`.
            messages: the changed rows.
            projects: the rows' projects by row id, if the messages lack them.
        """
        ties: dict[str, Row] = {}
        if self.tied and messages:
            rows = await tx.all(_ties(self), ids=[message[self.id_field] for message in messages])
            ties = {row[self.id_field]: row for row in rows}
        changes = []
        for message in messages:
            id_ = message[self.id_field]
            shown = {key: value for key, value in message.items() if key not in self.private}
            project_id = message[self.project] if self.project is not None else None
            if projects is not None:
                project_id = projects[id_]
            platform_id = None
            if self.tied:
                project_id, platform_id = (ties[id_][name] for name in TIES)
            subject = self.path.format(id_, **message)
            changes.append(events.Change(subject, {self.name: shown}, project_id, platform_id))
        await events.write_all(tx, call, f"{self.service}.{self.name}.{what}", changes)

    async def _insert(self, tx: Transaction, made: Sequence[Mapping[str, Any]]) -> set[str]:
        """Insert the rows without a conflict; return their ids."""
        names = tuple(made[0])
        given = {f"new_{name}": [item[name] for item in made] for name in names}
        return {row[self.id_field] for row in await tx.all(_insert(self, names), **given)}

    @property
    def _words(self) -> str:
        return self.name.replace("_", " ")

    async def lock_writers(self, tx: Transaction) -> None:
        """Lock the resource against other writers until the end of this transaction."""
        await tx.one(_LOCK, name=f"{self.service}.{self.name}")

    async def _note_clashes(
        self, tx: Transaction, made: Sequence[Mapping[str, Any]], kept: set[str], path: str, faults: ItemFaults
    ) -> None:
        """Record a fault for each taken id and each broken unique rule.

        Active rows and earlier items of the request count alike.
        """
        ids = [item[self.id_field] for item in made]
        taken = (await self.states(tx, [id_ for id_ in ids if id_ not in kept])).keys()
        clashing = await self._clashing(tx, made, kept) if self.unique else set()
        ids_before, keys_before = set[str](), set[tuple[Any, ...]]()
        for index, (id_, item) in enumerate(zip(ids, made, strict=True)):
            field = f"{path}[{index}]." if path else ""
            key = tuple(item.get(name) for name in self.unique)
            with faults.of(index):
                if id_ in ids_before or id_ in taken:
                    raise conflict(
                        f"{field}{self.id_field}",
                        "The {field} {id} is taken; give another, or none to get a new one.",
                        value=id_,
                        id=id_,
                    )
            with faults.of(index):
                if index in clashing or (self.unique and key in keys_before):
                    raise self._conflict(item, field)
            ids_before.add(id_)
            keys_before.add(key)

    async def _clashing(self, tx: Transaction, made: Sequence[Mapping[str, Any]], kept: set[str]) -> set[int]:
        """Return the places of the items whose unique columns an active row of before the insertion has."""
        given = {f"new_{name}": [item.get(name) for item in made] for name in self.unique}
        return {row["index"] for row in await tx.all(_clashes(self), kept=sorted(kept), **given)}

    def _conflict(self, values: Mapping[str, Any], path: str = "") -> DomainError:
        name = next((name for name in self.unique if name in values), self.id_field)
        return conflict(
            f"{path}{name}",
            "{field}: an active {resource} has this {unique: and } already; give another.",
            value=values.get(name),
            resource=ResourceName(self._words),
            unique=Fields(*(self.unique or ("id",))),
        )


def unknown(field: str, value: str, what: str) -> DomainError:
    """Return a VALIDATION_ERROR for an id in a body without an active row visible to the caller."""
    return invalid(
        field,
        "{field} names no active {resource} that you may see; give the id of one.",
        value=value,
        constraint="unknown",
        resource=ResourceName(what),
    )


@cache
def _fetch(resource: Resource[Any]) -> Statement:
    return Statement(resource.rows.where(resource.id_column == sa.any_(_ids), *resource.always))


@cache
def _hold(resource: Resource[Any]) -> Statement:
    table = resource.table
    row = sa.select(table).where(resource.id_column == sa.bindparam("id", type_=Id), table.c.deleted_at.is_(None))
    if resource.writer_role is not None and resource.project is not None:
        row = row.add_columns(rights.kept(table.c[resource.project]))
    return Statement(row.where(*resource.always).with_for_update(of=table))


@cache
def _used_unseen(resource: Resource[Any]) -> Statement:
    if resource.used_unseen is None:
        raise ValueError(f"nothing uses a {resource.name}")
    used = resource.used_unseen.label("used")
    return Statement(sa.select(used).where(resource.id_column == sa.bindparam("id", type_=Id)))


@cache
def _active(resource: Resource[Any]) -> Statement:
    table = resource.table
    rows = sa.select(resource.id_column).where(resource.id_column == sa.any_(_ids), table.c.deleted_at.is_(None))
    return Statement(rows)


@cache
def _states(resource: Resource[Any]) -> Statement:
    active = resource.table.c.deleted_at.is_(None).label("active")
    return Statement(sa.select(resource.id_column, active).where(resource.id_column == sa.any_(_ids)))


@cache
def _ties(resource: Resource[Any]) -> Statement:
    columns = (resource.table.c[name] for name in TIES)
    return Statement(sa.select(resource.id_column, *columns).where(resource.id_column == sa.any_(_ids)))


@cache
def _any(resource: Resource[Any]) -> Statement:
    return Statement(sa.select(resource.id_column).limit(1))


@cache
def _insert(resource: Resource[Any], names: tuple[str, ...]) -> Statement:
    table = resource.table
    lists = [sa.bindparam(f"new_{name}", type_=sa.ARRAY(table.c[name].type)) for name in names]
    given = sa.func.unnest(*lists).table_valued(*names, with_ordinality="place").render_derived("given")
    # One microsecond apart, so that `created_at` sorts them in the given order.
    time = INSTANT + given.c.place * sa.literal_column("interval '1 microsecond'")
    rows = sa.select(*(given.c[name] for name in names), *(time for _ in _TIMES))
    statement = pg_insert(table).from_select([*names, *_TIMES], rows).on_conflict_do_nothing()
    return Statement(statement.returning(resource.id_column))


@cache
def _update(resource: Resource[Any], names: frozenset[str]) -> Statement:
    table = resource.table
    values = {name: sa.bindparam(f"new_{name}", type_=table.c[name].type) for name in sorted(names)}
    changed = sa.update(table).values(**values, updated_at=CLOCK)
    return Statement(changed.where(resource.id_column == sa.bindparam("id", type_=Id)))


@cache
def _clash(resource: Resource[Any], names: frozenset[str]) -> Statement:
    """Return a query for another active row with the same unique columns as the row with its new values."""
    row, other = resource.table, resource.table.alias("other")
    same = []
    for name in resource.unique:
        new = sa.bindparam(f"new_{name}", type_=row.c[name].type) if name in names else row.c[name]
        same.append(other.c[name].is_not_distinct_from(new))
    id_ = sa.bindparam("id", type_=Id)
    clash = sa.select(other.c[resource.id_field]).select_from(row.join(other, sa.true()))
    return Statement(
        clash.where(
            resource.id_column == id_, other.c[resource.id_field] != id_, other.c.deleted_at.is_(None), *same
        ).limit(1)
    )


@cache
def _clashes(resource: Resource[Any]) -> Statement:
    """Return a query for the places of new rows that clash with active rows other than `kept`."""
    table = resource.table
    lists = [sa.bindparam(f"new_{name}", type_=sa.ARRAY(table.c[name].type)) for name in resource.unique]
    given = sa.func.unnest(*lists).table_valued(*resource.unique, with_ordinality="place").render_derived("given")
    same = [table.c[name].is_not_distinct_from(given.c[name]) for name in resource.unique]
    other = resource.id_column != sa.all_(sa.bindparam("kept", type_=sa.ARRAY(Id)))
    rows = sa.select((given.c.place - sa.literal_column("1")).label("index")).select_from(
        given.join(table, sa.and_(*same))
    )
    return Statement(rows.where(table.c.deleted_at.is_(None), other).distinct())


@cache
def _delete(resource: Resource[Any]) -> Statement:
    deleted = sa.update(resource.table).values(DELETED)
    return Statement(deleted.where(resource.id_column == sa.bindparam("id", type_=Id)))
