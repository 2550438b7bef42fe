"""Notifications: who is told, what they see of it, and what they see no more."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import psycopg
import pytest
import sqlalchemy as sa
import uuid_utils

from catenary_core.database.retention import remove
from catenary_core.database.transactions import Database, Transaction
from catenary_core.event_log import events, notifications
from catenary_core.services.evaluations.kept import KeptEvaluations
from catenary_core.services.notifications import fan_out, queries
from catenary_core.services.notifications.queries import REMOVE_OLD
from factories.checks.timestamps import moment
from factories.database.plans import nodes_of, plan_of
from factories.database.statement_counts import counted_statements
from factories.events.world import Caller, World, world
from factories.services.evaluations import run_sql
from factories.services.shares import variant

ROUTE = "/v1/notifications"
URL = "https://example.com/x"


@pytest.fixture
async def here(started_dsn: str, tmp_path: Path) -> AsyncIterator[World]:
    """Yield a world in one mode: tests in `tests/contract` compare the bytes of both."""
    async with world(started_dsn, tmp_path) as made:
        yield made


async def _list(here: World, caller: Caller, query: str = "") -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = (await here.call(caller, "GET", f"{ROUTE}{query}"))["data"]["notifications"]
    return found


async def _told(here: World, caller: Caller, *kinds: str) -> list[dict[str, Any]]:
    """Return the caller's notifications, newest first, once they are of these kinds."""
    async with asyncio.timeout(60):
        while len(found := await _list(here, caller)) < len(kinds):  # noqa: ASYNC110 (the follower may be elsewhere)
            await asyncio.sleep(0.05)
    assert [one["kind"] for one in found] == list(kinds)
    return found


async def _comment(here: World, project_id: str, author: Caller, **given: Any) -> str:
    """Create a comment of a project and return its id."""
    body = {"content": "Canary words", **given}
    made = await here.call(author, "POST", f"/v1/projects/{project_id}/comments", 201, json=body)
    return str(made["data"]["comment"]["comment_id"])


async def _variant(here: World, project_id: str, author: Caller) -> str:
    """Save a variant, without an evaluation, and return its id."""
    made = str(uuid_utils.uuid7())
    await run_sql(
        here.core.frame.db,
        "INSERT INTO variants.variant (variant_id, project_id, name, note, evaluation_id, model_version_id, created_by)"
        " VALUES (:v, :p, 'A', '', :v, :v, :u)",
        v=made,
        p=project_id,
        u=author.user_id,
    )
    return made


async def _write(here: World, type_: str, subject: str, data: dict[str, Any], project_id: str, actor: Caller) -> None:
    async with here.core.frame.db.transaction() as tx:
        await events.write(tx, None, type_, subject=subject, data=data, project_id=project_id, actor_id=actor.user_id)


async def _notify(here: World, caller: Caller, count: int) -> None:
    for number in range(count):
        async with here.core.frame.db.transaction() as tx:
            await notifications.notify(tx, "webhook_disabled", [caller.user_id], subject=f"/v1/webhooks/{number}")


async def test_the_beta_names_the_subject_in_the_beta(here: World) -> None:
    owner, friend = await here.caller("o"), await here.caller("f")
    project_id = await here.project(owner, viewer=friend)
    (stable,) = await _told(here, friend, "share")
    (beta,) = (await here.call(friend, "GET", "/v2/notifications"))["data"]["notifications"]
    assert beta == stable | {"subject": f"/v2/projects/{project_id}/members/{friend.user_id}"}
    path = f"/v2/notifications/{beta['notification_id']}"
    changed = (await here.call(friend, "PATCH", path, json={"read": True}))["data"]["notification"]
    assert changed["subject"] == beta["subject"]


async def test_a_role_tells_who_got_it_with_the_projects_name_and_nobodys(here: World) -> None:
    owner, friend = await here.caller("Olga Canary"), await here.caller("Fred")
    project_id = await here.project(owner, viewer=friend)
    (told,) = await _told(here, friend, "share")
    (event,) = await run_sql(here.core.frame.db, "SELECT id FROM events.event WHERE type = 'project.shared'")
    assert told | {"notification_id": "", "created_at": ""} == {
        "notification_id": "",
        "kind": "share",
        "title": "P: You were given a role in the project.",
        "subject": f"/v1/projects/{project_id}/members/{friend.user_id}",
        "project_id": project_id,
        "event_id": event["id"],
        "actor_id": owner.user_id,
        "actor": {"user_id": owner.user_id, "staff_name": "Olga Canary"},
        "read": False,
        "read_at": None,
        "created_at": "",
    }
    path = f"/v1/projects/{project_id}/members/{friend.user_id}"
    await here.call(owner, "PUT", path, json={"role": "viewer"})  # no change
    await here.call(owner, "PUT", path, json={"role": "editor"})
    assert "Canary" not in str([one["title"] for one in await _told(here, friend, "share", "share")])
    rows = await run_sql(here.core.frame.db, "SELECT to_json(n)::text AS row FROM notifications.notification n")
    assert "Canary" not in str(rows), "the name is read with the notification, and not kept in it"
    assert await _list(here, owner) == []
    await here.call(owner, "PATCH", f"/v1/projects/{project_id}", json={"name": "Bridge"})
    assert (await _list(here, friend))[0]["title"] == "Bridge: You were given a role in the project."


async def test_a_shared_variant_is_what_its_notification_is_about(here: World) -> None:
    owner, friend = await here.caller("o"), await here.caller("f")
    project_id = await here.project(owner)
    variant_id = (await variant(here, owner, project_id))["variant_id"]
    share = {"kind": "user", "user_id": friend.user_id, "role": "viewer", "variant_id": variant_id}
    await here.call(owner, "POST", f"/v1/projects/{project_id}/shares", 201, json=share)
    (told,) = await _told(here, friend, "share")
    assert (told["subject"], told["title"]) == (f"/v1/variants/{variant_id}", "P: A variant was shared with you.")
    await here.call(friend, "GET", told["subject"])


async def test_a_teams_role_tells_its_users_but_for_the_giver(here: World) -> None:
    owner, one, other = [await here.caller(name) for name in ("owner", "one", "other")]
    team_id = (await here.call(owner, "POST", "/v1/teams", 201, json={"name": "T"}))["data"]["team"]["team_id"]
    for user in (owner, one, other):
        await here.call(owner, "PUT", f"/v1/teams/{team_id}/members/{user.user_id}")
    project_id = await here.project(owner)
    await here.call(owner, "PUT", f"/v1/projects/{project_id}/members/{team_id}", json={"role": "viewer"})
    for user in (one, other):
        assert (await _told(here, user, "share"))[0]["project_id"] == project_id
    share = {"share_id": project_id, "kind": "team", "user_id": None, "team_id": team_id, "role": "viewer"}
    await _write(here, "project.shared", f"/v1/projects/{project_id}/shares/x", {"share": share}, project_id, one)
    await _told(here, other, "share", "share")
    await _told(here, one, "share")
    await _told(here, owner, "share")


async def test_a_comment_tells_whom_it_mentions_or_answers_once(here: World) -> None:
    owner, friend, third, stranger = [await here.caller(name) for name in ("owner", "friend", "third", "stranger")]
    project_id = await here.project(owner, evaluator=friend, editor=third)
    await _told(here, friend, "share")
    await _told(here, third, "share")
    asked = await _comment(here, project_id, friend, mentions=[owner.user_id, friend.user_id])
    (told,) = await _told(here, owner, "mention")
    assert (told["subject"], told["title"]) == (f"/v1/comments/{asked}", "P: You were mentioned in a comment.")
    await _comment(here, project_id, third, parent_id=asked)
    assert (await _told(here, friend, "reply", "share"))[0]["title"] == "P: Your comment was answered."
    await _comment(here, project_id, friend, parent_id=asked)  # to oneself
    await _comment(here, project_id, third, parent_id=asked, mentions=[friend.user_id])
    await _told(here, friend, "mention", "reply", "share")
    await _comment(here, project_id, owner)
    await _comment(here, project_id, owner, mentions=[third.user_id])
    await _told(here, third, "mention", "share")
    await _told(here, owner, "mention")
    await _told(here, stranger)


async def test_a_comment_on_a_variant_tells_its_author_once(here: World, monkeypatch: pytest.MonkeyPatch) -> None:
    owner, friend = await here.caller("owner"), await here.caller("friend")
    project_id = await here.project(owner, evaluator=friend)

    async def held(*_: Any) -> str:
        return "held"

    monkeypatch.setattr(KeptEvaluations, "hold", held)
    variant_id = await _variant(here, project_id, owner)
    asked = await _comment(here, project_id, owner, variant_id=variant_id)
    await _comment(here, project_id, friend, parent_id=asked)
    await _comment(here, project_id, friend, variant_id=variant_id)
    await _comment(here, project_id, friend, parent_id=asked, mentions=[owner.user_id])
    told = await _told(here, owner, "mention", "comment", "reply")
    assert told[1]["title"] == "P: There is a comment on your variant."
    await _told(here, friend, "share")


async def test_what_a_user_may_no_longer_see_is_gone_and_comes_with_the_role_again(
    here: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    owner, friend = await here.caller("owner"), await here.caller("friend")
    project_id = await here.project(owner, viewer=friend)
    (told,) = await _told(here, friend, "share")
    one, member = f"{ROUTE}/{told['notification_id']}", f"/v1/projects/{project_id}/members/{friend.user_id}"
    await here.call(owner, "DELETE", member)
    assert await _list(here, friend) == await _list(here, friend, "?unread=true") == []
    await here.call(friend, "PATCH", one, 404, json={"read": True})
    with monkeypatch.context() as patched:  # without the condition on roles it would still be there
        patched.setattr(queries, "LIST", {key: queries.LIST[True, *key[1:]] for key in queries.LIST})
        assert len(await _list(here, friend)) == 1
    await here.call(owner, "PUT", member, json={"role": "viewer"})
    await _told(here, friend, "share", "share")
    await here.call(owner, "DELETE", f"/v1/projects/{project_id}")
    assert await _list(here, friend) == []
    await here.call(friend, "PATCH", one, 404, json={"read": True})


async def test_a_notification_is_its_users_alone(here: World, monkeypatch: pytest.MonkeyPatch) -> None:
    owner, friend, admin = await here.caller("owner"), await here.caller("friend"), await here.caller("ada", admin=True)
    await here.project(owner, viewer=friend)
    (told,) = await _told(here, friend, "share")
    one = f"{ROUTE}/{told['notification_id']}"
    for other in (owner, admin):
        assert await _list(here, other) == []
        assert await here.call(other, "PATCH", one, 404, json={"read": True})
    assert (await _list(here, friend))[0]["read"] is False
    with monkeypatch.context() as patched:  # without the condition on users another member has it
        patched.setattr(queries, "_mine", sa.true())
        patched.setitem(queries.LIST, (False, None), queries._listed(admin=False, unread=None))
        assert await _list(here, owner) == [told]


async def test_an_admin_is_told_of_projects_that_it_has_no_role_in(here: World) -> None:
    owner, admin = await here.caller("owner"), await here.caller("ada", admin=True)
    project_id = await here.project(owner)
    async with here.core.frame.db.transaction() as tx:
        subject = f"/v1/projects/{project_id}"
        await notifications.notify(tx, "reply", [admin.user_id], subject=subject, project_id=project_id)
    assert [one["kind"] for one in await _list(here, admin)] == ["reply"]
    scopes = {"name": "key", "scopes": ["platform:read"]}
    key = (await here.call(admin, "POST", "/v1/api_keys", 201, json=scopes))["data"]["key"]
    async with here.http.get(f"{here.url}{ROUTE}", headers={"X-API-Key": key}) as answer:
        assert (await answer.json())["data"]["notifications"] == [], "an Admin's key is no Admin"


async def test_reading_is_kept_from_its_first_time_and_can_be_taken_back(here: World) -> None:
    owner = await here.caller("owner")
    await _notify(here, owner, 1)
    (told,) = await _list(here, owner)
    one = f"{ROUTE}/{told['notification_id']}"

    async def mark(**body: Any) -> dict[str, Any]:
        found: dict[str, Any] = (await here.call(owner, "PATCH", one, json=body))["data"]["notification"]
        return found

    first = await mark(read=True)
    assert first == told | {"read": True, "read_at": first["read_at"]}
    assert moment(first["read_at"]) > moment(told["created_at"])
    assert await mark(read=True) == first
    assert await mark() == first
    assert await _list(here, owner) == [first]
    assert await mark(read=False) == told
    refused = await here.call(owner, "PATCH", one, 400, json={"read": None})
    assert refused["error"]["details"]["parameter"] == "read"


async def test_pages_are_newest_first_and_the_filter_tells_read_from_unread(here: World) -> None:
    owner = await here.caller("owner")
    await _notify(here, owner, 7)
    whole = await _list(here, owner)
    assert [one["subject"] for one in whole] == [f"/v1/webhooks/{number}" for number in range(6, -1, -1)]
    for one in whole[::2]:
        await here.call(owner, "PATCH", f"{ROUTE}/{one['notification_id']}", json={"read": True})
    for query, wanted in (("", whole), ("&unread=true", whole[1::2]), ("&unread=false", whole[::2])):
        found: list[str] = []
        cursor: str | None = ""
        while cursor is not None:
            with counted_statements() as statements:
                page = await here.call(owner, "GET", f"{ROUTE}?limit=2{query}&cursor={cursor}")
            assert len([text for text in statements if "notifications.notification" in text]) == 1
            found += [one["notification_id"] for one in page["data"]["notifications"]]
            cursor = page["metadata"]["next_cursor"]
        assert found == [one["notification_id"] for one in wanted], query
    async with here.http.get(f"{here.url}{ROUTE}", headers=owner.headers) as answer:
        assert answer.headers["Cache-Control"] == "no-cache"


async def test_a_service_tells_in_its_own_transaction_each_user_once(here: World) -> None:
    owner = await here.caller("owner")

    async def notify(tx: Transaction) -> None:
        await notifications.notify(tx, "webhook_disabled", [owner.user_id] * 2, subject="/v1/webhooks/x")
        await notifications.notify(tx, "webhook_disabled", [], subject="/v1/webhooks/x")

    async def fail() -> None:
        async with here.core.frame.db.transaction() as tx:
            await notify(tx)
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await fail()
    assert await _list(here, owner) == []
    async with here.core.frame.db.transaction() as tx:
        await notify(tx)
    (told,) = await _list(here, owner)
    assert told["title"] == "Your webhook was disabled, since its deliveries failed."
    assert told["project_id"] is told["event_id"] is told["actor_id"] is None


async def test_notifications_of_over_ninety_days_go(here: World) -> None:
    owner, db = await here.caller("owner"), here.core.frame.db
    await _notify(here, owner, 3)
    older = "UPDATE notifications.notification SET created_at = created_at - CAST(:age AS interval) WHERE subject = :subject"
    for subject, age in (("/v1/webhooks/0", "91 days"), ("/v1/webhooks/1", "89 days")):
        await run_sql(db, older.replace("CAST(:age AS interval)", f"interval '{age}'"), subject=subject)
    assert await remove(db, REMOVE_OLD) == 1
    assert [one["subject"] for one in await _list(here, owner)] == ["/v1/webhooks/2", "/v1/webhooks/1"]


async def test_what_finds_users_does_not_grow_with_the_events(db: Database) -> None:
    def rows(count: int) -> list[dict[str, Any]]:
        made = []
        for _ in range(count):
            id_ = str(uuid_utils.uuid7())
            base = {"id": id_, "actor_id": None, "project_id": id_, "subject": "/x"}
            comment = {"mentions": [], "parent_id": None, "variant_id": id_}
            made.append({**base, "type": "comment.created", "data": {"comment": comment}})
            made.append({**base, "type": "comment.created", "data": {"comment": {**comment, "parent_id": id_}}})
            evaluation = {"evaluation_id": id_, "status": "failed"}
            made.append({**base, "type": "model.evaluation.failed", "data": {"evaluation": evaluation}})
        return made

    counts = []
    for size in (1, 50):
        with counted_statements() as statements:
            async with db.transaction() as tx:
                await fan_out.make(tx, rows(size))
        counts.append(len(statements))
    assert counts == [3, 3]


@pytest.mark.slow
def test_a_page_among_many_is_read_by_its_index(dsn: str) -> None:
    """200,000 notifications of 200 users in 100 projects; the one who asks has a role in ten."""
    with psycopg.connect(dsn, autocommit=True) as connection:
        identifier = "('00000000-0000-7000-8000-' || lpad(to_hex(({n})::int), 12, '0'))::uuid"
        n200, n100, n = (identifier.format(n=text) for text in ("n % 200", "n % 100", "n"))
        for statement in (
            f"""INSERT INTO identity."user" (id, staff_name, email, admin)
                SELECT {n}, 'N' || n, n || '@example.com', false FROM generate_series(0, 199) n""",
            f"""INSERT INTO projects.project (project_id, name, description, owner_user_id)
                SELECT {n}, 'P' || n, '', {n} FROM generate_series(0, 99) n""",
            f"""INSERT INTO projects.member (project_id, member_id, is_team, role)
                SELECT {n}, {identifier.format(n="7")}, false, 1 FROM generate_series(0, 9) n""",
            f"""INSERT INTO notifications.notification
                    (notification_id, user_id, kind, subject, project_id, read_at, created_at)
                SELECT {n}, {n200}, 'comment', '/x', CASE WHEN n % 3 = 0 THEN {n100} END,
                       CASE WHEN n % 50 > 0 THEN now() END, timestamptz '2026-01-01' + n * interval '1 second'
                  FROM generate_series(1, 200000) n""",
            "VACUUM ANALYZE",
        ):
            connection.execute(statement.encode())
        user = "00000000-0000-7000-8000-000000000007"
        start = {"after_created_at": "2026-01-02T12:00:00Z", "after_id": user}
        pages = ((key, first) for key in queries.LIST for first in (True, False))
        for (admin, unread), first in pages:
            of_user = queries.LIST[admin, unread]
            given: dict[str, Any] = {"user_id": user, "page_rows": 51, **({} if first else start)}
            nodes = nodes_of(plan_of(connection, of_user.first if first else of_user.following, given))
            of_table = [node for node in nodes if node.get("Relation Name") == "notification"]
            assert [node["Node Type"] for node in of_table] in (["Index Scan"], ["Bitmap Heap Scan"]), (
                admin,
                unread,
                first,
            )
            assert all(node["Actual Rows"] <= 1000 for node in of_table), (admin, unread, first, of_table)
