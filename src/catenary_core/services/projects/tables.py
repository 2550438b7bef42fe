"""The tables of projects, and the doors of other services that they are read with.

Doors to this schema, for other services to read:
`projects.active_project(project_id, name)`: the projects that aren't deleted; a row may be locked through it (FOR UPDATE), as
whoever changes who owns the project must, here and in identity, before it looks whether an owner stays;
`projects.project_role(project_id, user_id, role)`: roles (numbers of role.proto) of active users in active projects, their own
and those by a team; a user may have several rows, of which the highest counts;
`projects.linked_user(environment_project_id, user_id)`: the members of active projects that are linked to a project of the
environment context service; `projects.is_linked(environment_project_id, user_id)`: whether it has the two.

Order of locks, here and in identity, so that nobody waits in a ring: teams, then users, then projects by id. Who gives a user or
a team a role or a place holds its row (FOR KEY SHARE), so that it isn't deleted meanwhile.
"""

from __future__ import annotations

import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import UUID

from catenary_core.database.columns import NOW
from catenary_core.database.statements import metadata

project = sa.Table(
    "project",
    metadata,
    sa.Column("project_id", UUID(as_uuid=False), primary_key=True),
    sa.Column("name", sa.Text, nullable=False),
    sa.Column("description", sa.Text, nullable=False),
    sa.Column("environment_project_id", UUID(as_uuid=False), nullable=True),
    sa.Column("created_at", sa.DateTime(timezone=True), nullable=False, server_default=NOW),
    sa.Column("updated_at", sa.DateTime(timezone=True), nullable=False, server_default=NOW),
    sa.Column("deleted_at", sa.DateTime(timezone=True), nullable=True),
    sa.Index("project_active_idx", "created_at", "project_id", postgresql_where=sa.text("deleted_at IS NULL")),
    sa.Index(
        "project_environment_project_id_idx",
        "environment_project_id",
        postgresql_where=sa.text("environment_project_id IS NOT NULL"),
    ),
    schema="projects",
)

member = sa.Table(
    "member",
    metadata,
    sa.Column("project_id", UUID(as_uuid=False), sa.ForeignKey(project.c.project_id), primary_key=True),
    # A user's or a team's id.
    sa.Column("member_id", UUID(as_uuid=False), primary_key=True),
    sa.Column("is_team", sa.Boolean, nullable=False),
    # A number of role.proto.
    sa.Column("role", sa.Integer, nullable=False),
    sa.Column("created_at", sa.DateTime(timezone=True), nullable=False, server_default=NOW),
    sa.Column("updated_at", sa.DateTime(timezone=True), nullable=False, server_default=NOW),
    sa.CheckConstraint("role BETWEEN 1 AND 4", name="role"),
    sa.Index(None, "member_id", "project_id"),
    schema="projects",
)

# When a user last looked into a project; kept to write `user.project.accessed` once an hour at most.
access = sa.Table(
    "access",
    metadata,
    sa.Column("project_id", UUID(as_uuid=False), sa.ForeignKey(project.c.project_id), primary_key=True),
    sa.Column("user_id", UUID(as_uuid=False), primary_key=True),
    sa.Column("accessed_at", sa.DateTime(timezone=True), nullable=False, server_default=NOW),
    schema="projects",
)

active_project = sa.table("active_project", sa.column("project_id", UUID(as_uuid=False)), schema="projects")
project_role = sa.table(
    "project_role",
    sa.column("project_id", UUID(as_uuid=False)),
    sa.column("user_id", UUID(as_uuid=False)),
    sa.column("role", sa.Integer),
    schema="projects",
)

active_user = sa.table(
    "active_user",
    sa.column("user_id", UUID(as_uuid=False)),
    sa.column("staff_name", sa.Text),
    schema="identity",
)
active_team = sa.table(
    "active_team",
    sa.column("team_id", UUID(as_uuid=False)),
    sa.column("name", sa.Text),
    sa.column("created_by", UUID(as_uuid=False)),
    schema="identity",
)
team_user = sa.table(
    "team_user",
    sa.column("team_id", UUID(as_uuid=False)),
    sa.column("user_id", UUID(as_uuid=False)),
    schema="identity",
)
deployed = sa.table(
    "deployed",
    sa.column("project_id", UUID(as_uuid=False)),
    sa.column("model_version_id", UUID(as_uuid=False)),
    schema="models",
)
