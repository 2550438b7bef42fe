"""Projects of the environment context service and who sees them, put into its tables."""

from __future__ import annotations

import sqlalchemy as sa
import uuid_utils

from catenary.platform.v1 import role_pb2
from catenary_core.call.call import Identity
from catenary_core.database.columns import Id
from catenary_core.database.statements import Statement
from catenary_core.database.transactions import Database

_id = sa.bindparam("id", type_=Id)
_user_id = sa.bindparam("user_id", type_=Id)
_platform_id = sa.bindparam("platform_id", type_=Id)
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
        "INSERT INTO projects.project (project_id, name, description, environment_project_id, owner_user_id) "
        "VALUES (:platform_id, 'Linked', '', :id, :platform_id)"
    ).bindparams(_platform_id, _id)
)
_MEMBER = Statement(
    sa.text(
        "INSERT INTO projects.member (project_id, member_id, is_team, role) VALUES (:platform_id, :user_id, false, :role)"
    ).bindparams(_platform_id, _user_id, sa.bindparam("role", type_=sa.Integer))
)


async def add_environment_project(db: Database, creator: Identity, *, confidential: bool = False) -> str:
    """Add a new project and return its id."""
    project_id = str(uuid_utils.uuid7())
    async with db.transaction() as tx:
        await tx.execute(_ADD, id=project_id, user_id=creator.user_id, confidential=confidential)
    return project_id


async def delete_environment_project(db: Database, project_id: str) -> None:
    """Delete a project as the service does."""
    async with db.transaction() as tx:
        await tx.execute(_DELETE, id=project_id)


async def link_environment_project(db: Database, project_id: str, member: Identity) -> None:
    """Link a new platform project, whose one member is a viewer, to the project."""
    platform_id = str(uuid_utils.uuid7())
    async with db.transaction() as tx:
        await tx.execute(_LINK, platform_id=platform_id, id=project_id)
        await tx.execute(_MEMBER, platform_id=platform_id, user_id=member.user_id, role=role_pb2.ROLE_VIEWER)
