"""One walk over every route of the platform, good and bad, recorded so that two ways of serving it can be compared."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

import httpx
import orjson

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
    }
"""
_UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z")
_VARYING = re.compile(
    r'"(duration_ms|staff_id|access_token|token|client_secret|secret|key|prefix|cursor|next_cursor|before|after|previous|next|kid|x|y|expires_at|issuer)":("[^"]*"|[\d.]+)'
)
_COMPARED_HEADERS = (
    "content-type",
    "content-length",
    "content-range",
    "content-disposition",
    "accept-ranges",
    "allow",
    "cache-control",
    "vary",
    "location",
    "retry-after",
    "idempotency-replayed",
    "preference-applied",
    "www-authenticate",
    "x-request-id",
    "x-ratelimit-limit",
)


@dataclass
class Walk:
    """A client that records what it sent and got."""

    http: httpx.AsyncClient
    recorded: list[tuple[str, int, dict[str, str], str]] = field(default_factory=list)
    _names: dict[str, str] = field(default_factory=dict)

    async def __call__(self, method: str, path: str, status: int, **given: Any) -> Any:
        """Send a request, check its status and return the body, parsed when it is JSON."""
        headers = {"X-Request-Id": f"step-{len(self.recorded)}", **given.pop("headers", {})}
        answer = await self.http.request(method, path, headers=headers, **given)
        assert answer.status_code == status, f"{method} {path}: {answer.status_code} {answer.text}"
        shown = {name: self._normal(answer.headers[name]) for name in _COMPARED_HEADERS if name in answer.headers}
        is_json = bool(answer.content) and answer.headers.get("content-type", "").startswith("application/json")
        if is_json:
            # The lengths of times and keys differ from run to run.
            shown.pop("content-length", None)
        if method == "HEAD":
            shown.pop("content-length", None)
        body = self._normal(answer.text) if is_json else answer.content.hex()
        self.recorded.append((f"{method} {self._normal(path.lower())}", answer.status_code, shown, body))
        return orjson.loads(answer.content) if is_json else answer.content

    def _normal(self, text: str) -> str:
        text = _UUID.sub(lambda match: self._names.setdefault(match[0], f"<id {len(self._names)}>"), text)
        return _VARYING.sub(r'"\1":<varies>', _TIME.sub("<time>", text))


async def walk(
    http: httpx.AsyncClient, client_id: str, client_secret: str, further: Callable[[Walk], Awaitable[None]]
) -> Walk:
    """Call every route of the platform as an Admin, with its refusals, and then `further`. A worker must be running."""
    call = Walk(http)
    http.headers.pop("Authorization", None)
    secret = {"client_id": client_id, "client_secret": client_secret}
    await _without_credentials(call, secret)
    token = (await call("POST", "/v1/auth/token", 200, json={"grant_type": "client_credentials", **secret}))[
        "access_token"
    ]
    http.headers["Authorization"] = f"Bearer {token}"
    user_id = await _people(call)
    await _system_events(call)
    project = await _projects(call, user_id)
    await _models_and_evaluations(call, project)
    await _webhooks(call)
    await _notifications(call, project)
    await _repeated(call)
    await further(call)
    await call("DELETE", f"/v1/projects/{project}", 200)
    await call("GET", f"/v1/projects/{project}", 404)
    # A token that comes along is none of the client's credentials, and doesn't matter.
    await call("POST", "/v1/auth/revoke", 200, json={"token": token, **secret})
    del http.headers["Authorization"]
    await call("POST", "/v1/auth/revoke", 200, json={"token": token, **secret})
    return call


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


async def _without_credentials(call: Walk, secret: dict[str, str]) -> None:
    await call("GET", "/.well-known/jwks.json", 200)
    await call("GET", "/.well-known/oauth-authorization-server", 200)
    await call("GET", "/v1/projects", 401)
    await call("GET", "/v1/projects", 401, headers={"Authorization": "Bearer nonsense"})
    await call("GET", "/v1/nothing", 404)
    await call("GET", "/comments/v2/nothing", 404)
    await call("PUT", "/v1/projects", 405)
    await call("POST", "/v1/projects", 401, content=b"{", headers={"Content-Type": "text/plain"})
    for wrong in ({}, {"grant_type": "password", **secret}, {"grant_type": ["client_credentials"], **secret}):
        await call("POST", "/v1/auth/token", 400, json=wrong)
    await call(
        "POST", "/v1/auth/token", 401, json={"grant_type": "client_credentials", **secret, "client_secret": "no"}
    )
    await call("POST", "/v1/auth/token", 200, data={"grant_type": "client_credentials", **secret})
    basic = httpx.BasicAuth(secret["client_id"], secret["client_secret"])
    await call("POST", "/v1/auth/token", 200, data={"grant_type": "client_credentials"}, auth=basic)
    await call("POST", "/v1/auth/token", 400, data={"grant_type": "client_credentials", "scope": "root"}, auth=basic)


async def _people(call: Walk) -> str:
    me = (await call("GET", "/v1/users/me", 200))["data"]["user"]
    await call("PATCH", "/v1/users/me", 200, json={"location_name": "Zürich"})
    await call("PATCH", "/v1/users/me", 400, json={"my_people_page_url": "javascript:alert(1)"})
    await call("PATCH", "/v1/users/me", 400, json={"staff_name": "Someone"})
    await call("GET", "/v1/users", 200, params={"limit": 1})
    await call("GET", "/v1/users", 400, params={"limit": 0})
    await call("GET", "/v1/users", 400, params={"cursor": "damaged"})
    found = (await call("GET", "/v1/users", 200, params={"search": me["staff_name"].upper()}))["data"]["users"]
    assert [user["user_id"] for user in found] == [me["user_id"]]
    await call("GET", "/v1/users", 400, params={"search": "ab"})
    await call("GET", f"/v1/users/{me['user_id']}", 200)
    await call("GET", "/v1/users/not-a-uuid", 400)

    made = (await call("POST", "/v1/clients", 201, json={"name": "Robot"}))["data"]
    client = made["client"]
    await call("POST", "/v1/clients", 400, json={"name": ""})
    await call("GET", "/v1/clients", 200)
    await call("GET", f"/v1/clients/{client['client_id']}", 200)
    await call("PATCH", f"/v1/clients/{client['client_id']}", 200, json={"name": "Automaton"})
    await call("POST", f"/v1/clients/{client['client_id']}/rotate_secret", 200, json={})
    for _ in range(2):
        await call("POST", f"/v1/clients/{client['client_id']}/revoke_tokens", 200, json={})
    await call("POST", "/v1/clients/not-a-uuid/revoke_tokens", 400, json={})
    await call("PATCH", f"/v1/users/{client['user_id']}", 200, json={"grade_level": 7})
    await call("PATCH", f"/v1/users/{client['user_id']}", 200, json={"grade_level": None})

    worker = (await call("POST", "/v1/worker_tokens", 201, json={"name": "Machine 7"}))["data"]["worker_token"]
    await call("POST", "/v1/worker_tokens", 400, json={"name": ""})
    await call("GET", "/v1/worker_tokens", 200, params={"search": "machine"})
    await call("GET", f"/v1/worker_tokens/{worker['worker_token_id']}", 200)
    await call("DELETE", f"/v1/worker_tokens/{worker['worker_token_id']}", 200)
    await call("DELETE", f"/v1/worker_tokens/{worker['worker_token_id']}", 404)

    team = (await call("POST", "/v1/teams", 201, json={"name": "Bridges"}))["data"]["team"]
    path = f"/v1/teams/{team['team_id']}"
    await call("POST", "/v1/teams", 409, json={"name": "Bridges"})
    await call("GET", "/v1/teams", 200)
    await call("GET", path, 200)
    await call("PATCH", path, 200, json={"name": "Bridges and tunnels"})
    await call("PUT", f"{path}/members/{client['user_id']}", 200)
    await call("GET", f"{path}/members", 200)
    await call("DELETE", f"{path}/members/{client['user_id']}", 200)
    await call("DELETE", path, 200)
    await call("GET", path, 404)

    key = (await call("POST", "/v1/api_keys", 201, json={"name": "CI", "scopes": ["platform:read"]}))["data"]["api_key"]
    await call("POST", "/v1/api_keys", 400, json={"name": "CI", "scopes": ["platform:admin"]})
    await call("GET", "/v1/api_keys", 200)
    await call("GET", f"/v1/api_keys/{key['api_key_id']}", 200)
    await call("DELETE", f"/v1/api_keys/{key['api_key_id']}", 200)
    await call("DELETE", f"/v1/clients/{client['client_id']}", 200)
    extra = (await call("POST", "/v1/clients", 201, json={"name": "Short-lived"}))["data"]["client"]
    await call("DELETE", f"/v1/users/{extra['user_id']}", 200)
    return str(me["user_id"])


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
    return project


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
    await call("POST", versions, 201, files={"file": ("cube.py", CUBE.encode() + b"# again\n")})
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
    await call("GET", f"{one}/geometry/cube", 200)
    await call("GET", f"{one}/geometry/cube.stl", 200)
    await call("GET", f"{one}/geometry/cube", 206, headers={"Range": "bytes=0-3"})
    await call("GET", f"{one}/geometry/sphere", 404)
    await call("GET", f"{one}/geometry/..%2F..%2Fsecret", 404)
    await call("DELETE", one, 409)
    await call("GET", f"/v1/evaluations/{project}", 404)


async def _webhooks(call: Walk) -> None:
    route, nowhere = "/v1/webhooks", "http://127.0.0.1:9/hook"
    body = {"url": nowhere, "events": ["model.study.*"]}
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
    await call("PATCH", path, 200, json={"events": ["model.study.progressed"]})
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


async def _notifications(call: Walk, project: str) -> None:
    asked = {"json": {"parameters": {"side": 4}}, "headers": {"Prefer": "respond-async"}}
    await call("POST", f"/v1/projects/{project}/evaluate", 202, **asked)
    route = "/v1/notifications"
    async with asyncio.timeout(60):
        while not (await call.http.get(route)).json()["data"]["notifications"]:  # noqa: ASYNC110 (it comes to another process)
            await asyncio.sleep(0.05)
    (told,) = (await call("GET", route, 200))["data"]["notifications"]
    assert told["kind"] == "evaluation_completed", told
    await call("GET", f"{route}?unread=true&limit=1", 200)
    assert (await call("GET", f"{route}?unread=false", 200))["data"]["notifications"] == []
    one = f"{route}/{told['notification_id']}"
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
