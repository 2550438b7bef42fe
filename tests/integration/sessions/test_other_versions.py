"""Live sessions of a version that their callers name: who may have one, and what ends it."""

from __future__ import annotations

import asyncio

import grpc
import pytest

from catenary.platform.v1 import explore_service_pb2 as pb
from catenary_core.jobs.sessions import LiveSession
from catenary_core.services.evaluations.sessions import watch
from factories.events.world import Caller
from factories.installations.serving import working
from factories.services.evaluations import deploy, parameter, run_sql
from factories.sessions.explorer import PARAMETERS, exploring
from integration.sessions.conftest import Place

pytestmark = pytest.mark.slow

NEWER = [parameter("span", "number", 7.0, min=1.0, max=9.0, unit="m"), *PARAMETERS[1:]]
OTHER = "0199aaaa-0000-7000-8000-000000000009"


async def _deploy(place: Place) -> str:
    """Deploy another version, after which that of the fixture is an older one."""
    frame = place.here.core.frame
    return (await deploy(frame.db, frame.objects, NEWER, place.project_id))[1]


async def _member(place: Place, role: str) -> tuple[Caller, str]:
    member = await place.here.caller(role.title())
    path = f"/v1/projects/{place.project_id}/members/{member.user_id}"
    await place.here.call(place.owner, "PUT", path, json={"role": role})
    return member, path


async def _checked_twice(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    """Wait until the watch has looked at all sessions twice."""
    checks: list[int] = []
    check = watch.SessionWatch._check_deployments

    async def counted(self: watch.SessionWatch, found: list[LiveSession]) -> None:
        await check(self, found)
        checks.append(1)

    monkeypatch.setattr(watch.SessionWatch, "_check_deployments", counted)
    async with asyncio.timeout(60):
        while len(checks) < 2:  # noqa: ASYNC110
            await asyncio.sleep(0.05)


async def test_an_editor_explores_an_older_version_by_its_own_declarations(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    newer = await _deploy(place)
    async with (
        working(place.here.node),
        exploring(place.here, place.owner, place.project_id, model_version_id=place.version) as explorer,
    ):
        await explorer.receive()
        await _checked_twice(place, monkeypatch)
        await explorer.send(1, {"span": 40})
        answer = (await explorer.receive()).evaluation
        assert answer.model_version_id == place.version
        assert answer.parameters["span"].text == "40.0", "the newer version ends at 9"
    async with (
        working(place.here.node),
        exploring(place.here, place.owner, place.project_id) as explorer,
    ):
        await explorer.receive()
        await explorer.send(1, {"span": 40})
        assert (await explorer.receive()).error.code == "PARAMETER_OUT_OF_RANGE"
        await explorer.send(2)
        assert (await explorer.receive()).evaluation.model_version_id == newer


async def test_a_deployment_does_not_end_the_session_of_a_named_version(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with (
        working(place.here.node),
        exploring(place.here, place.owner, place.project_id, model_version_id=place.version) as explorer,
        exploring(place.here, place.owner, place.project_id) as follower,
    ):
        await explorer.receive()
        await _deploy(place)
        assert await follower.ended() == (grpc.StatusCode.ABORTED, "CONFLICT")
        await _checked_twice(place, monkeypatch)
        await explorer.send(1, {"span": 40})
        assert (await explorer.receive()).evaluation.model_version_id == place.version


async def test_the_deletion_of_its_version_ends_a_session(place: Place) -> None:
    await _deploy(place)
    async with exploring(place.here, place.owner, place.project_id, model_version_id=place.version) as explorer:
        await explorer.receive()
        await run_sql(
            place.here.core.frame.db,
            "UPDATE models.model_version SET deleted_at = clock_timestamp() WHERE model_version_id = :v",
            v=place.version,
        )
        assert await explorer.ended() == (grpc.StatusCode.NOT_FOUND, "NOT_FOUND")


async def test_only_editors_explore_what_is_not_deployed(place: Place) -> None:
    evaluator, _ = await _member(place, "evaluator")
    editor, path = await _member(place, "editor")
    async with exploring(place.here, evaluator, place.project_id, model_version_id=place.version) as explorer:
        await explorer.receive()
        newer = await _deploy(place)
        assert await explorer.ended() == (grpc.StatusCode.PERMISSION_DENIED, "PERMISSION_DENIED")
    for version in (place.version, OTHER):
        async with exploring(place.here, evaluator, place.project_id, model_version_id=version) as explorer:
            assert await explorer.ended() == (grpc.StatusCode.PERMISSION_DENIED, "PERMISSION_DENIED")
    async with exploring(place.here, evaluator, place.project_id, model_version_id=newer) as explorer:
        await explorer.receive()
    async with exploring(place.here, editor, place.project_id, model_version_id=OTHER) as explorer:
        assert await explorer.ended() == (grpc.StatusCode.INVALID_ARGUMENT, "VALIDATION_ERROR")
    async with exploring(place.here, editor, place.project_id, model_version_id=place.version) as explorer:
        await explorer.receive()
        await place.here.call(place.owner, "PUT", path, json={"role": "evaluator"})
        assert await explorer.ended() == (grpc.StatusCode.PERMISSION_DENIED, "PERMISSION_DENIED")


async def test_without_the_watch_a_session_outlasts_the_right_to_its_version(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[int] = []

    async def unchecked(self: watch.SessionWatch, found: list[LiveSession]) -> None:
        seen.append(len(found))

    monkeypatch.setattr(watch.SessionWatch, "_check_others", unchecked)
    evaluator, _ = await _member(place, "evaluator")
    async with (
        working(place.here.node),
        exploring(place.here, evaluator, place.project_id, model_version_id=place.version) as explorer,
    ):
        await explorer.receive()
        await _deploy(place)
        async with asyncio.timeout(60):
            while len(seen) < 2:  # noqa: ASYNC110
                await asyncio.sleep(0.05)
        await explorer.send(1)
        assert (await explorer.receive()).evaluation.model_version_id == place.version


async def test_a_design_names_no_other_version(place: Place) -> None:
    async with exploring(place.here, place.owner, place.project_id) as explorer:
        await explorer.receive()
        await explorer.call.write(pb.ExploreRequest(id=3, model_version_id=OTHER))
        answer = await explorer.receive()
        assert (answer.id, answer.error.code) == (3, "VALIDATION_ERROR")
