"""Geometry of the points of studies: as that of batches, and gone with the study."""

from __future__ import annotations

from typing import Any

from catenary_core.services.evaluations.points import ids
from factories.services import batches
from factories.services.evaluations import MadeGeometry, Node, run_sql

STUDIES = "/catenary.platform.v1.StudyService/"
TOWER = [MadeGeometry("tower", "glb", b"glTF" * 100)]
NAMED = {**batches.MASS, "unmade": [("tower", "glb")]}
OBJECTIVES = [{"expression": "span"}]


async def _call(node: Node, method: str, **fields: Any) -> dict[str, Any]:
    request = node.dispatch.bindings[STUDIES + method].request(**fields)
    return (await node.dispatch.call(STUDIES + method, request, {"authorization": "evaluator"})).body


async def _study_with_points(node: Node, project: str) -> str:
    """Make a study that nobody drives, and give it the completed points of a batch; it has ended."""
    batch_id = await batches.create(node, project, 2)
    while (await batches.get(node, batch_id))["status"] != "completed":
        await batches.work(node.worker(), NAMED)
    made = await _call(
        node, "CreateStudy", project_id=project, kind="STUDY_KIND_OPTIMIZATION", objectives=OBJECTIVES, budget=10
    )
    study_id = str(made["study"]["study_id"])
    await _call(node, "CancelStudy", study_id=study_id)
    db = node.frame.db
    await run_sql(db, "UPDATE evaluations.point SET batch_id = :s WHERE batch_id = :b", s=study_id, b=batch_id)
    await run_sql(db, "UPDATE evaluations.batch SET total = 2, completed = 2 WHERE batch_id = :s", s=study_id)
    return study_id


async def test_the_geometry_of_a_study_s_point_is_made_on_request_and_goes_with_the_study(
    node: Node, project: str
) -> None:
    study_id = await _study_with_points(node, project)
    point, other = (await _call(node, "ListStudyResults", study_id=study_id))["results"]
    assert point["evaluation_id"] == ids.evaluation_id(study_id, 0)
    assert [(one["name"], one["size"]) for one in point["geometry"]] == [("tower", None)]
    for one in (point, other):
        stream, _ = await node.download("evaluator", evaluation_id=one["evaluation_id"], name="tower")
        assert stream.metadata["catenary-status"] == "202"
    worker = node.worker()
    await worker.complete(await worker.must_lease(), **batches.MASS, geometry=TOWER)
    running = await worker.must_lease()
    listed = (await node.call("ListEvaluations", "viewer", project_id=project, study_id=[study_id])).body["evaluations"]
    assert [one["geometry"][0]["size"] for one in listed] == [None, 400]
    assert (await _call(node, "ListStudyResults", study_id=study_id))["results"][0]["geometry"][0]["size"] == 400
    places = [(one["batch_id"], one["study_id"], one["index"]) for one in listed]
    assert places == [(None, study_id, 1), (None, study_id, 0)]
    assert (await _call(node, "ListStudyResults", study_id=study_id))["results"][0]["tables"] == batches.MASS["tables"]
    await _call(node, "DeleteStudy", study_id=study_id, remove=True)
    for table in ("evaluations.evaluation", "objects.holding", "jobs.job"):
        assert (await run_sql(node.frame.db, f"SELECT count(*) AS n FROM {table}"))[0]["n"] == 0, table
    assert (await run_sql(node.frame.db, "SELECT sum(storage) AS n FROM quotas.project"))[0]["n"] == 0
    assert await worker.heartbeat(running), "its job is gone"
