"""The SQL of users, clients, API keys and teams.

The columns of each row are the fields of its message, in their order.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import ARRAY, UUID, insert

from catenary_core.database.columns import user_reference
from catenary_core.database.statements import Statement, contains_search, search_condition
from catenary_core.resources.platform_pages import listed
from catenary_core.services.identity.tables import api_key, client, team, team_member, user

_now = sa.func.clock_timestamp()
_instant = sa.func.statement_timestamp()
"""The same time for two columns of one statement."""
_Id = UUID(as_uuid=False)
OWNER = 4
"""The number of the role owner in role.proto, as `projects.project_role` stores it."""


def _given(column: sa.Column[Any], name: str | None = None) -> sa.BindParameter[Any]:
    return sa.bindparam(name or column.name, type_=column.type)


# Users.
_verified = sa.and_(user.c.email_verified, user.c.email != sa.literal_column("''"))
_USER = (
    user.c.id.label("user_id"),
    user.c.staff_name,
    user.c.email,
    user.c.staff_id,
    user.c.company_centre_unit,
    user.c.location_name,
    user.c.grade_level,
    user.c.my_people_page_url,
    user.c.admin,
    user.c.disabled,
    user.c.created_at,
    user.c.updated_at,
    user.c.deleted_at,
    user.c.tier,
    _verified.label("email_verified"),
)
_is_active_user = user.c.deleted_at.is_(None)
_this_user = sa.and_(user.c.id == _given(user.c.id, "user_id"), _is_active_user)
USER = Statement(sa.select(*_USER).where(_this_user))
_search = sa.func.lower(sa.bindparam("search", type_=sa.Text))
_matched_email = sa.case((user.c.email_verified, user.c.email), else_=sa.literal_column("''"))
_matches = contains_search(user.c.staff_name, _matched_email)
USERS = {
    searching: listed(
        sa.select(*_USER).where(_is_active_user, _matches if searching else sa.true()),
        user.c.created_at,
        user.c.id,
        id_key="user_id",
    )
    for searching in (True, False)
}
"""All users, or those that match a search, by whether there is one."""
FOUND_USERS = Statement(
    sa.select(user.c.id.label("user_id"), user.c.staff_name, user.c.email, _verified.label("email_verified"))
    .where(_is_active_user, _matches)
    .order_by((sa.func.lower(_matched_email) == _search).desc(), user.c.staff_name, user.c.id)
    .limit(sa.bindparam("page_rows", type_=sa.Integer))
)
"""The users that match a search, with the fields that every caller may see; an exact e-mail address comes first."""
DELETE_USER = Statement(
    sa.update(user).where(_this_user).values(deleted_at=_instant, updated_at=_instant).returning(*_USER)
)
_by_id = user.c.id == _given(user.c.id, "user_id")
SUBJECT = Statement(sa.select(user.c.issuer, user.c.subject).where(_by_id))
ERASE_USER = Statement(
    sa.update(user)
    .where(_by_id)
    .values(
        dict.fromkeys(("staff_name", "email", "company_centre_unit", "location_name", "my_people_page_url"), "")
        | {"grade_level": None, "subject": sa.bindparam("erased_subject", type_=user.c.subject.type)}
    )
    .returning(*_USER)
)
"""Empty the personal fields of a deleted user."""
LOCK_USER = Statement(sa.select(user.c.id).where(_this_user).with_for_update())
HOLD_USER = Statement(sa.select(user.c.id).where(_this_user).with_for_update(read=True, key_share=True))
# Locks every enabled Admin: if two Admins remove each other's Admin at once, the second one sees the first change.
LOCK_ADMINS = Statement(
    sa.select(user.c.id)
    .where(user.c.admin, sa.not_(user.c.disabled), _is_active_user)
    .order_by(user.c.id)
    .with_for_update()
)
ADD_CLIENT_USER = Statement(
    sa.insert(user).values(
        id=_given(user.c.id), staff_name=_given(user.c.staff_name), email="", admin=_given(user.c.admin)
    )
)
ADD_GUEST_USER = Statement(
    insert(user)
    .values(id=_given(user.c.id), staff_name=_given(user.c.staff_name), email="", admin=False)
    .on_conflict_do_nothing()
)


@cache
def update_user(columns: frozenset[str]) -> Statement:
    """Build the update of the given columns of one active user."""
    values: dict[str, Any] = {name: _given(user.c[name]) for name in sorted(columns)}
    return Statement(sa.update(user).where(_this_user).values(updated_at=_now, **values).returning(*_USER))


# Clients, joined with the users that they act as.
_CLIENT = (
    client.c.id.label("client_id"),
    user.c.staff_name.label("name"),
    user.c.id.label("user_id"),
    user.c.admin,
    user.c.disabled,
    client.c.created_at,
    sa.func.greatest(client.c.updated_at, user.c.updated_at).label("updated_at"),
    user.c.deleted_at,
)
_clients = sa.select(*_CLIENT).join(user, user.c.id == client.c.user_id)
_active_clients = _clients.where(_is_active_user)
_this_client = client.c.id == _given(client.c.id, "client_id")
CLIENT = Statement(_active_clients.where(_this_client))
LOCK_CLIENT = Statement(sa.select(client.c.id).where(_this_client).with_for_update())
ENDED_CLIENT = Statement(_clients.where(_this_client))
CLIENTS = listed(
    _active_clients.where(search_condition(user.c.staff_name)), client.c.created_at, client.c.id, id_key="client_id"
)
ADD_CLIENT = Statement(
    sa.insert(client).values(
        id=_given(client.c.id), user_id=_given(client.c.user_id), secret_digest=_given(client.c.secret_digest)
    )
)
_next_generation = client.c.token_generation + 1
SET_CLIENT_SECRET = Statement(
    sa.update(client)
    .where(_this_client)
    .values(secret_digest=_given(client.c.secret_digest), token_generation=_next_generation, updated_at=_now)
)
"""Replaces the secret and ends the tokens."""
END_CLIENT_TOKENS = Statement(
    sa.update(client).where(_this_client).values(token_generation=_next_generation, updated_at=_now)
)

# API keys.
_API_KEY = (
    api_key.c.id.label("api_key_id"),
    api_key.c.name,
    api_key.c.prefix,
    api_key.c.scopes,
    api_key.c.user_id,
    api_key.c.expires_at,
    api_key.c.last_used_at,
    api_key.c.created_at,
    api_key.c.updated_at,
    api_key.c.deleted_at,
)
_active_keys = sa.select(*_API_KEY).where(api_key.c.deleted_at.is_(None))
_this_key = sa.and_(api_key.c.id == _given(api_key.c.id, "api_key_id"), api_key.c.deleted_at.is_(None))
API_KEY = Statement(_active_keys.where(_this_key))
_listed_keys = _active_keys.where(search_condition(api_key.c.name))
API_KEYS = listed(_listed_keys, api_key.c.created_at, api_key.c.id, id_key="api_key_id")
API_KEYS_OF_USER = listed(
    _listed_keys.where(api_key.c.user_id == _given(api_key.c.user_id)),
    api_key.c.created_at,
    api_key.c.id,
    id_key="api_key_id",
)
ADD_API_KEY = Statement(
    sa.insert(api_key)
    .values(
        {name: _given(api_key.c[name]) for name in ("id", "user_id", "name", "prefix", "digest")}
        | {
            "scopes": sa.bindparam("scopes", type_=ARRAY(sa.Text)),
            "expires_at": sa.func.to_timestamp(sa.bindparam("expires_at", type_=sa.Float)),
        }
    )
    .returning(*_API_KEY)
)
LOCK_API_KEY = Statement(sa.select(api_key.c.id).where(_this_key).with_for_update())
DELETE_API_KEY = Statement(
    sa.update(api_key).where(_this_key).values(deleted_at=_instant, updated_at=_instant).returning(*_API_KEY)
)
END_API_KEYS = Statement(
    sa.update(api_key)
    .where(api_key.c.user_id == _given(api_key.c.user_id))
    .values(name="", deleted_at=sa.func.coalesce(api_key.c.deleted_at, _instant), updated_at=_instant)
)
"""End all keys of a user, and forget their names."""


# Teams.
def _team(created_by: sa.ColumnElement[str]) -> tuple[sa.ColumnElement[Any], ...]:
    return (
        team.c.id.label("team_id"),
        team.c.name,
        user_reference(created_by, "created_by"),
        team.c.created_at,
        team.c.updated_at,
        team.c.deleted_at,
    )


_TEAM = _team(team.c.created_by)
_active_teams = sa.select(*_TEAM).where(team.c.deleted_at.is_(None))
_this_team = sa.and_(team.c.id == _given(team.c.id, "team_id"), team.c.deleted_at.is_(None))
_is_member = sa.exists().where(
    team_member.c.team_id == team.c.id, team_member.c.user_id == _given(team_member.c.user_id, "caller_id")
)
_is_mine = sa.or_(team.c.created_by == _given(team.c.created_by, "caller_id"), _is_member)
TEAM_FOR = Statement(sa.select(*_TEAM, _is_mine.label("mine")).where(_this_team))
LOCK_TEAM_FOR = Statement(sa.select(*_TEAM, _is_mine.label("mine")).where(_this_team).with_for_update(of=team))
_listed_teams = _active_teams.where(search_condition(team.c.name))
TEAMS = listed(_listed_teams, team.c.created_at, team.c.id, id_key="team_id")
TEAMS_OF_USER = listed(_listed_teams.where(_is_mine), team.c.created_at, team.c.id, id_key="team_id")
ADD_TEAM = Statement(
    insert(team)
    .values(id=_given(team.c.id), name=_given(team.c.name), created_by=_given(team.c.created_by))
    .on_conflict_do_nothing()
    .returning(*_team(_given(team.c.created_by)))
)
# Every change of a team's name locks the name first: unlike an insert, an update has no ON CONFLICT and must look for
# another team of that name.
LOCK_TEAM_NAME = Statement(
    sa.select(
        sa.cast(
            sa.func.pg_advisory_xact_lock(sa.func.hashtextextended(sa.bindparam("name", type_=sa.Text), 1)), sa.Text
        )
    )
)
OTHER_TEAM_OF_NAME = Statement(
    sa.select(team.c.id).where(
        team.c.name == _given(team.c.name), team.c.deleted_at.is_(None), team.c.id != _given(team.c.id, "team_id")
    )
)
RENAME_TEAM = Statement(
    sa.update(team).where(_this_team).values(name=_given(team.c.name), updated_at=_now).returning(*_TEAM)
)
TOUCH_TEAM = Statement(sa.update(team).where(_this_team).values(updated_at=_now))
DELETE_TEAM = Statement(
    sa.update(team).where(_this_team).values(deleted_at=_instant, updated_at=_instant).returning(*_TEAM)
)

_MEMBER = (team_member.c.user_id, user.c.staff_name, team_member.c.created_at)
_members = (
    sa.select(*_MEMBER)
    .join(user, user.c.id == team_member.c.user_id)
    .where(team_member.c.team_id == _given(team_member.c.team_id), _is_active_user)
)
TEAM_MEMBERS = listed(_members, team_member.c.created_at, team_member.c.user_id)
TEAM_MEMBER = Statement(_members.where(team_member.c.user_id == _given(team_member.c.user_id)))
ADD_TEAM_MEMBER = Statement(
    insert(team_member)
    .values(team_id=_given(team_member.c.team_id), user_id=_given(team_member.c.user_id))
    .on_conflict_do_nothing()
)
DELETE_TEAM_MEMBER = Statement(
    sa.delete(team_member).where(
        team_member.c.team_id == _given(team_member.c.team_id), team_member.c.user_id == _given(team_member.c.user_id)
    )
)

# Owners of projects, direct ones and through teams, from the view of the projects service.
_role = sa.table(
    "project_role",
    sa.column("project_id", _Id),
    sa.column("user_id", _Id),
    sa.column("role", sa.Integer),
    schema="projects",
)
_owner = _role.alias("owner")
_project = sa.table("active_project", sa.column("project_id", _Id), schema="projects")
# Ordered by id, so that two changes can't deadlock; the projects service locks the same rows of this view.
LOCK_OWNED_PROJECTS = Statement(
    sa.select(_project.c.project_id)
    .where(
        _project.c.project_id.in_(
            sa.select(_role.c.project_id).where(
                _role.c.role == OWNER, _role.c.user_id == sa.any_(sa.bindparam("user_ids", type_=ARRAY(_Id)))
            )
        )
    )
    .order_by(_project.c.project_id)
    .with_for_update()
)
PROJECTS_WITH_OWNER = Statement(
    sa.select(_owner.c.project_id)
    .join(user, sa.and_(user.c.id == _owner.c.user_id, _is_active_user))
    .where(_owner.c.role == OWNER, _owner.c.project_id == sa.any_(sa.bindparam("project_ids", type_=ARRAY(_Id))))
    .distinct()
)
_payer = sa.table("payer", sa.column("project_id", _Id), sa.column("user_id", _Id), schema="projects")
PROJECTS_PAID_BY_OWNER = Statement(
    sa.select(_payer.c.project_id).where(
        _payer.c.project_id == sa.any_(sa.bindparam("project_ids", type_=ARRAY(_Id))),
        sa.exists().where(
            _role.c.project_id == _payer.c.project_id, _role.c.user_id == _payer.c.user_id, _role.c.role == OWNER
        ),
    )
)
"""Those of some projects whose payer is an owner."""
MEMBERS_OF_TEAM = Statement(
    sa.select(team_member.c.user_id).where(team_member.c.team_id == _given(team_member.c.team_id))
)
