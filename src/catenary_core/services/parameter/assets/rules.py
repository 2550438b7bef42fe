"""Rules for the type, sub type and name of a new asset.

See guide/conventions.md, "Assets".
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import uuid_utils

from catenary.parameter.v1 import asset_service_pb2
from catenary_core.call.errors import DomainError, conflict, invalid
from catenary_core.database.statements import Row
from catenary_core.resources.resource import unknown
from catenary_core.services.parameter.types.rules import MAX_LEVELS, too_deep
from catenary_wire.sentences import Fields

MOST_CHILDREN = 5_000
"""Active direct children of one asset, whose ids answers about the asset hold whole."""


def full_parent(path: str, parent_id: str) -> DomainError:
    """Return the CONFLICT of an asset that would be a child too many."""
    return conflict(
        path,
        "{field}: an asset has at most {most} direct children; give another parent, or put assets in between.",
        value=parent_id,
        constraint="max_children",
        most=f"{MOST_CHILDREN:,}",
    )


class NamedTypes:
    """The active asset types and sub types that a request names."""

    def __init__(self, types: Sequence[Row], sub_types: Sequence[Row]) -> None:
        self.takes_sub_types: dict[str, bool] = {row["id"]: row["asset_sub_type"] for row in types}
        self.sub_types = {row["id"]: row for row in sub_types}
        self.by_name = {(row["asset_type_id"], row["name"]): row["id"] for row in sub_types}


def new_asset(path: str, item: asset_service_pb2.NewAsset, types: NamedTypes) -> dict[str, Any]:
    """Return the columns of a new asset whose name `check_name` has checked.

    `path`: the item's JSON path with a final dot, for errors.

    Raises VALIDATION_ERROR: type, sub type or name breaks a rule.
    """
    if item.HasField("asset_type_id") == item.HasField("asset_sub_type_id"):
        raise invalid(
            f"{path}asset_type_id",
            "{field}: give one of {two: and }, and not both.",
            value=item.asset_type_id or None,
            constraint="oneof",
            two=Fields("asset_type_id", "asset_sub_type_id"),
        )
    by_sub_type = item.HasField("asset_sub_type_id")
    asset_type_id, sub_type_id, name = (_by_sub_type if by_sub_type else _by_type)(path, item, types)
    return {
        "id": item.id if item.HasField("id") else str(uuid_utils.uuid7()),
        "project_id": item.project_id,
        "parent_id": item.parent_id if item.HasField("parent_id") else None,
        "name": name,
        "asset_type_id": asset_type_id,
        "asset_sub_type_id": sub_type_id,
    }


def check_name(path: str, item: asset_service_pb2.NewAsset) -> None:
    """Refuse a blank name where no sub type fills it.

    Raises VALIDATION_ERROR: the name is blank.
    """
    if not item.name.strip() and not item.HasField("asset_sub_type_id"):
        raise invalid(
            f"{path}name",
            "{field} is blank; give one, or an {sub_type} whose name fills it.",
            value=item.name or None,
            constraint="required",
            sub_type=Fields("asset_sub_type_id"),
        )


def _by_sub_type(path: str, item: asset_service_pb2.NewAsset, types: NamedTypes) -> tuple[str, str | None, str]:
    """Apply rule 1: the sub type determines the type, and its name replaces a blank one."""
    sub_type = types.sub_types.get(item.asset_sub_type_id)
    if sub_type is None:
        raise unknown(f"{path}asset_sub_type_id", item.asset_sub_type_id, "asset sub type")
    if not sub_type["taken"]:
        raise invalid(
            f"{path}asset_sub_type_id",
            "{field}: assets of this type have no sub type; give the {asset_type} instead.",
            value=item.asset_sub_type_id,
            constraint="sub_type",
            asset_type=Fields("asset_type_id"),
        )
    return sub_type["asset_type_id"], sub_type["id"], item.name if item.name.strip() else sub_type["name"]


def _by_type(path: str, item: asset_service_pb2.NewAsset, types: NamedTypes) -> tuple[str, str | None, str]:
    """Apply rule 2: for a type that takes sub types, the name selects the sub type."""
    takes_sub_types = types.takes_sub_types.get(item.asset_type_id)
    if takes_sub_types is None:
        raise unknown(f"{path}asset_type_id", item.asset_type_id, "asset type")
    if not takes_sub_types or not item.name.strip():  # `check_name` refuses a blank name
        return item.asset_type_id, None, item.name
    sub_type_id = types.by_name.get((item.asset_type_id, item.name))
    if sub_type_id is None:
        names = sorted(name for type_id, name in types.by_name if type_id == item.asset_type_id)
        some = ", ".join(names[:10]) or "none yet"
        raise invalid(
            f"{path}name",
            "{field} must be that of a sub type of the asset type, which are: {some}.",
            value=item.name or None,
            constraint="sub_type_name",
            some=f"{some}, …" if len(names) > 10 else some,
        )
    return item.asset_type_id, sub_type_id, item.name


class Parents:
    """The assets that new assets may be placed under: those that a request names, and those that it makes itself."""

    def __init__(self, rows: Sequence[Row]) -> None:
        self._known: dict[str, tuple[str, int]] = {row["id"]: (row["project_id"], row["levels"]) for row in rows}

    def place(self, path: str, item: asset_service_pb2.NewAsset, *, known_project: bool) -> None:
        """Place a new asset under its parent, so that later items may name it as theirs.

        Args:
            path: the item's JSON path with a final dot, for errors.
            item: the new asset.
            known_project: whether its project is known; the parent is judged only then.

        Raises VALIDATION_ERROR: the parent is not an active asset of the project, or is too deep.
        """
        project_id, levels = item.project_id, 0
        if item.HasField("parent_id"):
            project_id, levels = self._known.get(item.parent_id, ("", 0))
        if item.HasField("id"):
            self._known.setdefault(item.id, (item.project_id, levels + 1))
        if known_project and project_id != item.project_id:
            raise unknown(f"{path}parent_id", item.parent_id, "asset of the project")
        if levels >= MAX_LEVELS:
            raise too_deep(f"{path}parent_id", item.parent_id)
