"""The ids behind the names in a file: projects, types, assets by their paths, sources and units.

Names are read through the services' lists, so they match only rows that the caller may see.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from catenary_core.services.parameter.imports.calls import Calls
from catenary_core.services.parameter.imports.columns import NAMED
from catenary_core.services.parameter.imports.faults import Row, suggestion

PATH_SEPARATOR = "/"
_ID = re.compile(r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}", re.ASCII)
_MOST_TEXTS, _MOST_IDS = 100, 1000
"""Most values of one filter."""


@dataclass(frozen=True, slots=True)
class Asset:
    """An asset that exists, or one that a row of the file makes."""

    id: str
    parent_id: str | None
    name: str
    type_id: str
    sub_type_id: str | None
    place: str = ""
    """Place of the row that makes the asset; empty if the asset exists."""


class Tree:
    """The active assets of a project, and those that earlier rows make."""

    def __init__(self) -> None:
        self.assets: dict[str, Asset] = {}
        self._below: dict[tuple[str | None, str], list[str]] = defaultdict(list)

    def add(self, asset: Asset) -> None:
        """Add an asset."""
        self.assets[asset.id] = asset
        self._below[asset.parent_id, asset.name].append(asset.id)

    def below(self, parent_id: str | None, name: str) -> list[Asset]:
        """Return the assets of a name directly below a parent, or at the top."""
        return [self.assets[id_] for id_ in self._below.get((parent_id, name), ())]

    def at(self, path: str) -> list[str]:
        """Return the ids of the assets at a path; names are not unique, so there may be several."""
        found: list[str | None] = [None]
        for name in path.split(PATH_SEPARATOR):
            found = [asset.id for parent_id in found for asset in self.below(parent_id, name.strip())]
        return [id_ for id_ in found if id_ is not None]


class Names:
    """The ids of names. Each list is read once; rows of this transaction are added here too."""

    def __init__(self, calls: Calls) -> None:
        self._calls = calls
        self._faults = calls.faults
        self._projects: dict[str, list[str]] = {}
        self._visible_projects: set[str] = set()
        self._sources: dict[str, list[str]] = {}
        self._trees: dict[str, Tree] = {}
        self._same_units: dict[tuple[str, ...], bool] = {}
        self.parameter_types: dict[str, dict[str, Any]] = {}
        self.asset_types: dict[str, dict[str, Any]] = {}
        self.sub_types: dict[str, dict[str, Any]] = {}
        self._parameter_types_named: dict[str, list[str]] = {}
        self._asset_types_named: dict[str, list[str]] = {}

    async def read_asset_types(self) -> None:
        """Read the asset types and their sub types."""
        if not self.asset_types:
            rows = await self._calls.all("parameter", "ListAssetTypes")
            self.asset_types = {row["id"]: row for row in rows}
            self._asset_types_named = named(self.asset_types)
            for row in rows:
                if row["asset_sub_type"]:
                    below = await self._calls.all("parameter", "ListAssetSubTypes", asset_type_id=row["id"])
                    self.sub_types |= {sub_type["id"]: sub_type for sub_type in below}

    async def read_parameter_types(self) -> None:
        """Read the parameter types."""
        if not self.parameter_types:
            rows = await self._calls.all("parameter", "ListParameterTypes")
            self.parameter_types = {row["id"]: row for row in rows}
            self._parameter_types_named = named(self.parameter_types)

    async def read_for(self, rows: Sequence[Row]) -> None:
        """Read the projects and sources that rows name."""
        numbers = {row.cells["project"] for row in rows if "project" in row.cells} - self._projects.keys()
        for some in chunks(sorted(numbers), _MOST_TEXTS):
            self._projects |= {number: [] for number in some}
            short = [number for number in some if len(number) <= 100]
            for project in await self._calls.streamed("environment", "ListProjects", number=short) if short else ():
                self._projects[project["project_number"]].append(project["project_id"])
        ids = {
            id_.lower() for row in rows if _ID.fullmatch(id_ := row.cells.get("project_id", ""))
        } - self._visible_projects
        for some in chunks(sorted(ids), _MOST_IDS):
            found = await self._calls.streamed("environment", "ListProjects", project_id=some)
            self._visible_projects |= {project["project_id"] for project in found}
        titles = {row.cells["source"] for row in rows if "source" in row.cells} - self._sources.keys()
        for some in chunks(sorted(titles), _MOST_TEXTS):
            self._sources |= {title: [] for title in some}
            short = [title for title in some if len(title) <= 1000]
            for source in await self._calls.streamed("reference", "ListSources", title=short) if short else ():
                self._sources[source["title"]].append(source["id"])

    async def read_trees(self, project_ids: Iterable[str]) -> None:
        """Read the assets of projects."""
        for project_id in project_ids:
            if project_id not in self._trees:
                tree = self._trees[project_id] = Tree()
                for row in await self._calls.all("parameter", "ListAssets", project_id=[project_id]):
                    sub_type = row["asset_sub_type"]
                    tree.add(
                        Asset(
                            row["id"],
                            row["parent"],
                            row["name"],
                            row["asset_type"]["id"],
                            None if sub_type is None else sub_type["id"],
                        )
                    )

    def tree(self, project_id: str) -> Tree:
        """Return the assets of a project that was read."""
        return self._trees[project_id]

    def project(self, row: Row) -> str | None:
        """Return the id of a row's project; None after a fault."""
        found = self.one(row, "project", self._projects)
        if found is not None and "project_id" in row.cells and found not in self._visible_projects:
            self._faults.of(row, "project_id", "There is no project of this id that you may see.")
            return None
        return found

    def source(self, row: Row) -> str | None:
        """Return the id of a row's source; None after a fault."""
        return self.one(row, "source", self._sources)

    def parameter_type(self, row: Row) -> str | None:
        """Return the id of a row's parameter type; None after a fault."""
        return self.one(row, "parameter_type", self._parameter_types_named)

    def asset_type(self, row: Row, *, needed: bool) -> str | None:
        """Return the id of a row's asset type; None without one, or after a fault."""
        return self.one(row, "asset_type", self._asset_types_named, needed=needed)

    def asset(self, row: Row, column: str, tree: Tree, path: str) -> str | None:
        """Return the id of the asset at a path; None after a fault."""
        found = tree.at(path)
        if len(found) == 1:
            return found[0]
        why = "names no asset of the project; a row that makes it must come before this one"
        if found:
            why = f"names {len(found)} assets; give {'parent_ids' if column == 'parents' else 'parent_id'} instead"
        self._faults.of(row, column, f"{path[:200]} {why}.")
        return None

    def ids(self, row: Row, column: str, values: Sequence[str]) -> list[str] | None:
        """Return ids in lower case, as stored; None after a fault."""
        wrong = next((value for value in values if not _ID.fullmatch(value)), None)
        if wrong is not None:
            name = NAMED.get(column)
            way_out = f"; a name goes into the column {name}" if name else ""
            self._faults.of(row, column, f"{wrong[:100]} is not a UUID{way_out}.")
            return None
        return [value.lower() for value in values]

    def id(self, row: Row, column: str) -> str | None:
        """Return the id in a column; None without one, or after a fault."""
        found = self.ids(row, column, [row.cells[column]]) if column in row.cells else None
        return found[0] if found else None

    def one(self, row: Row, column: str, known: Mapping[str, Sequence[str]], *, needed: bool = True) -> str | None:
        """Return the id that a row gives by name (in `column`) or directly (in `<column>_id`); None after a fault."""
        id_column, what = f"{column}_id", column.replace("_", " ")
        name = row.cells.get(column)
        if name is not None and id_column in row.cells:
            self._faults.of(row, id_column, f"Give {column} or {id_column}, not both.")
        elif id_column in row.cells:
            return self.id(row, id_column)
        elif name is None:
            if needed:
                self._faults.of(row, column, f"Give the {what}.")
        else:
            found = known.get(name, ())
            if len(found) == 1:
                return found[0]
            if found:
                self._faults.of(row, column, f"{len(found)} {what}s are called {name[:200]}; give {id_column} instead.")
            else:
                names = [other for other, ids in known.items() if ids]
                self._faults.of(
                    row, column, f"There is no {what} {name[:200]} that you may see{suggestion(name, names)}"
                )
        return None

    async def unit(self, row: Row, parameter_type: Mapping[str, Any]) -> str | None:
        """Return the id of a value's unit; None without one, or after a fault.

        The service checks whether the value must have a unit.
        """
        symbol = row.cells.get("unit")
        if symbol is None or "unit_id" in row.cells:
            return self.one(row, "unit", {}, needed=False)
        unit_type = parameter_type["unit_type"]
        if unit_type is None:
            self._faults.of(row, "unit", f"{parameter_type['name']} has no unit; leave unit blank.")
            return None
        found = [unit["id"] for unit in parameter_type["units"] if unit["symbol"] == symbol]
        if len(found) == 1 or (found and await self._are_same(found)):
            return str(found[0])
        if found:
            self._faults.of(
                row, "unit", f"{symbol} stands for several units of {unit_type['name']}; give unit_id instead."
            )
        else:
            default = parameter_type["default_unit"]
            usual = [] if default is None else [default]
            symbols = list(dict.fromkeys(unit["symbol"] for unit in [*usual, *parameter_type["units"]]))
            some = f" (such as {', '.join(symbols[:5])})" if symbols else ""
            self._faults.of(
                row, "unit", f"{symbol[:100]} is not a unit of {unit_type['name']}{some}{suggestion(symbol, symbols)}"
            )
        return None

    async def _are_same(self, units: Sequence[str]) -> bool:
        """Return whether units of several systems are the same, as the foot is: then any of them may be used."""
        key = tuple(units)
        if key not in self._same_units:
            self._same_units[key] = all([await self._is_same(units[0], other) for other in units[1:]])
        return self._same_units[key]

    async def _is_same(self, one: str, other: str) -> bool:
        for value in (0.0, 1.0):
            converted = await self._calls.converted(value, one, other)
            if converted != value:
                return False
        return True


def chunks(values: Sequence[str], size: int) -> Iterable[Sequence[str]]:
    """Return the values in runs of at most `size`."""
    return (values[start : start + size] for start in range(0, len(values), size))


def named(rows: Mapping[str, Mapping[str, Any]]) -> dict[str, list[str]]:
    """Map each name to the ids of its rows."""
    found: dict[str, list[str]] = defaultdict(list)
    for id_, row in rows.items():
        found[row["name"]].append(id_)
    return found
