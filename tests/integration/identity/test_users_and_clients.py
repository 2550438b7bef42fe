"""Users and clients: who may change them, and what a change must leave behind."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
import sqlalchemy as sa
import uuid_utils
from google.protobuf.field_mask_pb2 import FieldMask
from sqlalchemy.dialects.postgresql import UUID

from catenary.platform.v1 import client_service_pb2, user_service_pb2
from catenary_core.call.errors import CallError, DomainError
from catenary_core.database.statements import Statement
from catenary_core.database.transactions import Database
from catenary_core.frame import Frame
from factories.checks.timestamps import moment
from factories.services.identity import IdentityService
from factories.services.refusals import refusal

_UNKNOWN = "0199aaaa-0000-7000-8000-000000000000"


def _sql(text: str, *ids: str) -> Statement:
    return Statement(sa.text(text).bindparams(*(sa.bindparam(name, type_=UUID(as_uuid=False)) for name in ids)))


_ADD_PROJECT = _sql(
    "INSERT INTO projects.project (project_id, name, description, owner_user_id) VALUES (:id, 'p', '', :id)", "id"
)
_ADD_MEMBER = Statement(
    sa.text(
        "INSERT INTO projects.member (project_id, member_id, is_team, role) VALUES (:project_id, :member_id, :is_team, 4)"
    ).bindparams(
        sa.bindparam("project_id", type_=UUID(as_uuid=False)),
        sa.bindparam("member_id", type_=UUID(as_uuid=False)),
        sa.bindparam("is_team", type_=sa.Boolean),
    )
)


async def project_of(db: Database, *owners: str, teams: tuple[str, ...] = ()) -> str:
    """Create a project with the users and teams as its owners."""
    project_id = str(uuid_utils.uuid7())
    async with db.transaction() as tx:
        await tx.execute(_ADD_PROJECT, id=project_id)
        for member_id in (*owners, *teams):
            await tx.execute(_ADD_MEMBER, project_id=project_id, member_id=member_id, is_team=member_id in teams)
    return project_id


async def users(identity: IdentityService, method: str, token: str, **fields: Any) -> dict[str, Any]:
    request = getattr(user_service_pb2, f"{method}Request")(**fields)
    return (await identity.call("User", method, request, token)).body


async def clients(identity: IdentityService, method: str, token: str, **fields: Any) -> dict[str, Any]:
    request = getattr(client_service_pb2, f"{method}Request")(**fields)
    return (await identity.call("Client", method, request, token)).body


async def test_everyone_reads_and_changes_its_own_record_and_nobody_else_s(identity: IdentityService) -> None:
    row, secret = await identity.client("robot")
    other, _ = await identity.client("other")
    token = await identity.token_of(row["client_id"], secret)
    me = (await users(identity, "GetMe", token))["user"]
    assert (me["user_id"], me["staff_name"], me["email"], me["admin"], me["grade_level"]) == (
        row["user_id"],
        "robot",
        "",
        False,
        None,
    )
    changed = await users(
        identity, "UpdateMe", token, location_name="Ghent", my_people_page_url="https://people.example/r"
    )
    assert (changed["user"]["location_name"], changed["user"]["company_centre_unit"]) == ("Ghent", "")
    assert moment(changed["user"]["updated_at"]) > moment(me["updated_at"])
    cleared = await users(identity, "UpdateMe", token, update_mask=FieldMask(paths=["location_name"]))
    assert (cleared["user"]["location_name"], cleared["user"]["my_people_page_url"]) == ("", "https://people.example/r")
    assert (await users(identity, "UpdateMe", token))["user"] == cleared["user"]
    assert (await users(identity, "GetUser", token, user_id=row["user_id"].upper()))["user"] == cleared["user"]
    for method in ("GetUser", "UpdateUser", "DeleteUser"):
        for user_id in (other["user_id"], _UNKNOWN):
            assert (await refusal(users(identity, method, token, user_id=user_id))).reason == "PERMISSION_DENIED"
    assert (await refusal(users(identity, "ListUsers", token))).reason == "PERMISSION_DENIED"
    bad = await refusal(users(identity, "UpdateMe", token, my_people_page_url="ftp://x"))
    assert (bad.reason, bad.details["parameter"], bad.details["value"]) == (
        "VALIDATION_ERROR",
        "my_people_page_url",
        None,
    )
    for path in ("admin", "staff_name", "email"):
        mask = FieldMask(paths=[path])
        assert (await refusal(users(identity, "UpdateMe", token, update_mask=mask))).reason == "VALIDATION_ERROR"


async def test_an_admin_manages_users_and_a_null_clears_only_what_may_be_empty(identity: IdentityService) -> None:
    boss = await identity.token("boss", admin=True)
    row, _ = await identity.client("robot")
    user_id = row["user_id"]
    user = (await users(identity, "UpdateUser", boss, user_id=user_id, grade_level=7, admin=True))["user"]
    assert (user["grade_level"], user["admin"]) == (7, True)
    mask = FieldMask(paths=["grade_level", "location_name"])
    user = (await users(identity, "UpdateUser", boss, user_id=user_id, update_mask=mask))["user"]
    assert (user["grade_level"], user["location_name"], user["admin"]) == (None, "", True)
    for path in ("admin", "disabled"):
        refused = await refusal(
            users(identity, "UpdateUser", boss, user_id=user_id, update_mask=FieldMask(paths=[path]))
        )
        assert (refused.reason, refused.details["parameter"]) == ("VALIDATION_ERROR", path)
    assert (await refusal(users(identity, "UpdateUser", boss, user_id=user_id, grade_level=101))).reason == (
        "VALIDATION_ERROR"
    )
    for method in ("GetUser", "UpdateUser", "DeleteUser"):
        extra = {"disabled": True} if method == "UpdateUser" else {}
        assert (await refusal(users(identity, method, boss, user_id=_UNKNOWN, **extra))).reason == "NOT_FOUND"
    deleted = (await users(identity, "DeleteUser", boss, user_id=user_id))["user"]
    assert deleted["deleted_at"] is not None
    assert (await refusal(users(identity, "GetUser", boss, user_id=user_id))).reason == "NOT_FOUND"
    assert (await refusal(users(identity, "UpdateUser", boss, user_id=user_id, admin=False))).reason == "NOT_FOUND"
    assert (await refusal(clients(identity, "GetClient", boss, client_id=row["client_id"]))).reason == "NOT_FOUND"


async def test_lists_come_in_pages_oldest_first_and_without_deleted_rows(identity: IdentityService) -> None:
    boss = await identity.token("boss", admin=True)
    rows = [(await identity.client(f"c{number}"))[0] for number in range(5)]
    await clients(identity, "DeleteClient", boss, client_id=rows[2]["client_id"])
    names, cursor, pages = [], "", 0
    while cursor is not None:
        body = await clients(identity, "ListClients", boss, limit=2, cursor=cursor)
        names += [client["name"] for client in body["clients"]]
        cursor, pages = body["next_cursor"], pages + 1
    assert (names, pages) == (["boss", "c0", "c1", "c3", "c4"], 3)
    body = await users(identity, "ListUsers", boss)
    assert [user["staff_name"] for user in body["users"]] == names
    assert body["next_cursor"] is None
    assert (await refusal(users(identity, "ListUsers", boss, cursor="x"))).details["parameter"] == "cursor"


async def test_a_client_is_made_shown_renamed_rotated_and_deleted(identity: IdentityService) -> None:
    boss = await identity.token("boss", admin=True)
    made = await clients(identity, "CreateClient", boss, name="robot", admin=True)
    client_id, secret = made["client"]["client_id"], made["client_secret"]
    assert (made["client"]["name"], made["client"]["admin"], made["client"]["disabled"]) == ("robot", True, False)
    token = await identity.token_of(client_id, secret)
    assert secret not in str(await clients(identity, "GetClient", boss, client_id=client_id))
    renamed = (await clients(identity, "UpdateClient", boss, client_id=client_id, name="arm", admin=False))["client"]
    assert (renamed["name"], renamed["admin"]) == ("arm", False)
    assert moment(renamed["updated_at"]) > moment(made["client"]["updated_at"])
    assert (await users(identity, "GetUser", boss, user_id=renamed["user_id"]))["user"]["staff_name"] == "arm"
    assert (await clients(identity, "UpdateClient", boss, client_id=client_id))["client"] == renamed
    rotated = await clients(identity, "RotateClientSecret", boss, client_id=client_id)
    identity.clock.now += 5
    with pytest.raises(CallError):
        await identity.token_of(client_id, secret)
    await identity.who({"authorization": f"Bearer {await identity.token_of(client_id, rotated['client_secret'])}"})
    with pytest.raises(DomainError):
        await identity.who({"authorization": f"Bearer {token}"})
    deleted = (await clients(identity, "DeleteClient", boss, client_id=client_id))["client"]
    assert deleted["deleted_at"] is not None
    for method in ("GetClient", "UpdateClient", "DeleteClient", "RotateClientSecret", "RevokeClientTokens"):
        assert (await refusal(clients(identity, method, boss, client_id=client_id))).reason == "NOT_FOUND"
    null = await refusal(
        clients(identity, "UpdateClient", boss, client_id=client_id, update_mask=FieldMask(paths=["name"]))
    )
    assert null.details["parameter"] == "name"


async def test_clients_are_searched_by_a_part_of_their_name_in_any_case(identity: IdentityService) -> None:
    boss = await identity.token("boss", admin=True)
    for name in ("Load pipeline", "pipe 100%", "PIPE_2", "other"):
        await identity.client(name)

    async def found(search: str, **page: Any) -> list[str]:
        body = await clients(identity, "ListClients", boss, search=search, **page)
        return [client["name"] for client in body["clients"]]

    assert await found("pIpE") == ["Load pipeline", "pipe 100%", "PIPE_2"]
    assert await found("%") == ["pipe 100%"]
    assert await found("_") == ["PIPE_2"]
    assert await found("nobody") == []
    assert await found("") == ["boss", "Load pipeline", "pipe 100%", "PIPE_2", "other"]
    first = await clients(identity, "ListClients", boss, search="pipe", limit=1)
    assert await found("pipe", limit=1, cursor=first["next_cursor"]) == ["pipe 100%"]
    assert (await refusal(clients(identity, "ListClients", boss, search="x" * 201))).details["parameter"] == "search"


async def test_only_admins_manage_clients_and_not_with_a_narrowed_token(identity: IdentityService) -> None:
    row, secret = await identity.client("boss", admin=True)
    plain = await identity.token("plain")
    narrow = await identity.token_of(row["client_id"], secret, "platform:write")
    calls: list[tuple[str, dict[str, Any]]] = [
        ("ListClients", {}),
        ("CreateClient", {"name": "x"}),
        ("GetClient", {"client_id": row["client_id"]}),
        ("UpdateClient", {"client_id": row["client_id"], "name": "x"}),
        ("DeleteClient", {"client_id": row["client_id"]}),
        ("RotateClientSecret", {"client_id": row["client_id"]}),
        ("RevokeClientTokens", {"client_id": row["client_id"]}),
    ]
    for method, fields in calls:
        assert (await refusal(clients(identity, method, plain, **fields))).reason == "PERMISSION_DENIED"
    for method, fields in (calls[1], calls[5]):
        refused = await refusal(clients(identity, method, narrow, **fields))
        assert (refused.reason, "scope" in refused.message) == ("PERMISSION_DENIED", True)
    assert len((await clients(identity, "ListClients", narrow))["clients"]) == 2


async def test_the_last_enabled_admin_stays_even_when_two_unmake_each_other_at_once(identity: IdentityService) -> None:
    rows, tokens = [], []
    for name in ("a", "b"):
        row, secret = await identity.client(name, admin=True)
        rows.append(row)
        tokens.append(await identity.token_of(row["client_id"], secret))
    outcomes = await asyncio.gather(
        users(identity, "UpdateUser", tokens[0], user_id=rows[1]["user_id"], admin=False),
        clients(identity, "UpdateClient", tokens[1], client_id=rows[0]["client_id"], disabled=True),
        return_exceptions=True,
    )
    refused = [outcome for outcome in outcomes if isinstance(outcome, CallError)]
    assert len(refused) == 1
    identity.clock.now += 5
    loser = 0 if isinstance(outcomes[1], CallError) else 1
    boss, client_id, user_id = tokens[loser], rows[loser]["client_id"], rows[loser]["user_id"]
    for call in (
        users(identity, "UpdateUser", boss, user_id=user_id, admin=False),
        users(identity, "UpdateUser", boss, user_id=user_id, disabled=True),
        users(identity, "DeleteUser", boss, user_id=user_id),
        clients(identity, "UpdateClient", boss, client_id=client_id, admin=False),
        clients(identity, "UpdateClient", boss, client_id=client_id, disabled=True),
        clients(identity, "DeleteClient", boss, client_id=client_id),
    ):
        assert (await refusal(call)).reason == "CONFLICT"
    await users(identity, "UpdateUser", boss, user_id=user_id, admin=True, disabled=False)


async def test_the_only_owner_of_a_project_can_t_be_deleted(identity: IdentityService, frame: Frame) -> None:
    boss = await identity.token("boss", admin=True)
    first, second = [(await identity.client(name))[0] for name in ("first", "second")]
    await project_of(frame.db, first["user_id"], second["user_id"])
    await users(identity, "DeleteUser", boss, user_id=first["user_id"])
    for call in (
        users(identity, "DeleteUser", boss, user_id=second["user_id"]),
        clients(identity, "DeleteClient", boss, client_id=second["client_id"]),
    ):
        refused = await refusal(call)
        assert (refused.reason, "owner" in refused.message) == ("CONFLICT", True)
    assert (await users(identity, "GetUser", boss, user_id=second["user_id"]))["user"]["deleted_at"] is None


async def test_a_name_with_a_null_character_is_refused_by_its_rule(identity: IdentityService) -> None:
    boss = await identity.token("boss", admin=True)
    refused = await refusal(clients(identity, "CreateClient", boss, name="a\0b"))
    assert refused.reason == "VALIDATION_ERROR"
    assert (await refusal(clients(identity, "CreateClient", boss, name=""))).reason == "VALIDATION_ERROR"
    assert (await refusal(clients(identity, "CreateClient", boss, name="x" * 201))).reason == "VALIDATION_ERROR"
