"""The tables of projects, and the views of other services that are joined with them.

Views on this schema for other services:

- `projects.active_project(project_id, name)`: the projects that aren't deleted. A row may be locked through the view
  (FOR UPDATE). Every change of a project's owners, here and in identity, must lock the row before checking that an
  owner is left.
- `projects.project_role(project_id, user_id, role)`: roles (numbers of role.proto) of active users in active projects,
  direct ones and through teams, of members and by shares of the whole project. A user may have several rows, of which the
  highest role counts.
- `projects.variant_role(project_id, variant_id, evaluation_id, user_id, role)`: the same by shares of one variant
- `projects.link(share_id, digest, project_id, variant_id, evaluation_id, expires_at)`: the links that hold
- `projects.linked_user(environment_project_id, user_id, role)`: the members of active projects that are linked to a
  project of the environment context service, with rows as of `project_role`. `projects.is_linked(environment_project_id,
  user_id)`: whether that view has the pair.
- `projects.linked_project(environment_project_id, project_id)`: the active projects that are linked to one.
- `projects.payer(project_id, user_id)`: who pays for each project, deleted ones too

Order of locks, here and in identity, against deadlocks: teams, then users, then projects by id. A writer that gives a
user or a team a role or a membership locks its row (FOR KEY SHARE) against deletion.
"""

from __future__ import annotations

import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import UUID

from catenary_core.database.columns import NOW, id_column, times
from catenary_core.database.statements import metadata

_ACTIVE = sa.text("deleted_at IS NULL")

project = sa.Table(
    "project",
    metadata,
    sa.Column("project_id", UUID(as_uuid=False), primary_key=True),
    sa.Column("name", sa.Text, nullable=False),
    sa.Column("description", sa.Text, nullable=False),
    sa.Column("environment_project_id", UUID(as_uuid=False), nullable=True),
    # Who pays: its creator, or the owner who took the payment over or was given it.
    sa.Column("owner_user_id", UUID(as_uuid=False), nullable=False),
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
    # The id of a user or of a team.
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

share = sa.Table(
    "share",
    metadata,
    id_column("share_id"),
    sa.Column("project_id", UUID(as_uuid=False), sa.ForeignKey(project.c.project_id), nullable=False),
    # A number of ShareKind.
    sa.Column("kind", sa.Integer, nullable=False),
    # The id of a user or of a team; NULL for a link.
    sa.Column("member_id", UUID(as_uuid=False), nullable=True),
    # Of the token of a link; NULL for users and teams.
    sa.Column("digest", sa.LargeBinary, nullable=True),
    # A number of role.proto, never owner.
    sa.Column("role", sa.Integer, nullable=False),
    sa.Column("variant_id", UUID(as_uuid=False), nullable=True),
    sa.Column("expires_at", sa.DateTime(timezone=True), nullable=True),
    sa.Column("created_by", UUID(as_uuid=False), nullable=False),
    *times(),
    sa.CheckConstraint("role BETWEEN 1 AND 3", name="role"),
    sa.CheckConstraint("kind IN (1, 2, 3)", name="kind"),
    sa.CheckConstraint(
        "CASE kind WHEN 3 THEN member_id IS NULL AND digest IS NOT NULL AND role = 1"
        " ELSE member_id IS NOT NULL AND digest IS NULL END",
        name="named",
    ),
    sa.Index("share_project_idx", "project_id", "created_at", "share_id", postgresql_where=_ACTIVE),
    sa.Index("share_member_idx", "member_id", "project_id", postgresql_where=_ACTIVE),
    sa.Index("share_digest_key", "digest", unique=True),
    sa.Index(
        "share_variant_idx",
        "variant_id",
        postgresql_where=sa.text("deleted_at IS NULL AND variant_id IS NOT NULL"),
    ),
    sa.Index("share_end_idx", "expires_at", postgresql_where=sa.text("deleted_at IS NULL AND expires_at IS NOT NULL")),
    schema="projects",
)

invitation = sa.Table(
    "invitation",
    metadata,
    id_column("invitation_id"),
    sa.Column("project_id", UUID(as_uuid=False), sa.ForeignKey(project.c.project_id), nullable=False),
    # Of its token.
    sa.Column("digest", sa.LargeBinary, nullable=False),
    # Of the person, as the inviter wrote them.
    sa.Column("email", sa.Text, nullable=False),
    sa.Column("staff_name", sa.Text, nullable=False),
    # A number of role.proto.
    sa.Column("role", sa.Integer, nullable=False),
    sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
    sa.Column("taken_by", UUID(as_uuid=False), nullable=True),
    # Time at which its inviter was found to be no enabled owner any more.
    sa.Column("revoked_at", sa.DateTime(timezone=True), nullable=True),
    sa.Column("created_by", UUID(as_uuid=False), nullable=False),
    *times(),
    sa.CheckConstraint("role BETWEEN 1 AND 4", name="role"),
    sa.Index("invitation_project_idx", "project_id", "created_at", "invitation_id", postgresql_where=_ACTIVE),
    sa.Index("invitation_digest_key", "digest", unique=True),
    sa.Index(
        "invitation_open_idx",
        "expires_at",
        postgresql_where=sa.text("deleted_at IS NULL AND taken_by IS NULL AND revoked_at IS NULL"),
    ),
    schema="projects",
)

# The last access of a user to a project, stored so that `user.project.accessed` is written at most once an hour.
access = sa.Table(
    "access",
    metadata,
    sa.Column("project_id", UUID(as_uuid=False), sa.ForeignKey(project.c.project_id), primary_key=True),
    sa.Column("user_id", UUID(as_uuid=False), primary_key=True),
    sa.Column("accessed_at", sa.DateTime(timezone=True), nullable=False, server_default=NOW),
    schema="projects",
)

active_project = sa.table("active_project", sa.column("project_id", UUID(as_uuid=False)), schema="projects")
active_share = sa.table(
    "active_share",
    *(
        sa.column(name, share.c[name].type)
        for name in ("share_id", "project_id", "kind", "member_id", "role", "variant_id", "expires_at", "created_at")
    ),
    schema="projects",
)
project_role = sa.table(
    "project_role",
    sa.column("project_id", UUID(as_uuid=False)),
    sa.column("user_id", UUID(as_uuid=False)),
    sa.column("role", sa.Integer),
    schema="projects",
)

variant_role = sa.table(
    "variant_role",
    *(sa.column(name, UUID(as_uuid=False)) for name in ("project_id", "variant_id", "evaluation_id", "user_id")),
    sa.column("role", sa.Integer),
    schema="projects",
)

active_user = sa.table(
    "active_user",
    sa.column("user_id", UUID(as_uuid=False)),
    sa.column("staff_name", sa.Text),
    sa.column("email", sa.Text),
    schema="identity",
)
enabled_user = sa.table(
    "enabled_user", sa.column("user_id", UUID(as_uuid=False)), sa.column("admin", sa.Boolean), schema="identity"
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
active_variant = sa.table(
    "active_variant",
    sa.column("variant_id", UUID(as_uuid=False)),
    sa.column("project_id", UUID(as_uuid=False)),
    schema="variants",
)
