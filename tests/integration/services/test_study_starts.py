"""Studies that begin with the designs of earlier ones, and studies of derived metrics."""

from __future__ import annotations

from typing import Any

import orjson
import pytest
import uuid_utils

from factories.services import variants
from factories.services.evaluations import Node, run_sql
from factories.services.studies import (
    OBJECTIVES,
    beam,
    begin,
    deployed,
    driven,
    ended,
    get,
    listed,
    refused,
    told,
)

pytestmark = pytest.mark.slow

VARIED = ("span", "bays", "braced", "steel")


@pytest.fixture
async def project(node: Node) -> str:
    return await deployed(node)


def _designs(results: list[dict[str, Any]]) -> list[tuple[Any, ...]]:
    return [tuple(one["parameters"][name] for name in VARIED) for one in results]


async def test_a_study_begins_with_the_best_designs_of_earlier_ones(node: Node, project: str) -> None:
    async with driven(node, beam):
        sources = [await begin(node, project, seed=seed) for seed in (1, 2)]
        for one in sources:
            await ended(node, one)
        fronts = [_designs(await listed(node, "ListStudyFront", one)) for one in sources]
        given = {"seed": 3, "start_from": sources, "population": 8, "budget": 16}
        runs = [await begin(node, project, **given) for _ in range(2)]
        bare = await begin(node, project, **{**given, "start_from": []})
        shown = [await ended(node, one) for one in runs]
        await ended(node, bare)
    assert [one["start_from"] for one in shown] == [sources, sources]
    first, second = [await listed(node, "ListStudyResults", one) for one in runs]
    assert told(first) == told(second)
    begun = _designs(first[:8])
    assert len(set(begun)) == 8
    assert all(design in {*fronts[0], *fronts[1]} for design in begun[:4])
    assert {*begun[:2]} & {*fronts[0]}
    assert {*begun[:2]} & {*fronts[1]}
    assert begun != _designs((await listed(node, "ListStudyResults", bare))[:8])


async def test_a_study_begins_with_the_design_of_a_variant(node: Node, project: str) -> None:
    design = {"span": 31, "bays": 7, "braced": False, "steel": "S235"}
    begun = await node.evaluate(project, design, prefer="respond-async")
    evaluation_id = str(begun.body["evaluation"]["evaluation_id"])
    saved = (await variants.save(node, project, evaluation_id))["variant_id"]
    many = {"kind": "STUDY_KIND_OPTIMIZATION", "objectives": OBJECTIVES, "budget": 8, "project_id": project}
    found = await refused(node, "CreateStudy", **many, start_from=[saved])
    assert (found.details["parameter"], found.details["constraint"]) == ("start_from[0]", "status")
    other = await deployed(node)
    found = await refused(node, "CreateStudy", **{**many, "project_id": other}, start_from=[saved])
    assert found.details["constraint"] == "reference"
    worker = node.worker()
    await worker.complete(await worker.must_lease(), **beam(design))
    async with driven(node, beam):
        study_id = await begin(node, project, start_from=[saved], population=8, budget=8)
        await ended(node, study_id)
    assert _designs((await listed(node, "ListStudyResults", study_id))[:1]) == [tuple(design[name] for name in VARIED)]


async def test_designs_outside_the_ranges_are_left_out(node: Node, project: str) -> None:
    async with driven(node, beam):
        source = await begin(node, project, budget=60, population=20)
        await ended(node, source)
        all_ = await listed(node, "ListStudyResults", source)
        bays = sorted(one["parameters"]["bays"] for one in all_ if one["feasible"])
        least, most = bays[len(bays) // 2], 20
        ranges = {"bays": {"min": least, "max": most}, "span": {}}
        fitting = {
            (one["parameters"]["span"], one["parameters"]["bays"])
            for one in all_
            if one["feasible"] and one["parameters"]["bays"] >= least
        }
        study_id = await begin(node, project, start_from=[source], parameters=ranges, population=50, budget=50, seed=9)
        await ended(node, study_id)
    points = [one["parameters"] for one in await listed(node, "ListStudyResults", study_id)]
    begun = [(one["span"], one["bays"]) for one in points[: len(fitting)]]
    assert {*begun} == fitting
    assert {(one["braced"], one["steel"]) for one in points} == {(True, "S355")}, (
        "what does not vary is the study's own"
    )


@pytest.mark.parametrize(("status", "seed"), [("cancelled", 4), ("failed", 5)])
async def test_a_study_that_ended_early_gives_its_front_first(node: Node, project: str, status: str, seed: int) -> None:
    async with driven(node, beam):
        source = await begin(node, project, seed=seed)
        await ended(node, source)
        front = _designs(await listed(node, "ListStudyFront", source))
        await run_sql(node.frame.db, "UPDATE evaluations.study SET status = :s", s=status)
        await run_sql(node.frame.db, "UPDATE evaluations.score SET rank = NULL")
        study_id = await begin(node, project, start_from=[source.upper()], budget=12)
        await ended(node, study_id)
    begun = _designs(await listed(node, "ListStudyResults", study_id))
    assert {*begun[: min(12, len(front))]} <= {*front}


async def test_bad_starts_are_refused_by_their_place(node: Node, project: str) -> None:
    other = await deployed(node)
    async with driven(node, beam):
        good = await begin(node, project)
        foreign = await begin(node, other)
        impossible = await begin(node, project, constraints=[{"expression": "span > 40 m and span < 10 m"}])
        sensitivity = await begin(
            node, project, kind="STUDY_KIND_SENSITIVITY", population=None, budget=20, algorithm="STUDY_ALGORITHM_MORRIS"
        )
        for one in (good, foreign, impossible, sensitivity):
            await ended(node, one)
    running = await begin(node, project)
    many = {"kind": "STUDY_KIND_OPTIMIZATION", "objectives": OBJECTIVES, "budget": 36, "project_id": project}
    unknown = str(uuid_utils.uuid7())
    for start, place, constraint in (
        ([foreign], "start_from[0]", "reference"),
        ([good, unknown], "start_from[1]", "reference"),
        ([good, running], "start_from[1]", "status"),
        ([sensitivity], "start_from[0]", "kind"),
        ([impossible], "start_from[0]", "fit"),
        (["study"], "start_from[0]", "uuid"),
        ([good, good], "start_from", "unique"),
        ([str(uuid_utils.uuid7()) for _ in range(11)], "start_from", "max_items"),
    ):
        found = await refused(node, "CreateStudy", **many, start_from=start)
        assert found.reason == "VALIDATION_ERROR"
        assert (found.details["parameter"], found.details["constraint"]) == (place, constraint), start
    as_sensitivity = {**many, "kind": "STUDY_KIND_SENSITIVITY", "start_from": [good]}
    assert (await refused(node, "CreateStudy", **as_sensitivity)).details["constraint"] == "kind"
    # The refusals of another project's study and of none are the same, but for the id.
    texts = [
        (await refused(node, "CreateStudy", **many, start_from=[one])).message.replace(one, "")
        for one in (foreign, unknown)
    ]
    assert texts[0] == texts[1]
    assert "neither of a study nor of a variant" in texts[0]
    # Another model: none of its parameters is one of the earlier study's.
    await run_sql(
        node.frame.db,
        "UPDATE models.deployment SET parameters = CAST(replace(parameters::text, '\"bays\"', '\"fields\"') AS json)"
        " WHERE project_id = :p",
        p=project,
    )
    assert (await refused(node, "CreateStudy", **many, start_from=[good])).details["constraint"] == "fit"


async def _derive(node: Node, project: str, *entries: dict[str, Any]) -> None:
    await run_sql(
        node.frame.db,
        "INSERT INTO models.derived_metrics (project_id, entries) VALUES (:p, CAST(:e AS json))"
        " ON CONFLICT (project_id) DO UPDATE SET entries = EXCLUDED.entries",
        p=project,
        e=orjson.dumps([{"description": "", **entry} for entry in entries]).decode(),
    )


async def test_derived_metrics_are_objectives_and_stand_in_constraints(node: Node, project: str) -> None:
    per_metre = {"name": "per_metre", "expression": "mass / span", "unit": "kg/m"}
    ratio = {"name": "ratio", "expression": "sag / span", "unit": None}
    await _derive(node, project, per_metre, ratio, {"name": "idle", "expression": "mass * 2", "unit": "kg"})
    study_id = await begin(
        node,
        project,
        objectives=[{"metric": "per_metre"}, {"expression": "ratio * 1000"}],
        constraints=[{"metric": "ratio", "op": "<=", "value": 0.002}, {"expression": "per_metre <= 15 kg/m"}],
    )
    shown = await get(node, study_id)
    assert shown["derived_metrics"] == [per_metre, ratio]
    # What the project derives later is another study's.
    await _derive(node, project, {"name": "per_metre", "expression": "span * 2", "unit": "m"})
    async with driven(node, beam):
        done = await ended(node, study_id)
    assert (done["status"], done["derived_metrics"]) == ("completed", [per_metre, ratio])
    results = await listed(node, "ListStudyResults", study_id)
    for one in results:
        mass, sag, span = one["metrics"]["mass"]["value"], one["metrics"]["sag"]["value"], one["parameters"]["span"]
        assert one["objectives"][0]["value"] == pytest.approx(mass / span)
        assert one["objectives"][1]["value"] == pytest.approx(sag / span)  # millimetres of a metre
        assert one["feasible"] == (
            one["constraints"]["stiff"]["satisfied"] and sag / 1000 / span <= 0.002 and mass / span <= 15
        )
    assert {one["feasible"] for one in results} == {True, False}
    sensitivity = {"kind": "STUDY_KIND_SENSITIVITY", "population": None, "budget": 20}
    found = await begin(node, project, **sensitivity, objectives=[{"metric": "per_metre"}])
    assert (await get(node, found))["derived_metrics"][0]["expression"] == "span * 2"


async def test_a_derived_metric_that_does_not_fit_is_refused_with_its_reason(node: Node, project: str) -> None:
    await _derive(
        node,
        project,
        {"name": "gone", "expression": "weight / span", "unit": "kg/m"},
        {"name": "mass", "expression": "sag * 2", "unit": "mm"},
        {"name": "slender", "expression": "span / sag", "unit": None},
    )
    many = {"kind": "STUDY_KIND_OPTIMIZATION", "budget": 36, "project_id": project}
    for objective, field, said in (
        ({"metric": "gone"}, "objectives[0].metric", 'column 1: No parameter or metric is called "weight"'),
        ({"expression": "gone * 2"}, "objectives[0].expression", "a derived metric that doesn't fit"),
        ({"metric": "slend"}, "objectives[0].metric", "there are slender"),
        ({"expression": "slender + span"}, "objectives[0].expression", "column 9"),
    ):
        found = await refused(node, "CreateStudy", **many, objectives=[objective])
        assert found.details["parameter"] == field
        assert said in found.message, found.message
    # The model's own metric goes before a derived one that was put for another version.
    study_id = await begin(node, project, objectives=[{"metric": "mass"}])
    assert (await get(node, study_id))["derived_metrics"] == []
