"""Typed values, versions other than the deployed one, and evaluations without geometry."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import grpc
import pytest

from catenary.platform.v1 import evaluation_service_pb2 as pb
from catenary.platform.v1 import parameter_value_pb2 as values_pb
from catenary.type.v1 import json_pb2
from catenary_core.call.errors import CallError
from catenary_core.services.evaluations import rules
from factories.services.evaluations import (
    MadeGeometry,
    Node,
    Refusal,
    deploy,
    open_node,
    parameter,
    refusal,
    run_sql,
)

GEOMETRY = [MadeGeometry("tower", "glb", b"glTF" * 10)]
AUTHORIZATION = (("authorization", "evaluator"),)
Value = values_pb.ParameterValue


async def _refused(node: Node, project: str, caller: str = "evaluator", **fields: Any) -> Refusal:
    with pytest.raises(CallError) as caught:
        await node.evaluate(project, caller=caller, **fields)
    return refusal(caught.value)


async def _with_values(node: Node, project: str, given: dict[str, values_pb.ParameterValue]) -> dict[str, Any]:
    """Evaluate over gRPC; return the status and what was used."""
    request = pb.EvaluateRequest(project_id=project, values=given, prefer="wait=60")
    answer = (await node.user().Evaluate(request, metadata=AUTHORIZATION)).evaluation
    return {name: value.text for name, value in answer.parameters.items()} | {"cached": answer.cached}


async def test_typed_values_are_those_of_json(dsn: str, tmp_path: Path) -> None:
    async with open_node(dsn, tmp_path) as node:
        project, _ = await deploy(node.frame.db, node.frame.objects)
        async with node.worker().running():
            plain = {"span": 30.5, "bays": 7, "braced": False, "steel": 460, "title": "a\nb"}
            await node.evaluate(project, plain)
            used = {"span": "30.5", "bays": "7", "braced": "false", "steel": "460", "title": '"a\\nb"'}
            typed = {
                "span": Value(number=30.5), "bays": Value(integer=7), "braced": Value(boolean=False),
                "steel": Value(integer=460), "title": Value(text="a\nb"),
            }  # fmt: skip
            assert await _with_values(node, project, typed) == used | {"cached": True}
            typed["span"] = Value(quantity=values_pb.Quantity(value=30500, unit="mm"))
            typed["title"] = Value(json=json_pb2.Json(text='"a\\nb"'))
            typed["bays"] = Value(number=7.0)
            assert await _with_values(node, project, typed) == used | {"cached": True}
            mixed = await node.evaluate(project, {"span": 30.5, "bays": 7, "braced": False}, values={
                "steel": Value(integer=460), "title": Value(text="a\nb")})  # fmt: skip
            assert mixed.body["evaluation"]["cached"]


@pytest.mark.parametrize(
    ("given", "field", "constraint"),
    [
        ({"span": Value()}, "values.span.kind", "required"),
        ({"span": Value(number=float("nan"))}, "values.span.number", "finite"),
        ({"span": Value(quantity=values_pb.Quantity(value=float("inf"), unit="m"))}, "values.span.quantity.value", "finite"),
        ({"span": Value(quantity=values_pb.Quantity(value=3))}, "values.span.quantity.unit", "min_len"),
        ({"span": Value(quantity=values_pb.Quantity(value=3, unit="kg"))}, "span", "unit"),
        ({"span": Value(text="30")}, "span", "type"),
        ({"span": Value(point=values_pb.Point(x=1))}, "span", "type"),
        ({"span": Value(point=values_pb.Point(x=1, unit="m"))}, "span", "type"),
        ({"span": Value(json=json_pb2.Json(text="{"))}, "values.span.json", "json"),
        ({"title": Value(text="\x1b[31m")}, "values.title.text", "characters"),
        ({"none": Value(number=1)}, "none", "unknown"),
    ],
    ids=str,
)  # fmt: skip
async def test_a_typed_value_that_is_none_is_refused(
    dsn: str, tmp_path: Path, given: dict[str, Any], field: str, constraint: str
) -> None:
    async with open_node(dsn, tmp_path) as node:
        project, _ = await deploy(node.frame.db, node.frame.objects)
        found = await _refused(node, project, values=given)
        assert found.reason == ("UNKNOWN_PARAMETER" if constraint == "unknown" else "VALIDATION_ERROR")
        assert found.violations == [(field, constraint)]


async def test_a_name_in_both_maps_is_refused_each_by_its_name(dsn: str, tmp_path: Path) -> None:
    async with open_node(dsn, tmp_path) as node:
        project, _ = await deploy(node.frame.db, node.frame.objects)
        given = {"span": Value(number=10), "bays": Value(integer=3), "braced": Value(boolean=True)}
        found = await _refused(node, project, given={"span": 10, "bays": 3}, values=given)
        assert found.reason == "VALIDATION_ERROR"
        assert found.violations == [("bays", "unique"), ("span", "unique")]
        assert found.message == "bays has a value in parameters and one in values; give one of them."
        assert (found.details["parameter"], found.details["constraint"]) == ("bays", "unique")


async def test_editors_evaluate_another_version_by_its_own_declarations(dsn: str, tmp_path: Path) -> None:
    async with open_node(dsn, tmp_path) as node:
        db, objects = node.frame.db, node.frame.objects
        project, older = await deploy(db, objects, [parameter("span", "number", 3.0)])
        _, newer = await deploy(db, objects, project_id=project)
        async with node.worker().running():
            answer = await node.evaluate(project, caller="editor", model_version_id=older)
            evaluation = answer.body["evaluation"]
            assert (evaluation["model_version_id"], evaluation["parameters"]) == (older, {"span": 3.0})
            again = await node.evaluate(project, {"span": 3}, caller="editor", model_version_id=older.upper())
            assert again.body["evaluation"]["cached"]
            for caller in ("evaluator", "editor"):
                deployed = await node.evaluate(project, caller=caller, model_version_id=newer)
                assert deployed.body["evaluation"]["model_version_id"] == newer
        found = await _refused(node, project, model_version_id=older)
        assert (found.reason, "Only editors" in found.message) == ("PERMISSION_DENIED", True)
        _, elsewhere = await deploy(db, objects)
        for unknown in (elsewhere, project):
            assert (await _refused(node, project, model_version_id=unknown)).reason == "PERMISSION_DENIED"
            found = await _refused(node, project, "editor", model_version_id=unknown)
            assert (found.reason, found.violations) == ("VALIDATION_ERROR", [("model_version_id", "unknown")])
        assert (await _refused(node, project, "editor", model_version_id="x")).violations == [
            ("model_version_id", "uuid")
        ]


@pytest.mark.parametrize("status", ["uploaded", "checking", "failed"])
async def test_a_version_whose_check_has_not_ended_well_is_not_evaluated(dsn: str, tmp_path: Path, status: str) -> None:
    async with open_node(dsn, tmp_path) as node:
        project, version = await deploy(node.frame.db, node.frame.objects)
        await run_sql(node.frame.db, "UPDATE models.deployment SET status = 'retired' WHERE project_id = :p", p=project)
        await run_sql(node.frame.db, "UPDATE models.model_version SET status = :s WHERE model_version_id = :v",
                      s=status, v=version)  # fmt: skip
        found = await _refused(node, project, "editor", model_version_id=version)
        assert (found.reason, "check" in found.message) == ("CONFLICT", True)
        assert (await _refused(node, project, "editor")).reason == "MODEL_NOT_DEPLOYED"
        await run_sql(node.frame.db, "UPDATE models.model_version SET deleted_at = clock_timestamp()"
                                     " WHERE model_version_id = :v", v=version)  # fmt: skip
        found = await _refused(node, project, "editor", model_version_id=version)
        assert found.violations == [("model_version_id", "unknown")]


async def test_a_version_is_evaluated_though_none_is_deployed(dsn: str, tmp_path: Path) -> None:
    async with open_node(dsn, tmp_path) as node:
        project, version = await deploy(node.frame.db, node.frame.objects)
        await run_sql(node.frame.db, "UPDATE models.deployment SET status = 'retired' WHERE project_id = :p", p=project)
        async with node.worker().running():
            answer = await node.evaluate(project, caller="editor", model_version_id=version)
        assert answer.body["evaluation"]["status"] == "completed"


async def _script(_: object) -> dict[str, Any]:
    return {"geometry": GEOMETRY, "metrics": {"mass": {"value": 1.0, "unit": None}}}


def _files(node: Node) -> int:
    folder = node.frame.settings.data_dir
    assert folder is not None
    return sum(path.is_file() for path in (folder / "objects").rglob("*"))


async def _evaluation(node: Node, project: str, **fields: Any) -> dict[str, Any]:
    return dict((await node.evaluate(project, {"span": 10}, **fields)).body["evaluation"])


@pytest.mark.parametrize("in_head", [True, False], ids=["in one message", "in many"])
async def test_without_geometry_no_artefact_is_kept_though_the_worker_sends_one(
    dsn: str, tmp_path: Path, in_head: bool
) -> None:
    asked: list[bool] = []

    async def script(job: Any) -> dict[str, Any]:
        asked.append(job.without_geometry)
        return await _script(job) | {"in_head": in_head}

    async with open_node(dsn, tmp_path) as node:
        project, _ = await deploy(node.frame.db, node.frame.objects)
        before = _files(node)
        async with node.worker().running(script):
            found = await _evaluation(node, project, geometry=False)
            assert (found["status"], found["geometry"], found["metrics"]["mass"]["value"]) == ("completed", [], 1.0)
            held = (
                "SELECT (SELECT count(*) FROM objects.holding) AS n, (SELECT count(*) FROM quotas.project) AS charged"
            )
            assert await run_sql(node.frame.db, held) == [{"n": 0, "charged": 0}]
            if in_head:
                assert _files(node) == before
            assert (await _evaluation(node, project))["geometry"][0]["name"] == "tower"
        assert asked == [True, False]


async def test_a_result_with_geometry_serves_both_and_one_without_only_those_who_want_none(
    dsn: str, tmp_path: Path
) -> None:
    async with open_node(dsn, tmp_path) as node:
        project, _ = await deploy(node.frame.db, node.frame.objects)
        async with node.worker().running(_script) as worker:
            without = await _evaluation(node, project, geometry=False)
            assert (await _evaluation(node, project, geometry=False))["evaluation_id"] == without["evaluation_id"]
            whole = await _evaluation(node, project, geometry=True)
            assert not whole["cached"]
            assert len(whole["geometry"]) == 1
            served = await _evaluation(node, project, geometry=False)
            assert (served["cached"], len(worker.ran)) == (True, 2)
            assert served["evaluation_id"] == whole["evaluation_id"], "the newest that serves"
            forced = await _evaluation(node, project, geometry=False, force=True)
            assert (forced["cached"], forced["geometry"]) == (False, [])
            assert (await _evaluation(node, project))["evaluation_id"] == whole["evaluation_id"]


async def test_without_its_mark_in_the_key_a_result_without_geometry_would_be_given_to_who_wants_it(
    dsn: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    marked = rules.cache_key
    monkeypatch.setattr(rules, "cache_key", lambda *of, geometry=True: marked(*of))
    async with open_node(dsn, tmp_path) as node:
        project, _ = await deploy(node.frame.db, node.frame.objects)
        async with node.worker().running(_script):
            await _evaluation(node, project, geometry=False)
            assert (await _evaluation(node, project))["geometry"] == []


async def test_equal_requests_without_geometry_at_one_time_are_computed_once(dsn: str, tmp_path: Path) -> None:
    async with open_node(dsn, tmp_path) as node:
        project, _ = await deploy(node.frame.db, node.frame.objects)
        first, second = [await _evaluation(node, project, geometry=False, prefer="respond-async") for _ in range(2)]
        assert (first["evaluation_id"], second["cached"]) == (second["evaluation_id"], True)
        other = await _evaluation(node, project, prefer="respond-async")
        assert other["evaluation_id"] != first["evaluation_id"]


async def test_a_refused_typed_value_is_told_over_grpc_as_a_plain_one_is(dsn: str, tmp_path: Path) -> None:
    async with open_node(dsn, tmp_path) as node:
        project, _ = await deploy(node.frame.db, node.frame.objects)
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await _with_values(node, project, {"span": Value(number=4)})
        assert refusal(caught.value) == await _refused(node, project, given={"span": 4.0})
