"""The rules of assets, types and units that need no rows but those they are given."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from catenary_core.call.errors import DomainError, invalid
from catenary_core.database.statements import Row
from catenary_core.units import unit_table

MAX_LEVELS = 32
"""Levels of a tree of assets or asset types, its root included: an answer nests no deeper."""


def with_id(item: Any, **values: Any) -> dict[str, Any]:
    """The columns of a new row, with the id that the caller chose, if any."""
    return {"id": item.id, **values} if item.HasField("id") else values


def converted(value: float, source: Row, target: Row) -> float:
    """The value in the unit `target`. VALIDATION_ERROR for units of different types, one without a conversion, and a result
    that no double holds."""
    if source["unit_type_id"] != target["unit_type_id"]:
        raise invalid(
            "to_unit_id",
            f"{source['symbol']} and {target['symbol']} are of different unit types; give a unit of the same type.",
            value=target["id"],
            constraint="unit_type",
        )
    for field, unit in (("from_unit_id", source), ("to_unit_id", target)):
        if unit["expression"] is None:
            raise invalid(
                field,
                f"{unit['symbol']} has no conversion, since a user made it; give a unit of the catalogue.",
                value=unit["id"],
                constraint="conversion",
            )
    try:
        return unit_table.convert_expressions(value, source["expression"], target["expression"])
    except unit_table.UnconvertibleValueError as error:
        raise invalid("value", str(error), value=value, constraint="range") from None
    except ValueError as error:
        raise invalid("from_unit_id", str(error), value=source["id"], constraint="conversion") from None


def check_parent(field: str, parent_id: str | None, own_id: str, parents: Mapping[str, str | None], what: str) -> None:
    """VALIDATION_ERROR for a parent that isn't active, is the row itself or is below it, or would make the tree too deep.

    `parents` has the active rows of the tree with what is above each.
    """
    if parent_id is None:
        return
    if parent_id not in parents:
        raise invalid(
            field,
            f"{field} names no active {what} that you may see; give the id of one.",
            value=parent_id,
            constraint="unknown",
        )
    above = levels_above(parent_id, parents)
    if own_id in above:
        raise invalid(
            field,
            f"{field} names the {what} itself or one below it; give one outside of it.",
            value=parent_id,
            constraint="cycle",
        )
    if len(above) + height(own_id, parents) > MAX_LEVELS:
        raise too_deep(field, parent_id)


def too_deep(field: str, value: str) -> DomainError:
    """VALIDATION_ERROR for a parent under which the tree would have too many levels."""
    return invalid(
        field,
        f"{field} would make a tree of over {MAX_LEVELS} levels; give a parent nearer to the root.",
        value=value,
        constraint="depth",
    )


def levels_above(id_: str, parents: Mapping[str, str | None]) -> list[str]:
    """The row and those above it, nearest first; what isn't in `parents` ends the way."""
    way: list[str] = []
    next_id: str | None = id_
    while next_id is not None and next_id in parents and len(way) <= len(parents):
        way.append(next_id)
        next_id = parents[next_id]
    return way


def height(id_: str, parents: Mapping[str, str | None]) -> int:
    """The number of levels from the row down to its lowest descendant, itself included."""
    level, levels = {id_}, 0
    while level:
        levels += 1
        level = {child for child, parent in parents.items() if parent in level}
    return levels


def nested(rows: list[Row], root_id: str, parent: str) -> Row:
    """The tree of the rows below a root: each gets `children`, in the order of the rows."""
    tree: dict[str, Row] = {row["id"]: {**row, "children": []} for row in rows}
    for id_, node in tree.items():
        if id_ != root_id and node[parent] in tree:
            tree[node[parent]]["children"].append(node)
    return tree[root_id]
