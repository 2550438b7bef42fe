"""The SQL of users, clients, API keys and teams.

The columns of each row are the fields of its message, in their order.
"""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import ARRAY

from catenary_core.database.columns import CLOCK, INSTANT, Id, active_project, given, user_reference
from catenary_core.database.statements import Statement, contains_search, search_condition
from catenary_core.resources.platform_pages import listed
from catenary_core.resources.platform_rows import PlatformRow, inserted
from catenary_core.services.identity.tables import api_key, client, team, team_member, user

OWNER = 4
"""The number of the role owner in role.proto, as `projects.project_role` stores it."""

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
_user = PlatformRow(user, _USER, "user_id")
USER, LOCK_USER, DELETE_USER, update_user = _user.one(), _user.lock(), _user.delete(), _user.update
_search = sa.func.lower(sa.bindparam("search", type_=sa.Text))
_matched_email = sa.case((user.c.email_verified, user.c.email), else_=sa.literal_column("''"))
_matches = contains_search(user.c.staff_name, _matched_email)
USERS = {searching: _user.listed(_user.active, _matches if searching else sa.true()) for searching in (True, False)}
"""All users, or those that match a search, by whether there is one."""
FOUND_USERS = Statement(
    sa.select(user.c.id.label("user_id"), user.c.staff_name, user.c.email, _verified.label("email_verified"))
    .where(_user.active, _matches)
    .order_by((sa.func.lower(_matched_email) == _search).desc(), user.c.staff_name, user.c.id)
    .limit(sa.bindparam("page_rows", type_=sa.Integer))
)
"""The users that match a search, with the fields that every caller may see; an exact e-mail address comes first."""
SUBJECT = Statement(sa.select(user.c.issuer, user.c.subject).where(_user.has_id))
ERASE_USER = Statement(
    sa.update(user)
    .where(_user.has_id)
    .values(
        dict.fromkeys(("staff_name", "email", "company_centre_unit", "location_name", "my_people_page_url"), "")
        | {"grade_level": None, "subject": sa.bindparam("erased_subject", type_=user.c.subject.type)}
    )
    .returning(*_USER)
)
"""Empty the personal fields of a deleted user."""
HOLD_USER = Statement(sa.select(user.c.id).where(_user.this).with_for_update(read=True, key_share=True))
# Locks every enabled Admin: if two Admins remove each other's Admin at once, the second one sees the first change.
LOCK_ADMINS = Statement(
    sa.select(user.c.id)
    .where(user.c.admin, sa.not_(user.c.disabled), _user.active)
    .order_by(user.c.id)
    .with_for_update()
)
ADD_CLIENT_USER = Statement(inserted(user, "id", "staff_name", "admin").values(email=""))
ADD_GUEST_USER = Statement(inserted(user, "id", "staff_name").values(email="", admin=False).on_conflict_do_nothing())

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
_active_clients = _clients.where(_user.active)
_this_client = client.c.id == given(client.c.id, "client_id")
CLIENT = Statement(_active_clients.where(_this_client))
LOCK_CLIENT = Statement(sa.select(client.c.id).where(_this_client).with_for_update())
ENDED_CLIENT = Statement(_clients.where(_this_client))
CLIENTS = listed(
    _active_clients.where(search_condition(user.c.staff_name)), client.c.created_at, client.c.id, id_key="client_id"
)
ADD_CLIENT = Statement(inserted(client, "id", "user_id", "secret_digest"))
_next_generation = client.c.token_generation + 1
SET_CLIENT_SECRET = Statement(
    sa.update(client)
    .where(_this_client)
    .values(secret_digest=given(client.c.secret_digest), token_generation=_next_generation, updated_at=CLOCK)
)
"""Replaces the secret and ends the tokens."""
END_CLIENT_TOKENS = Statement(
    sa.update(client).where(_this_client).values(token_generation=_next_generation, updated_at=CLOCK)
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
_key = PlatformRow(api_key, _API_KEY, "api_key_id")
API_KEY, LOCK_API_KEY, DELETE_API_KEY = _key.one(), _key.lock(), _key.delete()
_listed_keys = (_key.active, search_condition(api_key.c.name))
API_KEYS = _key.listed(*_listed_keys)
API_KEYS_OF_USER = _key.listed(*_listed_keys, api_key.c.user_id == given(api_key.c.user_id))
ADD_API_KEY = Statement(
    inserted(api_key, "id", "user_id", "name", "prefix", "digest", "scopes")
    .values(expires_at=sa.func.to_timestamp(sa.bindparam("expires_at", type_=sa.Float)))
    .returning(*_API_KEY)
)
END_API_KEYS = Statement(
    sa.update(api_key)
    .where(api_key.c.user_id == given(api_key.c.user_id))
    .values(name="", deleted_at=sa.func.coalesce(api_key.c.deleted_at, INSTANT), updated_at=INSTANT)
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
_team_row = PlatformRow(team, _TEAM, "team_id")
_is_member = sa.exists().where(
    team_member.c.team_id == team.c.id, team_member.c.user_id == given(team_member.c.user_id, "caller_id")
)
_is_mine = sa.or_(team.c.created_by == given(team.c.created_by, "caller_id"), _is_member)
TEAM_FOR = _team_row.one(_is_mine.label("mine"))
LOCK_TEAM_FOR = Statement(sa.select(*_TEAM, _is_mine.label("mine")).where(_team_row.this).with_for_update(of=team))
_listed_teams = (_team_row.active, search_condition(team.c.name))
TEAMS = _team_row.listed(*_listed_teams)
TEAMS_OF_USER = _team_row.listed(*_listed_teams, _is_mine)
ADD_TEAM = Statement(
    inserted(team, "id", "name", "created_by").on_conflict_do_nothing().returning(*_team(given(team.c.created_by)))
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
        team.c.name == given(team.c.name), team.c.deleted_at.is_(None), team.c.id != given(team.c.id, "team_id")
    )
)
RENAME_TEAM, DELETE_TEAM = _team_row.update(["name"]), _team_row.delete()
TOUCH_TEAM = Statement(sa.update(team).where(_team_row.this).values(updated_at=CLOCK))

_MEMBER = (team_member.c.user_id, user.c.staff_name, team_member.c.created_at)
_members = (
    sa.select(*_MEMBER)
    .join(user, user.c.id == team_member.c.user_id)
    .where(team_member.c.team_id == given(team_member.c.team_id), _user.active)
)
TEAM_MEMBERS = listed(_members, team_member.c.created_at, team_member.c.user_id)
TEAM_MEMBER = Statement(_members.where(team_member.c.user_id == given(team_member.c.user_id)))
ADD_TEAM_MEMBER = Statement(inserted(team_member, "team_id", "user_id").on_conflict_do_nothing())
DELETE_TEAM_MEMBER = Statement(
    sa.delete(team_member).where(
        team_member.c.team_id == given(team_member.c.team_id), team_member.c.user_id == given(team_member.c.user_id)
    )
)

# Owners of projects, direct ones and through teams, from the view of the projects service.
_role = sa.table(
    "project_role",
    sa.column("project_id", Id),
    sa.column("user_id", Id),
    sa.column("role", sa.Integer),
    schema="projects",
)
_owner = _role.alias("owner")
# Ordered by id, so that two changes can't deadlock; the projects service locks the same rows of this view.
LOCK_OWNED_PROJECTS = Statement(
    sa.select(active_project.c.project_id)
    .where(
        active_project.c.project_id.in_(
            sa.select(_role.c.project_id).where(
                _role.c.role == OWNER, _role.c.user_id == sa.any_(sa.bindparam("user_ids", type_=ARRAY(Id)))
            )
        )
    )
    .order_by(active_project.c.project_id)
    .with_for_update()
)
PROJECTS_WITH_OWNER = Statement(
    sa.select(_owner.c.project_id)
    .join(user, sa.and_(user.c.id == _owner.c.user_id, _user.active))
    .where(_owner.c.role == OWNER, _owner.c.project_id == sa.any_(sa.bindparam("project_ids", type_=ARRAY(Id))))
    .distinct()
)
_payer = sa.table("payer", sa.column("project_id", Id), sa.column("user_id", Id), schema="projects")
PROJECTS_PAID_BY_OWNER = Statement(
    sa.select(_payer.c.project_id).where(
        _payer.c.project_id == sa.any_(sa.bindparam("project_ids", type_=ARRAY(Id))),
        sa.exists().where(
            _role.c.project_id == _payer.c.project_id, _role.c.user_id == _payer.c.user_id, _role.c.role == OWNER
        ),
    )
)
"""Those of some projects whose payer is an owner."""
MEMBERS_OF_TEAM = Statement(
    sa.select(team_member.c.user_id).where(team_member.c.team_id == given(team_member.c.team_id))
)
