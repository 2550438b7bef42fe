"""Responses about invitations, built from rows."""

from __future__ import annotations

from catenary.platform.v1 import invitation_pb2, invitation_shapes
from catenary_core.database.statements import Row
from catenary_core.services.projects.messages import role_name
from catenary_wire.json_form import enum_names

_STATUSES = enum_names(invitation_pb2.InvitationStatus.DESCRIPTOR)


def invitation(row: Row) -> invitation_shapes.Invitation:
    """Build an invitation."""
    return {
        "invitation_id": row["invitation_id"],
        "project_id": row["project_id"],
        "email": row["email"],
        "email_verified": False,
        "staff_name": row["staff_name"],
        "role": role_name(row["role"]),
        "status": _STATUSES[row["status"]],
        "expires_at": row["expires_at"],
        "taken_by": row["taken_by"],
        "created_by": row["created_by"],
        "created_at": row["created_at"],
        "updated_at": row["updated_at"],
        "deleted_at": row["deleted_at"],
    }
