"""Server-sent events at `GET /v1/events`, and the same stream over gRPC."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import aiohttp
import grpc
import orjson
import pytest
from google.rpc import error_details_pb2
from grpc_status import rpc_status

from catenary.platform.v1 import event_service_pb2, event_service_pb2_grpc
from catenary_core.event_log import events
from catenary_core.server import grpc_server
from catenary_edge import upstream
from catenary_edge.live import server_sent
from factories.events.server_sent import Reader
from factories.events.world import SECONDS, Caller, World, world

pytestmark = pytest.mark.sampled


async def test_events_come_as_server_sent_events_and_go_on_after_the_last_id(here: World) -> None:
    owner = await here.caller("o")
    async with here.http.get(f"{here.url}/v1/events?types=project.*", headers=owner.headers) as answer:
        assert answer.status == 200
        assert answer.headers["Content-Type"] == "text/event-stream"
        assert answer.headers["Cache-Control"] == "no-store"
        assert answer.headers["X-Request-Id"]
        reader = Reader(answer)
        project_id = await here.project(owner)
        await here.call(owner, "PATCH", f"/v1/projects/{project_id}", json={"name": "Q"})
        id_, event = await reader.event()
        assert id_ == event["id"]
        assert event["type"] == "project.created"
        following = await reader.event()
        assert following[1]["type"] == "project.updated"
    # The query is that of the first connection; what the client says it has goes before.
    headers = {**owner.headers, "Last-Event-ID": id_}
    async with here.http.get(f"{here.url}/v1/events?types=project.*&after={following[0]}", headers=headers) as answer:
        assert await Reader(answer).event() == following


async def test_a_stream_that_breaks_before_its_first_event_loses_nothing(here: World) -> None:
    owner = await here.caller("o")
    await here.project(owner)
    await here.settle()
    async with here.http.get(f"{here.url}/v1/events", headers=owner.headers) as answer:
        start = await Reader(answer).block()
    retry, position = start.split(b"\n")
    assert retry == b"retry: 1000"
    missed = await here.project(owner)
    headers = {**owner.headers, "Last-Event-ID": position.removeprefix(b"id: ").decode()}
    async with here.http.get(f"{here.url}/v1/events", headers=headers) as answer:
        assert (await Reader(answer).event())[1]["project_id"] == missed


async def test_a_quiet_stream_is_kept_alive(here: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server_sent, "KEEP_ALIVE_SECONDS", 0.1)
    owner = await here.caller("o")
    await here.settle()
    async with here.http.get(f"{here.url}/v1/events", headers=owner.headers) as answer:
        reader = Reader(answer)
        await reader.block()
        assert await reader.block() == b": keep-alive"


async def test_a_stop_ends_the_stream(here: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server_sent, "KEEP_ALIVE_SECONDS", 3600.0)
    owner = await here.caller("o")
    await here.settle()  # or the caller's login may come
    async with here.http.get(f"{here.url}/v1/events", headers=owner.headers) as answer:
        reader = Reader(answer)
        await reader.block()
        here.core.feed.close()
        with pytest.raises(AssertionError, match="ended"):
            await reader.block()
    async with here.http.get(f"{here.url}/v1/events", headers=owner.headers) as answer:
        assert answer.status == 503


async def test_both_modes_send_the_same_bytes(
    started_dsn: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server_sent, "KEEP_ALIVE_SECONDS", 3600.0)
    async with world(started_dsn, tmp_path) as near, world(started_dsn, tmp_path, remote=True) as far:
        owner = await near.caller("o")
        await near.settle()  # or only one of the two streams may begin before the caller's login
        async with (
            near.http.get(f"{near.url}/v1/events", headers=owner.headers) as one,
            near.http.get(f"{far.url}/v1/events", headers=owner.headers) as other,
        ):
            readers = [Reader(one), Reader(other)]
            for reader in readers:
                await reader.block()
            project_id = await near.project(owner, viewer=await near.caller("é"))
            await near.call(owner, "PATCH", f"/v1/projects/{project_id}", json={"description": "1e16 é \u2028"})
            sent = [[await reader.block() for _ in range(3)] for reader in readers]
        assert sent[0] == sent[1]
        assert b"project.updated" in sent[0][2]
        assert _lasting(one.headers) == _lasting(other.headers)


def _lasting(headers: Mapping[str, str]) -> dict[str, str]:
    """Return the headers that don't differ from call to call."""
    return {
        name: value
        for name, value in headers.items()
        if name not in ("Date", "X-Request-ID") and not name.startswith("X-RateLimit")
    }


def _metadata(caller: Caller) -> list[tuple[str, str]]:
    return [("authorization", f"Bearer {caller.token}")]


async def test_subscribe_over_grpc(started_dsn: str, tmp_path: Path) -> None:
    async with (
        world(started_dsn, tmp_path) as here,
        grpc.aio.insecure_channel(f"127.0.0.1:{here.node.grpc_port}") as channel,
    ):
        stub = event_service_pb2_grpc.EventServiceStub(channel)
        owner = await here.caller("o")
        project_id = await here.project(owner)
        await here.settle()
        call = stub.Subscribe(
            event_service_pb2.SubscribeRequest(project_id=project_id, types=["project.*"]), metadata=_metadata(owner)
        )
        first = await call.read()
        assert not first.events
        assert first.position
        await here.call(owner, "PATCH", f"/v1/projects/{project_id}", json={"name": "Q"})
        (event,) = (await call.read()).events
        assert (event.type, event.project_id) == ("project.updated", project_id)
        assert orjson.loads(event.data.text)["project"]["name"] == "Q"
        await here.call(owner, "DELETE", f"/v1/projects/{project_id}")
        assert [one.type for one in (await call.read()).events] == ["project.deleted"]
        with pytest.raises(grpc.aio.AioRpcError) as ended:
            await call.read()
        assert ended.value.code() == grpc.StatusCode.NOT_FOUND

        old = event_service_pb2.SubscribeRequest(after="00000000-0000-7000-8000-000000000000")
        with pytest.raises(grpc.aio.AioRpcError) as refused:
            await stub.Subscribe(old, metadata=_metadata(owner)).read()
        assert refused.value.code() == grpc.StatusCode.OUT_OF_RANGE
        status = rpc_status.from_call(refused.value)
        assert status is not None
        info = error_details_pb2.ErrorInfo()
        status.details[0].Unpack(info)
        assert info.reason == "GONE"

        deadline = stub.Subscribe(event_service_pb2.SubscribeRequest(), metadata=_metadata(owner), timeout=1)
        with pytest.raises(grpc.aio.AioRpcError) as late:
            [await deadline.read() for _ in range(2)]  # its start, and what never comes
        assert late.value.code() == grpc.StatusCode.DEADLINE_EXCEEDED


async def test_streams_leave_room_for_calls_on_the_cores_connection(
    started_dsn: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An edge behind gRPC has more open streams than a connection takes, and still calls the core."""
    monkeypatch.setattr(grpc_server, "MAX_CONCURRENT_STREAMS", 8)
    monkeypatch.setattr(upstream, "STREAMS_PER_CHANNEL", 4)
    async with world(started_dsn, tmp_path, remote=True) as here:
        owner = await here.caller("o")
        sockets = [await here.socket(owner, types="project.*") for _ in range(20)]
        async with asyncio.timeout(SECONDS):
            project_id = await here.project(owner)
        for socket in sockets:
            assert (await socket.event())["project_id"] == project_id
            await socket.ws.close()
        channels = here.node.edge._app.subscriptions._upstream._upstream._subscriptions._streams  # type: ignore[attr-defined]
        assert len(channels) == 5
        async with asyncio.timeout(SECONDS):
            while sum(channels.values()):  # noqa: ASYNC110
                await asyncio.sleep(0.01)


@pytest.mark.parametrize(
    "remote", [False, pytest.param(True, marks=pytest.mark.slow)], ids=["in one process", "over gRPC"]
)
async def test_a_user_has_so_many_streams_and_no_more_and_takes_none_from_others(
    started_dsn: str, tmp_path: Path, remote: bool
) -> None:
    async with world(started_dsn, tmp_path, remote=remote, streams_per_user=3) as here:
        greedy, other = await here.caller("g"), await here.caller("o")
        sockets = [await here.socket(greedy) for _ in range(2)]
        async with here.http.get(f"{here.url}/v1/events", headers=greedy.headers) as stream:
            assert stream.status == 200
            async with here.http.get(f"{here.url}/v1/events", headers=greedy.headers) as refused:
                told = (await refused.json())["error"]
                assert (refused.status, told["code"]) == (429, "RATE_LIMIT_EXCEEDED")
                assert int(refused.headers["Retry-After"]) >= 1
                limit = [refused.headers[f"X-RateLimit-{name}"] for name in ("Limit", "Remaining", "Retry-After")]
                assert limit == ["3", "0", refused.headers["Retry-After"]]
                assert told["message"].startswith("You have 3 streams of events open here; close one")
                assert told["message"].endswith(" An operator may raise CATENARY_STREAMS_PER_USER.")
            with pytest.raises(aiohttp.WSServerHandshakeError) as no_upgrade:
                await here.http.ws_connect(f"{here.url}/ws", headers=greedy.headers)
            assert no_upgrade.value.status == 429
            sockets.append(await here.socket(other))
        async with asyncio.timeout(60):  # one that ended makes room
            while True:
                async with here.http.get(f"{here.url}/v1/events", headers=greedy.headers) as again:
                    if again.status == 200:
                        break
                await asyncio.sleep(0.05)
        for socket in sockets:
            await socket.ws.close()


async def test_streams_that_are_opened_at_once_are_not_too_many_either(started_dsn: str, tmp_path: Path) -> None:
    async with world(started_dsn, tmp_path, streams_per_user=3) as here:
        greedy = await here.caller("g")

        async def status() -> int:
            async with here.http.get(f"{here.url}/v1/events", headers=greedy.headers) as answer:
                if answer.status == 200:
                    opened.append(answer)
                    await done.wait()
                return answer.status

        opened: list[Any] = []
        done = asyncio.Event()
        tasks = [asyncio.create_task(status()) for _ in range(20)]
        async with asyncio.timeout(60):
            while sum(task.done() for task in tasks) < 17:  # noqa: ASYNC110
                await asyncio.sleep(0.05)
        assert len(opened) == 3
        done.set()
        assert sorted(await asyncio.gather(*tasks)) == [200] * 3 + [429] * 17


async def test_the_beta_tells_its_own_paths_beside_a_stable_stream(here: World) -> None:
    owner = await here.caller("o")
    project_id = await here.project(owner)
    evaluation = {
        "evaluation_id": "e",
        "geometry": [{"name": "g", "url": "/v1/evaluations/e/geometry/g"}],
        "note": "/v1/x",
    }
    await here.settle()
    async with (
        here.http.get(f"{here.url}/v1/events?types=model.*", headers=owner.headers) as stable,
        here.http.get(f"{here.url}/v2/events?types=model.*", headers=owner.headers) as beta,
    ):
        async with here.core.frame.db.transaction() as tx:
            await events.write(
                tx,
                None,
                "model.evaluation.completed",
                subject="/v1/evaluations/e",
                data={"evaluation": evaluation},
                project_id=project_id,
            )
        (_, as_stable), (_, as_beta) = await Reader(stable).event(), await Reader(beta).event()
    assert (as_stable["subject"], as_stable["data"]) == ("/v1/evaluations/e", {"evaluation": evaluation})
    geometry = [{"name": "g", "url": "/v2/evaluations/e/geometry/g"}]
    assert (as_beta["subject"], as_beta["data"]) == (
        "/v2/evaluations/e",
        {"evaluation": evaluation | {"geometry": geometry}},
    )
