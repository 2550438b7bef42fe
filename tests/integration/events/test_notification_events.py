"""`notification.created`: written with each notification, and told to its user alone (guide/conventions.md, "Events")."""

from __future__ import annotations

from typing import Any

import grpc
import orjson
import pytest

from catenary.platform.v1 import event_service_pb2, event_service_pb2_grpc
from catenary_core.access import audience
from catenary_core.event_log import notifications
from factories.events.server_sent import Reader
from factories.events.world import Caller, World
from factories.services.evaluations import run_sql
from factories.services.shares import link, share, variant

TOLD = "notification.created"
END = "system.maintenance"
_EVENTS = "SELECT id, project_id, actor_id, subject, data FROM events.event WHERE type = 'notification.created' ORDER BY number"


async def _shared(here: World, owner: Caller, friend: Caller) -> tuple[str, dict[str, Any]]:
    """Share a new project; return its id, and the event of the notification as its user's socket gets it."""
    socket = await here.socket(friend, types=TOLD)
    project_id = await here.project(owner, viewer=friend)
    event = await socket.event()
    await socket.ws.close()
    return project_id, event


async def _end(here: World) -> None:
    """Write an event that everybody sees."""
    admin = await here.caller("announcer", admin=True)
    await here.call(admin, "POST", "/v1/system_events", 201, json={"type": END, "message": "The end."})


async def _logged(here: World, caller: Caller, after: str, **query: Any) -> list[str]:
    """Return the subjects of the events of notifications that the log shows a caller after an event."""
    socket = await here.socket(caller, types=TOLD, after=after, **query)
    await here.settle()
    found: list[str] = []
    while True:
        try:
            found.append((await socket.event(0.5))["subject"])
        except TimeoutError:
            return found


async def _newest(here: World) -> str:
    """Return the id of the newest event that has its place in the log."""
    await here.settle()
    newest = "SELECT id FROM events.event WHERE sequence IS NOT NULL ORDER BY sequence DESC LIMIT 1"
    return str((await run_sql(here.core.frame.db, newest))[0]["id"])


async def test_a_notification_is_told_as_it_can_be_read(here: World) -> None:
    owner, friend = await here.caller("Olga Canary"), await here.caller("Fred Canary")
    project_id, event = await _shared(here, owner, friend)
    read = (await here.call(friend, "GET", event["subject"]))["data"]["notification"]
    assert event["subject"] == f"/v1/notifications/{read['notification_id']}"
    assert (event["type"], event["project_id"], event["actor_id"]) == (TOLD, project_id, owner.user_id)
    assert event["data"] == {"notification": {name: read[name] for name in read if name not in ("title", "actor")}}
    assert "Canary" not in orjson.dumps(event).decode()
    assert [read] == (await here.call(friend, "GET", "/v1/notifications"))["data"]["notifications"]


async def test_sockets_streams_and_grpc_tell_it_alike(here: World) -> None:
    owner, friend = await here.caller("o"), await here.caller("f")
    socket = await here.socket(friend, types="notification.*")
    async with (
        here.http.get(f"{here.url}/v1/events?types={TOLD}", headers=friend.headers) as answer,
        grpc.aio.insecure_channel(f"127.0.0.1:{here.node.grpc_port}") as channel,
    ):
        request = event_service_pb2.SubscribeRequest(types=[TOLD])
        sent = (("authorization", friend.headers["Authorization"]),)
        call = event_service_pb2_grpc.EventServiceStub(channel).Subscribe(request, metadata=sent)
        await call.read()
        reader = Reader(answer)
        await reader.block()
        await here.project(owner, viewer=friend)
        event = await socket.event()
        assert (await reader.event())[1] == event
        (shown,) = (await call.read()).events
        assert (shown.id, shown.subject) == (event["id"], event["subject"])
        assert orjson.loads(shown.data.text) == event["data"]
        call.cancel()


@pytest.mark.slow
async def test_nobody_else_is_told_not_even_admins(here: World, monkeypatch: pytest.MonkeyPatch) -> None:
    people = [await here.caller(name, admin=name == "ada") for name in ("owner", "member", "stranger", "ada")]
    owner, member, stranger, admin = people
    friend = await here.caller("friend")
    project_id = await here.project(owner, editor=member)
    await variant(here, owner, project_id)
    shown = await link(here, owner, project_id)
    path = f"/v1/projects/{project_id}/members/{friend.user_id}"
    first = await _newest(here)
    sockets = [await here.socket(one, types=["notification.*", "system.*"]) for one in people]
    by_link = await here.connect(shown.headers)
    mine = await here.socket(friend, types=TOLD)
    await here.call(owner, "PUT", path, json={"role": "viewer"})
    event = await mine.event()
    await _end(here)
    for socket in sockets:
        assert (await socket.event())["type"] == END
    await by_link.silence()
    for one in (owner, stranger, admin):
        assert await _logged(here, one, first) == []
    assert await _logged(here, friend, first) == [event["subject"]]
    with monkeypatch.context() as patched:  # without the rule it reaches those who see the project
        patched.setattr(audience.notifications, "CREATED", "nothing")
        patched.setattr(audience, "_by_member", lambda row: row["project_id"] is not None)
        assert event["subject"] in await _logged(here, owner, first)


async def test_the_filter_by_project_is_that_of_its_project(here: World) -> None:
    owner, friend = await here.caller("o"), await here.caller("f")
    one, earlier = await _shared(here, owner, friend)
    socket = await here.socket(friend, types=TOLD, project_id=one)
    await _shared(here, owner, friend)
    await here.call(owner, "PUT", f"/v1/projects/{one}/members/{friend.user_id}", json={"role": "editor"})
    event = await socket.event()
    assert event["project_id"] == one
    assert event["id"] != earlier["id"]


@pytest.mark.slow
async def test_it_goes_with_the_role_and_comes_with_it_again(here: World) -> None:
    owner, friend = await here.caller("o"), await here.caller("f")
    first = await _newest(here)
    project_id, event = await _shared(here, owner, friend)
    assert await _logged(here, friend, first) == [event["subject"]]
    member = f"/v1/projects/{project_id}/members/{friend.user_id}"
    await here.call(owner, "DELETE", member)
    assert await _logged(here, friend, first) == []
    await here.call(friend, "GET", event["subject"], 404)
    made = await variant(here, owner, project_id)
    await share(
        here, owner, project_id, kind="user", user_id=friend.user_id, role="viewer", variant_id=made["variant_id"]
    )
    assert event["subject"] in await _logged(here, friend, first), "a role in a variant is one"
    await here.call(owner, "DELETE", f"/v1/projects/{project_id}")
    assert await _logged(here, friend, first) == []


async def test_an_admin_is_told_of_projects_without_a_role(here: World) -> None:
    owner, admin = await here.caller("o"), await here.caller("ada", admin=True)
    project_id = await here.project(owner)
    scopes = {"name": "key", "scopes": ["platform:read"]}
    key = (await here.call(admin, "POST", "/v1/api_keys", 201, json=scopes))["data"]["key"]
    by_key = await here.connect({"X-API-Key": key}, types=["notification.*", "system.*"])
    socket = await here.socket(admin, types=TOLD)
    async with here.core.frame.db.transaction() as tx:
        subject = f"/v1/projects/{project_id}"
        await notifications.notify(tx, "reply", [admin.user_id], subject=subject, project_id=project_id)
    assert (await socket.event())["data"]["notification"]["kind"] == "reply"
    await _end(here)
    assert (await by_key.event())["type"] == END, "an Admin's key is no Admin"


async def test_each_user_has_an_event_and_none_without_commit(here: World) -> None:
    one, other = await here.caller("one"), await here.caller("other")
    db = here.core.frame.db

    async def told(*, fails: bool) -> None:
        async with db.transaction() as tx:
            users = [one.user_id, other.user_id, one.user_id]
            await notifications.notify(tx, "webhook_disabled", users, subject="/v1/webhooks/x")
            await notifications.notify(tx, "webhook_disabled", [], subject="/v1/webhooks/x")
            if fails:
                raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await told(fails=True)
    assert await run_sql(db, _EVENTS) == []
    await told(fails=False)
    rows = await run_sql(db, _EVENTS)
    made = await run_sql(db, "SELECT notification_id AS id FROM notifications.notification")
    assert {row["subject"] for row in rows} == {f"/v1/notifications/{row['id']}" for row in made}
    assert [(row["project_id"], row["actor_id"]) for row in rows] == [(None, None)] * 2


async def test_reading_and_events_cause_no_further_ones(here: World) -> None:
    owner, friend = await here.caller("o"), await here.caller("f")
    _, event = await _shared(here, owner, friend)
    for body in ({"read": True}, {"read": False}):
        await here.call(friend, "PATCH", event["subject"], json=body)
    socket = await here.socket(friend, types=TOLD, after=event["id"])
    await here.settle()
    await socket.silence(1.0)
    assert len(await run_sql(here.core.frame.db, "SELECT 1 AS n FROM notifications.notification")) == 1


async def test_one_notification_is_its_users_alone(here: World) -> None:
    owner, friend, admin = await here.caller("o"), await here.caller("f"), await here.caller("ada", admin=True)
    project_id, event = await _shared(here, owner, friend)
    for other in (owner, admin):
        await here.call(other, "GET", event["subject"], 404)
    await here.call(friend, "GET", f"/v1/notifications/{project_id}", 404)
    await here.call(friend, "GET", "/v1/notifications/x", 400)
    beta = (await here.call(friend, "GET", event["subject"].replace("v1", "v2")))["data"]["notification"]
    assert beta["subject"] == f"/v2/projects/{project_id}/members/{friend.user_id}"
