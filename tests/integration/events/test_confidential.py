"""Events of rows of a confidential project show to those who may see the project, and to nobody else."""

from __future__ import annotations

from typing import Any

import httpx
import pytest
import sqlalchemy as sa

from catenary_core.access import audience
from catenary_core.database.statements import Statement
from factories.events.world import Socket, World
from factories.installations.installation import ANSWER_SECONDS
from factories.walks.consequences import walk_rows_of_a_project
from factories.walks.recording import Walk

_OF_PROJECT = Statement(
    sa.text("SELECT DISTINCT type FROM events.event WHERE environment_project_id = :id").bindparams(
        sa.bindparam("id", type_=audience.Id)
    )
)
KINDS = {
    f"{resource}.{what}"
    for resource in (
        "environment.project",
        "parameter.asset",
        "parameter.parameter",
        "parameter.entry",
        "metadata.tag",
        "metadata.tag_link",
    )
    for what in ("created", "updated", "deleted")
} | {
    "parameter.revision.updated",
    "parameter.parameter_set.created",
    "parameter.parameter_set.deleted",
    "qa.record.created",
}
"""What `walk_rows_of_a_project` makes happen to rows of the project."""
END = "system.maintenance"


async def _until_end(socket: Socket) -> list[dict[str, Any]]:
    found = []
    while (event := await socket.event())["type"] != END:
        found.append(event)
    return found


async def _walked(here: World) -> dict[str, list[dict[str, Any]]]:
    """Return the events sent to an outsider, a linked project's member, a member's API key and an Admin."""
    admin, member, outsider = (
        await here.caller("admin", admin=True),
        await here.caller("m"),
        await here.caller("s"),
    )
    key = {"name": "k", "scopes": ["platform:read", "parameter:read", "metadata:read", "qa:read"]}
    made = await here.call(member, "POST", "/v1/api_keys", 201, json=key)
    body = {"number": "1-1", "confidential": True}
    project = (await here.call(admin, "POST", "/environment/v2/projects", 201, json=body))["project"]["project_id"]
    linked = {"name": "Linked", "environment_project_id": project}
    platform = (await here.call(admin, "POST", "/v1/projects", 201, json=linked))["data"]["project"]["project_id"]
    await here.call(admin, "PUT", f"/v1/projects/{platform}/members/{member.user_id}", json={"role": "viewer"})
    sockets = {
        "admin": await here.socket(admin),
        "member": await here.socket(member),
        "outsider": await here.socket(outsider),
        "key": await here.connect({"X-API-Key": made["data"]["key"]}),
    }
    async with httpx.AsyncClient(base_url=here.url, headers=admin.headers, timeout=ANSWER_SECONDS) as http:
        call = Walk(http)
        await walk_rows_of_a_project(call, project)
        await call("PATCH", f"/environment/v2/projects/{project}", 200, json={"short_title": "Quiet"})
        await call("DELETE", f"/environment/v2/projects/{project}", 200)
    async with here.core.frame.db.read() as tx:
        kinds = {row["type"] for row in await tx.all(_OF_PROJECT, id=project)}
    assert kinds == KINDS, "every one of these events belongs to the project"
    await here.call(admin, "POST", "/v1/system_events", 201, json={"type": END, "message": "The end."})
    return {name: await _until_end(socket) for name, socket in sockets.items()}


def _types(events: list[dict[str, Any]]) -> set[str]:
    return {event["type"] for event in events}


async def test_a_confidential_projects_rows_are_absent_from_an_outsiders_events(here: World) -> None:
    told = await _walked(here)
    now_made = KINDS - {"environment.project.created"}
    assert now_made <= _types(told["admin"])
    assert [event["id"] for event in told["member"] if event["type"] in KINDS] == [
        event["id"] for event in told["admin"] if event["type"] in KINDS
    ]
    assert _types(told["outsider"]).isdisjoint(KINDS)
    assert "reference.source.created" in _types(told["outsider"]), "what belongs to no project shows"
    assert {name for name in now_made if not name.startswith("environment.")} <= _types(told["key"])
    assert not [name for name in _types(told["key"]) if name.startswith(("environment.", "reference."))]


@pytest.mark.slow
async def test_without_the_projects_of_events_the_outsider_would_see_them(
    here: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The guard of the test above."""

    async def everyone(self: audience.Audiences, ids: list[str]) -> dict[str, audience.Users]:
        return dict.fromkeys(ids)

    monkeypatch.setattr(audience.Audiences, "_read_confidential", everyone)
    assert not _types((await _walked(here))["outsider"]).isdisjoint(KINDS)


async def test_who_may_see_a_project_changes_what_comes_next(here: World) -> None:
    owner, member = await here.caller("o"), await here.caller("m")
    body = {"number": "1-1", "confidential": True}
    project = (await here.call(owner, "POST", "/environment/v2/projects", 201, json=body))["project"]["project_id"]
    linked = {"name": "Linked", "environment_project_id": project}
    platform = (await here.call(owner, "POST", "/v1/projects", 201, json=linked))["data"]["project"]["project_id"]
    socket = await here.socket(member, types="environment.project.*")
    path, place = f"/environment/v2/projects/{project}", f"/v1/projects/{platform}/members/{member.user_id}"

    async def seen(title: str) -> bool:
        await here.call(owner, "PATCH", path, json={"short_title": title})
        await here.call(owner, "POST", "/environment/v2/projects", 201, json={"number": title})
        event = (await socket.event())["data"]["project"]
        if event["short_title"] != title:
            assert event["number"] == title
            return False
        assert (await socket.event())["data"]["project"]["number"] == title
        return True

    assert not await seen("hidden")
    await here.call(owner, "PUT", place, json={"role": "viewer"})
    assert await seen("as a member")
    await here.call(owner, "DELETE", place)
    assert not await seen("no longer a member")
    await here.call(owner, "PATCH", path, json={"confidential": False})
    await socket.event()
    assert await seen("open")


async def _told_of_a_link_of_two_projects(here: World) -> tuple[dict[str, list[str]], str]:
    """Return the links told to members of one or both of its projects, and the reference."""
    admin, both = await here.caller("admin", admin=True), await here.caller("b")
    platform_only, environment_only = await here.caller("p"), await here.caller("e")

    async def project(name: str, members: list[Any], environment_project_id: str | None = None) -> str:
        body = {"name": name, "environment_project_id": environment_project_id}
        id_ = (await here.call(admin, "POST", "/v1/projects", 201, json=body))["data"]["project"]["project_id"]
        for member in members:
            await here.call(admin, "PUT", f"/v1/projects/{id_}/members/{member.user_id}", json={"role": "viewer"})
        return str(id_)

    quiet = {"number": "2-1", "confidential": True}
    scope = (await here.call(admin, "POST", "/environment/v2/projects", 201, json=quiet))["project"]["project_id"]
    await project("Linked", [both, environment_only], scope)
    reference_id = await project("Referred to", [both, platform_only])
    kind = {"name": "Kind", "allow_custom": True}
    tag_type = (await here.call(admin, "POST", "/metadata/v1/tag_types", 201, json=kind))["tag_type"]["id"]
    tag = {"name": "Secret", "tag_type_id": tag_type, "tag_scope": scope}
    tag_id = (await here.call(admin, "POST", "/metadata/v1/tags", 201, json=tag))["tag"]["id"]
    callers = {"both": both, "platform only": platform_only, "environment only": environment_only}
    sockets = {name: await here.socket(caller) for name, caller in callers.items()}
    link = {
        "tag_id": tag_id,
        "reference_id": reference_id,
        "reference_table": "project",
        "reference_url": "https://example.com",
    }
    await here.call(admin, "PUT", "/metadata/v1/tag_links", json={"tag_links": [link]})
    await here.call(admin, "POST", "/v1/system_events", 201, json={"type": END, "message": "The end."})
    told = {}
    for name, socket in sockets.items():
        events = [event for event in await _until_end(socket) if event["type"] == "metadata.tag_link.created"]
        told[name] = [event["data"]["tag_link"]["reference_id"] for event in events]
    return told, reference_id


async def test_an_event_of_two_projects_is_told_to_those_who_see_both(here: World) -> None:
    told, reference_id = await _told_of_a_link_of_two_projects(here)
    assert told == {"both": [reference_id], "platform only": [], "environment only": []}


@pytest.mark.slow
async def test_without_the_second_project_of_an_event_a_member_of_the_first_would_see_it(
    here: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The guard of the test above."""

    async def everyone(self: audience.Audiences, ids: list[str]) -> dict[str, audience.Users]:
        return dict.fromkeys(ids)

    monkeypatch.setattr(audience.Audiences, "_read_confidential", everyone)
    told, reference_id = await _told_of_a_link_of_two_projects(here)
    assert told["platform only"] == [reference_id]
