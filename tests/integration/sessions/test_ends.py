"""The ends of live sessions, who may open one, and how sessions count."""

from __future__ import annotations

import asyncio
import time

import grpc
import pytest

from catenary_core.jobs import sessions
from catenary_core.services.evaluations.sessions import watch
from factories.events.world import Caller
from factories.installations.serving import working
from factories.services.evaluations import deploy, run_sql
from factories.sessions.explorer import PARAMETERS, exploring
from integration.sessions.conftest import Place

pytestmark = pytest.mark.slow


async def _set_role(place: Place, member: Caller, role: str) -> None:
    path = f"/v1/projects/{place.project_id}/members/{member.user_id}"
    await place.here.call(place.owner, "PUT", path, json={"role": role})


async def test_only_who_may_evaluate_opens_a_session(place: Place) -> None:
    viewer, outsider = await place.here.caller("Viewer"), await place.here.caller("Outsider")
    await _set_role(place, viewer, "viewer")
    for caller, status, reason in (
        (viewer, grpc.StatusCode.PERMISSION_DENIED, "PERMISSION_DENIED"),
        (outsider, grpc.StatusCode.NOT_FOUND, "NOT_FOUND"),
    ):
        async with exploring(place.here, caller, place.project_id) as explorer:
            assert await explorer.ended() == (status, reason)
    assert not list(place.here.core.frame.sessions)


async def test_a_project_without_a_model_has_no_sessions(place: Place) -> None:
    empty = await place.here.project(place.owner)
    async with exploring(place.here, place.owner, empty) as explorer:
        assert (await explorer.ended())[1] == "MODEL_NOT_DEPLOYED"


async def test_a_caller_that_says_nothing_is_let_go(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("catenary_core.server.dispatch.DEFAULT_TIMEOUT", 0.2)
    async with grpc.aio.insecure_channel(f"127.0.0.1:{place.here.node.grpc_port}") as channel:
        path = "/catenary.platform.v1.ExploreService/Explore"
        call = channel.stream_stream(path)(metadata=(("authorization", f"Bearer {place.owner.token}"),))
        assert await call.code() is grpc.StatusCode.DEADLINE_EXCEEDED


async def test_the_end_of_a_role_ends_the_session(place: Place) -> None:
    member = await place.here.caller("Member")
    await _set_role(place, member, "evaluator")
    async with exploring(place.here, member, place.project_id) as explorer:
        await explorer.receive()
        await _set_role(place, member, "viewer")
        assert await explorer.ended() == (grpc.StatusCode.PERMISSION_DENIED, "PERMISSION_DENIED")
    await _set_role(place, member, "evaluator")
    async with exploring(place.here, member, place.project_id) as explorer:
        await explorer.receive()
        path = f"/v1/projects/{place.project_id}/members/{member.user_id}"
        await place.here.call(place.owner, "DELETE", path)
        assert await explorer.ended() == (grpc.StatusCode.NOT_FOUND, "NOT_FOUND")


async def test_without_the_watch_a_session_outlasts_its_role(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    async def unchecked(self: watch.SessionWatch) -> None:
        checks.append(self)

    checks: list[watch.SessionWatch] = []
    member = await place.here.caller("Member")
    await _set_role(place, member, "evaluator")
    monkeypatch.setattr(watch.SessionWatch, "_check_callers", lambda self, found: unchecked(self))
    async with working(place.here.node), exploring(place.here, member, place.project_id) as explorer:
        await explorer.receive()
        await _set_role(place, member, "viewer")
        async with asyncio.timeout(60):
            while len(checks) < 2:  # noqa: ASYNC110
                await asyncio.sleep(0.05)
        await explorer.send(1)
        assert (await explorer.receive()).evaluation.metrics


async def test_the_end_of_a_credential_ends_the_session(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    async with exploring(place.here, place.owner, place.project_id) as explorer:
        await explorer.receive()
        monkeypatch.setattr(watch.time, "time", lambda: time.monotonic() + 10**10)
        assert await explorer.ended() == (grpc.StatusCode.UNAUTHENTICATED, "TOKEN_EXPIRED")
        monkeypatch.undo()
    async with exploring(place.here, place.owner, place.project_id) as explorer:
        await explorer.receive()
        mine = {"client_id": place.owner.client_id, "client_secret": place.owner.client_secret}
        await place.here.call(place.owner, "POST", "/v1/auth/revoke", json={"token": place.owner.token, **mine})
        assert (await explorer.ended())[1] == "INVALID_TOKEN"


async def test_a_deployment_ends_the_sessions_of_the_version_before(place: Place) -> None:
    frame = place.here.core.frame
    async with exploring(place.here, place.owner, place.project_id) as explorer:
        await explorer.receive()
        await deploy(frame.db, frame.objects, PARAMETERS, place.project_id)
        assert await explorer.ended() == (grpc.StatusCode.ABORTED, "CONFLICT")


async def test_an_undeployment_ends_a_session(place: Place) -> None:
    async with exploring(place.here, place.owner, place.project_id) as explorer:
        await explorer.receive()
        path = f"/v1/projects/{place.project_id}/deployments/current"
        await place.here.call(place.owner, "DELETE", path)
        assert await explorer.ended() == (grpc.StatusCode.ABORTED, "CONFLICT")


async def test_silence_ends_a_session(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    async with exploring(place.here, place.owner, place.project_id) as explorer:
        await explorer.receive()
        monkeypatch.setattr(sessions, "IDLE_SECONDS", 0.0)
        assert await explorer.ended() == (grpc.StatusCode.DEADLINE_EXCEEDED, "TIMEOUT")


async def test_a_stop_of_the_core_ends_sessions_and_opens_none(place: Place) -> None:
    async with exploring(place.here, place.owner, place.project_id) as explorer:
        await explorer.receive()
        place.here.core.frame.sessions.close()
        assert await explorer.ended() == (grpc.StatusCode.UNAVAILABLE, "UNAVAILABLE")
    async with exploring(place.here, place.owner, place.project_id) as explorer:
        assert await explorer.ended() == (grpc.StatusCode.UNAVAILABLE, "UNAVAILABLE")


async def test_a_session_counts_once_an_hour_for_a_user_and_a_version(place: Place) -> None:
    settings = place.here.core.frame.settings
    settings.evaluations_per_hour = 2
    other, third = await place.here.caller("Other"), await place.here.caller("Third")
    for member in (other, third):
        await _set_role(place, member, "evaluator")
    for caller in (place.owner, place.owner, place.owner, other, other):
        async with exploring(place.here, caller, place.project_id) as explorer:
            await explorer.receive()
    async with exploring(place.here, third, place.project_id) as explorer:
        assert await explorer.ended() == (grpc.StatusCode.RESOURCE_EXHAUSTED, "RATE_LIMIT_EXCEEDED")
    frame = place.here.core.frame
    await deploy(frame.db, frame.objects, PARAMETERS, place.project_id)
    async with exploring(place.here, place.owner, place.project_id) as explorer:
        assert await explorer.ended() == (grpc.StatusCode.RESOURCE_EXHAUSTED, "RATE_LIMIT_EXCEEDED")


async def test_a_session_for_which_there_is_no_room_costs_nothing_of_the_hour(place: Place) -> None:
    settings = place.here.core.frame.settings
    settings.evaluations_per_hour = 1
    settings.streams_per_user = 0
    async with exploring(place.here, place.owner, place.project_id) as explorer:
        assert await explorer.ended() == (grpc.StatusCode.RESOURCE_EXHAUSTED, "RATE_LIMIT_EXCEEDED")
    settings.streams_per_user = 10
    member = await place.here.caller("Member")
    await _set_role(place, member, "evaluator")
    async with exploring(place.here, member, place.project_id) as explorer:
        await explorer.receive()


async def test_a_design_that_its_caller_leaves_is_charged_and_frees_the_worker(place: Place) -> None:
    async with working(place.here.node):
        async with exploring(place.here, place.owner, place.project_id) as explorer:
            await explorer.receive()
            await explorer.send(1)
            await explorer.receive()
            await explorer.send(2, {"pause": 10})
            (session,) = place.here.core.frame.sessions
            async with asyncio.timeout(60):
                while session.handed_seconds < 0.5:  # noqa: ASYNC110
                    await asyncio.sleep(0.01)
        async with asyncio.timeout(60):
            while not (used := await _used(place)) or used[1] < 0.5:  # noqa: ASYNC110
                await asyncio.sleep(0.05)
        assert used[1] < 9, "not the ten seconds that the model would have taken"


async def test_the_seconds_of_a_session_are_counted_at_its_end_and_no_evaluation_is(place: Place) -> None:
    async with working(place.here.node):
        async with exploring(place.here, place.owner, place.project_id) as explorer:
            await explorer.receive()
            await explorer.send(1, {"pause": 0.5})
            assert (await explorer.receive()).evaluation.duration_ms >= 500
            (session,) = place.here.core.frame.sessions
            assert 0.5 <= session.seconds < 60
        async with asyncio.timeout(60):
            while not (used := await _used(place)) or used[1] < 0.5:  # noqa: ASYNC110
                await asyncio.sleep(0.05)
    assert used[0] == 0


async def test_a_session_ends_when_the_compute_seconds_of_the_month_are_used_up(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = place.here.core.frame.settings
    few = settings.tiers["standard"].model_copy(update={"compute_seconds": 1})
    monkeypatch.setitem(settings.tiers, "standard", few)
    async with working(place.here.node), exploring(place.here, place.owner, place.project_id) as explorer:
        await explorer.receive()
        await explorer.send(1, {"pause": 1.1})
        await explorer.receive()
        # At the next count, which is 10 s later at most.
        assert await explorer.ended() == (grpc.StatusCode.RESOURCE_EXHAUSTED, "QUOTA_EXCEEDED")
    async with exploring(place.here, place.owner, place.project_id) as explorer:
        assert await explorer.ended() == (grpc.StatusCode.RESOURCE_EXHAUSTED, "QUOTA_EXCEEDED")


async def _used(place: Place) -> tuple[int, float] | None:
    rows = await run_sql(place.here.core.frame.db, "SELECT evaluations, seconds FROM quotas.month")
    return (rows[0]["evaluations"], rows[0]["seconds"]) if rows else None


async def test_another_worker_goes_on_where_one_was_lost(place: Place) -> None:
    async with exploring(place.here, place.owner, place.project_id) as explorer:
        await explorer.receive()
        async with working(place.here.node):
            await explorer.send(1)
            assert (await explorer.receive()).evaluation.metrics["mass"].value.text == "2400.0"
            await explorer.send(2, {"pause": 3.0, "span": 10})
            (session,) = place.here.core.frame.sessions
            async with asyncio.timeout(60):
                while session._current is None:  # noqa: ASYNC110
                    await asyncio.sleep(0.01)
        async with working(place.here.node):
            assert (await explorer.receive()).evaluation.metrics["mass"].value.text == "1000.0"


async def test_a_design_is_refused_where_no_worker_comes(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("catenary_core.services.evaluations.sessions.staffing.WORKER_SECONDS", 0.3)
    async with exploring(place.here, place.owner, place.project_id) as explorer:
        await explorer.receive()
        await explorer.send(1)
        assert (await explorer.receive()).error.code == "UNAVAILABLE"
        monkeypatch.undo()
        async with working(place.here.node):
            await explorer.send(2)
            assert (await explorer.receive()).id == 2
    async with asyncio.timeout(60):
        while (await run_sql(place.here.core.frame.db, "SELECT count(*) AS n FROM jobs.job"))[0]["n"]:  # noqa: ASYNC110
            await asyncio.sleep(0.05)
