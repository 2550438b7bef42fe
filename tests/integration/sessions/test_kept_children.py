"""Which designs share a process: those of one session with a repeatable model, and no others."""

from __future__ import annotations

import pytest

from factories.installations.serving import working
from factories.services.evaluations import run_sql
from factories.sessions.explorer import COUNTER, Explorer, deployed, exploring
from integration.sessions.conftest import Place

pytestmark = pytest.mark.sampled


async def _counts(explorer: Explorer, number: int, first: int = 0) -> list[float]:
    found = []
    for id_ in range(first, first + number):
        await explorer.send(id_)
        found.append(float((await explorer.receive()).evaluation.metrics["mass"].value.text))
    return found


@pytest.mark.slow
async def test_a_model_that_is_not_repeatable_has_a_process_for_each_design(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    await deployed(place.here, monkeypatch, place.project_id, COUNTER)
    async with working(place.here.node), exploring(place.here, place.owner, place.project_id) as explorer:
        await explorer.receive()
        assert await _counts(explorer, 3) == [1.0, 1.0, 1.0]


async def test_one_process_never_serves_two_sessions(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    await deployed(place.here, monkeypatch, place.project_id, COUNTER)
    await run_sql(place.here.core.frame.db, "UPDATE models.model_version SET repeatable = true")
    other = await place.here.caller("Other")
    path = f"/v1/projects/{place.project_id}/members/{other.user_id}"
    await place.here.call(place.owner, "PUT", path, json={"role": "evaluator"})
    async with (
        working(place.here.node),
        exploring(place.here, place.owner, place.project_id) as mine,
        exploring(place.here, other, place.project_id) as others,
    ):
        await mine.receive()
        await others.receive()
        assert await _counts(mine, 3) == [1.0, 2.0, 3.0], "the process is kept"
        assert await _counts(others, 2) == [1.0, 2.0]
        assert await _counts(mine, 1, 3) == [4.0]


async def test_a_difference_takes_the_finding_from_the_version_and_the_session_goes_on(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    # A new process, which is compared with the one before, after three designs at most.
    monkeypatch.setattr("catenary_worker.kept.WORK_SECONDS", 0.25)
    monkeypatch.setattr("catenary_worker.kept.PAYING_SECONDS", 10.0)
    await deployed(place.here, monkeypatch, place.project_id, COUNTER)
    db = place.here.core.frame.db
    await run_sql(db, "UPDATE models.model_version SET repeatable = true")
    async with working(place.here.node), exploring(place.here, place.owner, place.project_id) as explorer:
        await explorer.receive()
        for id_ in range(6):
            await explorer.send(id_, {"pause": 0.1})
            await explorer.receive()
        assert await _counts(explorer, 2, 6) == [1.0, 1.0]
    rows = await run_sql(db, "SELECT repeatable, repeatable_reason FROM models.model_version WHERE NOT repeatable")
    assert [bool(row["repeatable_reason"]) for row in rows] == [True]
