"""The part of the platform's walk about who calls: credentials, users, clients, teams, keys and the audit trail."""

from __future__ import annotations

import httpx

from factories.walks.recording import Walk


async def without_credentials(call: Walk, secret: dict[str, str]) -> None:
    """Call what needs no token, and what is refused without one."""
    await call("GET", "/.well-known/jwks.json", 200)
    await call("GET", "/.well-known/oauth-authorization-server", 200)
    await call("GET", "/v1/studio/config", 200)
    await call("POST", "/v1/auth/demo", 404, json={})
    await call("POST", "/v1/auth/demo", 400, json={"user": "root"})
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


async def people(call: Walk) -> str:
    """Call the routes of users, clients, worker tokens, the audit trail, teams and API keys; return the caller's own id."""
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

    table = {"Accept": "text/csv"}
    of_worker = {"subject": f"/v1/worker_tokens/{worker['worker_token_id']}", "limit": "1"}
    await call("GET", "/v1/audit", 200, params=of_worker)
    await call("GET", "/v1/audit", 200, params=of_worker | {"actor_id": me["user_id"]})
    await call("GET", "/v1/audit", 200, params={"to": "2020-01-01T00:00:00Z"})
    await call("GET", "/v1/audit", 200, params={"action": "none", "outcome": "INVALID_TOKEN"}, headers=table)
    await call("GET", "/v1/audit", 400, params={"cursor": "damaged"}, headers=table)
    await call("GET", "/v1/audit", 400, params={"from": "2020-01-01T00:00:00Z", "to": "2020-01-01T00:00:00Z"})

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


async def invitations(call: Walk, path: str) -> None:
    """Invite people to a project, take the invitations, and go through a session with its links."""
    body = {"email": "ada@example.com", "staff_name": "Ada", "role": "viewer"}
    nobody = {"Authorization": ""}
    tokens = []
    for role in ("viewer", "viewer", "editor"):
        made = (await call("POST", f"{path}/invitations", 201, json=body | {"role": role}))["data"]
        tokens.append(made["url"].partition("#invite=")[2])
    await call("POST", f"{path}/invitations", 400, json=body | {"email": "nobody"})
    await call("GET", f"{path}/invitations", 200)
    one = f"{path}/invitations/{made['invitation']['invitation_id']}"
    await call("GET", one, 200)

    first = await call("POST", "/v1/auth/session", 200, json={"invitation": tokens[0]}, headers=nobody)
    await call("POST", "/v1/auth/session", 401, json={"invitation": tokens[0]}, headers=nobody)
    await call("POST", "/v1/auth/session", 400, json={}, headers=nobody)
    person = {"Authorization": f"Bearer {first['access_token']}"}
    await call("POST", "/v1/auth/session", 200, json={"invitation": tokens[2]}, headers=person)
    url = (await call("POST", "/v1/users/me/sign_in_links", 201, headers=person))["data"]["url"]
    await call("POST", "/v1/users/me/sign_in_links", 403)
    await call("POST", "/v1/auth/session", 200, json={"sign_in": url.partition("#sign_in=")[2]}, headers=nobody)
    own = {"Origin": str(call.http.base_url).rstrip("/"), **nobody}
    await call("POST", "/v1/auth/session/refresh", 200, headers=own)
    await call("POST", "/v1/auth/session/refresh", 403, headers=nobody)
    await call("DELETE", "/v1/auth/session", 200, headers=own)
    await call("POST", "/v1/auth/session/refresh", 401, headers=own)
    user_id = (await call("GET", "/v1/users/me", 200, headers=person))["data"]["user"]["user_id"]
    await call("POST", f"/v1/users/{user_id}/sign_in_links", 201)
    await call("POST", f"/v1/users/{user_id}/sign_in_links", 403, headers=person)
    await call("DELETE", one, 200)
    await call("GET", one, 404)
