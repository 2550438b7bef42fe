"""Logs of evaluations and of checks: who sees what a model printed, and what no log may hold."""

from __future__ import annotations

import threading
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import grpc
import pytest

from catenary.platform.v1 import role_pb2
from catenary.worker.v1 import worker_service_pb2 as worker_pb
from catenary_core.call.call import Identity
from catenary_core.frame import Frame
from catenary_core.services.models import declaration_warnings, declarations
from catenary_core.services.models.declaration_warnings import MAX_WARNINGS
from factories.services import evaluations
from factories.services.calls import events_of
from factories.services.dispatchers import ALL_SCOPES
from factories.services.evaluations import Node, deploy, open_node, refusal
from factories.services.models import DESCRIPTION, EDITOR, EVALUATOR, VIEWER, World

LOG = "span is 24.0\n\\x1b[31m\n"
ERROR = {"code": "MODEL_FAILED", "message": "ValueError: no", "line": 3}


@pytest.fixture
async def node(dsn: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Node]:
    for number, (name, role) in enumerate((("editor", role_pb2.ROLE_EDITOR), ("other", role_pb2.ROLE_EVALUATOR)), 5):
        monkeypatch.setitem(
            evaluations.CALLERS,
            name,
            Identity(f"0199aaaa-0000-7000-8000-00000000000{number}", "person", scopes=ALL_SCOPES),
        )
        monkeypatch.setitem(evaluations.ROLES, name, role)
    async with open_node(dsn, tmp_path) as opened:
        yield opened


async def _printing(job: worker_pb.Job) -> dict[str, Any]:
    return {"metrics": {}, "log": LOG}


async def _failing(job: worker_pb.Job) -> dict[str, Any]:
    return {"status": "failed", "error": ERROR, "log": LOG}


async def _seen(node: Node, evaluation_id: str, caller: str) -> str | None:
    answer = await node.call("GetEvaluation", caller, evaluation_id=evaluation_id)
    log: str | None = answer.body["evaluation"]["log"]
    return log


@pytest.mark.parametrize(("script", "status"), [(_printing, "completed"), (_failing, "failed")])
async def test_editors_and_who_asked_see_the_log_of_an_evaluation_and_others_null(
    node: Node, script: Any, status: str
) -> None:
    project, _ = await deploy(node.frame.db, node.frame.objects)
    async with node.worker().running(script):
        made = (await node.evaluate(project)).body["evaluation"]
    assert (made["status"], made["log"]) == (status, LOG), "it comes back with the evaluation itself"
    seen = {
        caller: await _seen(node, made["evaluation_id"], caller)
        for caller in ("evaluator", "editor", "other", "viewer")
    }
    assert seen == {"evaluator": LOG, "editor": LOG, "other": None, "viewer": None}
    (listed,) = (await node.call("ListEvaluations", "editor", project_id=project)).body["evaluations"]
    assert listed["log"] is None
    (event,) = await events_of(node.frame.db)
    assert event["data"]["evaluation"]["log"] is None


async def test_who_asks_for_an_equal_evaluation_sees_the_log_of_the_stored_one(node: Node) -> None:
    project, _ = await deploy(node.frame.db, node.frame.objects)
    async with node.worker().running(_printing):
        first = (await node.evaluate(project)).body["evaluation"]
        assert await _seen(node, first["evaluation_id"], "other") is None, "nobody else has asked yet"
        for _ in range(2):
            again = (await node.evaluate(project, caller="other")).body["evaluation"]
    assert (again["evaluation_id"], again["cached"], again["log"]) == (first["evaluation_id"], True, LOG)
    assert await _seen(node, first["evaluation_id"], "other") == LOG, "and sees it when it is read again"
    assert await _seen(node, first["evaluation_id"], "viewer") is None


async def test_who_joins_an_unfinished_evaluation_sees_its_log_at_its_end(node: Node) -> None:
    project, _ = await deploy(node.frame.db, node.frame.objects)
    queued = (await node.evaluate(project, prefer="respond-async")).body["evaluation"]
    joined = (await node.evaluate(project, caller="other", prefer="respond-async")).body["evaluation"]
    assert (joined["evaluation_id"], joined["log"]) == (queued["evaluation_id"], None)
    worker = node.worker()
    await worker.complete(await worker.must_lease(), metrics={}, log=LOG)
    seen = {name: await _seen(node, queued["evaluation_id"], name) for name in ("evaluator", "other", "viewer")}
    assert seen == {"evaluator": LOG, "other": LOG, "viewer": None}


async def test_who_may_see_the_log_sees_what_a_running_model_prints(node: Node) -> None:
    project, _ = await deploy(node.frame.db, node.frame.objects)
    queued = (await node.evaluate(project, prefer="respond-async")).body["evaluation"]
    worker = node.worker()
    job = await worker.must_lease()

    async def seen() -> dict[str, Any]:
        callers = ("evaluator", "editor", "other", "viewer")
        answers = {one: await node.call("GetEvaluation", one, evaluation_id=queued["evaluation_id"]) for one in callers}
        return {one: answer.body["evaluation"]["progress"] for one, answer in answers.items()}

    await worker.heartbeat(job, output="1,204 elements")
    told = {"fraction": 0.0, "message": "", "output": "1,204 elements"}
    assert await seen() == {"evaluator": told, "editor": told, "other": None, "viewer": None}
    await worker.heartbeat(job, fraction=0.5, message="meshing", output="1,204 elements")
    told = {"fraction": 0.5, "message": "meshing", "output": "1,204 elements"}
    hidden = {**told, "output": None}
    assert await seen() == {"evaluator": told, "editor": told, "other": hidden, "viewer": hidden}
    (listed,) = (await node.call("ListEvaluations", "editor", project_id=project)).body["evaluations"]
    assert listed["progress"] is None
    await worker.complete(job, metrics={})


async def test_an_evaluation_has_no_log_before_its_end(node: Node) -> None:
    project, _ = await deploy(node.frame.db, node.frame.objects)
    queued = (await node.evaluate(project, prefer="respond-async")).body["evaluation"]
    assert queued["log"] is None
    cancelled = (await node.call("CancelEvaluation", evaluation_id=queued["evaluation_id"])).body["evaluation"]
    assert (cancelled["status"], cancelled["log"]) == ("cancelled", None)


@pytest.mark.parametrize(
    ("log", "field"),
    [("\x1b[31m", "outcome.log"), ("a\0b", "outcome.log"), ("\u202e", "outcome.log"), ("x" * 132_001, "outcome.log")],
    ids=["an escape", "a zero", "a turned direction", "too long"],
)
async def test_a_log_of_a_worker_that_could_break_a_terminal_is_refused(node: Node, log: str, field: str) -> None:
    project, _ = await deploy(node.frame.db, node.frame.objects)
    await node.evaluate(project, prefer="respond-async")
    worker = node.worker()
    job = await worker.must_lease()
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await worker.complete(job, log=log)
    refused = refusal(caught.value)
    assert (refused.reason, refused.details["parameter"]) == ("VALIDATION_ERROR", field)
    await worker.complete(job, metrics={}, log="x" * 132_000)


@pytest.fixture
async def world(frame: Frame) -> World:
    made = World(frame)
    await made.add("olga", "ed", "eva", "vic", "stranger")
    await made.add("ada", admin=True)
    return made


async def test_editors_and_who_uploaded_see_the_log_of_a_check(world: World) -> None:
    project = await world.project("olga")
    for name, role in (("ed", EDITOR), ("eva", EDITOR), ("vic", VIEWER)):
        await world.put("olga", project, world.id(name), role)
    model_id = await world.model("eva", project)
    version = await world.upload("eva", project, model_id)
    ids = {"project_id": project, "model_id": model_id, "model_version_id": version["model_version_id"]}
    assert await world.as_("ed").call("GetModelVersionLog", **ids) == {"log": ""}
    await world.end_check(status="failed", error=ERROR, log=LOG)
    await world.put("olga", project, world.id("eva"), EVALUATOR)
    for name in ("olga", "ed", "eva", "ada"):
        assert await world.as_(name).call("GetModelVersionLog", **ids) == {"log": LOG}, name
    refused = await world.as_("vic").refused("GetModelVersionLog", **ids)
    assert refused.reason == "PERMISSION_DENIED"
    assert (await world.as_("stranger").refused("GetModelVersionLog", **ids)).reason == "NOT_FOUND"
    elsewhere = {**ids, "model_id": await world.model("ed", project, "Roof")}
    assert (await world.as_("ed").refused("GetModelVersionLog", **elsewhere)).reason == "NOT_FOUND"


async def test_a_ready_version_keeps_the_log_of_its_check(world: World) -> None:
    project = await world.project("olga")
    model_id = await world.model("olga", project)
    version = await world.upload("olga", project, model_id)
    await world.end_check(description=DESCRIPTION, log=LOG)
    ids = {"project_id": project, "model_id": model_id, "model_version_id": version["model_version_id"]}
    assert await world.as_("olga").call("GetModelVersionLog", **ids) == {"log": LOG}
    (event,) = [one for one in await events_of(world.db) if one["type"] == "model.version.ready"]
    assert "log" not in event["data"]["model_version"]
    await world.as_("olga").call("DeleteModelVersion", **ids)
    assert (await world.as_("olga").refused("GetModelVersionLog", **ids)).reason == "NOT_FOUND", (
        "it goes with the version"
    )


async def _warnings(
    world: World, description: dict[str, Any], metrics: dict[str, Any], remarks: tuple[str, ...] = ()
) -> list[str]:
    project = await world.project("olga")
    model_id = await world.model("olga", project)
    version = await world.upload("olga", project, model_id)
    assert version["warnings"] == []
    await world.end_check(description=description, metrics=metrics, remarks=remarks)
    ids = {"project_id": project, "model_id": model_id, "model_version_id": version["model_version_id"]}
    ready = (await world.as_("olga").call("GetModelVersion", **ids))["model_version"]
    assert ready["status"] == "ready"
    return list(ready["warnings"])


async def test_a_unit_outside_the_table_warns_with_the_nearest_symbols(world: World) -> None:
    load = {"name": "load", "type": "number", "default": 3.0, "unit": "kn/m2"}
    described = {
        "parameters": [load, {**load, "name": "good", "unit": "kN/m2"}, {**load, "name": "none", "unit": None}],
        "metrics": [{"name": "mass", "unit": "kilogram"}, {"name": "count", "unit": "kg"}],
        "constraints": [],
    }
    first, second = await _warnings(world, described, {"mass": {}, "count": {}})
    assert first.startswith('PARAMETERS: load: There is no unit "kn/m2"; did you mean kN/m2')
    assert second.startswith('METRICS: mass: There is no unit "kilogram";')


async def test_remarks_of_the_worker_stand_before_those_on_declarations(world: World) -> None:
    remark = "OpenSCAD: WARNING: Ignoring unknown module 'foot' in file model.scad, line 7"
    described = {"parameters": [], "metrics": [], "constraints": []}
    found = await _warnings(world, described, {"mass": {}}, (remark,))
    assert found[0] == remark
    assert found[1].startswith("evaluate returns the metric mass")


async def test_a_failed_version_has_the_further_faults_of_its_lists(world: World) -> None:
    project = await world.project("olga")
    model_id = await world.model("olga", project)
    version = await world.upload("olga", project, model_id)
    further = ["line 4: PARAMETERS: b: has no default.", "line 7: METRICS: m: has no name."]
    error = {"code": "MODEL_FAILED", "message": "PARAMETERS: a: has no default.", "line": 3}
    await world.end_check(status="failed", error=error, remarks=further)
    ids = {"project_id": project, "model_id": model_id, "model_version_id": version["model_version_id"]}
    failed = (await world.as_("olga").call("GetModelVersion", **ids))["model_version"]
    assert (failed["status"], failed["error"], failed["warnings"]) == ("failed", error, further)


async def test_a_metric_that_is_returned_and_not_declared_warns(world: World) -> None:
    described = {"parameters": [], "metrics": [{"name": "mass", "unit": "kg"}], "constraints": []}
    assert await _warnings(world, described, {"mass": {}, "drift": {}}) == [
        "evaluate returns the metric drift, which METRICS does not declare, so it has no unit; declare it."
    ]
    assert await _warnings(world, described, {"mass": {}}) == []


async def test_a_description_is_read_beside_the_event_loop(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    threads: list[bool] = []

    def watch(module: Any, name: str) -> None:
        found = getattr(module, name)

        def told(*args: Any) -> Any:
            threads.append(threading.current_thread() is threading.main_thread())
            return found(*args)

        monkeypatch.setattr(module, name, told)

    watch(declarations, "normalised")
    watch(declaration_warnings, "of")
    assert await _warnings(world, {"parameters": [], "metrics": [], "constraints": []}, {}) == []
    assert threads == [False, False]


async def test_a_model_with_very_many_remarks_has_the_first_of_them(world: World) -> None:
    described = {"parameters": [], "metrics": [], "constraints": []}
    found = await _warnings(world, described, {f"m{number}": {} for number in range(250)})
    assert len(found) == MAX_WARNINGS
    assert found[-1] == "151 more remarks are left out."
