"""The writing of a file's rows: assets, then parameters, then entries. Existing rows are kept or revised."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import uuid_utils

from catenary_core.services.parameter.imports.calls import BATCH, Calls, Item
from catenary_core.services.parameter.imports.faults import Row
from catenary_core.services.parameter.imports.names import Asset, Names, Tree, named
from catenary_core.services.parameter.imports.values import value_of
from catenary_core.services.parameter.parameters import queries

Advance = Callable[[int], None]
Key = tuple[str, str, tuple[str, ...]]
"""Project, parameter type, and the sorted ids of the parents."""
_ENTRY_TEXTS = ("comment", "location_in_source")
_BY_KEY = ("project", "project_id", "parameter_type", "parameter_type_id", "parents", "parent_ids")
_ENTRY = ("unit", "unit_id", "source", "source_id", "entry_id", *_ENTRY_TEXTS)


@dataclass(slots=True)
class Count:
    """The numbers of rows of one kind that were added, revised and kept."""

    kind: str
    added: int = 0
    revised: int = 0
    kept: int = 0


@dataclass(frozen=True, slots=True)
class _Known:
    """An existing parameter."""

    id: str
    parameter_type: dict[str, Any]
    entry_id: str | None
    """The parameter's entry, if any."""
    revision_id: str | None
    """The entry's latest revision, if any."""


class Writer:
    """Writes rows. The problem of a row becomes a fault, and the other rows are still tried."""

    def __init__(self, calls: Calls) -> None:
        self._calls = calls
        self._faults = calls.faults
        self._names = Names(calls)
        self._places: dict[Any, str] = {}

    async def write(self, kind: str, rows: Sequence[Row], advance: Advance) -> Count:
        """Write the rows of a kind; return their counts. `advance` is called with the number of finished rows."""
        count = Count(kind)
        write = {"assets": self._assets, "parameters": self._parameters, "entries": self._entries}[kind]
        for start in range(0, len(rows), BATCH):
            some = rows[start : start + BATCH]
            await self._names.read_for(some)
            await write(some, count)
            advance(len(some))
        return count

    async def _assets(self, rows: Sequence[Row], count: Count) -> None:
        await self._names.read_asset_types()
        projects = [self._names.project(row) for row in rows]
        await self._names.read_trees({id_ for id_ in projects if id_ is not None})
        items = []
        for row, project_id in zip(rows, projects, strict=True):
            item = None if project_id is None else self._asset(row, project_id)
            if item is not None:
                items.append(item)
            elif not self._faults.has(row):
                count.kept += 1
        count.added += len(await self._calls.send("CreateAssets", "assets", items))

    def _asset(self, row: Row, project_id: str) -> Item | None:
        """Return the item for a new asset; None if the asset exists, or after a fault."""
        tree = self._names.tree(project_id)
        by_type = self._type_of(row)
        parent_id = self._parent(row, tree)
        id_ = self._names.id(row, "id")
        if by_type is None or self._faults.has(row):
            self._add_placeholder(row, parent_id, tree)
            return None
        type_id, sub_type_id = by_type
        sub_type = self._names.sub_types.get(sub_type_id or "")
        name = row.cells.get("name") or ("" if sub_type is None else sub_type["name"])
        new = Asset(id_ or str(uuid_utils.uuid7()), parent_id, name, type_id, sub_type_id, row.place)
        if self._is_there(row, new, tree):
            return None
        tree.add(new)
        fields = {"id": new.id, "project_id": project_id, "name": name}
        fields |= {"asset_sub_type_id": sub_type_id} if sub_type_id else {"asset_type_id": type_id}
        fields |= {"parent_id": parent_id} if parent_id else {}
        return Item(row, fields, new.id, frozenset({parent_id} if parent_id else ()))

    def _add_placeholder(self, row: Row, parent_id: str | None, tree: Tree) -> None:
        """Add a placeholder for the asset of a faulty row.

        Rows that name the asset then get no fault of their own.
        """
        if "name" in row.cells and not tree.below(parent_id, row.cells["name"]):
            lost = str(uuid_utils.uuid7())
            tree.add(Asset(lost, parent_id, row.cells["name"], "", None, row.place))
            self._calls.mark_missing(lost)

    def _is_there(self, row: Row, new: Asset, tree: Tree) -> bool:
        """Return whether the asset exists, by its id, else by its parent, name and type. A difference is a fault."""
        if "id" in row.cells:
            same = tree.assets.get(new.id)
            if same is None:
                return False
            if same.place:
                self._faults.of(row, "id", f"{same.place.capitalize()} has this id already.")
            elif (same.parent_id, same.name) != (new.parent_id, new.name) or not _same_type(same, new):
                self._faults.of(
                    row,
                    "id",
                    "An asset of this id is there with another name, parent or type; an import changes no asset.",
                )
            return True
        same = next((one for one in tree.below(new.parent_id, new.name) if _same_type(one, new)), None)
        if same is not None and same.place:
            self._faults.of(
                row, "name", f"{same.place.capitalize()} makes an asset of this name, type and parent already."
            )
        return same is not None

    def _type_of(self, row: Row) -> tuple[str, str | None] | None:
        """Return the asset type and, where the row gives one, the sub type; None after a fault."""
        sub_types = self._names.sub_types
        by_sub_type = not row.cells.keys().isdisjoint(("asset_sub_type", "asset_sub_type_id"))
        type_id = self._names.asset_type(row, needed=not by_sub_type)
        if self._faults.has(row):
            return None
        if not by_sub_type:
            return (type_id, None) if type_id else None
        fitting = {id_: one for id_, one in sub_types.items() if type_id in (None, one["asset_type_id"])}
        sub_type_id = self._names.one(row, "asset_sub_type", named(fitting))
        if sub_type_id is None:
            return None
        if type_id is not None and sub_type_id not in fitting:
            self._faults.of(row, "asset_sub_type_id", "The sub type is none of the asset type; leave the type blank.")
            return None
        return (sub_types[sub_type_id]["asset_type_id"] if sub_type_id in sub_types else "", sub_type_id)

    def _parent(self, row: Row, tree: Tree) -> str | None:
        path = row.cells.get("parent")
        if path is None:
            return self._names.id(row, "parent_id")
        if "parent_id" in row.cells:
            self._faults.of(row, "parent_id", "Give parent or parent_id, not both.")
            return None
        return self._names.asset(row, "parent", tree, path)

    async def _parameters(self, rows: Sequence[Row], count: Count) -> None:
        keys = await self._keys(rows)
        known = await self._known([key for key in keys if key is not None])
        new: list[Item] = []
        valued: list[tuple[Row, _Known]] = []
        for row, key in zip(rows, keys, strict=True):
            if key is None or not self._is_first(row, ("parameters", key)):
                continue
            id_ = self._names.id(row, "id")
            same = known.get(key)
            if same is not None:
                if id_ not in (None, same.id):
                    self._faults.of(row, "id", "The parameter of this project, type and parents has another id.")
                elif "value" in row.cells:
                    valued.append((row, same))
                elif self._has_no_entry(row):
                    count.kept += 1
                continue
            new_id = id_ or str(uuid_utils.uuid7())
            fields: dict[str, Any] = {"id": new_id, "project_id": key[0], "parameter_type_id": key[1]}
            fields["parent_ids"] = key[2]
            if "value" in row.cells:
                entry = await self._entry(row, self._names.parameter_types.get(key[1]))
                fields["entries"] = [] if entry is None else [entry]
            elif not self._has_no_entry(row):
                continue
            if not self._faults.has(row):
                new.append(Item(row, fields, new_id, frozenset(key[2])))
        count.added += len(await self._calls.send("CreateParameters", "parameters", new))
        await self._put(valued, count)

    async def _entries(self, rows: Sequence[Row], count: Count) -> None:
        ids = {row.place: self._names.id(row, "parameter_id") for row in rows if "parameter_id" in row.cells}
        keys = dict(zip((row.place for row in rows), await self._keys(rows, ids), strict=True))
        by_key = await self._known([key for key in keys.values() if key is not None])
        by_id = await self._known_by_id([id_ for id_ in ids.values() if id_ is not None])
        valued = []
        for row in rows:
            key, id_ = keys[row.place], ids.get(row.place)
            known = by_key.get(key) if key is not None else by_id.get(id_) if id_ is not None else None
            if "value" not in row.cells:
                self._faults.of(row, "value", "Give the value.")
            elif known is not None:
                if self._is_first(row, ("entries", known.id)):
                    valued.append((row, known))
            elif not self._faults.has(row) and ("parameters", key) not in self._places:
                what = (
                    "of this id" if key is None else "of this project, type and parents; import it as a parameter first"
                )
                self._faults.of(row, "" if key else "parameter_id", f"There is no parameter {what}.")
        await self._put(valued, count)

    async def _put(self, valued: Sequence[tuple[Row, _Known]], count: Count) -> None:
        """Give existing parameters their values."""
        items, before = [], {}
        for row, known in valued:
            entry = await self._entry(row, known.parameter_type)
            if entry is not None and not self._faults.has(row):
                entry = {"entry_id": known.entry_id or str(uuid_utils.uuid7()), "parameter_id": known.id} | entry
                items.append(Item(row, entry, needs=frozenset({known.id})))
                before[known.id] = known
        # In the order in which every other writer locks the parameters, so that no two wait for each other.
        items.sort(key=lambda item: str(item.fields["parameter_id"]))
        for _, answer in await self._calls.send("PutEntries", "entries", items):
            known = before[answer["parameter_id"]]
            if answer["revision_id"] == known.revision_id:
                count.kept += 1
            elif known.revision_id is None and count.kind == "entries":
                count.added += 1
            else:
                count.revised += 1

    async def _entry(self, row: Row, parameter_type: dict[str, Any] | None) -> dict[str, Any] | None:
        """Return the fields of a row's entry; None after a fault."""
        source_id, entry_id = self._names.source(row), self._names.id(row, "entry_id")
        if parameter_type is None:
            self._faults.of(row, "parameter_type_id", "There is no parameter type of this id.")
            return None
        unit_id = await self._names.unit(row, parameter_type)
        value = value_of(row, parameter_type, self._faults)
        if source_id is None or value is None or self._faults.has(row):
            return None
        entry: dict[str, Any] = {"source_id": source_id, "values": [{"value": value}]}
        if unit_id is not None:
            entry["values"][0]["unit_id"] = unit_id
        if entry_id is not None:
            entry["entry_id"] = entry_id
        return entry | {name: row.cells[name] for name in _ENTRY_TEXTS if name in row.cells}

    def _has_no_entry(self, row: Row) -> bool:
        """Return whether a row without a value has no other cell of an entry; each such cell is a fault."""
        given = [name for name in _ENTRY if name in row.cells]
        for name in given:
            self._faults.of(row, name, f"A {name} is given without a value; give the value, or leave both blank.")
        return not given

    def _is_first(self, row: Row, key: Any) -> bool:
        """Return whether no earlier row names the same parameter; a second one is a fault."""
        first = self._places.setdefault(key, row.place)
        if first != row.place:
            self._faults.of(row, "", f"{first.capitalize()} has the same parameter; give each parameter once.")
        return first == row.place

    async def _keys(self, rows: Sequence[Row], ids: dict[str, str | None] | None = None) -> list[Key | None]:
        """Return each row's parameter by project, type and parents; None for a row in `ids`, and after a fault."""
        await self._names.read_parameter_types()
        projects = [None if ids and row.place in ids else self._names.project(row) for row in rows]
        await self._names.read_trees(
            {id_ for row, id_ in zip(rows, projects, strict=True) if id_ is not None and "parents" in row.cells}
        )
        keys: list[Key | None] = []
        for row, project_id in zip(rows, projects, strict=True):
            if ids and row.place in ids:
                for name in _BY_KEY:
                    if name in row.cells:
                        self._faults.of(row, name, f"Give parameter_id or {name}, not both.")
                keys.append(None)
                continue
            type_id = self._names.parameter_type(row)
            parents = None if project_id is None else self._parents(row, project_id)
            keys.append(
                None if project_id is None or type_id is None or parents is None else (project_id, type_id, parents)
            )
        return keys

    def _parents(self, row: Row, project_id: str) -> tuple[str, ...] | None:
        if "parents" in row.cells and "parent_ids" in row.cells:
            self._faults.of(row, "parent_ids", "Give parents or parent_ids, not both.")
            return None
        if "parents" in row.cells:
            tree = self._names.tree(project_id)
            found = [self._names.asset(row, "parents", tree, path) for path in row.cells["parents"]]
        else:
            found = list(self._names.ids(row, "parent_ids", row.cells.get("parent_ids", ())) or ())
        return None if self._faults.has(row) else tuple(sorted(id_ for id_ in found if id_ is not None))

    async def _known(self, keys: Sequence[Key]) -> dict[Key, _Known]:
        """Return the active parameters of keys, whose projects the caller may see."""
        columns = {
            "project_ids": [key[0] for key in keys],
            "type_ids": [key[1] for key in keys],
            "parent_ids": [",".join(key[2]) for key in keys],
        }
        found: dict[Key, _Known] = {}
        # The list of parameters would find them too, but would read the whole project.
        for row in await self._calls.tx.all(queries.ADDRESSED, **columns):
            parents = tuple(row["parent_ids"].split(",")) if row["parent_ids"] else ()
            parameter_type = self._names.parameter_types.get(row["parameter_type_id"])
            if parameter_type is not None:
                known = _Known(row["id"], parameter_type, row["entry_id"], row["revision_id"])
                found[row["project_id"], row["parameter_type_id"], parents] = known
        return found

    async def _known_by_id(self, ids: Sequence[str]) -> dict[str, _Known]:
        if not ids:
            return {}
        rows = await self._calls.all("parameter", "ListParameters", parameter_id=ids)
        found = {}
        for row in rows:
            entry = row["selected_entry"] or {}
            found[row["id"]] = _Known(row["id"], row["parameter_type"], entry.get("entry_id"), entry.get("revision_id"))
        return found


def _same_type(one: Asset, new: Asset) -> bool:
    return one.type_id == new.type_id and new.sub_type_id in (None, one.sub_type_id)
