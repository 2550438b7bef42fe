"""Loading of rows that every installation has, such as countries and units, without duplicates.

A catalogue row has the same id in every installation, made from its name in the catalogue. So a renamed row is
recognised and stays as it is, and a deleted row stays deleted.
"""

from __future__ import annotations

import hashlib
import uuid
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from catenary_core.database.statements import Row, Statement
from catenary_core.database.transactions import Transaction
from catenary_core.resources.resource import Resource

_EPOCH_MS = 1_767_225_600_000
"""2026-01-01 in Unix milliseconds, the time in the ids: older than every row."""

Key = tuple[str, ...]
"""Name of a row in the catalogue."""
Items = dict[Key, Mapping[str, Any] | None]
"""The rows of a catalogue by name; None for a row that belongs to a deleted one."""


@dataclass(frozen=True, slots=True)
class Loaded:
    """The result of loading one kind of catalogue row."""

    kind: str
    """Name of the resource."""
    added: int
    """Number of inserted rows."""
    kept: int
    """Number of rows that existed: perhaps changed since, or made by a user under the same name."""
    deleted: int
    """Number of rows not inserted because a user deleted them, or the row to which they belong."""


def row_id(resource: Resource[Any], key: Key) -> str:
    """Return the id of a catalogue row: a UUID of version 7 whose random part is a digest of its name.

    The format is that of RFC 9562, section 5.7.
    """
    digest = hashlib.sha256("\0".join((resource.service, resource.name, *key)).encode()).digest()
    head = (_EPOCH_MS << 16) | 0x7000 | (int.from_bytes(digest[:2], "big") & 0x0FFF)
    tail = 0b10 << 62 | (int.from_bytes(digest[2:10], "big") & (1 << 62) - 1)
    return str(uuid.UUID(int=head << 64 | tail))


async def load(tx: Transaction, resource: Resource[Any], items: Items, *, announce: bool) -> Loaded:
    """Insert the rows absent so far and not deleted before, except those whose name another row has.

    Args:
        tx: transaction of the load.
        resource: kind of the rows.
        items: the rows by name.
        announce: whether each inserted row is an event.
    """
    await resource.lock_writers(tx)
    rows = [{resource.id_field: row_id(resource, key), **values} for key, values in items.items() if values is not None]
    before = await resource.states(tx, [row_id(resource, key) for key in items])
    new = [row for row in rows if row[resource.id_field] not in before]
    added = await resource.add_missing(tx, new) if new else []
    if announce:
        await resource.write_events(tx, None, "created", await resource.read(tx, added))
    left_out = [row_id(resource, key) for key, values in items.items() if values is None]
    deleted = {id_ for id_, active in before.items() if not active} | set(left_out)
    return Loaded(resource.name, len(added), len(items) - len(added) - len(deleted), len(deleted))


async def active_ids(tx: Transaction, resource: Resource[Any], named: Statement, keys: Sequence[Key]) -> dict[str, str]:
    """Return the ids of the active rows for catalogue names; omit deleted rows.

    A name is represented by the catalogue's own row, whatever its name is now, else by a user's row of that name.

    Args:
        tx: connection.
        resource: kind of the rows.
        named: query for the active rows, with `id` and `name`.
        keys: names in the catalogue.
    """
    rows = await tx.all(named)
    return dict(_represented(resource, rows, keys))


def _represented(resource: Resource[Any], rows: Sequence[Row], keys: Sequence[Key]) -> Iterator[tuple[str, str]]:
    ids = {row["id"] for row in rows}
    by_name = {row["name"]: row["id"] for row in rows}
    for key in keys:
        (name,) = key
        own = row_id(resource, key)
        found = own if own in ids else by_name.get(name)
        if found is not None:
            yield name, found
