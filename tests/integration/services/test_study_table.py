"""All points of a study as CSV."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping
from typing import Any

import orjson
import pytest

from catenary.platform.v1 import study_service_pb2 as pb
from catenary_core.call.errors import CallError
from catenary_core.services.evaluations.studies import course, points_table, servicer
from catenary_core.studies import declaration
from catenary_core.studies import starts as first_designs
from factories.services.evaluations import Node, refusal
from factories.services.studies import FAILED, STUDIES, beam, begin, call, deployed, driven, ended, listed, refused


async def _file(node: Node, study_id: str, caller: str = "viewer") -> tuple[Mapping[str, Any], list[bytes]]:
    request = pb.DownloadStudyResultsRequest(study_id=study_id)
    stream = await node.dispatch.open(STUDIES + "DownloadStudyResults", request, {"authorization": caller})
    return stream.metadata, [item["chunk"] async for item in stream.items]


def _rows(chunks: list[bytes]) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(b"".join(chunks).decode(), newline="")))


async def test_the_file_has_every_point_with_columns_of_its_own(node: Node, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(points_table, "PAGE_ROWS", 12)

    def often(at: Mapping[str, Any]) -> Mapping[str, Any]:
        return FAILED if at["braced"] else beam(at)

    study_id = await begin(
        node,
        await deployed(node),
        objectives=[{"metric": "mass"}, {"expression": "sag / span"}],
        parameters={"title": {"fixed": {"text": '"=1+1"'}}},
    )
    headers, chunks = await _file(node, study_id)
    assert len(chunks) == 1, "the columns alone"
    assert b"met:stiff" in chunks[0], "also before the first point"
    before = headers["etag"]
    async with driven(node, often):
        await ended(node, study_id)
    headers, chunks = await _file(node, study_id)
    assert headers["content-type"] == "text/csv; charset=utf-8"
    assert headers["content-disposition"] == f'attachment; filename="study-{study_id}.csv"'
    assert headers["etag"] != before
    assert headers["etag"] == (await _file(node, study_id))[0]["etag"]
    assert len(chunks) == 4, "three full pages of points behind the names"
    rows, points = _rows(chunks), await listed(node, "ListStudyResults", study_id)
    assert list(rows[0]) == [
        *("index", "generation", "status", "in:span [m]", "in:bays", "in:braced", "in:steel", "in:title"),
        *("out:mass [kg]", "out:sag [mm]", "objective:mass", "objective:sag / span", "met:stiff"),
        *("feasible", "rank", "error", "cached", "duration_ms", "completed_at"),
    ]
    assert [int(row["index"]) for row in rows] == list(range(36))
    for row, point in zip(rows, points, strict=True):
        assert (row["status"], row["generation"]) == (point["status"], str(point["generation"]))
        assert float(row["in:span [m]"]) == point["parameters"]["span"]
        assert row["in:title"] == "'=1+1"
        if point["status"] == "completed":
            assert float(row["out:mass [kg]"]) == point["metrics"]["mass"]["value"]
            assert float(row["objective:sag / span"]) == point["objectives"][1]["value"]
            assert row["met:stiff"] == str(point["constraints"]["stiff"]["satisfied"]).lower()
        else:
            assert (row["error"], row["out:mass [kg]"], row["objective:mass"]) == ("MODEL_FAILED", "", "")
        assert row["feasible"] == str(point["feasible"]).lower()
        assert row["rank"] == ("" if point["rank"] is None else str(point["rank"]))
    assert {row["status"] for row in rows} == {"completed", "failed"}


@pytest.mark.slow
async def test_the_file_of_a_study_that_is_removed_meanwhile_breaks_off(
    node: Node, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Break off the stream: a whole file with half of the points would mislead."""
    monkeypatch.setattr(points_table, "PAGE_ROWS", 12)
    study_id = await begin(node, await deployed(node))
    async with driven(node, beam):
        await ended(node, study_id)
    request = pb.DownloadStudyResultsRequest(study_id=study_id)
    stream = await node.dispatch.open(STUDIES + "DownloadStudyResults", request, {"authorization": "viewer"})
    assert [await anext(stream.items) for _ in range(2)]
    await call(node, "DeleteStudy", study_id=study_id, remove=True)
    with pytest.raises(CallError) as caught:
        assert not [item async for item in stream.items]
    assert refusal(caught.value).reason == "NOT_FOUND"


@pytest.mark.slow
async def test_large_fixed_values_stay_out_of_what_reads_many_points(
    node: Node, monkeypatch: pytest.MonkeyPatch
) -> None:
    project, title = await deployed(node), "x" * 100
    fixed = {"title": {"fixed": {"text": orjson.dumps(title).decode()}}}
    read: list[Any] = []
    outcome, fitting = course._outcome, first_designs.fitting
    monkeypatch.setattr(course, "_outcome", lambda row, of: read.append(row["parameters"]) or outcome(row, of))
    monkeypatch.setattr(first_designs, "fitting", lambda of, rows: read.extend(rows) or fitting(of, rows))
    study_id = await begin(node, project, parameters=fixed)
    async with driven(node, beam):
        await ended(node, study_id)
    await begin(node, project, start_from=[study_id])
    assert len(read) > 40
    assert all(set(one) == {"span", "bays", "braced", "steel"} for one in read)
    for module in (servicer, points_table):
        monkeypatch.setattr(module, "PAGE_BYTES", 1000)
    points = await listed(node, "ListStudyResults", study_id)
    assert ([one["index"] for one in points], {one["parameters"]["title"] for one in points}) == ([*range(36)], {title})
    assert len((await call(node, "ListStudyResults", "viewer", study_id=study_id))["results"]) < 10
    chunks = (await _file(node, study_id))[1]
    assert len(chunks) > 5
    assert [row["in:title"] for row in _rows(chunks)] == [title] * 36


async def test_fixed_values_that_are_too_large_for_the_budget_are_refused(
    node: Node, monkeypatch: pytest.MonkeyPatch
) -> None:
    project = await deployed(node)
    study_id = await begin(node, project)
    await call(node, "CancelStudy", study_id=study_id)
    monkeypatch.setattr(declaration, "MAX_BYTES", 200)
    given = {"kind": "STUDY_KIND_OPTIMIZATION", "objectives": [{"metric": "mass"}], "budget": 36}
    for method, fields in (
        ("CreateStudy", {**given, "project_id": project}),
        ("ResumeStudy", {"study_id": study_id, "budget": 37}),
    ):
        found = await refused(node, method, **fields)
        assert (found.reason, found.details["parameter"], found.details["constraint"]) == (
            *("VALIDATION_ERROR", "budget"),
            "max_bytes",
        )


async def test_a_stranger_has_no_file(node: Node) -> None:
    study_id = await begin(node, await deployed(node))
    with pytest.raises(CallError) as caught:
        await _file(node, study_id, "stranger")
    assert refusal(caught.value).reason == "NOT_FOUND"
