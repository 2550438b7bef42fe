"""Responses and events of shares, built from rows."""

from __future__ import annotations

from typing import Any

from catenary.platform.v1 import share_pb2, share_service_pb2, share_shapes
from catenary_core.call.resource_paths import resource_path
from catenary_core.database.statements import Row
from catenary_core.event_log import events
from catenary_core.services.projects.messages import role_name
from catenary_wire.json_form import enum_names

SHARE_PATH = resource_path(share_service_pb2, "GetShare")
_KINDS = enum_names(share_pb2.ShareKind.DESCRIPTOR)


def share(row: Row) -> share_shapes.Share:
    """Build a share."""
    kind = row["kind"]
    return {
        "share_id": row["share_id"],
        "project_id": row["project_id"],
        "kind": _KINDS[kind],
        "user_id": row["member_id"] if kind == share_pb2.SHARE_KIND_USER else None,
        "team_id": row["member_id"] if kind == share_pb2.SHARE_KIND_TEAM else None,
        "name": row["name"],
        "role": role_name(row["role"]),
        "variant_id": row["variant_id"],
        "expires_at": row["expires_at"],
        "created_by": row["created_by"],
        "created_at": row["created_at"],
        "updated_at": row["updated_at"],
        "deleted_at": row["deleted_at"],
    }


def linked_share(row: Row) -> share_shapes.LinkedShare:
    """Build what the holder of a link may know of its share."""
    return {
        "share_id": row["share_id"],
        "project_id": row["project_id"],
        "variant_id": row["variant_id"],
        "expires_at": row["expires_at"],
    }


def event_data(shown: share_shapes.Share) -> dict[str, Any]:
    """Build the `data` of an event: the share without any name."""
    return {"share": events.without_names({name: value for name, value in shown.items() if name != "name"})}
