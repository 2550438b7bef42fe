"""Who hears that a view was saved, changed and deleted."""

from __future__ import annotations

from typing import Any

from factories.events.world import World
from factories.services.shares import link, variant


async def test_those_who_see_a_project_hear_of_its_views(here: World) -> None:
    owner, viewer, stranger = [await here.caller(name) for name in ("Olga", "Vera", "Sam")]
    project_id = await here.project(owner, viewer=viewer)
    saved = await variant(here, owner, project_id)
    of_project = await link(here, owner, project_id)
    of_variant = await link(here, owner, project_id, variant_id=saved["variant_id"])
    socket = await here.socket(viewer, project_id=project_id, types="project.view.*")
    all_of_stranger = await here.socket(stranger)
    by_link, by_variant = [await here.connect(one.headers) for one in (of_project, of_variant)]

    route = f"/v1/projects/{project_id}/views"
    body = {"name": "Facade", "is_default": True, "viewer": {"hidden_parts": ["scaffold"]}}
    made = (await here.call(owner, "POST", route, 201, json=body))["data"]["view"]
    other = (await here.call(owner, "POST", route, 201, json={**body, "name": "Roof"}))["data"]["view"]
    await here.call(owner, "PUT", f"/v1/views/{made['view_id']}", json={"name": "Section"})
    await here.call(owner, "DELETE", f"/v1/views/{other['view_id']}")

    heard = await socket.events(5)
    assert [(event["type"], event["data"]["view"]["name"], event["data"]["view"]["is_default"]) for event in heard] == [
        ("project.view.created", "Facade", True),
        ("project.view.updated", "Facade", False),
        ("project.view.created", "Roof", True),
        ("project.view.updated", "Section", False),
        ("project.view.deleted", "Roof", True),
    ]
    assert {event["project_id"] for event in heard} == {project_id}
    assert heard[0]["subject"] == f"/v1/views/{made['view_id']}"
    assert heard[0]["data"]["view"].keys() == {
        "view_id", "project_id", "name", "is_default", "created_by", "created_at", "updated_at", "deleted_at",
    }  # fmt: skip
    assert heard[0]["data"]["view"]["created_by"] == {"user_id": owner.user_id}
    assert heard[-1]["data"]["view"]["deleted_at"] is not None
    shown: list[dict[str, Any]] = await by_link.events(5)
    assert [event["type"] for event in shown] == [event["type"] for event in heard]
    assert owner.user_id not in str(shown)
    await by_variant.silence()
    await all_of_stranger.silence()


async def test_a_refused_change_of_a_view_tells_nothing(here: World) -> None:
    owner, viewer = await here.caller("Olga"), await here.caller("Vera")
    project_id = await here.project(owner, viewer=viewer)
    route = f"/v1/projects/{project_id}/views"
    made = (await here.call(owner, "POST", route, 201, json={"name": "Facade"}))["data"]["view"]
    socket = await here.socket(owner, types="project.view.*")
    path = f"/v1/views/{made['view_id']}"
    await here.call(viewer, "POST", route, 403, json={"name": "Mine"})
    await here.call(viewer, "DELETE", path, 403)
    await here.call(owner, "PUT", path, 400, json={"name": "", "is_default": True})
    await here.call(owner, "PUT", path, 409, json={"name": "Facade", "is_default": True, "metrics": ["mass"]})
    await socket.silence()
