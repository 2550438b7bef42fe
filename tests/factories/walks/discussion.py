"""A walk over the comments of a project, by the platform's routes and by those of the comments service."""

from __future__ import annotations

from factories.walks.recording import Walk

_CAMERA = {"position": [9, -9, 6.5], "target": [0, 0, 1], "projection": "orthographic", "height": 12.0}
_ANCHOR = {"x": 1.5, "y": 0, "z": 3.0, "geometry": "cube", "part": "top"}


async def discuss(call: Walk, path: str, variant_id: str) -> None:
    """Write, list, change, resolve and delete comments of a project and of one of its variants."""
    route = f"{path}/comments"
    me = (await call("GET", "/v1/users/me", 200))["data"]["user"]["user_id"]
    place = {"variant_id": variant_id, "anchor": _ANCHOR, "camera": _CAMERA, "mentions": [me]}
    first = (await call("POST", route, 201, json={"content": "Too <b>sharp</b>\nhere", **place}))["data"]["comment"]
    assert (first["anchor"], first["camera"]["up"], first["resolved"]) == (_ANCHOR, [0.0, 0.0, 1.0], False)
    answer = {"content": "Agreed", "parent_id": first["comment_id"]}
    second = (await call("POST", route, 201, json=answer))["data"]["comment"]
    third = (await call("POST", route, 201, json={"content": "On the project"}))["data"]["comment"]
    for wrong in (
        {},
        {"content": " "},
        {"content": "a\u0007"},
        {"content": "x", "color": "red"},
        {"content": "x", "parent_id": second["comment_id"]},
        {**answer, "variant_id": me},
        {"content": "x", "variant_id": me},
        {"content": "x", "mentions": [variant_id]},
        {"content": "x", "anchor": {"x": 1, "y": 2}},
        {"content": "x", "anchor": {**_ANCHOR, "x": 1e300}},
        {"content": "x", "camera": {**_CAMERA, "target": _CAMERA["position"]}},
        {"content": "x", "camera": {**_CAMERA, "up": [0, 0, 0]}},
        {"content": "x", "camera": {**_CAMERA, "projection": "fisheye"}},
    ):
        await call("POST", route, 400, json=wrong)
    one, other = f"/v1/comments/{first['comment_id']}", f"/v1/comments/{second['comment_id']}"
    await call("GET", one, 200)
    await call("GET", f"/v1/comments/{variant_id}", 404)
    page = await call("GET", route, 200, params={"limit": 1, "variant_id": variant_id})
    given = {"limit": 1, "variant_id": variant_id, "cursor": page["metadata"]["next_cursor"]}
    assert (await call("GET", route, 200, params=given))["data"]["comments"] == [first]
    await call("GET", route, 400, params={"resolved": "maybe"})
    await call("PATCH", other, 200, json={"resolved": True, "content": "Agreed, and done"})
    found = (await call("GET", route, 200, params={"resolved": "true"}))["data"]["comments"]
    assert [comment["comment_id"] for comment in found] == [second["comment_id"], first["comment_id"]]
    await call("PATCH", one, 200, json={"resolved": False})
    await call("PATCH", one, 200, json={})
    for wrong in ({"content": None}, {"resolved": None}, {"content": ""}, {"mentions": []}):
        await call("PATCH", one, 400, json=wrong)
    row = f"/comments/v2/comments/{third['comment_id']}"
    assert (await call("GET", row, 200))["comment"]["reference_table"] == "project"
    await call("PATCH", row, 200, json={"content": "On the whole project"})
    await call("DELETE", row, 200)
    for comment in (one, other):
        await call("DELETE", comment, 200)
        await call("GET", comment, 404)
