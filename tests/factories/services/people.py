"""Users and teams, put into the identity service's tables as it would."""

from __future__ import annotations

import sqlalchemy as sa
import uuid_utils
from sqlalchemy.dialects.postgresql import UUID

from catenary_core.call.call import Identity
from catenary_core.database.statements import Statement
from catenary_core.database.transactions import Database
from factories.services.dispatchers import ALL_SCOPES

_id = sa.bindparam("id", type_=UUID(as_uuid=False))
_name = sa.bindparam("name", type_=sa.Text)
_USER = Statement(
    sa.text(
        "INSERT INTO identity.\"user\" (id, staff_name, email, admin) VALUES (:id, :name, :name || '@example.com', :admin)"
    ).bindparams(_id, _name, sa.bindparam("admin", type_=sa.Boolean))
)
_DELETE_USER = Statement(
    sa.text('UPDATE identity."user" SET deleted_at = clock_timestamp() WHERE id = :id').bindparams(_id)
)
_TEAM = Statement(
    sa.text("INSERT INTO identity.team (id, name, created_by) VALUES (:id, :name, :maker)").bindparams(
        _id, _name, sa.bindparam("maker", type_=UUID(as_uuid=False))
    )
)
_TEAM_MEMBER = Statement(
    sa.text("INSERT INTO identity.team_member (team_id, user_id) VALUES (:id, :user_id)").bindparams(
        _id, sa.bindparam("user_id", type_=UUID(as_uuid=False))
    )
)


async def add_user(db: Database, name: str, *, admin: bool = False) -> Identity:
    """Add a new user and return the identity that its token gives."""
    user_id = str(uuid_utils.uuid7())
    async with db.transaction() as tx:
        await tx.execute(_USER, id=user_id, name=name, admin=admin)
    return Identity(user_id, "person", admin=admin, scopes=ALL_SCOPES)


async def delete_user(db: Database, user: Identity) -> None:
    """Delete a user as the identity service does."""
    async with db.transaction() as tx:
        await tx.execute(_DELETE_USER, id=user.user_id)


async def add_team(db: Database, name: str, *users: Identity, maker: Identity | None = None) -> str:
    """Add a team of the users, made by `maker` or else the first of them; return its id."""
    team_id = str(uuid_utils.uuid7())
    async with db.transaction() as tx:
        await tx.execute(_TEAM, id=team_id, name=name, maker=(maker or users[0]).user_id)
        for user in users:
            await tx.execute(_TEAM_MEMBER, id=team_id, user_id=user.user_id)
    return team_id
