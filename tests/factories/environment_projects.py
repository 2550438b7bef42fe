"""Projects of the environment context service and who sees them, put into its tables."""

from __future__ import annotations

import sqlalchemy as sa
import uuid_utils

from catenary.platform.v1 import role_pb2
from catenary_core.call import Identity
from catenary_core.data_tables import Id
from catenary_core.db import Database, Statement

_id = sa.bindparam("id", type_=Id)
_user_id = sa.bindparam("user_id", type_=Id)
_platform_id = sa.bindparam("platform_id", type_=Id)
_LANDED = Statement(sa.text("SELECT to_regclass('environment.project') IS NOT NULL AS landed"))
# The tables and views that the service's migration makes, as far as `catenary_core.visibility` reads them.
_STAND_IN = [
    Statement(sa.text(text))
    for text in (
        "CREATE SCHEMA environment",
        """
        CREATE TABLE environment.project (
            project_id uuid PRIMARY KEY, project_number text NOT NULL, confidential boolean NOT NULL,
            created_by uuid NOT NULL, deleted_at timestamptz
        )
        """,
        "CREATE INDEX project_confidential_idx ON environment.project (project_id) WHERE confidential",
        """
        CREATE VIEW environment.active_project AS
        SELECT project_id FROM environment.project WHERE deleted_at IS NULL
        """,
        """
        CREATE VIEW environment.confidential_project AS
        SELECT project_id, created_by FROM environment.project WHERE confidential
        """,
        """
        CREATE INDEX project_environment_project_id_idx ON projects.project (environment_project_id)
        WHERE environment_project_id IS NOT NULL
        """,
        """
        CREATE VIEW projects.linked_user AS
        SELECT p.environment_project_id, r.user_id
          FROM projects.project p
          JOIN projects.project_role r ON r.project_id = p.project_id
         WHERE p.environment_project_id IS NOT NULL
        """,
    )
]
_ADD = Statement(
    sa.text(
        "INSERT INTO environment.project (project_id, project_number, confidential, created_by) "
        "VALUES (:id, CAST(:id AS text), :confidential, :user_id)"
    ).bindparams(_id, _user_id, sa.bindparam("confidential", type_=sa.Boolean))
)
_DELETE = Statement(
    sa.text("UPDATE environment.project SET deleted_at = clock_timestamp() WHERE project_id = :id").bindparams(_id)
)
_LINK = Statement(
    sa.text(
        "INSERT INTO projects.project (project_id, name, description, environment_project_id) "
        "VALUES (:platform_id, 'Linked', '', :id)"
    ).bindparams(_platform_id, _id)
)
_MEMBER = Statement(
    sa.text(
        "INSERT INTO projects.member (project_id, member_id, is_team, role) VALUES (:platform_id, :user_id, false, :role)"
    ).bindparams(_platform_id, _user_id, sa.bindparam("role", type_=sa.Integer))
)


async def make_environment(db: Database) -> None:
    """Makes the part of the environment context service that visibility reads, where its migration hasn't yet."""
    async with db.transaction() as tx:
        if not (await tx.one(_LANDED))["landed"]:
            for statement in _STAND_IN:
                await tx.execute(statement)


async def add_environment_project(db: Database, creator: Identity, *, confidential: bool = False) -> str:
    """A new project; its id."""
    project_id = str(uuid_utils.uuid7())
    async with db.transaction() as tx:
        await tx.execute(_ADD, id=project_id, user_id=creator.user_id, confidential=confidential)
    return project_id


async def delete_environment_project(db: Database, project_id: str) -> None:
    """Deletes a project as the service does."""
    async with db.transaction() as tx:
        await tx.execute(_DELETE, id=project_id)


async def link_environment_project(db: Database, project_id: str, member: Identity) -> None:
    """Links a new platform project, whose one member is a viewer, to the project."""
    platform_id = str(uuid_utils.uuid7())
    async with db.transaction() as tx:
        await tx.execute(_LINK, platform_id=platform_id, id=project_id)
        await tx.execute(_MEMBER, platform_id=platform_id, user_id=member.user_id, role=role_pb2.ROLE_VIEWER)
