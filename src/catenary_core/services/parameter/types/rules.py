"""Rules for assets, types and units that need only the rows given to them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from catenary_core.call.errors import DomainError, invalid
from catenary_core.database.statements import Row
from catenary_core.resources.resource import unknown
from catenary_wire.sentences import ResourceName
from catenary_wire.units import unit_table

MAX_LEVELS = 32
"""Maximum levels of a tree of assets or asset types, including the root, and so of nesting in responses."""


def with_id(item: Any, **values: Any) -> dict[str, Any]:
    """Return the columns of a new row, with the caller's id if the item has one."""
    return {"id": item.id, **values} if item.HasField("id") else values


def converted(value: float, source: Row, target: Row) -> float:
    """Convert a value from the unit `source` to the unit `target`.

    Raises VALIDATION_ERROR: the units have different types, one has no conversion, or no double can hold the result.
    """
    if source["unit_type_id"] != target["unit_type_id"]:
        raise invalid(
            "to_unit_id",
            "{source} and {target} are of different unit types; give a unit of the same type.",
            source=source["symbol"],
            target=target["symbol"],
            value=target["id"],
            constraint="unit_type",
        )
    for field, unit in (("from_unit_id", source), ("to_unit_id", target)):
        if unit["expression"] is None:
            raise invalid(
                field,
                "{unit} has no conversion, since a user made it; give a unit of the catalogue.",
                unit=unit["symbol"],
                value=unit["id"],
                constraint="conversion",
            )
    try:
        return unit_table.convert_expressions(value, source["expression"], target["expression"])
    except unit_table.UnconvertibleValueError as error:
        raise invalid("value", "{why}", value=value, constraint="range", why=str(error)) from None
    except ValueError as error:
        raise invalid("from_unit_id", "{why}", value=source["id"], constraint="conversion", why=str(error)) from None


def check_parent(field: str, parent_id: str | None, own_id: str, parents: Mapping[str, str | None], what: str) -> None:
    """Check a new parent of a row of a tree.

    `parents`: the active rows of the tree, each with its parent. `own_id`: the row that gets the parent, "" for a new
    one.

    Raises VALIDATION_ERROR: the parent isn't active, is the row itself or a descendant, or makes the tree too deep.
    """
    if parent_id is None:
        return
    if parent_id not in parents:
        raise unknown(field, parent_id, what)
    above = levels_above(parent_id, parents)
    if own_id in above:
        raise invalid(
            field,
            "{field} must not be the id of the changed row itself, nor of one below it; give another {resource}, or null.",
            resource=ResourceName(what),
            value=parent_id,
            constraint="cycle",
        )
    if len(above) + height(own_id, parents) > MAX_LEVELS:
        raise too_deep(field, parent_id)


def too_deep(field: str, value: str) -> DomainError:
    """Build the VALIDATION_ERROR for a parent that would make a tree too deep."""
    return invalid(
        field,
        "{field} would make a tree of over {levels} levels; give a parent nearer to the root.",
        levels=MAX_LEVELS,
        value=value,
        constraint="depth",
    )


def levels_above(id_: str, parents: Mapping[str, str | None]) -> list[str]:
    """Return the row and its ancestors, nearest first, up to one that isn't in `parents`."""
    path: list[str] = []
    next_id: str | None = id_
    while next_id is not None and next_id in parents and len(path) <= len(parents):
        path.append(next_id)
        next_id = parents[next_id]
    return path


def height(id_: str, parents: Mapping[str, str | None]) -> int:
    """Return the number of levels from the row down to its lowest descendant, including the row."""
    level, levels = {id_}, 0
    while level:
        levels += 1
        level = {child for child, parent in parents.items() if parent in level}
    return levels


def nested(rows: list[Row], root_id: str, parent: str) -> Row:
    """Return the tree of rows under a root: each row with its `children`, in the order of the rows."""
    tree: dict[str, Row] = {row["id"]: {**row, "children": []} for row in rows}
    for id_, node in tree.items():
        if id_ != root_id and node[parent] in tree:
            tree[node[parent]]["children"].append(node)
    return tree[root_id]
