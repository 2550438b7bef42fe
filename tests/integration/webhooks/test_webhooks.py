"""Webhooks as resources: who sees them, what they take, and how their secrets are kept (guide/webhooks.md, "Make one")."""

from __future__ import annotations

import base64
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import structlog

from catenary_core.services.webhooks import servicer
from factories.events.world import Caller
from factories.webhooks.world import Hooks, hooks

ROUTE = "/v1/webhooks"


@pytest.fixture
async def here(dsn: str, tmp_path: Path) -> AsyncIterator[Hooks]:
    async with hooks(dsn, tmp_path) as made:
        yield made


async def _refused(here: Hooks, caller: Caller, body: Any, method: str = "POST", path: str = ROUTE) -> dict[str, Any]:
    answer = await here.world.call(caller, method, path, 400, json=body)
    assert answer["error"]["code"] == "VALIDATION_ERROR"
    details: dict[str, Any] = answer["error"]["details"]
    return details


async def test_a_webhook_is_made_changed_and_deleted(here: Hooks) -> None:
    owner = await here.world.caller("o")
    url = here.receiver.url("/x")
    made = (await here.world.call(owner, "POST", ROUTE, 201, json={"url": url, "events": ["model.*", "user.login"]}))[
        "data"
    ]
    webhook = made["webhook"]
    assert webhook == {
        "webhook_id": webhook["webhook_id"],
        "url": url,
        "events": ["model.*", "user.login"],
        "status": "enabled",
        "disabled_reason": None,
        "user_id": owner.user_id,
        "scopes": [],
        "created_at": webhook["created_at"],
        "updated_at": webhook["updated_at"],
        "deleted_at": None,
    }
    assert len(base64.b64decode(made["secret"].removeprefix("whsec_"), validate=True)) == 32
    path = f"{ROUTE}/{webhook['webhook_id']}"
    async with here.world.http.get(here.world.url + path, headers=owner.headers) as answer:
        assert (await answer.json())["data"] == {"webhook": webhook}
        assert answer.headers["Cache-Control"] == "no-cache"
    assert (await here.world.call(owner, "GET", ROUTE))["data"]["webhooks"] == [webhook]
    changed = (await here.world.call(owner, "PATCH", path, json={"events": ["*"]}))["data"]["webhook"]
    assert changed == {**webhook, "events": ["*"], "updated_at": changed["updated_at"]}
    assert (await here.world.call(owner, "PATCH", path, json={}))["data"]["webhook"] == changed
    disabled = (await here.world.call(owner, "PATCH", path, json={"status": "disabled"}))["data"]["webhook"]
    assert (disabled["status"], disabled["disabled_reason"]) == ("disabled", "requested")
    deleted = (await here.world.call(owner, "DELETE", path))["data"]["webhook"]
    assert deleted["deleted_at"] == deleted["updated_at"]
    for method in ("GET", "PATCH", "DELETE"):
        await here.world.call(owner, method, path, 404, json={} if method == "PATCH" else None)
    assert (await here.world.call(owner, "GET", ROUTE))["data"]["webhooks"] == []
    assert here.sql("SELECT secret_id FROM webhooks.secret") == []


async def test_a_webhook_shows_to_its_user_and_admins_alone(here: Hooks) -> None:
    owner, other = await here.world.caller("o"), await here.world.caller("x")
    admin = await here.world.caller("admin", admin=True)
    webhook = await here.webhook(owner, "/hook", "model.*")
    mine = await here.webhook(other, "/other", "model.*")
    path = f"{ROUTE}/{webhook['webhook_id']}"
    for method, end, body in (
        ("GET", "", None),
        ("PATCH", "", {"status": "disabled"}),
        ("DELETE", "", None),
        ("POST", "/rotate_secret", {}),
        ("POST", "/test", {}),
        ("GET", "/deliveries", None),
    ):
        await here.world.call(other, method, path + end, 404, json=body)
    listed = (await here.world.call(other, "GET", ROUTE))["data"]["webhooks"]
    assert [one["webhook_id"] for one in listed] == [mine["webhook_id"]]
    first = await here.world.call(admin, "GET", f"{ROUTE}?limit=1")
    rest = await here.world.call(admin, "GET", f"{ROUTE}?cursor={first['metadata']['next_cursor']}")
    found = [one["webhook_id"] for page in (first, rest) for one in page["data"]["webhooks"]]
    assert found == [webhook["webhook_id"], mine["webhook_id"]]
    changed = (await here.world.call(admin, "PATCH", path, json={"status": "disabled"}))["data"]["webhook"]
    assert changed["user_id"] == owner.user_id


async def test_names_categories_and_everything_are_taken_and_nothing_else(here: Hooks) -> None:
    owner = await here.world.caller("o")
    good = {"url": here.receiver.url(), "events": ["*"]}
    for events in (["*"], ["model.*", "parameter.entry.updated"], ["parameter.entry.*"], ["qa.*"]):
        await here.world.call(owner, "POST", ROUTE, 201, json={**good, "events": events})
    path = f"{ROUTE}/{(await here.webhook(owner))['webhook_id']}"
    for wrong in ("weather.*", "model", "model.", "**", "model.*.completed", "webhook.test"):
        for method, at in (("POST", ROUTE), ("PATCH", path)):
            details = await _refused(here, owner, {**good, "events": ["model.*", wrong]}, method, at)
            assert (details["parameter"], details["value"], details["constraint"]) == ("events[1]", wrong, "unknown")
    for method, at in (("POST", ROUTE), ("PATCH", path)):
        assert (await _refused(here, owner, {**good, "events": []}, method, at))["parameter"] == "events"
        assert (await _refused(here, owner, {**good, "events": ["*"] * 101}, method, at))["parameter"] == "events"


@pytest.mark.parametrize(
    ("given", "key"),
    [
        ("whsec_" + base64.b64encode(bytes(24)).decode(), bytes(24)),
        ("whsec_" + base64.b64encode(bytes(64)).decode(), bytes(64)),
        ("sixteen letters.", b"sixteen letters."),
        ("é" * 255, "é".encode() * 255),
    ],
)
async def test_a_given_secret_is_shown_in_its_whsec_form(here: Hooks, given: str, key: bytes) -> None:
    owner = await here.world.caller("o")
    webhook = await here.webhook(owner, secret=given)
    assert webhook["secret"] == "whsec_" + base64.b64encode(key).decode()
    path = f"{ROUTE}/{webhook['webhook_id']}/rotate_secret"
    assert (await here.world.call(owner, "POST", path, json={"secret": given}))["data"]["secret"] == webhook["secret"]


async def test_a_refused_secret_is_not_repeated(here: Hooks) -> None:
    owner = await here.world.caller("o")
    good = {"url": here.receiver.url(), "events": ["*"]}
    path = f"{ROUTE}/{(await here.webhook(owner))['webhook_id']}/rotate_secret"
    for secret in ("fifteen letters", "x" * 256, "whsec_" + "A" * 30, "whsec_no base64 is this", "whsec_" + "A" * 120):
        for at, body in ((ROUTE, {**good, "secret": secret}), (path, {"secret": secret})):
            answer = await here.world.call(owner, "POST", at, 400, json=body)
            assert answer["error"]["details"]["parameter"] == "secret"
            assert answer["error"]["details"]["value"] is None
            assert secret not in str(answer)


async def test_a_secret_is_in_no_row_and_no_log_line(here: Hooks) -> None:
    owner = await here.world.caller("o")
    text = "correct horse battery staple"
    with structlog.testing.capture_logs() as lines:
        webhook = await here.webhook(owner, "/hook", "project.created", secret=text)
        await here.world.call(
            owner, "POST", f"{ROUTE}/{webhook['webhook_id']}/rotate_secret", json={"secret": text + "!"}
        )
        await here.happen(owner)
        await here.ended(owner, webhook)
    assert lines
    rows = str([here.sql(f"SELECT t::text FROM webhooks.{table} t") for table in ("webhook", "secret", "delivery")])
    sealed = b"".join(row["sealed"] for row in here.sql("SELECT sealed FROM webhooks.secret"))
    encoded = webhook["secret"].removeprefix("whsec_")
    for form in (text, encoded):
        assert form not in str(lines)
        assert form not in rows
        assert form.encode() not in sealed
        assert form.encode().hex() not in rows


async def test_a_user_has_a_hundred_webhooks_at_most(here: Hooks, monkeypatch: pytest.MonkeyPatch) -> None:
    assert servicer.MAX_WEBHOOKS == 100
    monkeypatch.setattr(servicer, "MAX_WEBHOOKS", 2)
    owner, other = await here.world.caller("o"), await here.world.caller("x")
    first, _ = await here.webhook(owner), await here.webhook(owner)
    body = {"url": here.receiver.url(), "events": ["*"]}
    assert (await here.world.call(owner, "POST", ROUTE, 409, json=body))["error"]["code"] == "CONFLICT"
    await here.webhook(other)
    await here.world.call(owner, "DELETE", f"{ROUTE}/{first['webhook_id']}")
    await here.webhook(owner)


async def test_a_repeated_post_makes_one_webhook_and_shows_its_secret_again(here: Hooks) -> None:
    owner = await here.world.caller("o")
    body = {"url": here.receiver.url(), "events": ["model.*"]}
    answers = []
    for _ in range(2):
        sent = {**owner.headers, "Idempotency-Key": "k"}
        async with here.world.http.post(here.world.url + ROUTE, json=body, headers=sent) as answer:
            assert answer.status == 201
            answers.append((await answer.json())["data"])
    assert answers[0] == answers[1]
    assert len((await here.world.call(owner, "GET", ROUTE))["data"]["webhooks"]) == 1


async def test_a_private_address_is_refused_unless_the_installation_allows_it(dsn: str, tmp_path: Path) -> None:
    async with hooks(dsn, tmp_path) as here:
        owner = await here.world.caller("o")
        webhook = await here.webhook(owner)
    async with hooks(dsn, tmp_path, webhook_allow_private=False) as here:
        other = await here.world.caller("x")
        for url in (here.receiver.url(), "https://127.0.0.1/", "https://localhost/x", "http://example.com/"):
            details = await _refused(here, other, {"url": url, "events": ["*"]})
            assert (details["parameter"], details["value"]) == ("url", None)
        mine = f"{ROUTE}/{webhook['webhook_id']}"
        # Another's webhook is absent, whatever the url.
        await here.world.call(other, "PATCH", mine, 404, json={"url": "https://127.0.0.1/"})
