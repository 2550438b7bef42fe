"""Rules for the type, sub type and name of a new asset.

See guide/conventions.md, "Assets".
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import uuid_utils

from catenary.parameter.v1 import asset_service_pb2
from catenary_core.call.errors import invalid
from catenary_core.database.statements import Row
from catenary_core.resources.resource import unknown
from catenary_wire.sentences import Fields


class NamedTypes:
    """The active asset types and sub types that a request names."""

    def __init__(self, types: Sequence[Row], sub_types: Sequence[Row]) -> None:
        self.takes_sub_types: dict[str, bool] = {row["id"]: row["asset_sub_type"] for row in types}
        self.sub_types = {row["id"]: row for row in sub_types}
        self.by_name = {(row["asset_type_id"], row["name"]): row["id"] for row in sub_types}


def new_asset(path: str, item: asset_service_pb2.NewAsset, types: NamedTypes) -> dict[str, Any]:
    """Return the columns of a new asset.

    `path`: the item's JSON path with a final dot, for errors.

    Raises VALIDATION_ERROR: type, sub type or name breaks a rule.
    """
    if item.HasField("asset_type_id") == item.HasField("asset_sub_type_id"):
        raise invalid(
            f"{path}asset_type_id",
            "Give one of {two: and }, and not both.",
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


def _by_sub_type(path: str, item: asset_service_pb2.NewAsset, types: NamedTypes) -> tuple[str, str | None, str]:
    """Apply rule 1: the sub type determines the type, and its name replaces a blank one."""
    sub_type = types.sub_types.get(item.asset_sub_type_id)
    if sub_type is None:
        raise unknown(f"{path}asset_sub_type_id", item.asset_sub_type_id, "asset sub type")
    if not sub_type["taken"]:
        raise invalid(
            f"{path}asset_sub_type_id",
            "Assets of this type have no sub type; give the {asset_type} instead.",
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
    if not item.name.strip():
        raise invalid(
            f"{path}name",
            "{field} is blank; give one, or an {sub_type} whose name fills it.",
            value=item.name or None,
            constraint="required",
            sub_type=Fields("asset_sub_type_id"),
        )
    if not takes_sub_types:
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
