"""People whom an invitation makes users: their sessions, cookies and sign-in links, over HTTP."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from catenary_core.services.identity.sessions import rotation
from catenary_core.services.identity.tokens import credentials
from factories.audit import trail_of
from factories.events.world import Caller, World, world
from factories.services.evaluations import run_sql
from factories.services.invited import Browser, invite, invited
from factories.services.trust import trust_briefly

pytestmark = pytest.mark.sampled


@pytest.fixture(params=[False, pytest.param(True, marks=pytest.mark.slow)], ids=["one process", "edge apart"])
async def either(started_dsn: str, tmp_path: Path, request: pytest.FixtureRequest) -> AsyncIterator[World]:
    async with world(started_dsn, tmp_path, remote=request.param) as made:
        yield made


@pytest.fixture
async def here(started_dsn: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[World]:
    trust_briefly(monkeypatch)
    async with world(started_dsn, tmp_path) as made:
        yield made


async def _owner(here: World) -> tuple[Caller, str]:
    owner = await here.caller("Olga")
    return owner, await here.project(owner)


async def _backdate(here: World, seconds: float) -> None:
    """Let all sessions be so much older."""
    columns = ("rotated_at", "used_at", "ends_at", "created_at")
    changes = ", ".join(f"{name} = {name} - make_interval(secs => :s)" for name in columns)
    await run_sql(here.core.frame.db, f"UPDATE identity.session SET {changes}", s=seconds)


async def test_an_invited_person_is_a_member_on_every_device(either: World) -> None:
    owner, project_id = await _owner(either)
    browser = await invited(either, owner, project_id, "evaluator")
    assert browser.set_cookie.endswith("; Path=/; Max-Age=2592000; HttpOnly; SameSite=Strict")
    me = await browser.me()
    assert (me["staff_name"], me["email"], me["email_verified"], me["admin"]) == (
        "Ada",
        "ada@example.com",
        False,
        False,
    )
    path = f"/v1/projects/{project_id}"
    members = (await either.call(owner, "GET", f"{path}/members"))["data"]["members"]
    assert [(one["user_id"], one["role"]) for one in members][1:] == [(me["user_id"], "evaluator")]

    first = browser.token
    body = await browser.refresh()
    assert set(body) == {"access_token", "token_type", "expires_in", "scope"}
    assert browser.token != first
    assert body["expires_in"] == 3600
    assert await browser.status(path) == 200

    async with either.http.post(f"{either.url}/v1/users/me/sign_in_links", headers=browser.headers) as answer:
        assert answer.status == 201
        url = (await answer.json())["data"]["url"]
    assert url.startswith(f"{either.url}/studio/#sign_in=cat_sign_in_")
    other = Browser(either)
    await other.sign_in(sign_in=url.partition("#sign_in=")[2])
    assert (await other.me())["user_id"] == me["user_id"]
    await Browser(either).sign_in(401, sign_in=url.partition("#sign_in=")[2])

    await browser.sign_out()
    assert browser.cookie == ""
    assert "Max-Age=0" in browser.set_cookie
    await browser.refresh(401, cookie=browser.used[-1])
    assert await other.status(path) == 200, "another device goes on"


async def test_an_ended_session_closes_its_sockets(here: World) -> None:
    owner, project_id = await _owner(here)
    browser = await invited(here, owner, project_id)
    socket = await here.connect(browser.headers)
    await browser.sign_out()
    assert await socket.closed() == 1008


async def test_a_bearer_token_gets_the_role_and_no_session(here: World) -> None:
    owner, project_id = await _owner(here)
    friend = await here.caller("Fred")
    token, _ = await invite(here, owner, project_id, "editor")
    async with here.http.post(
        f"{here.url}/v1/auth/session", headers=friend.headers, json={"invitation": token}
    ) as answer:
        body = await answer.json()
        assert answer.status == 200, body
        assert "Set-Cookie" not in answer.headers
    assert body["access_token"] == friend.token
    assert 0 < body["expires_in"] <= 3600
    shown = await here.call(friend, "GET", f"/v1/projects/{project_id}")
    assert shown["data"]["project"]["role"] == "editor"
    weaker, _ = await invite(here, owner, project_id, "viewer")
    await here.call(friend, "POST", "/v1/auth/session", json={"invitation": weaker})
    shown = await here.call(friend, "GET", f"/v1/projects/{project_id}")
    assert shown["data"]["project"]["role"] == "editor", "an invitation takes nothing away"


async def test_of_two_people_one_takes_an_invitation(here: World) -> None:
    owner, project_id = await _owner(here)
    token, _ = await invite(here, owner, project_id)

    async def take() -> tuple[int, Any]:
        async with here.http.post(f"{here.url}/v1/auth/session", json={"invitation": token}) as answer:
            return answer.status, await answer.json()

    answers = await asyncio.gather(*(take() for _ in range(5)))
    assert sorted(status for status, _ in answers) == [200, 401, 401, 401, 401]
    refusals = {body["error"]["message"] for status, body in answers if status == 401}
    assert refusals == {(await take())[1]["error"]["message"]}, "as a used one"
    people = await run_sql(here.core.frame.db, 'SELECT id FROM identity."user" WHERE NOT email_verified')
    assert len(people) == 1


async def test_two_tabs_may_refresh_with_one_cookie(here: World) -> None:
    owner, project_id = await _owner(here)
    browser = await invited(here, owner, project_id)
    one, two = Browser(here, browser.cookie), Browser(here, browser.cookie)
    await asyncio.gather(one.refresh(), two.refresh())
    assert one.cookie != two.cookie
    await one.refresh()
    await two.refresh()
    assert await two.status(f"/v1/projects/{project_id}") == 200


async def test_a_stolen_older_cookie_ends_the_session(here: World) -> None:
    owner, project_id = await _owner(here)
    browser = await invited(here, owner, project_id)
    stolen = browser.cookie
    await browser.refresh()
    await browser.refresh()
    await Browser(here).refresh(401, cookie=stolen)
    await browser.refresh(401)
    await asyncio.sleep(credentials.TRUSTED_SECONDS + 0.1)
    assert await browser.status(f"/v1/projects/{project_id}") == 401
    actions = [entry["action"] for entry in await trail_of(here.core.frame.db)]
    assert "session.copied" in actions


@pytest.mark.slow
async def test_without_the_rule_a_stolen_cookie_goes_on(here: World, monkeypatch: pytest.MonkeyPatch) -> None:
    owner, project_id = await _owner(here)
    browser = await invited(here, owner, project_id)
    stolen = browser.cookie
    await browser.refresh()
    await browser.refresh()
    monkeypatch.setattr(rotation, "use_of", lambda *_: rotation.Use.AGAIN)
    thief = Browser(here)
    await thief.refresh(cookie=stolen)
    assert await thief.status(f"/v1/projects/{project_id}") == 200


async def test_the_cookie_before_ends_with_its_minute(here: World) -> None:
    owner, project_id = await _owner(here)
    browser = await invited(here, owner, project_id)
    first = browser.cookie
    await browser.refresh()
    await _backdate(here, 61)
    await Browser(here).refresh(401, cookie=first)
    await browser.refresh(401)


@pytest.mark.parametrize(("days", "status"), [(29, 200), (31, 401)])
async def test_a_session_ends_after_thirty_idle_days(here: World, days: int, status: int) -> None:
    owner, project_id = await _owner(here)
    browser = await invited(here, owner, project_id)
    await _backdate(here, days * 86400)
    await browser.refresh(status)
    if status == 200:
        await _backdate(here, 29 * 86400)
        for _ in range(4):
            await browser.refresh()
            await _backdate(here, 29 * 86400)
        await browser.refresh()
        assert int(browser.set_cookie.partition("Max-Age=")[2].partition(";")[0]) < 7 * 86400, "of 180 days"


async def test_a_refresh_and_a_sign_out_leave_no_session(here: World) -> None:
    owner, project_id = await _owner(here)
    for _ in range(5):
        browser = await invited(here, owner, project_id)
        other = Browser(here, browser.cookie)

        async def refreshed(other: Browser = other) -> None:
            try:
                await other.refresh()
            except AssertionError as refusal:
                assert "INVALID_TOKEN" in str(refusal)  # noqa: PT017 (either of the two may be first)

        await asyncio.gather(refreshed(), browser.sign_out())
        await other.refresh(401)


async def test_the_cookie_counts_on_its_routes_alone(here: World) -> None:
    owner, project_id = await _owner(here)
    browser = await invited(here, owner, project_id)
    browser.token, token = "", browser.token
    for method, path in (("GET", "/v1/users/me"), ("GET", "/v1/projects"), ("POST", "/v1/users/me/sign_in_links")):
        headers = {"Cookie": f"catenary_session={browser.cookie}", "Origin": here.url}
        async with here.http.request(method, here.url + path, headers=headers) as answer:
            assert answer.status == 401, path
    assert token


async def test_a_page_of_another_origin_gets_no_session(here: World) -> None:
    owner, project_id = await _owner(here)
    browser = await invited(here, owner, project_id)
    for origin in ("", "null", "https://evil.example", "http://127.0.0.1:1"):
        for call in (browser.refresh, browser.sign_out):
            body = await call(403, origin=origin)
            assert body["error"]["code"] == "PERMISSION_DENIED", origin
    await browser.refresh()


async def test_a_bad_sign_in_is_refused_without_its_token(here: World) -> None:
    bad: list[tuple[dict[str, str], int]] = [
        ({}, 400),
        ({"invitation": "x", "sign_in": "y"}, 400),
        ({"invitation": ""}, 400),
        ({"invitation": "cat_invite_" + "A" * 43}, 401),
        ({"sign_in": "cat_sign_in_" + "A" * 43}, 401),
        ({"token": "x"}, 400),
    ]
    for body, status in bad:
        refused = str(await Browser(here).sign_in(status, **body))
        assert "AAAA" not in refused


async def test_twenty_failures_of_an_address_end_in_429(here: World) -> None:
    owner, project_id = await _owner(here)
    token, _ = await invite(here, owner, project_id)
    for _ in range(20):
        await Browser(here).sign_in(401, invitation="cat_invite_no")
    await Browser(here).sign_in(429, sign_in="cat_sign_in_no")
    await Browser(here).sign_in(invitation=token)


async def test_twenty_refreshes_of_a_minute_end_in_429(here: World) -> None:
    owner, project_id = await _owner(here)
    browser = await invited(here, owner, project_id)
    for _ in range(20):
        await browser.refresh()
    assert (await browser.refresh(429))["error"]["code"] == "RATE_LIMIT_EXCEEDED"
    assert await browser.status(f"/v1/projects/{project_id}") == 200
    await (await invited(here, owner, project_id)).refresh()


async def test_only_a_session_makes_itself_a_link(here: World) -> None:
    owner, project_id = await _owner(here)
    browser = await invited(here, owner, project_id)
    await here.call(owner, "POST", "/v1/users/me/sign_in_links", 403)
    made = await here.http.post(
        f"{here.url}/v1/api_keys", headers=browser.headers, json={"name": "k", "scopes": ["platform:write"]}
    )
    key = (await made.json())["data"]["key"]
    async with here.http.post(f"{here.url}/v1/users/me/sign_in_links", headers={"X-API-Key": key}) as answer:
        assert answer.status == 403
    link = await here.http.post(f"{here.url}/v1/users/me/sign_in_links", headers=browser.headers)
    url = (await link.json())["data"]["url"]
    await browser.sign_out()
    await Browser(here).sign_in(401, sign_in=url.partition("#sign_in=")[2])


async def test_an_admin_helps_a_person_with_a_lost_cookie(here: World) -> None:
    owner, project_id = await _owner(here)
    boss = await here.caller("Boss", admin=True)
    browser = await invited(here, owner, project_id)
    user_id = (await browser.me())["user_id"]
    path = f"/v1/users/{user_id}/sign_in_links"
    await here.call(owner, "POST", path, 403)
    lost = (await here.call(boss, "POST", path, 201))["data"]["url"].partition("#sign_in=")[2]
    found = (await here.call(boss, "POST", path, 201))["data"]["url"].partition("#sign_in=")[2]
    await Browser(here).sign_in(401, sign_in=lost)
    again = Browser(here)
    await again.sign_in(sign_in=found)
    assert (await again.me())["user_id"] == user_id
    async with here.http.get(f"{here.url}/v1/notifications", headers=browser.headers) as answer:
        told = (await answer.json())["data"]["notifications"]
    assert "sign_in_link" in {one["kind"] for one in told}

    for other in (boss, owner):
        await here.call(boss, "POST", f"/v1/users/{other.user_id}/sign_in_links", 409)
    made = (await here.call(boss, "POST", path, 201))["data"]["url"].partition("#sign_in=")[2]
    await here.call(boss, "PATCH", f"/v1/users/{user_id}", json={"admin": True})
    await here.call(boss, "POST", path, 409)
    await Browser(here).sign_in(401, sign_in=made)
    await here.call(boss, "PATCH", f"/v1/users/{user_id}", json={"admin": False, "disabled": True})
    await here.call(boss, "POST", path, 409)
    await again.refresh(401)
    await here.call(boss, "POST", "/v1/users/01900000-0000-7000-8000-000000000000/sign_in_links", 404)


async def test_trail_and_log_have_each_step_and_no_token(here: World, capfd: pytest.CaptureFixture[str]) -> None:
    owner, project_id = await _owner(here)
    token, invitation = await invite(here, owner, project_id)
    browser = Browser(here)
    await browser.sign_in(invitation=token)
    await browser.refresh()
    link = await here.http.post(f"{here.url}/v1/users/me/sign_in_links", headers=browser.headers)
    assert link.status == 201
    await browser.sign_out()
    entries = await trail_of(here.core.frame.db)
    actions = [entry["action"].rpartition("/")[2] for entry in entries]
    for action in ("CreateInvitation", "CreateSession", "RefreshSession", "CreateMySignInLink", "EndSession"):
        assert action in actions
    made = next(entry for entry in entries if entry["action"].endswith("CreateInvitation"))
    assert made["subject"] == f"/v1/projects/{project_id}/invitations/{invitation['invitation_id']}"
    events = await run_sql(here.core.frame.db, "SELECT data, subject FROM events.event")
    logged = "".join(capfd.readouterr())
    for secret in (token, *filter(None, browser.used), browser.token, "ada@example.com"):
        assert secret not in str(entries)
        assert secret not in logged
        assert secret not in str(events)
