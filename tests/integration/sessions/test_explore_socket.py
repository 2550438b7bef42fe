"""`/ws/explore`: live sessions over a WebSocket, with the edge in the core's process and behind gRPC."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from typing import Any

import aiohttp
import pytest

from catenary.platform.v1.explore_service_pb2 import ExploreRequest
from catenary_core.jobs import sessions
from catenary_core.services.evaluations.sessions import designs
from catenary_edge.live import explore
from factories.events.world import SECONDS, Caller
from factories.installations.serving import working
from factories.services.evaluations import deploy
from factories.sessions.explorer import PARAMETERS
from factories.sessions.socket import Session
from integration.sessions.conftest import Place

pytestmark = pytest.mark.slow


@asynccontextmanager
async def _session(place: Place, caller: Caller | None = None, **query: str) -> AsyncIterator[Session]:
    url = f"{place.here.url}/ws/explore"
    headers = (caller or place.owner).headers
    given = {"project_id": place.project_id, **query}
    async with place.here.http.ws_connect(url, headers=headers, params=given, max_msg_size=0) as ws:
        session = Session(ws)
        assert (await session.told()).keys() == {"session"}
        yield session


async def test_a_page_with_an_api_key_explores_within_its_scopes(place: Place) -> None:
    url = f"{place.here.url}/ws/explore?project_id={place.project_id}"

    async def offered(*scopes: str) -> list[str]:
        made = await place.here.call(place.owner, "POST", "/v1/api_keys", 201, json={"name": "k", "scopes": scopes})
        return ["catenary.v1", f"key.{made['data']['key']}"]

    with pytest.raises(aiohttp.WSServerHandshakeError, match="403"):
        await place.here.http.ws_connect(url, protocols=await offered("platform:read"))
    async with (
        working(place.here.node),
        place.here.http.ws_connect(url, protocols=await offered("platform:read", "platform:write")) as ws,
    ):
        assert ws.protocol == "catenary.v1"
        session = Session(ws)
        await session.told()
        await session.send(1, {"span": 30})
        assert (await session.told())["evaluation"]["status"] == "completed"


async def test_a_session_begins_with_its_version_and_parameters(place: Place) -> None:
    listed = await place.here.call(place.owner, "GET", f"/v1/projects/{place.project_id}/parameters", 200)
    url = f"{place.here.url}/ws/explore?project_id={place.project_id}"
    async with place.here.http.ws_connect(url, headers=place.owner.headers) as ws:
        assert await Session(ws).told() == {
            "session": {
                "model_version_id": place.version,
                "parameters": listed["data"]["parameters"],
                "repeatable": False,
            }
        }


async def test_the_numbers_of_designs_grow(place: Place) -> None:
    async with working(place.here.node), _session(place) as session:
        await session.send(5, {"span": 80})
        assert (await session.told())["error"]["code"] == "PARAMETER_OUT_OF_RANGE"
        for number, constraint in ((5, "order"), (4, "order"), (-1, "gte_lte"), (2**53, "gte_lte")):
            await session.send(number)
            told = await session.told()
            assert (told["id"], told["error"]["details"]["constraint"]) == (number, constraint)
        await session.ws.send_str(f'{{"id": {2**80}}}')
        told = await session.told()
        assert (told["id"], told["error"]["details"]["parameter"]) == (None, "id")
        await session.send(4)
        message = (await session.told())["error"]["message"]
        assert message == "id must be over 5, the number of an earlier design; count up."
        for number in (6, 2**53 - 1):
            await session.send(number)
            assert (await session.told())["evaluation"]["status"] == "completed"


@pytest.mark.parametrize("act", ["late raise", "late exit"])
async def test_a_late_fault_comes_in_place_of_the_files(place: Place, act: str) -> None:
    async with working(place.here.node), _session(place) as session:
        await session.send(1, {"act": act}, geometry=True)
        assert (await session.told())["evaluation"]["status"] == "completed"
        told = await session.told()
        assert (told["id"], told["error"]["code"]) == (1, "MODEL_FAILED")
        await session.send(2, geometry=True)
        assert (await session.told())["evaluation"]["status"] == "completed"
        for file in (await session.told())["geometry"]:
            assert len(await session.file()) == file["size"]


async def test_a_design_gets_its_metrics_and_then_its_files(place: Place) -> None:
    async with working(place.here.node), _session(place) as session:
        await session.send(7, {"span": 30}, geometry=True)
        told = await session.told()
        assert told["id"] == 7
        assert told.keys() == {"id", "evaluation"}
        evaluation = told["evaluation"]
        assert evaluation.pop("duration_ms") > 0
        assert evaluation == {
            "status": "completed",
            "model_version_id": place.version,
            "parameters": {"act": "", "pause": 0.0, "span": 30.0},
            "metrics": {"mass": {"value": 3000.0, "unit": "kg"}},
            "constraints": {
                "light": {"value": 3000.0, "satisfied": True, "metric": "mass", "op": "<=", "limit": 3000, "unit": "kg"}
            },
            "tables": {"corners": [{"x": 0, "y": 0}, {"x": 30.0, "y": 0}, {"x": 0, "y": 30.0}]},
            "error": None,
            "charts": [{"name": "plan", "kind": "scatter", "table": "corners", "x": "x", "y": ["y"]}],
            "files": [{"name": "report.txt", "media_type": "text/plain", "size": 6}],
        }
        announced = await session.told()
        assert announced["id"] == 7
        assert [(file["name"], file["format"]) for file in announced["geometry"]] == [("plate", "glb"), ("slab", "glb")]
        for file in announced["geometry"]:
            content = await session.file()
            assert (len(content), content[:4]) == (file["size"], b"glTF")
        await session.send(8)
        assert (await session.told())["evaluation"]["metrics"]["mass"]["value"] == 2400.0


async def test_faults_are_answered_in_place_in_the_shape_of_the_platform(place: Place) -> None:
    async with working(place.here.node), _session(place) as session:
        await session.send(3, {"span": 80})
        told = await session.told()
        assert told["id"] == 3
        assert told["error"]["code"] == "PARAMETER_OUT_OF_RANGE"
        assert told["error"]["details"]["parameter"] == "span"
        assert told["error"]["documentation_url"].endswith("/docs/errors/PARAMETER_OUT_OF_RANGE")
        for sent, id_ in (
            ("no JSON", None),
            ("[]", None),
            ("null", None),
            ("{}", None),
            ('{"id": "seven"}', None),
            ('{"id": 5, "id": 5}', None),
            ('{"id": 5, "colour": "red"}', 5),
            ('{"id": 5, "parameters": []}', 5),
            ('{"id": 5, "project_id": "x"}', 5),
            ('{"id": 5, "parameters": {"title": "\\u0000"}}', None),
            ("[" * 100_000, None),
            (f'{{"id": 1{"0" * 400}}}', None),
            ('{"id": 1e400}', None),
            ('{"id": NaN}', None),
            ('{"id": 5, "parameters": {"span": NaN}}', None),
        ):
            await session.ws.send_str(sent)
            told = await session.told()
            assert (told["id"], told["error"]["code"]) == (id_, "VALIDATION_ERROR"), sent[:50]
        await session.ws.send_bytes(b"\x00\x01")
        assert (await session.told())["error"]["code"] == "VALIDATION_ERROR"
        await session.send(6)
        assert (await session.told())["id"] == 6


@pytest.mark.parametrize(
    ("query", "code", "status"),
    [
        ({}, "VALIDATION_ERROR", 400),
        ({"project_id": "x"}, "VALIDATION_ERROR", 400),
        ({"project_id": "0199aaaa-0000-7000-8000-000000000009"}, "NOT_FOUND", 404),
        ({"project_id": "", "colour": "red"}, "VALIDATION_ERROR", 400),
    ],
)
async def test_a_bad_request_is_refused_before_the_upgrade(
    place: Place, query: dict[str, str], code: str, status: int
) -> None:
    url = f"{place.here.url}/ws/explore"
    async with place.here.http.get(url, headers={**place.owner.headers, **_UPGRADE}, params=query) as answer:
        assert (answer.status, (await answer.json())["error"]["code"]) == (status, code)


async def test_who_may_not_evaluate_is_refused_before_the_upgrade(place: Place) -> None:
    viewer, outsider = await place.here.caller("Viewer"), await place.here.caller("Outsider")
    path = f"/v1/projects/{place.project_id}/members/{viewer.user_id}"
    await place.here.call(place.owner, "PUT", path, json={"role": "viewer"})
    for headers, status in (
        (viewer.headers, 403),
        (outsider.headers, 404),
        ({}, 401),
        ({"Authorization": "Bearer x.y.z"}, 401),
        ({**place.owner.headers, "Origin": "https://elsewhere.example"}, 403),
        ({"Sec-WebSocket-Protocol": "bearer.x.y.z"}, 401),
    ):
        query = {"project_id": place.project_id}
        url = f"{place.here.url}/ws/explore"
        async with place.here.http.get(url, headers={**headers, **_UPGRADE}, params=query) as answer:
            assert answer.status == status, headers
    async with place.here.http.get(f"{place.here.url}/ws/explore", headers=place.owner.headers, params=query) as answer:
        assert (answer.status, (await answer.json())["error"]["details"]["parameter"]) == (400, "Upgrade")
    async with place.here.http.post(f"{place.here.url}/ws/explore", headers=place.owner.headers) as answer:
        assert (answer.status, answer.headers["Allow"]) == (405, "GET, OPTIONS")


async def test_beyond_the_limit_a_session_is_refused_before_the_upgrade(place: Place) -> None:
    place.here.core.frame.settings.evaluations_per_hour = 1
    async with _session(place), _session(place):
        pass
    other = await place.here.caller("Other")
    path = f"/v1/projects/{place.project_id}/members/{other.user_id}"
    await place.here.call(place.owner, "PUT", path, json={"role": "evaluator"})
    query = {"project_id": place.project_id}
    url = f"{place.here.url}/ws/explore"
    async with place.here.http.get(url, headers={**other.headers, **_UPGRADE}, params=query) as answer:
        body = await answer.json()
        assert (answer.status, body["error"]["code"]) == (429, "RATE_LIMIT_EXCEEDED")
        assert "CATENARY_EVALUATIONS_PER_HOUR" in body["error"]["message"]
        assert "Retry-After" in answer.headers


async def test_half_a_handshake_opens_no_session(place: Place) -> None:
    url = f"{place.here.url}/ws/explore"
    for left_out in ("Sec-WebSocket-Key", "Sec-WebSocket-Version", "Connection", "Upgrade"):
        half = {name: value for name, value in _UPGRADE.items() if name != left_out}
        headers = {**place.owner.headers, **half}
        async with place.here.http.get(url, headers=headers, params={"project_id": place.project_id}) as answer:
            assert (answer.status, (await answer.json())["error"]["code"]) == (400, "VALIDATION_ERROR"), left_out
    port = aiohttp.client.URL(url).port
    _, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(b"GET /ws/explore HTTP/1.1\r\nUpgrade: webso")
    await writer.drain()
    assert not list(place.here.core.frame.sessions)
    async with working(place.here.node), _session(place) as session:
        await session.send(1)
        assert (await session.told())["id"] == 1
    writer.close()
    await writer.wait_closed()


async def test_a_browser_gives_its_token_as_a_subprotocol(place: Place) -> None:
    url = f"{place.here.url}/ws/explore"
    offered = ("catenary.v1", f"bearer.{place.owner.token}")
    query = {"project_id": place.project_id}
    async with working(place.here.node), place.here.http.ws_connect(url, protocols=offered, params=query) as ws:
        assert ws.protocol == "catenary.v1"
        session = Session(ws)
        await session.told()
        await session.send(1)
        assert (await session.told())["id"] == 1


async def test_ten_thousand_designs_at_once_are_answered_and_few_computed(place: Place) -> None:
    async with working(place.here.node), _session(place) as session:
        await session.send(0)
        await session.told()
        sending = asyncio.create_task(_send_many(session))
        answers = [await session.told() for _ in range(10_000)]
        await sending
        assert sorted(answer["id"] for answer in answers) == list(range(1, 10_001))
        computed = [answer for answer in answers if "evaluation" in answer]
        assert computed[-1]["id"] == 10_000
        assert len(computed) < 5_000
        assert all(answer == {"id": answer["id"], "superseded": True} for answer in answers if answer not in computed)


async def _send_many(session: Session) -> None:
    for number in range(1, 10_001):
        await session.send(number, {"span": 10})


async def test_a_large_message_is_read_outside_of_the_event_loop(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: dict[str, set[int]] = {"small": set(), "large": set()}
    for module, name in ((explore, "_document"), (designs, "_design")):

        def noted(*given: Any, read: Any) -> Any:
            message = next(one for one in given if isinstance(one, (str, ExploreRequest)))
            size = len(message) if isinstance(message, str) else message.ByteSize()
            seen["large" if size > 65_536 else "small"].add(threading.get_ident())
            return read(*given)

        monkeypatch.setattr(module, name, partial(noted, read=getattr(module, name)))
    async with working(place.here.node), _session(place) as session:
        for number, title in enumerate(("short", "x" * 100_000)):
            await session.send(number, {"act": title})
            assert (await session.told())["id"] == number
    assert seen["small"] == {threading.get_ident()}
    assert seen["large"].isdisjoint(seen["small"])
    assert seen["large"]


async def test_a_message_over_a_mebibyte_ends_the_session(place: Place) -> None:
    async with _session(place) as session:
        await session.ws.send_str(" " * 2 * 2**20)
        assert (await session.closed())[0] == 1009
    async with working(place.here.node), _session(place) as session:
        await session.send(1)
        assert (await session.told())["id"] == 1


async def test_the_end_of_a_session_has_the_code_of_its_reason(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    member = await place.here.caller("Member")
    path = f"/v1/projects/{place.project_id}/members/{member.user_id}"
    await place.here.call(place.owner, "PUT", path, json={"role": "evaluator"})
    frame = place.here.core.frame
    async with _session(place, member) as session:
        await place.here.call(place.owner, "PUT", path, json={"role": "viewer"})
        assert await session.closed() == (1008, "PERMISSION_DENIED")
    async with _session(place) as session:
        await deploy(frame.db, frame.objects, PARAMETERS, place.project_id)
        assert await session.closed() == (1012, "CONFLICT")
    with monkeypatch.context() as patched:
        async with _session(place) as session:
            patched.setattr(sessions, "IDLE_SECONDS", 0.0)
            assert await session.closed() == (1000, "TIMEOUT")
    async with _session(place) as session:
        place.here.core.frame.sessions.close()
        assert await session.closed() == (1013, "UNAVAILABLE")


async def test_the_end_of_a_token_closes_the_session_with_1008(place: Place) -> None:
    async with _session(place) as session:
        mine = {"client_id": place.owner.client_id, "client_secret": place.owner.client_secret}
        await place.here.call(place.owner, "POST", "/v1/auth/revoke", json={"token": place.owner.token, **mine})
        assert await session.closed() == (1008, "INVALID_TOKEN")


async def test_without_a_deployment_a_session_is_refused_before_the_upgrade(place: Place) -> None:
    await place.here.call(place.owner, "DELETE", f"/v1/projects/{place.project_id}/deployments/current")
    query = {"project_id": place.project_id}
    url = f"{place.here.url}/ws/explore"
    async with place.here.http.get(url, headers={**place.owner.headers, **_UPGRADE}, params=query) as answer:
        assert (answer.status, (await answer.json())["error"]["code"]) == (409, "MODEL_NOT_DEPLOYED")


async def test_a_stop_of_the_edge_ends_sessions_with_1001(place: Place) -> None:
    async with _session(place) as session:
        stopping = asyncio.create_task(place.here.node.edge.stop())
        assert (await session.closed())[0] == 1001
        await stopping
    async with asyncio.timeout(SECONDS):
        while list(place.here.core.frame.sessions):  # noqa: ASYNC110
            await asyncio.sleep(0.01)


async def test_a_client_that_reads_nothing_holds_little_and_is_let_go(place: Place) -> None:
    """Its answers fill the connection; then nothing more is computed for it, and the write deadline ends it."""
    async with working(place.here.node), _session(place) as session:
        await session.send(0)
        await session.told()
        (open_one,) = place.here.core.frame.sessions
        transport = session.ws._response.connection.transport  # type: ignore[union-attr]
        transport.pause_reading()  # type: ignore[attr-defined,union-attr]
        sending = asyncio.create_task(_send_many(session))
        most = 0
        for _ in range(100):
            await asyncio.sleep(0.02)
            most = max(most, len(open_one._answers))
        assert most <= sessions.MOST_ANSWERS
        sending.cancel()
        transport.abort()  # type: ignore[union-attr]
    async with asyncio.timeout(SECONDS):
        while list(place.here.core.frame.sessions):  # noqa: ASYNC110
            await asyncio.sleep(0.01)


_UPGRADE = {
    "Upgrade": "websocket",
    "Connection": "Upgrade",
    "Sec-WebSocket-Version": "13",
    "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
}
