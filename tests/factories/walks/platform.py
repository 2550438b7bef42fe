"""One walk over every route of the platform, good and bad, recorded so that two ways of serving it can be compared."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable

import httpx

from factories.walks.discussion import discuss
from factories.walks.exploration import batches, plans, studies
from factories.walks.people import invitations, people, without_credentials
from factories.walks.recording import Walk
from factories.walks.views import arrange

CUBE = """
PARAMETERS = [
    {"name": "side", "type": "number", "min": 1, "max": 9, "step": 0.5, "default": 2, "unit": "m"},
    {"name": "count", "type": "integer", "min": 1, "max": 9007199254740993, "default": 450},
    {"name": "open", "type": "boolean", "default": False},
    {"name": "kind", "type": "choice", "choices": ["a", "b"], "default": "a"},
    {"name": "note", "type": "string", "default": "é"},
]
METRICS = [{"name": "volume", "unit": "m3"}, {"name": "count"}]
CONSTRAINTS = [{"name": "small", "metric": "volume", "op": "<=", "value": 64}]

def evaluate(p):
    from manifold3d import Manifold
    if p["kind"] == "b":
        raise ValueError("b is not built")
    cube = Manifold.cube((p["side"],) * 3)
    return {
        "metrics": {"volume": cube.volume(), "count": p["count"]},
        "geometry": {"cube": {"mesh": cube, "density": 2400}},
        "tables": {"rows": [{"n": 1, "x": 1.5, "label": "é", "none": None}]},
        "charts": {"sizes": {"kind": "scatter", "table": "rows", "x": "n", "y": ["x", "none"]}},
        "files": {"report.html": b"<script>alert(1)</script>", "rows.csv": b"n"},
    }
"""


async def walk(
    http: httpx.AsyncClient, client_id: str, client_secret: str, further: Callable[[Walk], Awaitable[None]]
) -> Walk:
    """Call every route of the platform as an Admin, with its refusals, and then `further`. A worker must be running."""
    call = Walk(http)
    http.headers.pop("Authorization", None)
    secret = {"client_id": client_id, "client_secret": client_secret}
    await without_credentials(call, secret)
    token = (await call("POST", "/v1/auth/token", 200, json={"grant_type": "client_credentials", **secret}))[
        "access_token"
    ]
    http.headers["Authorization"] = f"Bearer {token}"
    user_id = await people(call)
    await _system_events(call)
    project = await _projects(call, user_id)
    await _models_and_evaluations(call, project)
    await _webhooks(call)
    await _notifications(call, project)
    await _usage(call, project)
    await _imports(call)
    await _repeated(call)
    await further(call)
    await call("DELETE", f"/v1/projects/{project}", 200)
    await call("GET", f"/v1/projects/{project}", 404)
    # A token that comes along is none of the client's credentials, and doesn't matter.
    await call("POST", "/v1/auth/revoke", 200, json={"token": token, **secret})
    del http.headers["Authorization"]
    await call("POST", "/v1/auth/revoke", 200, json={"token": token, **secret})
    return call


async def _imports(call: Walk) -> None:
    """Import assets from files of both kinds."""
    await call("POST", "/environment/v2/projects", 201, json={"number": "I-1"})
    groups = await call("POST", "/parameter/v1/asset_type_groups", 201, json={"name": "Imported"})
    item = {"name": "Imported", "asset_type_group_id": groups["asset_type_groups"][0]["id"]}
    await call("POST", "/parameter/v1/asset_types", 201, json=item)
    route, content = "/v1/import", b"project,name,asset_type\nI-1,Tower,Imported\n"
    file, assets = {"Content-Type": "text/csv"}, {"kind": "assets"}
    await call("POST", route, 200, content=content, headers=file, params={**assets, "dry_run": "true"})
    await call("POST", route, 200, content=content, headers=file, params=assets)
    await call("POST", route, 200, files={"file": ("assets.csv", content)}, params=assets)
    await call("POST", route, 200, json={"assets": [{"project": "I-1", "name": "Annex", "asset_type": "Imported"}]})
    await call("POST", route, 400, content=b"name\nTower\n", headers=file, params=assets)
    for wrong in ({}, {"kind": "walls"}):
        await call("POST", route, 400, content=content, headers=file, params=wrong)
    await call("POST", route, 415, content=content, headers={"Content-Type": "text/plain"}, params=assets)


async def _repeated(call: Walk) -> None:
    key = {"Idempotency-Key": "walk"}
    made = [await call("POST", "/v1/projects", 201, json={"name": "Twice"}, headers=key) for _ in range(2)]
    assert made[0]["data"] == made[1]["data"]
    await call("POST", "/v1/projects", 422, json={"name": "Another"}, headers=key)
    await call("POST", "/v1/projects", 400, json={"name": "Twice"}, headers={"Idempotency-Key": "k" * 256})
    taken = {"name": "Once only"}
    key = {"Idempotency-Key": "walk"}
    await call("POST", "/qa/v2/record_types", 201, json=taken)
    for _ in range(2):
        await call("POST", "/qa/v2/record_types", 409, json=taken, headers=key)
    await call("POST", "/qa/v2/record_types", 422, json={"name": "Another"}, headers=key)


async def _system_events(call: Walk) -> None:
    route = "/v1/system_events"
    told = {"type": "system.maintenance", "message": "New disks.", "starts_at": "2027-01-01T00:00:00.5Z"}
    await call("POST", route, 201, json={**told, "ends_at": "2027-01-01T01:00:00.5Z"})
    await call("POST", route, 201, json={"type": "system.service.updated", "message": "Newer.", "release": "2"})
    for wrong in (
        {**told, "type": "system.reboot"},
        {**told, "message": ""},
        {**told, "ends_at": "2027-01-01T00:00:00Z"},
        {**told, "starts_at": "1969-12-31T23:59:59Z"},
        {**told, "release": 2},
    ):
        await call("POST", route, 400, json=wrong)
    await call("GET", route, 405)
    for query in ("types=nothing", "after=x", "project_id=x", "colour=red", "limit=1"):
        await call("GET", f"/v1/events?{query}", 400)
    await call("GET", "/v1/events", 400, headers={"Last-Event-ID": "x"})
    await call("GET", "/v1/events?after=00000000-0000-7000-8000-000000000000", 410)
    await call("GET", "/v1/events?project_id=00000000-0000-7000-8000-000000000000", 404)
    await call("HEAD", "/v1/events", 200)
    for method, path, status in (("POST", "/ws", 405), ("GET", "/ws", 400), ("OPTIONS", "/ws", 204)):
        await call(method, path, status)


async def _projects(call: Walk, user_id: str) -> str:
    for content, type_ in (
        (b"{", "application/json"),
        (b"[]", "application/json"),
        (b'{"name":"x","name":"y"}', "application/json"),
        (b'{"name":"x","colour":"red"}', "application/json"),
        (b'{"name":5}', "application/json"),
        (b"", "application/json"),
    ):
        await call("POST", "/v1/projects", 400, content=content, headers={"Content-Type": type_})
    await call("POST", "/v1/projects", 415, content=b"{}", headers={"Content-Type": "text/plain"})
    await call(
        "POST", "/v1/projects", 413, content=b" " * (1024 * 1024 + 1), headers={"Content-Type": "application/json"}
    )
    for name in ("Übersicht", "Second", "Third"):
        made = await call("POST", "/v1/projects", 201, json={"name": name, "description": "…"})
    project = str(made["data"]["project"]["project_id"])
    first = await call("GET", "/v1/projects", 200, params={"limit": 2})
    await call("GET", "/v1/projects", 200, params={"limit": 2, "cursor": first["metadata"]["next_cursor"]})
    await call("HEAD", "/v1/projects", 200)
    path = f"/v1/projects/{project}"
    await call("GET", path.upper().replace("/V1/PROJECTS", "/v1/projects"), 200)
    await call("PATCH", path, 200, json={"name": "Renamed", "description": ""})
    await call("PATCH", path, 400, json={"role": "viewer"})
    await call("GET", f"{path}/members", 200)
    await call("PUT", f"{path}/members/{user_id}", 409, json={"role": "viewer"})
    await call("DELETE", f"{path}/members/{user_id}", 409)
    await call("PUT", f"{path}/members/{user_id}", 400, json={"role": "emperor"})
    robot = (await call("POST", "/v1/clients", 201, json={"name": "Member"}))["data"]["client"]["user_id"]
    await call("POST", f"{path}/members", 201, json={"user_id": robot, "role": "viewer"})
    await call("POST", f"{path}/members", 409, json={"user_id": robot, "role": "editor"})
    await call("POST", f"{path}/members", 400, json={"email": "nobody@example.com", "role": "viewer"})
    await call("POST", f"{path}/members", 400, json={"role": "viewer"})
    await call("PUT", f"{path}/members/{robot}", 200, json={"role": "evaluator"})
    await call("DELETE", f"{path}/members/{robot}", 200)
    await call("PUT", f"{path}/members/{robot}", 200, json={"role": "evaluator"})
    await call("DELETE", f"{path}/members/{robot}", 200)
    await _roles_by_a_team(call, path, robot)
    await _shares(call, path, robot)
    await invitations(call, path)
    return project


async def _shares(call: Walk, path: str, user_id: str) -> None:
    shared = {"kind": "user", "user_id": user_id, "role": "viewer", "expires_at": "2099-01-31T12:00:00Z"}
    made = (await call("POST", f"{path}/shares", 201, json=shared))["data"]["share"]
    link = (await call("POST", f"{path}/shares", 201, json={"kind": "link"}))["data"]["url"]
    await call("GET", "/v1/shares/current", 404)
    own = call.http.headers.pop("Authorization")
    await call("GET", "/v1/shares/current", 200, headers={"X-Share-Token": link.partition("#share=")[2]})
    call.http.headers["Authorization"] = own
    await call("POST", f"{path}/shares", 400, json={"kind": "link", "role": "editor"})
    await call("GET", f"{path}/shares", 200)
    await call("GET", f"{path}/members", 200)
    share = f"{path}/shares/{made['share_id']}"
    await call("GET", share, 200)
    await call("DELETE", share, 200)
    await call("GET", share, 404)


async def _models_and_evaluations(call: Walk, project: str) -> None:
    path = f"/v1/projects/{project}"
    python = {"Content-Type": "text/x-python"}
    await call("GET", f"{path}/parameters", 200)
    await call("POST", f"{path}/evaluate", 409, json={"parameters": {}})
    model = (await call("POST", f"{path}/models", 201, json={"name": "Cube"}))["data"]["model"]
    await call("POST", f"{path}/models", 409, json={"name": "Cube"})
    await call("GET", f"{path}/models", 200)
    await call("GET", f"{path}/models/{model['model_id']}", 200)
    versions = f"{path}/models/{model['model_id']}/versions"
    await call("POST", versions, 400, content=b"", headers=python)
    await call("POST", versions, 415, content=b"x", headers={"Content-Type": "image/png"})
    await call("POST", versions, 400, content=b"PK not a zip", headers={"Content-Type": "application/zip"})
    uploaded = (await call("POST", versions, 201, content=CUBE.encode(), headers=python))["data"]["model_version"]
    version = f"{versions}/{uploaded['model_version_id']}"
    await _until_checked(call.http, version)
    await call("GET", version, 200)
    await call("GET", versions, 200)
    form = {"file": ("cube.py", CUBE.encode() + b"# again\n")}
    second = (await call("POST", versions, 201, files=form))["data"]["model_version"]["model_version_id"]
    await _until_checked(
        call.http, f"{versions}/{second}"
    )  # else the model's latest version is now the one, now the other
    await call("GET", f"{version}/log", 200)
    await call("GET", f"{version}/source", 200)
    await call("GET", f"{version}/source", 206, headers={"Range": "bytes=1-9"})
    await call("GET", f"{version}/source", 206, headers={"Range": "bytes=1-9", "If-Range": f'"{uploaded["sha256"]}"'})
    await call("GET", f"{version}/source", 200, headers={"Range": "bytes=1-9", "If-Range": '"of-other-bytes"'})
    await call("GET", f"{version}/source", 400, headers={"Range": "bytes=1-9", "If-Range": "x" * 201})
    await call("GET", f"{version}/source", 416, headers={"Range": "bytes=99999-"})

    await call("POST", f"{path}/deployments", 201, json={"model_version_id": uploaded["model_version_id"]})
    await call("POST", f"{path}/deployments", 400, json={"model_version_id": project})
    await call("GET", f"{path}/deployments", 200)
    await call("DELETE", f"{path}/deployments/current", 200)
    await call("DELETE", f"{path}/deployments/current", 404)
    await call("POST", f"{path}/deployments", 201, json={"model_version_id": uploaded["model_version_id"]})
    await call("DELETE", version, 409)
    await call("DELETE", f"{path}/models/{model['model_id']}", 409)
    await call("PATCH", f"{path}/models/{model['model_id']}", 200, json={"name": "Cubes"})
    other = (await call("POST", f"{path}/models", 201, json={"name": "Other"}))["data"]["model"]["model_id"]
    await call("PATCH", f"{path}/models/{other}", 409, json={"name": "Cubes"})
    unused = await call("POST", f"{path}/models/{other}/versions", 201, content=CUBE.encode(), headers=python)
    gone = f"{path}/models/{other}/versions/{unused['data']['model_version']['model_version_id']}"
    await call("GET", gone, 200, headers={"Prefer": "wait=60"})  # its check would change it meanwhile
    await call("DELETE", gone, 200)
    await call("GET", gone, 404)
    await call("DELETE", f"{path}/models/{other}", 200)
    await call("GET", f"{path}/parameters", 200)
    first = await call("GET", f"{path}/parameters", 200, params={"limit": 2})
    rest = await call("GET", f"{path}/parameters", 200, params={"cursor": first["metadata"]["next_cursor"]})
    names = [parameter["name"] for page in (first, rest) for parameter in page["data"]["parameters"]]
    assert names == ["side", "count", "open", "kind", "note"]
    await call("PATCH", f"{path}/parameters/side", 200, json={"max": 8, "label": "Side"})
    await call("PATCH", f"{path}/parameters/side", 400, json={"max": 10})
    await call("PATCH", f"{path}/parameters/nothing", 404, json={"label": "x"})
    await call("GET", path, 200)
    derived = f"/v2/projects/{project}/derived_metrics"
    await call("GET", derived, 200)
    per_side = {"name": "per_side", "expression": "volume / side", "unit": "m2"}
    for wrong in ({**per_side, "unit": "m"}, {**per_side, "name": "2d"}, {**per_side, "expression": "open(1)"}):
        await call("PUT", derived, 400, json={"metrics": [wrong]})
    await call("PUT", derived, 409, json={"metrics": [per_side, per_side]})
    await call("PUT", derived, 200, json={"metrics": [per_side]})

    done = await call("POST", f"{path}/evaluate", 200, json={"parameters": {"side": {"value": 300, "unit": "cm"}}})
    evaluation = done["data"]["evaluation"]
    assert evaluation["status"] == "completed", evaluation
    assert evaluation["metrics"]["volume"]["value"] == 27
    await call("POST", f"{path}/evaluate", 200, json={"parameters": {"side": 3.0}})
    await call(
        "POST", f"{path}/evaluate", 200, json={"parameters": {"count": 9007199254740993, "note": "ü"}, "force": True}
    )
    await call("POST", f"{path}/evaluate", 200, json={"parameters": {"kind": "b"}})
    for wrong in (
        {"parameters": {"side": 8.5}},
        {"parameters": {"side": 2.25}},
        {"parameters": {"side": "3"}},
        {"parameters": {"side": {"value": 3, "unit": "kg"}}},
        {"parameters": {"width": 3}},
        {"parameters": {"kind": "c", "open": 1, "count": 1.5}},
        {"parameters": []},
        {"parameters": {"side": {"value": 3, "unit": "9**9**9**9"}}},
    ):
        await call("POST", f"{path}/evaluate", 400, json=wrong)
    for number in (b"NaN", b"1e400", b"18446744073709551616", b'"\\ud800"'):
        content = b'{"parameters":{"side":' + number + b"}}"
        await call("POST", f"{path}/evaluate", 400, content=content, headers={"Content-Type": "application/json"})
    one = f"/v1/evaluations/{evaluation['evaluation_id']}"
    await call("GET", one, 200)
    await call("GET", f"{path}/evaluations", 200)
    computed = await call("GET", f"{one.replace('/v1/', '/v2/')}/derived_metrics", 200)
    assert computed["data"]["values"] == [{"name": "per_side", "value": 9.0, "unit": "m2", "problem": None}]
    await _files(call, project)
    await plans(call, project)
    await call("GET", f"{one}/geometry/cube", 200)
    await call("GET", f"{one}/geometry/cube.stl", 200)
    await call("GET", f"{one}/geometry/cube", 206, headers={"Range": "bytes=0-3"})
    await call("GET", f"{one}/geometry/sphere", 404)
    await call("GET", f"{one}/geometry/..%2F..%2Fsecret", 404)
    assert [(file["name"], file["media_type"]) for file in evaluation["files"]] == [
        ("report.html", "text/html"),
        ("rows.csv", "text/csv"),
    ]
    assert evaluation["charts"] == [{"name": "sizes", "kind": "scatter", "table": "rows", "x": "n", "y": ["x", "none"]}]
    await call("GET", evaluation["files"][0]["url"], 200)
    await call("GET", f"{one}/files/report.html", 206, headers={"Range": "bytes=0-3"})
    await call("GET", f"{one}/files/report.html", 416, headers={"Range": "bytes=99-"})
    await call("GET", f"{one}/files/report.pdf", 404)
    await call("GET", f"{one}/files/..%2F..%2Fsecret", 404)
    await call("GET", f"/v1/evaluations/{project}", 404)
    await batches(call, path)
    await studies(call, path)
    await _variants(call, path, evaluation["evaluation_id"])
    await _removals(call, path, evaluation["evaluation_id"])


async def _variants(call: Walk, path: str, evaluation_id: str) -> None:
    route = f"{path}/variants"
    kept = {"name": "Cube of 27", "note": "small\nand light", "evaluation_id": evaluation_id}
    first = (await call("POST", route, 201, json=kept))["data"]["variant"]
    assert (first["status"], first["thumbnail"]["size"]) == ("ready", None)
    # Stored already, so that no notification of an end comes now or later.
    computed = {"name": "Cube of 8", "parameters": {"count": 9007199254740993, "note": "ü"}}
    second = (await call("POST", route, 202, json=computed))["data"]["variant"]
    for wrong in (
        {**kept, "parameters": {"side": 3.0}},
        {**kept, "name": "two\nlines"},
        {**kept, "evaluation_id": second["variant_id"]},
        {**computed, "parameters": {"width": 3}},
    ):
        await call("POST", route, 400, json=wrong)
    one = f"/v1/variants/{first['variant_id']}"
    other = f"/v1/variants/{second['variant_id']}"
    await call("GET", first["thumbnail"]["url"], 200)
    await call("GET", first["thumbnail"]["url"], 206, headers={"Range": "bytes=0-7"})
    await call("GET", f"/v1/variants/{evaluation_id}/thumbnail", 404)
    shown = (await call("GET", one, 200))["data"]["variant"]
    assert shown["thumbnail"]["size"] > 1_000
    page = await call("GET", route, 200, params={"limit": 1, "search": "CUBE"})
    await call("GET", route, 200, params={"limit": 1, "search": "CUBE", "cursor": page["metadata"]["next_cursor"]})
    ids = {"variant_id": f"{first['variant_id']},{second['variant_id']}"}
    found = (await call("GET", f"{route}/compare", 200, params=ids))["data"]["comparison"]
    (volume,) = [metric for metric in found["metrics"] if metric["name"] == "volume"]
    assert [item["difference"] for item in volume["items"]] == [0.0, -19.0]
    await call("GET", f"{route}/compare", 400, params={"variant_id": first["variant_id"]})
    await call("GET", f"{route}/compare", 404, params={"variant_id": [first["variant_id"], evaluation_id]})
    await call("PATCH", one, 200, json={"name": "Cube", "note": ""})
    await call("PATCH", one, 400, json={"name": None})
    await call("DELETE", f"/v1/evaluations/{evaluation_id}", 409)
    await call("DELETE", f"/v1/evaluations/{evaluation_id}?remove=true", 409)
    await discuss(call, path, first["variant_id"])
    await arrange(call, path)
    for variant in (one, other):
        await call("DELETE", variant, 200)
        await call("GET", variant, 404)


async def _removals(call: Walk, path: str, evaluation_id: str) -> None:
    one = f"/v1/evaluations/{evaluation_id}"
    named = {"reference_id": evaluation_id, "reference_table": "evaluation", "reference_url": "https://example.com/x"}
    said = await call("POST", "/comments/v2/comments", 201, json=[{**named, "content": "Good"}])
    await call("DELETE", f"{one}?remove=true", 409)
    await call("DELETE", f"/comments/v2/comments/{said['comments'][0]['id']}", 200)
    await call("DELETE", one, 409)
    await call("DELETE", f"{one}?remove=true", 200)
    await call("GET", one, 404)
    for wrong in ({"unused": True}, {"older_than": "2090-01-31T12:00:00Z"}, {"older_than": "x", "unused": True}):
        await call("POST", f"{path}/evaluations/purge", 400, json=wrong)
    ended = {"older_than": "2090-01-31T12:00:00Z", "unused": True}
    would = (await call("POST", f"{path}/evaluations/purge", 200, json={**ended, "dry_run": True}))["data"]
    purged = (await call("POST", f"{path}/evaluations/purge", 200, json=ended))["data"]
    assert (purged["removed"] > 0, purged["more"], would) == (True, False, purged)
    assert (await call("GET", f"{path}/evaluations", 200))["data"]["evaluations"] == []


async def _files(call: Walk, project: str) -> None:
    path, octets = f"/v1/projects/{project}/files", {"Content-Type": "application/octet-stream"}
    made = await call("POST", path, 201, content=b"0;0\n1;2\n", headers=octets, params={"name": "Profile 1.csv"})
    file = made["data"]["file"]
    await call("POST", path, 201, content=b"x", headers={"Content-Type": "text/csv"}, params={"name": "notes"})
    for wrong in ({}, {"name": ""}, {"name": "x" * 201}, {"name": "a.csv", "size": 1}):
        await call("POST", path, 400, content=b"x", headers=octets, params=wrong)
    await call("POST", path, 400, content=b"", headers=octets, params={"name": "a.csv"})
    await call("POST", path, 415, content=b"x", headers={"Content-Type": "image/png"}, params={"name": "a.png"})
    first = await call("GET", path, 200, params={"limit": 1})
    await call("GET", path, 200, params={"cursor": first["metadata"]["next_cursor"]})
    await call("GET", path, 400, params={"cursor": "damaged"})
    one = f"/v1/files/{file['file_id']}"
    await call("GET", one, 200)
    await call("GET", f"{one}/content", 200)
    await call("GET", f"{one}/content", 206, headers={"Range": "bytes=0-3"})
    await call("GET", f"{one}/content", 416, headers={"Range": "bytes=99-"})
    await call("GET", f"/v1/files/{project}", 404)
    await call("GET", f"/v1/files/{project}/content", 404)
    await call("DELETE", one, 200)
    await call("DELETE", one, 404)


async def _webhooks(call: Walk) -> None:
    route, nowhere = "/v1/webhooks", "http://127.0.0.1:9/hook"
    body = {"url": nowhere, "events": ["model.input.*"]}
    made = (await call("POST", route, 201, json={**body, "secret": "of sixteen letters or more"}))["data"]["webhook"]
    for wrong in (
        {},
        {**body, "url": "ftp://example.com"},
        {**body, "url": "http://user:password@example.com"},
        {**body, "events": []},
        {**body, "events": ["model.*", "weather.*"]},
        {**body, "secret": "short"},
        {**body, "secret": "whsec_" + "=" * 20},
        {**body, "status": "enabled"},
    ):
        await call("POST", route, 400, json=wrong)
    await call("GET", route, 200, params={"limit": 1})
    await call("GET", route, 400, params={"cursor": "damaged"})
    path = f"{route}/{made['webhook_id']}"
    await call("GET", path, 200)
    await call("GET", f"{route}/00000000-0000-7000-8000-000000000000", 404)
    await call("PATCH", path, 200, json={"events": ["model.input.changed"]})
    for wrong in (
        {"events": []},
        {"events": None},
        {"url": None},
        {"status": None},
        {"status": "asleep"},
        {"secret": "x"},
    ):
        await call("PATCH", path, 400, json=wrong)
    await call("POST", f"{path}/rotate_secret", 200, json={})
    await call("POST", f"{path}/rotate_secret", 400, json={"secret": "short"})
    tested = (await call("POST", f"{path}/test", 200, json={}))["data"]["delivery"]
    async with asyncio.timeout(60):
        while (await call.http.get(f"{path}/deliveries")).json()["data"]["deliveries"][0]["status"] == "pending":  # noqa: ASYNC110 (another task sends)
            await asyncio.sleep(0.05)
    found = (await call("GET", f"{path}/deliveries", 200))["data"]["deliveries"]
    assert [(one["delivery_id"], one["status"], len(one["attempts"])) for one in found] == [
        (tested["delivery_id"], "failed", 1)
    ]
    again = f"{path}/deliveries/{tested['delivery_id']}/redeliver"
    await call("PATCH", path, 200, json={"status": "disabled"})
    await call("POST", again, 409, json={})
    await call("POST", f"{path}/test", 409, json={})
    await call("PATCH", path, 200, json={"status": "enabled"})
    await call("POST", again, 200, json={})
    await call("DELETE", path, 200)
    await call("GET", path, 404)
    await call("POST", again, 404, json={})


async def _roles_by_a_team(call: Walk, path: str, robot: str) -> None:
    team = (await call("POST", "/v1/teams", 201, json={"name": "Bridge builders"}))["data"]["team"]["team_id"]
    await call("PUT", f"{path}/members/{team}", 200, json={"role": "editor"})
    await call("PUT", f"/v1/teams/{team}/members/{robot}", 200)
    await call("DELETE", f"/v1/teams/{team}/members/{robot}", 200)
    await call("PUT", f"{path}/members/{robot}", 200, json={"role": "viewer"})
    await call("PUT", f"/v1/teams/{team}/members/{robot}", 200)
    await call("DELETE", f"/v1/teams/{team}", 200)
    for member in (robot, team):
        await call("DELETE", f"{path}/members/{member}", 200)


async def _usage(call: Walk, project: str) -> None:
    for query in ("", f"?project_id={project}", "?month=2030-01"):
        await call("GET", f"/v1/usage{query}", 200)
    for wrong in ("month=2030-13", "project_id=x", "year=2030"):
        await call("GET", f"/v1/usage?{wrong}", 400)
    me = (await call("GET", "/v1/users/me", 200))["data"]["user"]
    await call("GET", f"/v1/usage?project_id={me['user_id']}", 404)
    await call("PATCH", f"/v1/users/{me['user_id']}", 200, json={"tier": "standard"})
    for wrong_tier in ("golden", "", None):
        await call("PATCH", f"/v1/users/{me['user_id']}", 400, json={"tier": wrong_tier})
    await call("PATCH", f"/v1/projects/{project}", 200, json={"owner_user_id": me["user_id"]})
    await call("PATCH", f"/v1/projects/{project}", 400, json={"owner_user_id": project})


async def _notifications(call: Walk, project: str) -> None:
    asked = {"json": {"parameters": {"side": 4}}, "headers": {"Prefer": "respond-async"}}
    await call("POST", f"/v1/projects/{project}/evaluate", 202, **asked)
    route = "/v1/notifications"
    async with asyncio.timeout(60):
        while len((await call.http.get(route)).json()["data"]["notifications"]) < 8:  # noqa: ASYNC110 (they come to another process)
            await asyncio.sleep(0.05)
    told, *earlier = (await call("GET", route, 200))["data"]["notifications"]
    assert told["kind"] == "evaluation_completed"
    assert Counter(one["kind"] for one in earlier) == {"study_completed": 2, "batch_completed": 5}
    await call("GET", f"{route}?unread=true&limit=1", 200)
    assert (await call("GET", f"{route}?unread=false", 200))["data"]["notifications"] == []
    one = f"{route}/{told['notification_id']}"
    assert (await call("GET", one, 200))["data"]["notification"] == told
    await call("GET", f"{route}/{project}", 404)
    await call("GET", f"{route}/x", 400)
    for body in ({"read": True}, {"read": True}, {}, {"read": False}):
        await call("PATCH", one, 200, json=body)
    for wrong in ({"read": None}, {"read": "yes"}, {"kind": "share"}):
        await call("PATCH", one, 400, json=wrong)
    await call("PATCH", f"{route}/{project}", 404, json={"read": True})
    await call("PATCH", f"{route}/x", 400, json={"read": True})
    for query in ("limit=0", "limit=201", "cursor=x", "unread=maybe", "kind=share"):
        await call("GET", f"{route}?{query}", 400)
    await call("POST", route, 405)


async def _until_checked(http: httpx.AsyncClient, version: str) -> None:
    async with asyncio.timeout(60):
        while True:
            found = (await http.get(version)).json()["data"]["model_version"]
            if found["status"] not in ("uploaded", "checking"):
                assert found["status"] == "ready", found
                return
            await asyncio.sleep(0.05)
