"""A person without an identity provider on a running server of two nodes, and `catenary user`."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any
from urllib.parse import urlsplit

import httpx
import orjson
import pytest

from factories.installations.installation import ANSWER_SECONDS, Running, catenary

PERSON = {"email": "ada.invited@example.com", "staff_name": "Ada Invited", "role": "viewer"}
REFRESH, SESSION, LINKS = "auth/session/refresh", "auth/session", "users/me/sign_in_links"


@contextmanager
def _browser(running: Running) -> Iterator[httpx.Client]:
    """Yield a client with a cookie jar of its own, which sends the server's origin as a page does."""
    parts = urlsplit(running.demo["base_url"])
    origin = {"Origin": f"{parts.scheme}://{parts.netloc}"}
    with httpx.Client(base_url=running.demo["base_url"], headers=origin, timeout=ANSWER_SECONDS) as http:
        yield http


def _take(http: httpx.Client, **token: str) -> None:
    """Sign in, and send the access token from then on."""
    answer = http.post(SESSION, json=token)
    assert answer.status_code == 200, answer.text
    http.headers["Authorization"] = f"Bearer {answer.json()['access_token']}"


def _invited(running: Running) -> tuple[str, str]:
    """Make a project with an invitation; return the project's id and the invitation's token."""
    project = running.http.post("projects", json={"name": "Of two"}).json()["data"]["project"]["project_id"]
    made = running.http.post(f"projects/{project}/invitations", json=PERSON)
    assert made.status_code == 201, made.text
    return project, made.json()["data"]["url"].partition("#invite=")[2]


def _as(running: Running) -> dict[str, str]:
    names = {"CATENARY_URL": "base_url", "CATENARY_CLIENT_ID": "client_id", "CATENARY_CLIENT_SECRET": "client_secret"}
    return {name: running.demo[key] for name, key in names.items()}


@pytest.mark.slow
def test_a_person_is_invited_works_on_two_devices_and_leaves(running: Running) -> None:
    project, token = _invited(running)
    with ExitStack() as stack:
        one, two = (stack.enter_context(_browser(running)) for _ in range(2))
        _take(one, invitation=token)
        assert one.get(f"projects/{project}").json()["data"]["project"]["role"] == "viewer"
        assert one.patch(f"projects/{project}", json={"name": "Mine"}).status_code == 403
        before = dict(one.cookies)
        renewed = one.post(REFRESH)
        assert renewed.status_code == 200, renewed.text
        assert dict(one.cookies) != before
        url = one.post(LINKS).json()["data"]["url"]
        _take(two, sign_in=url.partition("#sign_in=")[2])
        assert two.get("users/me").json()["data"] == one.get("users/me").json()["data"]

        assert one.delete(SESSION).status_code == 200
        assert dict(one.cookies) == {}
        assert one.post(REFRESH).status_code == 401
        ends = time.monotonic() + 15  # 5 s, on a machine that stands still at times
        while one.get("users/me").status_code != 401:
            assert time.monotonic() < ends
            time.sleep(0.2)
        assert two.post(REFRESH).status_code == 200
        assert two.get(f"projects/{project}").status_code == 200


def test_what_does_not_hold_is_refused(running: Running) -> None:
    project, token = _invited(running)
    with ExitStack() as stack:
        one, two, thief = (stack.enter_context(_browser(running)) for _ in range(3))
        assert one.post(REFRESH).status_code == 401
        assert one.post(SESSION, json={"invitation": "cat_invite_" + "A" * 43}).status_code == 401
        _take(one, invitation=token)
        assert two.post(SESSION, json={"invitation": token}).status_code == 401
        thief.cookies.update(one.cookies)
        assert one.post(REFRESH, headers={"Origin": "https://evil.example"}).status_code == 403
        for _ in range(2):
            assert one.post(REFRESH).status_code == 200
        assert thief.post(REFRESH).status_code == 401, "an older cookie"
        assert one.post(REFRESH).status_code == 401, "the whole session has ended"
        assert running.http.post(LINKS).status_code == 403
        assert two.get(f"projects/{project}/invitations").status_code == 401


@pytest.mark.slow  # several commands one after the other
def test_an_admin_lists_users_and_makes_a_link_by_commands(running: Running) -> None:
    variables = _as(running)
    _, token = _invited(running)
    with ExitStack() as stack:
        one, two = (stack.enter_context(_browser(running)) for _ in range(2))
        _take(one, invitation=token)
        me: dict[str, Any] = one.get("users/me").json()["data"]["user"]
        listed = catenary("user", "list", "--search", "Ada Inv", **variables)
        assert listed.returncode == 0, listed.stderr
        assert "ada.invited@example.com" in listed.stdout
        assert "e-mail not verified" in listed.stdout
        shown = orjson.loads(catenary("user", "list", "--json", **variables).stdout)["users"]
        assert me["user_id"] in {user["user_id"] for user in shown}
        made = catenary("user", "link", me["user_id"], **variables)
        assert made.returncode == 0, made.stderr
        url = made.stdout.splitlines()[0]
        _take(two, sign_in=url.partition("#sign_in=")[2])
        assert two.get("users/me").json()["data"]["user"]["user_id"] == me["user_id"]
    own = running.http.get("users/me").json()["data"]["user"]["user_id"]
    refused = catenary("user", "link", own, **variables)
    assert (refused.returncode, refused.stdout) == (1, "")
    assert "sign-in links are for others" in " ".join(refused.stderr.split())
