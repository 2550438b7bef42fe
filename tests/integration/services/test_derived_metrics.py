"""Derived metrics of projects over the dispatcher."""

from __future__ import annotations

import asyncio
from typing import Any

import orjson
import pytest
import sqlalchemy as sa
import uuid_utils

from catenary.platform.v1 import derived_metric_service_pb2 as pb
from catenary_core.database.statements import Statement, json_value
from catenary_core.frame import Frame
from factories.services.calls import Caller, Refusal
from factories.services.models import DESCRIPTION, SPAN, World

_EVALUATED = Statement(
    sa.text(
        "INSERT INTO evaluations.evaluation (evaluation_id, project_id, status, model_version_id, parameters, metrics, "
        "created_by, completed_at) VALUES (:evaluation_id, :project_id, :status, :model_version_id, :parameters, "
        ":metrics, :created_by, CASE WHEN :status = 'completed' THEN now() END)"
    )
)
PER_SPAN = {"name": "per_span", "expression": "mass / span", "unit": "kg/m", "description": "Mass of a metre."}


@pytest.fixture
async def world(frame: Frame) -> World:
    made = World(frame)
    await made.add("olga", "ed", "eva", "vic")
    return made


@pytest.fixture
async def project_id(world: World) -> str:
    made = await world.project_with_roles()
    model = await world.model("ed", made)
    await world.deploy("ed", made, await world.ready("ed", made, model))
    return made


def _metric(**fields: Any) -> pb.NewDerivedMetric:
    return pb.NewDerivedMetric(**{**PER_SPAN, **fields})


def _editor(world: World, if_match: str | None) -> Caller:
    return world.as_("ed") if if_match is None else world.as_("ed").sending("if-match", if_match)


async def _put(world: World, project_id: str, *metrics: pb.NewDerivedMetric, if_match: str | None = None) -> Any:
    caller = _editor(world, if_match)
    return (await caller.call("PutDerivedMetrics", project_id=project_id, metrics=list(metrics)))["derived_metrics"]


async def _got(world: World, project_id: str) -> Any:
    return (await world.as_("vic").call("GetDerivedMetrics", project_id=project_id))["derived_metrics"]


async def _refused(
    world: World, project_id: str, *metrics: pb.NewDerivedMetric, if_match: str | None = None
) -> Refusal:
    caller = _editor(world, if_match)
    return await caller.refused("PutDerivedMetrics", project_id=project_id, metrics=list(metrics))


async def _evaluation(world: World, project_id: str, status: str = "completed", **values: Any) -> str:
    (deployment,) = (await world.as_("vic").call("ListDeployments", project_id=project_id))["deployments"][:1]
    evaluation_id = str(uuid_utils.uuid7())
    async with world.db.transaction() as tx:
        await tx.execute(
            _EVALUATED,
            evaluation_id=evaluation_id,
            project_id=project_id,
            status=status,
            model_version_id=deployment["model_version_id"],
            parameters=json_value({"span": 24.0, "count": 450, **values}),
            metrics=json_value({"mass": {"value": 1200, "unit": "kg"}} if status == "completed" else {}),
            created_by=world.id("eva"),
        )
    return evaluation_id


async def _values(world: World, evaluation_id: str) -> Any:
    return (await world.as_("vic").call("GetDerivedMetricValues", evaluation_id=evaluation_id))["values"]


async def test_what_is_put_replaces_all_and_is_read_in_its_order(world: World, project_id: str) -> None:
    before = await _got(world, project_id)
    assert before == {"project_id": project_id, "metrics": [], "updated_at": None}
    heavy = _metric(name="a", expression="mass * 2", unit="t", description="")
    put = await _put(world, project_id, _metric(), heavy)
    assert put["metrics"] == [
        {**PER_SPAN, "problem": None},
        {"name": "a", "expression": "mass * 2", "unit": "t", "description": "", "problem": None},
    ]
    assert put["updated_at"]
    assert await _got(world, project_id) == put
    assert (await _put(world, project_id, heavy))["metrics"] == put["metrics"][1:]
    assert (await _put(world, project_id))["metrics"] == []


async def test_every_fault_of_a_put_is_told_with_its_column_and_nothing_changes(world: World, project_id: str) -> None:
    await _put(world, project_id, _metric())
    refusal = await _refused(
        world,
        project_id,
        _metric(name="good"),
        _metric(name="a", expression="mass / sapn"),
        _metric(name="b", unit="kg"),
        _metric(name="c", expression="span > 3 m"),
        _metric(name="d", expression="9**9**9", unit=None),
    )
    assert refusal.reason == "VALIDATION_ERROR"
    assert refusal.fields == [f"metrics[{index}].expression" for index in (1, 2, 3, 4)]
    assert 'metrics[1].expression, column 8: No parameter or metric is called "sapn"' in refusal.message
    assert "instead of a quantity in kg" in refusal.violations[1].message
    assert {violation.constraint for violation in refusal.violations} == {"expression"}
    assert [metric["name"] for metric in (await _got(world, project_id))["metrics"]] == ["per_span"]


@pytest.mark.parametrize("name", ["span", "mass", "per_span"])
async def test_a_name_that_is_taken_is_a_conflict(world: World, project_id: str, name: str) -> None:
    refusal = await _refused(world, project_id, _metric(), _metric(name=name))
    assert refusal.reason == "CONFLICT"
    assert refusal.fields == ["metrics[1].name"]


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"name": "2d"}, "metrics[0].name"),
        ({"name": ""}, "metrics[0].name"),
        ({"expression": ""}, "metrics[0].expression"),
        ({"expression": "x" * 501}, "metrics[0].expression"),
        ({"unit": ""}, "metrics[0].unit"),
        ({"unit": "k\x1bg"}, "metrics[0].unit"),
        ({"description": "x" * 1001}, "metrics[0].description"),
    ],
)
async def test_a_field_out_of_its_bounds_is_refused(
    world: World, project_id: str, fields: dict[str, Any], field: str
) -> None:
    refusal = await _refused(world, project_id, _metric(**fields))
    assert (refusal.reason, refusal.fields) == ("VALIDATION_ERROR", [field])


async def test_over_a_hundred_are_refused(world: World, project_id: str) -> None:
    many = [_metric(name=f"m{index}") for index in range(101)]
    assert len((await _put(world, project_id, *many[:100]))["metrics"]) == 100
    assert (await _refused(world, project_id, *many)).fields == ["metrics"]


async def test_a_project_without_a_deployed_version_has_no_derived_metrics(world: World) -> None:
    empty = await world.project_with_roles()
    assert (await _refused(world, empty, _metric())).reason == "MODEL_NOT_DEPLOYED"
    assert (await _put(world, empty))["metrics"] == []


@pytest.mark.parametrize("who", ["eva", "vic"])
async def test_only_editors_put(world: World, project_id: str, who: str) -> None:
    refusal = await world.as_(who).refused("PutDerivedMetrics", project_id=project_id, metrics=[])
    assert refusal.reason == "PERMISSION_DENIED"


async def test_of_two_editors_who_know_the_same_state_one_wins(world: World, project_id: str) -> None:
    metadata = await world.as_("vic").metadata("GetDerivedMetrics", project_id=project_id)
    tag = metadata["etag"]
    ends = await asyncio.gather(
        *(_put(world, project_id, _metric(name=name), if_match=tag) for name in ("a", "b")), return_exceptions=True
    )
    assert sum(isinstance(end, dict) for end in ends) == 1
    assert len((await _got(world, project_id))["metrics"]) == 1
    assert (await _refused(world, project_id, if_match=tag)).reason == "PRECONDITION_FAILED"


async def test_a_later_version_without_the_metric_shows_the_problem(world: World, project_id: str) -> None:
    await _put(world, project_id, _metric())
    model = await world.model("ed", project_id, "Other")
    description = {**DESCRIPTION, "metrics": [{"name": "weight", "unit": "kg"}], "constraints": []}
    await world.deploy("ed", project_id, await world.ready("ed", project_id, model, description))
    (metric,) = (await _got(world, project_id))["metrics"]
    assert metric["problem"].startswith('Column 1: No parameter or metric is called "mass"')


async def test_values_are_computed_from_the_evaluation_in_the_units_of_its_version(
    world: World, project_id: str
) -> None:
    metrics = [
        _metric(),
        _metric(name="in_feet", expression="span", unit="ft"),
        _metric(name="ratio", expression="count / 9", unit=None),
        _metric(name="none", expression="mass / (count - 450)", unit="kg"),
    ]
    await _put(world, project_id, *metrics)
    values = await _values(world, await _evaluation(world, project_id))
    assert values[:3] == [
        {"name": "per_span", "value": 50.0, "unit": "kg/m", "problem": None},
        {"name": "in_feet", "value": pytest.approx(24 / 0.3048), "unit": "ft", "problem": None},
        {"name": "ratio", "value": 50.0, "unit": None, "problem": None},
    ]
    assert values[3]["value"] is None
    assert values[3]["problem"] == "Column 6: / of 1200, 0 in base units has no finite value."


async def test_an_old_evaluation_has_the_units_of_its_own_version(world: World, project_id: str) -> None:
    old = await _evaluation(world, project_id)
    model = await world.model("ed", project_id, "In millimetres")
    millimetres = {**SPAN, "unit": "mm", "min": 1, "max": 99999, "step": None}
    description = {**DESCRIPTION, "parameters": [{k: v for k, v in millimetres.items() if v is not None}]}
    await world.deploy("ed", project_id, await world.ready("ed", project_id, model, description))
    await _put(world, project_id, _metric())
    new = await _evaluation(world, project_id, span=24000.0)
    assert [(await _values(world, one))[0]["value"] for one in (old, new)] == [50.0, 50.0]


async def test_until_an_evaluation_is_completed_what_needs_no_metric_has_a_value(world: World, project_id: str) -> None:
    await _put(world, project_id, _metric(), _metric(name="in_feet", expression="span", unit="ft"))
    per_span, in_feet = await _values(world, await _evaluation(world, project_id, "queued"))
    assert (per_span["value"], per_span["problem"]) == (None, "Column 1: mass has no value here.")
    assert in_feet["value"] == pytest.approx(24 / 0.3048)


async def test_a_number_too_large_for_the_unit_has_a_problem_and_no_value(world: World, project_id: str) -> None:
    await _put(world, project_id, _metric(name="big", expression="span * 1e303", unit="um"))
    (value,) = await _values(world, await _evaluation(world, project_id))
    assert orjson.loads(orjson.dumps(value)) == value
    assert (value["value"], value["problem"]) == (None, "Column 1: The value has no finite number in um.")
