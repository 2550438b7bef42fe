"""Loading rows that every installation has, such as countries and units, without doubling them.

A catalogue's row has the same id everywhere, made from its name in the catalogue. So a row that somebody renamed is known
again and stays as it is, and one that somebody deleted stays deleted.
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
"""2026-01-01, the moment in the ids: older than every row."""

Key = tuple[str, ...]
Items = dict[Key, Mapping[str, Any] | None]
"""The rows of a catalogue by their names in it; None for one that belongs to something that was deleted."""


@dataclass(frozen=True, slots=True)
class Loaded:
    """What became of a catalogue's rows of one kind.

    `kept` were there already, perhaps changed since or made by somebody under the same name; `deleted` are left alone because
    somebody deleted them, or what they belong to.
    """

    kind: str
    added: int
    kept: int
    deleted: int


def row_id(resource: Resource[Any], key: Key) -> str:
    """The id of a catalogue's row: a UUID of version 7 (RFC 9562, section 5.7) whose random part is a digest of its name."""
    digest = hashlib.sha256("\0".join((resource.service, resource.name, *key)).encode()).digest()
    head = (_EPOCH_MS << 16) | 0x7000 | (int.from_bytes(digest[:2], "big") & 0x0FFF)
    tail = 0b10 << 62 | (int.from_bytes(digest[2:10], "big") & (1 << 62) - 1)
    return str(uuid.UUID(int=head << 64 | tail))


async def load(tx: Transaction, resource: Resource[Any], items: Items, *, announce: bool) -> Loaded:
    """Adds the rows that were never there, but for those whose name another row has; with `announce` each is an event."""
    await resource.wait(tx)
    rows = [{resource.id_field: row_id(resource, key), **values} for key, values in items.items() if values is not None]
    before = await resource.states(tx, [row_id(resource, key) for key in items])
    new = [row for row in rows if row[resource.id_field] not in before]
    added = await resource.add_missing(tx, new) if new else []
    if announce:
        await resource.note(tx, None, "created", await resource.read(tx, added))
    left_out = [row_id(resource, key) for key, values in items.items() if values is None]
    deleted = {id_ for id_, active in before.items() if not active} | set(left_out)
    return Loaded(resource.name, len(added), len(items) - len(added) - len(deleted), len(deleted))


async def active_ids(tx: Transaction, resource: Resource[Any], named: Statement, keys: Sequence[Key]) -> dict[str, str]:
    """The ids of the active rows that stand for a catalogue's names; without those that were deleted.

    That is the catalogue's own row, whatever it is called now, else one that somebody made under the name. `named` selects the
    active rows: `id` and `name`.
    """
    rows = await tx.all(named)
    return dict(_standing(resource, rows, keys))


def _standing(resource: Resource[Any], rows: Sequence[Row], keys: Sequence[Key]) -> Iterator[tuple[str, str]]:
    ids = {row["id"] for row in rows}
    by_name = {row["name"]: row["id"] for row in rows}
    for key in keys:
        (name,) = key
        own = row_id(resource, key)
        found = own if own in ids else by_name.get(name)
        if found is not None:
            yield name, found
