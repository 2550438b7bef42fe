"""Messages of project.proto built from rows."""

from __future__ import annotations

from catenary.platform.v1 import role_pb2
from catenary.platform.v1.project_shapes import Project, ProjectMember
from catenary_core.database.statements import Row
from catenary_wire.json_form import enum_names


def project(row: Row, role: int | None) -> Project:
    """Build a project for a caller with the given role; `role` is null without one, as in events."""
    return {
        "project_id": row["project_id"],
        "name": row["name"],
        "description": row["description"],
        "environment_project_id": row["environment_project_id"],
        "role": role_name(role),
        "deployed_model_version_id": row["deployed_model_version_id"],
        "created_at": row["created_at"],
        "updated_at": row["updated_at"],
        "deleted_at": row["deleted_at"],
        "owner_user_id": row["owner_user_id"],
    }


def member(row: Row) -> ProjectMember:
    """Build a member."""
    return {
        "user_id": None if row["is_team"] else row["member_id"],
        "team_id": row["member_id"] if row["is_team"] else None,
        "name": row["name"],
        "role": role_name(row["role"]),
        "created_at": row["created_at"],
        "updated_at": row["updated_at"],
        "expires_at": row["expires_at"],
        "share_id": row["share_id"],
    }


def role_name(role: int | None) -> str | None:
    """Return the name of a role of role.proto."""
    return None if role is None else enum_names(role_pb2.Role.DESCRIPTOR).get(role)
