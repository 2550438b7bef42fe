"""Designs of a live session over gRPC: their results, their faults, and which of them are computed."""

from __future__ import annotations

import asyncio
from collections import Counter

import grpc
import orjson
import pytest

from catenary.platform.v1 import evaluation_pb2
from catenary.platform.v1 import explore_service_pb2 as pb
from factories.database.statement_counts import counted_statements
from factories.installations.serving import working
from factories.services.evaluations import run_sql
from factories.sessions.explorer import Explorer, exploring
from integration.sessions.conftest import Place

pytestmark = pytest.mark.sampled


async def test_a_design_gets_its_metrics_and_then_its_geometry(place: Place) -> None:
    async with working(place.here.node), exploring(place.here, place.owner, place.project_id) as explorer:
        (opened,) = (await explorer.receive()).ListFields()
        assert (opened[0].name, opened[1].model_version_id) == ("session", place.version)
        await explorer.send(7, {"span": {"value": 30, "unit": "m"}}, geometry=True)
        first = await explorer.receive()
        assert first.id == 7
        assert first.evaluation.metrics["mass"].value.text == "3000.0"
        assert first.evaluation.metrics["mass"].unit == "kg"
        assert first.evaluation.constraints["light"].satisfied
        assert first.evaluation.model_version_id == place.version
        (chart,), (file,) = first.evaluation.charts, first.evaluation.files
        assert (chart.name, chart.kind, chart.table, chart.x, list(chart.y)) == (
            "plan",
            evaluation_pb2.CHART_KIND_SCATTER,
            "corners",
            "x",
            ["y"],
        )
        assert (file.name, file.media_type, file.size) == ("report.txt", "text/plain", 6)
        told, content = await explorer.geometry()
        assert (told.id, [(file.name, file.format) for file in told.geometry.files]) == (
            7,
            [("plate", "glb"), ("slab", "glb")],
        )
        assert content.count(b"glTF") == 2
        await explorer.send(8, {"span": 10})
        second = await explorer.receive()
        assert (second.id, second.evaluation.metrics["mass"].value.text) == (8, "1000.0")


REFUSED = {
    "an unknown parameter": ({"spam": 3}, "UNKNOWN_PARAMETER", "spam"),
    "a value off the range": ({"span": 80}, "PARAMETER_OUT_OF_RANGE", "span"),
    "a value off the step": ({"span": 24.3}, "VALIDATION_ERROR", "span"),
    "a unit of another kind": ({"span": {"value": 3, "unit": "kg"}}, "VALIDATION_ERROR", "span"),
    "a text for a number": ({"span": "wide"}, "VALIDATION_ERROR", "span"),
}


async def test_the_faults_of_designs_are_answered_in_place(place: Place) -> None:
    async with working(place.here.node), exploring(place.here, place.owner, place.project_id) as explorer:
        await explorer.receive()
        for number, (name, (values, code, parameter)) in enumerate(REFUSED.items()):
            await explorer.send(number, values)
            answer = await explorer.receive()
            assert (answer.id, answer.error.code) == (number, code), name
            assert orjson.loads(answer.error.details.text)["parameter"] == parameter, name
            assert answer.error.message.endswith((".", "?")), name
        await explorer.call.write(pb.ExploreRequest(parameters={"span": {"text": "1"}}))
        nameless = await explorer.receive()
        assert (nameless.HasField("id"), nameless.error.code) == (False, "VALIDATION_ERROR")
        await explorer.call.write(pb.ExploreRequest(id=20, parameters={"span": {"text": "NaN"}}))
        assert (await explorer.receive()).error.code == "VALIDATION_ERROR"
        await explorer.call.write(pb.ExploreRequest(id=21, parameters={f"p{n}": {"text": "1"} for n in range(1001)}))
        assert (await explorer.receive()).error.code == "VALIDATION_ERROR"
        await explorer.call.write(pb.ExploreRequest(id=22, project_id=place.version))
        assert (await explorer.receive()).error.code == "VALIDATION_ERROR"
        await explorer.send(30, {"span": 10})
        assert (await explorer.receive()).evaluation.metrics["mass"].value.text == "1000.0"


async def test_a_model_that_fails_is_a_result_with_its_error(place: Place) -> None:
    async with working(place.here.node), exploring(place.here, place.owner, place.project_id) as explorer:
        await explorer.receive()
        for number, (act, text) in enumerate((("raise", "no such bridge"), ("exit", "ended its own process"))):
            await explorer.send(number, {"act": act}, geometry=True)
            answer = await explorer.receive()
            assert answer.evaluation.status == evaluation_pb2.EVALUATION_STATUS_FAILED
            assert text in answer.evaluation.error.message
        await explorer.send(2)
        assert (await explorer.receive()).evaluation.metrics["mass"].value.text == "2400.0"


async def test_of_the_designs_that_wait_only_the_newest_is_computed(place: Place) -> None:
    async with working(place.here.node), exploring(place.here, place.owner, place.project_id) as explorer:
        await explorer.receive()
        await explorer.send(1, {"pause": 1.0})
        sending = asyncio.create_task(_send_many(explorer))
        passed_over = []
        while not (answer := await explorer.receive()).evaluation.metrics or answer.id < 10_000:
            if answer.superseded:
                passed_over.append(answer.id)
        await sending
        assert answer.id == 10_000
        assert passed_over == sorted(passed_over)
        # Between the first and the last a few are computed, since a worker takes the newest of the moment.
        assert len(passed_over) > 9_000
        await explorer.call.done_writing()
        assert (await explorer.ended())[0] is grpc.StatusCode.OK


async def _send_many(explorer: Explorer) -> None:
    for number in range(2, 10_001):
        await explorer.send(number, {"span": 10})


async def test_what_was_sent_is_answered_after_the_caller_has_done_writing(place: Place) -> None:
    async with working(place.here.node), exploring(place.here, place.owner, place.project_id) as explorer:
        await explorer.receive()
        await explorer.send(1, {"pause": 0.2})
        await explorer.send(2, {"span": 10})
        await explorer.call.done_writing()
        first = await explorer.receive()
        assert (first.id, first.superseded or first.evaluation.metrics["mass"].value.text == "2400.0") == (1, True)
        second = await explorer.receive()
        assert (second.id, second.evaluation.metrics["mass"].value.text) == (2, "1000.0")
        assert await explorer.ended() == (grpc.StatusCode.OK, "")


@pytest.mark.slow
async def test_a_design_costs_no_statement_leaves_no_row_and_makes_no_event(place: Place) -> None:
    async with working(place.here.node), exploring(place.here, place.owner, place.project_id) as explorer:
        await explorer.receive()
        await explorer.send(0, geometry=True)
        await explorer.receive()
        await explorer.geometry()
        position = await place.here.position()
        with counted_statements() as seen:
            for number in range(1, 301):
                await explorer.send(number)
                assert (await explorer.receive()).evaluation.metrics
        # Those of the background work come in their seconds, and none as often as the designs.
        assert max(Counter(seen).values(), default=0) < 300, Counter(seen).most_common(3)
        # The driver of studies looks for some by itself.
        assert not [one for one in seen if "evaluations." in one and "evaluations.study" not in one]
        await place.here.settle()
        assert await place.here.position() == position
    rows = await run_sql(place.here.core.frame.db, "SELECT count(*) AS n FROM evaluations.evaluation")
    assert rows[0]["n"] == 0
