"""API keys and teams: who sees them, who may change them, and what they never give."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Any

import pytest
from google.protobuf.timestamp_pb2 import Timestamp

from catenary.platform.v1 import api_key_service_pb2, team_service_pb2
from catenary_core.call.errors import CallError
from catenary_core.frame import Frame
from factories.checks.timestamps import moment
from factories.services.identity import IdentityService
from factories.services.refusals import refusal
from integration.identity.test_users_and_clients import project_of

_UNKNOWN = "0199aaaa-0000-7000-8000-000000000000"


@dataclass(frozen=True)
class Person:
    user_id: str
    token: str


async def person(identity: IdentityService, name: str, *, admin: bool = False, scope: str = "") -> Person:
    row, secret = await identity.client(name, admin=admin)
    return Person(row["user_id"], await identity.token_of(row["client_id"], secret, scope))


async def keys(identity: IdentityService, method: str, who: Person, **fields: Any) -> dict[str, Any]:
    request = getattr(api_key_service_pb2, f"{method}Request")(**fields)
    return (await identity.call("ApiKey", method, request, who.token)).body


async def teams(identity: IdentityService, method: str, who: Person, **fields: Any) -> dict[str, Any]:
    request = getattr(team_service_pb2, f"{method}Request")(**fields)
    return (await identity.call("Team", method, request, who.token)).body


async def test_a_key_is_shown_once_and_seen_by_its_owner_and_admins_alone(identity: IdentityService) -> None:
    owner, stranger = await person(identity, "owner"), await person(identity, "stranger")
    boss = await person(identity, "boss", admin=True)
    made = await keys(identity, "CreateApiKey", owner, name="ci", scopes=["qa:read", "platform:read"])
    key_id = made["api_key"]["api_key_id"]
    assert made["key"].startswith("cat_")
    assert made["api_key"]["prefix"] == made["key"][:10]
    assert (made["api_key"]["scopes"], made["api_key"]["user_id"], made["api_key"]["expires_at"]) == (
        ["qa:read", "platform:read"],
        owner.user_id,
        None,
    )
    for who in (owner, boss):
        shown = (await keys(identity, "GetApiKey", who, api_key_id=key_id))["api_key"]
        assert shown == made["api_key"]
        assert [key["api_key_id"] for key in (await keys(identity, "ListApiKeys", who))["api_keys"]] == [key_id]
    assert (await keys(identity, "ListApiKeys", stranger))["api_keys"] == []
    for method in ("GetApiKey", "DeleteApiKey"):
        answers = [await refusal(keys(identity, method, stranger, api_key_id=wanted)) for wanted in (key_id, _UNKNOWN)]
        assert answers[0] == answers[1]
        assert answers[0].reason == "NOT_FOUND"
    deleted = (await keys(identity, "DeleteApiKey", owner, api_key_id=key_id))["api_key"]
    assert deleted["deleted_at"] is not None
    assert (await refusal(keys(identity, "DeleteApiKey", owner, api_key_id=key_id))).reason == "NOT_FOUND"
    assert (await keys(identity, "ListApiKeys", owner))["api_keys"] == []


async def test_no_credential_makes_a_key_with_more_than_it_has(identity: IdentityService) -> None:
    narrow = await person(identity, "narrow", scope="platform:write qa:read")
    await keys(identity, "CreateApiKey", narrow, name="k", scopes=["platform:read", "platform:write", "qa:read"])
    for scope in ("qa:write", "comments:read"):
        refused = await refusal(keys(identity, "CreateApiKey", narrow, name="k", scopes=["platform:read", scope]))
        assert (refused.reason, scope in refused.message) == ("PERMISSION_DENIED", True)
    reader = await person(identity, "reader", scope="platform:read")
    assert (await refusal(keys(identity, "CreateApiKey", reader, name="k", scopes=["platform:read"]))).reason == (
        "PERMISSION_DENIED"
    )
    wide = await person(identity, "wide", admin=True)
    made = await keys(identity, "CreateApiKey", wide, name="k", scopes=["platform:write"])
    request = api_key_service_pb2.CreateApiKeyRequest(name="k", scopes=["platform:read"])
    refused = await refusal(identity.call("ApiKey", "CreateApiKey", request, x_api_key=made["key"]))
    assert (refused.reason, "API key" in refused.message) == ("PERMISSION_DENIED", True)


@pytest.mark.parametrize(
    "fields",
    [
        {"scopes": []},
        {"scopes": ["platform:admin"]},
        {"scopes": ["*"]},
        {"scopes": ["platform:read", "platform:read"]},
        {"scopes": ["platform:read\n"]},
        {"name": ""},
        {"expires_at": Timestamp(seconds=1)},
        {"expires_at": Timestamp(seconds=-(10**12))},
        {"expires_at": Timestamp(seconds=10**15)},
    ],
)
async def test_a_bad_key_is_refused(identity: IdentityService, fields: dict[str, Any]) -> None:
    who = await person(identity, "owner")
    good: dict[str, Any] = {"name": "k", "scopes": ["platform:read"]}
    assert (await refusal(keys(identity, "CreateApiKey", who, **(good | fields)))).reason == "VALIDATION_ERROR"
    await keys(identity, "CreateApiKey", who, **good, expires_at=Timestamp(seconds=int(identity.clock.now) + 1))


async def test_keys_and_teams_are_searched_by_a_part_of_their_name(identity: IdentityService) -> None:
    maker, boss = await person(identity, "maker"), await person(identity, "boss", admin=True)
    for name in ("Bridges", "Towers"):
        await teams(identity, "CreateTeam", maker, name=name)
        await keys(identity, "CreateApiKey", maker, name=f"{name} laptop", scopes=["qa:read"])
    await teams(identity, "CreateTeam", boss, name="bridge secrets")
    for who, seen in ((maker, ["Bridges"]), (boss, ["Bridges", "bridge secrets"])):
        assert [one["name"] for one in (await teams(identity, "ListTeams", who, search="BRIDGE"))["teams"]] == seen
        found = (await keys(identity, "ListApiKeys", who, search="bridge"))["api_keys"]
        assert [one["name"] for one in found] == ["Bridges laptop"]


async def test_a_team_is_seen_by_its_maker_its_members_and_admins(identity: IdentityService) -> None:
    maker, member, stranger = [await person(identity, name) for name in ("maker", "member", "stranger")]
    boss = await person(identity, "boss", admin=True)
    team = (await teams(identity, "CreateTeam", maker, name="Bridges"))["team"]
    team_id = team["team_id"]
    assert team["created_by"] == {"user_id": maker.user_id, "staff_name": "maker"}
    await teams(identity, "PutTeamMember", maker, team_id=team_id, user_id=member.user_id)
    for who in (maker, member, boss):
        assert (await teams(identity, "GetTeam", who, team_id=team_id))["team"]["name"] == "Bridges"
        assert [found["team_id"] for found in (await teams(identity, "ListTeams", who))["teams"]] == [team_id]
        members = (await teams(identity, "ListTeamMembers", who, team_id=team_id))["members"]
        assert [found["staff_name"] for found in members] == ["maker", "member"]
    assert (await teams(identity, "ListTeams", stranger))["teams"] == []
    calls: list[tuple[str, dict[str, Any]]] = [
        ("GetTeam", {}),
        ("UpdateTeam", {"name": "x"}),
        ("DeleteTeam", {}),
        ("ListTeamMembers", {}),
        ("PutTeamMember", {"user_id": stranger.user_id}),
        ("DeleteTeamMember", {"user_id": stranger.user_id}),
        ("DeleteTeamMember", {"user_id": member.user_id}),
    ]
    for method, fields in calls:
        seen = [
            await refusal(teams(identity, method, stranger, team_id=wanted, **fields)) for wanted in (team_id, _UNKNOWN)
        ]
        assert seen[0] == seen[1]
        assert seen[0].reason == "NOT_FOUND"
    for method, fields in (calls[1], calls[2], calls[4], ("DeleteTeamMember", {"user_id": maker.user_id})):
        refused = await refusal(teams(identity, method, member, team_id=team_id, **fields))
        assert refused.reason == "PERMISSION_DENIED"


async def test_a_team_is_renamed_filled_emptied_and_deleted(identity: IdentityService) -> None:
    maker, member = await person(identity, "maker"), await person(identity, "member")
    boss = await person(identity, "boss", admin=True)
    team = (await teams(identity, "CreateTeam", maker, name="Bridges"))["team"]
    team_id = team["team_id"]
    taken = await refusal(teams(identity, "CreateTeam", member, name="Bridges"))
    assert taken.reason == "CONFLICT"
    other = (await teams(identity, "CreateTeam", member, name="Roofs"))["team"]
    assert (await refusal(teams(identity, "UpdateTeam", maker, team_id=team_id, name="Roofs"))).reason == "CONFLICT"
    same = (await teams(identity, "UpdateTeam", maker, team_id=team_id, name="Bridges"))["team"]
    assert same["name"] == "Bridges"
    renamed = (await teams(identity, "UpdateTeam", boss, team_id=team_id, name="Towers"))["team"]
    assert moment(renamed["updated_at"]) > moment(team["updated_at"])
    place = {"team_id": team_id, "user_id": member.user_id}
    first = await teams(identity, "PutTeamMember", maker, **place)
    assert await teams(identity, "PutTeamMember", boss, **place) == first
    unknown = await refusal(teams(identity, "PutTeamMember", maker, team_id=team_id, user_id=_UNKNOWN))
    assert (unknown.reason, unknown.details["parameter"]) == ("VALIDATION_ERROR", "user_id")
    assert (await teams(identity, "DeleteTeamMember", member, **place)) == first
    assert (await refusal(teams(identity, "DeleteTeamMember", maker, **place))).reason == "NOT_FOUND"
    assert (await refusal(teams(identity, "GetTeam", member, team_id=team_id))).reason == "NOT_FOUND"
    deleted = (await teams(identity, "DeleteTeam", maker, team_id=team_id))["team"]
    assert deleted["deleted_at"] is not None
    assert (await refusal(teams(identity, "GetTeam", maker, team_id=team_id))).reason == "NOT_FOUND"
    await teams(identity, "CreateTeam", boss, name="Towers")
    assert [found["name"] for found in (await teams(identity, "ListTeams", member))["teams"]] == [other["name"]]


async def test_of_many_who_take_one_name_at_once_one_gets_it(identity: IdentityService) -> None:
    maker = await person(identity, "maker")
    ids = [(await teams(identity, "CreateTeam", maker, name=f"t{number}"))["team"]["team_id"] for number in range(3)]
    outcomes = await asyncio.gather(
        *(teams(identity, "UpdateTeam", maker, team_id=team_id, name="The team") for team_id in ids),
        *(teams(identity, "CreateTeam", maker, name="The team") for _ in range(3)),
        return_exceptions=True,
    )
    refused = [outcome for outcome in outcomes if isinstance(outcome, CallError)]
    assert len(refused) == 5
    assert {error.code().name for error in refused} == {"ABORTED"}


async def test_a_project_that_a_team_alone_owns_keeps_it_and_its_last_member(
    identity: IdentityService, frame: Frame
) -> None:
    maker, member = await person(identity, "maker"), await person(identity, "member")
    boss = await person(identity, "boss", admin=True)
    team_id = (await teams(identity, "CreateTeam", maker, name="Bridges"))["team"]["team_id"]
    await teams(identity, "PutTeamMember", maker, team_id=team_id, user_id=member.user_id)
    await project_of(frame.db, teams=(team_id,))
    assert (await refusal(teams(identity, "DeleteTeam", boss, team_id=team_id))).reason == "CONFLICT"
    await teams(identity, "DeleteTeamMember", boss, team_id=team_id, user_id=maker.user_id)
    last = {"team_id": team_id, "user_id": member.user_id}
    assert (await refusal(teams(identity, "DeleteTeamMember", boss, **last))).reason == "CONFLICT"
    assert [
        found["user_id"] for found in (await teams(identity, "ListTeamMembers", boss, team_id=team_id))["members"]
    ] == [member.user_id]
