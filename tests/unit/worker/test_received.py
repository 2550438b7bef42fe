"""The platform's verdict on what a model's process sends: its host believes values alone, and the core takes the result."""

from __future__ import annotations

import asyncio
import contextlib
import copy
import json
import os
import random
import struct
from dataclasses import replace
from typing import Any, cast

import orjson
import pytest

from buf.validate import validate_pb2
from catenary.worker.v1 import worker_service_pb2 as pb
from catenary_core.server import grpc_server
from catenary_core.services.models import declarations
from catenary_wire import model_limits
from catenary_worker import child, printed, received, results
from catenary_worker.sandbox import async_pipe
from catenary_worker.task import Description, ModelFaultError, Outcome, Task
from factories.services.verdicts import DESCRIPTION, disbeliefs, taken_by_core

TASK = Task("evaluate", "python", b"", description=DESCRIPTION)
TRUE: dict[str, Any] = {
    "status": "completed",
    "metrics": {"m": 5, "extra": 0.5},
    "tables": {"t": [{"a": 1, "b": "x", "c": None, "d": True}, {}]},
    "geometry": [
        {"name": "a", "parts": [{"name": "p", "lines": False, "density": 5, "color": [1, 0, 0]}], "step": True},
        {"name": "b", "parts": [{"name": "q", "lines": True, "density": None, "color": None}], "step": False},
    ],
}
POINTS = struct.pack("<12d", 0, 1, 0, 0, 0, 0, 2, 0, 0, 0, 0, 3)
BLOBS = [POINTS, struct.pack("<12I", 0, 0, 0, 1, 2, 1, 3, 2, 1, 3, 2, 3), b"step", POINTS]
FORGED_VERDICT = {
    "constraints": {"c": {"value": 5, "satisfied": True}, "invented": {"value": 0, "satisfied": True}},
    "duration_ms": -1e12,
}


def judged(header: dict[str, Any], blobs: list[bytes] | None = None) -> Outcome:
    """Return the host's outcome of a message without its pipe."""
    blobs = blobs or []
    header = orjson.loads(json.dumps({"geometry": [], **header, "blobs": [len(blob) for blob in blobs]}))
    announced = received.announced(TASK, header)
    return received.outcome(TASK, header, announced.geometry, [bytearray(blob) for blob in blobs])


def test_of_a_true_message_the_host_makes_units_and_constraints() -> None:
    outcome = judged(TRUE, BLOBS)
    assert outcome.metrics == {"m": {"value": 5, "unit": "kg"}, "extra": {"value": 0.5, "unit": None}}
    compared = {"metric": "m", "op": "<=", "limit": 2, "unit": "kg"}
    assert outcome.constraints == {"c": {"value": 5, "satisfied": False, **compared}}
    assert disbeliefs(outcome) == []
    taken_by_core(outcome)


@pytest.mark.parametrize("duration", [-1e12, 1e300, "long", None])
def test_a_verdict_in_the_message_changes_nothing(duration: object) -> None:
    forged = {**TRUE, **FORGED_VERDICT, "duration_ms": duration}
    assert judged(forged, BLOBS) == judged(TRUE, BLOBS)
    assert judged(forged, BLOBS).duration_ms == 0, "the clock is the host's"


def test_without_the_host_s_verdict_that_of_the_child_is_believed(monkeypatch: pytest.MonkeyPatch) -> None:
    told = {"m": {"value": 5, "unit": "furlong"}}
    with monkeypatch.context() as unguarded:
        unguarded.setattr(results, "numbers", lambda values: values)
        unguarded.setattr(results, "metrics", lambda found, _: found)
        unguarded.setattr(results, "constraints", lambda *_: FORGED_VERDICT["constraints"])
        outcome = judged({**TRUE, "metrics": told, "geometry": []})
        assert outcome.constraints["c"]["satisfied"] is True
        assert disbeliefs(outcome) == ["the unit of m", "the constraints"]
    with pytest.raises(ModelFaultError, match="metric m must be a number"):
        judged({**TRUE, "metrics": told, "geometry": []})


WITHOUT = replace(TASK, geometry=False)
POINT: dict[str, Any] = {"status": "completed", "metrics": {"m": 1}, "geometry": [], "tables": {}, "blobs": []}
FAILED: dict[str, Any] = {"status": "failed", "error": {"message": "it fails", "line": 3}, "blobs": []}


def of_several(points: object, tasks: int = 3) -> list[str | float]:
    """Return the value of each point that was given with others, or its sentence."""
    found = received.outcomes([WITHOUT] * tasks, {"points": points})
    return [one.error.message if one.error else one.metrics["m"]["value"] for one in found]


def test_of_several_points_the_first_that_failed_is_the_last_that_counts() -> None:
    assert of_several([POINT, {**POINT, "metrics": {"m": 2}}]) == [1, 2], "fewer than were given: those were given back"
    assert of_several([POINT, FAILED, POINT]) == [1, "it fails"]
    missing = "evaluate did not return the metric m, which METRICS declares."
    assert of_several([POINT, {**POINT, "metrics": {}}, POINT]) == [1, missing]


def test_each_of_several_points_has_the_limit_of_its_own_values() -> None:
    assert TASK.description is not None
    span = {"name": "span", "type": "number", "unit": "m"}
    limited = {"name": "c", "metric": "m", "op": "<=", "value": "span * 1 kg / 3 m"}
    description = {**TASK.description, "parameters": [span], "constraints": [limited]}
    tasks = [
        replace(WITHOUT, description=cast("Description", description), parameters={"span": span}) for span in (2.7, 6.0)
    ]
    forged = {"constraints": {"c": {"limit": 1e9, "satisfied": True}}, "parameters": {"span": 1e9}}
    found = received.outcomes(tasks, {"points": [{**POINT, **forged}] * 2})
    assert [one.constraints["c"]["limit"] for one in found] == pytest.approx([0.9, 2])
    assert [one.constraints["c"]["satisfied"] for one in found] == [False, True]


@pytest.mark.parametrize(
    "points", [[], [POINT] * 4, None, {}, [None], [{**POINT, "blobs": [1]}], [POINT, {**POINT, "status": "done"}]]
)
def test_results_that_are_none_of_several_points_are_damaged(points: object) -> None:
    with pytest.raises(received.DamagedError):
        of_several(points)


def test_the_time_of_several_points_is_shared_as_the_child_says() -> None:
    assert received.shares({"seconds": [0.5, 1.5, 7]}, 2) == [0.25, 0.75]
    for told in (None, [], [1], [0, 0], [-1, 2], ["1", 1], [True, 1], [1e308, 1e308], [10**400, 1]):
        with pytest.raises(received.DamagedError):
            received.shares({"seconds": told}, 2)


REFUSED: dict[str, tuple[dict[str, Any], str]] = {
    "a metric with a unit of its own": ({"metrics": {"m": {"value": 1, "unit": "t"}}}, "metric m must be a number, not {"),
    "a metric of text": ({"metrics": {"m": "1"}}, "metric m must be a number, not '1'."),
    "a metric that is true": ({"metrics": {"m": True}}, "metric m must be a number, not True."),
    "a metric that is null": ({"metrics": {"m": None}}, "metric m must be a number, not None."),
    "a missing metric": ({"metrics": {"other": 1}}, "evaluate did not return the metric m, which METRICS declares."),
    "1,001 metrics": (
        {"metrics": {"m": 1, **{f"x{number}": 1 for number in range(1_000)}}},
        "evaluate returned more than 1000 metrics.",
    ),
    "a metric's name with a path": ({"metrics": {"m": 1, "../x": 1}}, "metric '../x' is not a name"),
    "65 tables": (
        {"metrics": {"m": 1}, "tables": {f"t{number}": [] for number in range(65)}},
        "evaluate returned more than 64 tables.",
    ),
    "100,001 rows": (
        {"metrics": {"m": 1}, "tables": {"t": [{}] * 100_001}},
        "evaluate returned tables with more than 100,000 rows.",
    ),
    "a table in a table": (
        {"metrics": {"m": 1}, "tables": {"t": [{"a": [1]}]}},
        "table t, row 1, a: [1] is not text, a number, a boolean or None.",
    ),
    "a long cell": (
        {"metrics": {"m": 1}, "tables": {"t": [{"a": "x" * 2_001}]}},
        "table t, row 1, a is longer than 2000 characters.",
    ),
    "a column that controls a terminal": (
        {"metrics": {"m": 1}, "tables": {"t": [{"a\x1b[2J": 1}]}},
        "table t, row 1: a column's name has the character U+001B",
    ),
    "numbers that grow as they are sent": (
        {"metrics": {"m": 1}, "tables": {"t": [{f"c{number}": 1e15 for number in range(20)}] * 9_000}},
        "The result has more than 3 MiB of metrics, tables and descriptions.",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_what_a_model_may_not_return_is_refused_with_its_sentence(name: str) -> None:
    header, message = REFUSED[name]
    with pytest.raises(ModelFaultError) as caught:
        judged({**TRUE, "geometry": [], "tables": {}, **header})
    assert caught.value.message.startswith(message)


def test_numbers_that_grow_would_fit_the_pipe_and_not_the_core(monkeypatch: pytest.MonkeyPatch) -> None:
    header = {**TRUE, "geometry": [], **REFUSED["numbers that grow as they are sent"][0]}
    sent = json.dumps(header, separators=(",", ":")).replace("1000000000000000.0", "1e15")
    assert len(sent) < model_limits.RESULT_BYTES
    monkeypatch.setattr(received, "_check_size", lambda *_: None)
    with pytest.raises(AssertionError):
        taken_by_core(judged(header))


@pytest.mark.parametrize("number", ["NaN", "Infinity", "1e999"])
def test_what_is_no_number_is_not_read(number: str) -> None:
    with asyncio.Runner() as runner:
        assert through_a_pipe(runner, b'{"status":"completed","metrics":{"m":%s}}' % number.encode()) == "no JSON"


def test_an_empty_step_file_is_damaged_since_the_core_takes_none() -> None:
    with pytest.raises(received.DamagedError):
        judged(TRUE, [*BLOBS[:2], b"", POINTS])


def through_a_pipe(
    runner: asyncio.Runner, header: bytes, blobs: bytes = b"", before: bytes | None = None
) -> Outcome | str:
    """Return what the host makes of the bytes of a pipe whose writer is gone, or how it refuses them.

    Args:
        runner: Runs the host.
        header: The header of the message.
        blobs: All that follows it.
        before: The message that comes early, of a task that wants it.
    """
    task = TASK if before is None else replace(TASK, early=True)

    async def receive() -> Outcome:
        return await child._receive(task, async_pipe.make_nonblocking(read), told.append)

    told: list[Outcome] = []

    read, write = os.pipe()
    try:
        async_pipe.make_nonblocking(write)
        content = (before or b"") + struct.pack(">I", len(header)) + header + blobs
        assert os.write(write, content) == len(content)
        os.close(write)
        return runner.run(receive())
    except ModelFaultError:
        return "refused"
    except received.DamagedError:
        return "damaged"
    except orjson.JSONDecodeError:
        return "no JSON"
    except async_pipe.PipeClosedError:
        return "cut"
    finally:
        os.close(read)


EARLY = json.dumps({**TRUE, "geometry": [], "blobs": []}).encode()


@pytest.mark.parametrize("count", [300, pytest.param(10_000, marks=pytest.mark.slow)])
def test_numbers_that_were_told_early_no_later_message_changes(count: int) -> None:
    """The second message of such a task is the geometry: what else it says is not looked at."""
    before = struct.pack(">I", len(EARLY)) + EARLY
    told = judged({**TRUE, "geometry": []})
    completed = 0
    with asyncio.Runner() as runner:
        for seed in range(count):
            outcome = through_a_pipe(runner, *_mutated(random.Random(seed)), before=before)
            if isinstance(outcome, Outcome) and outcome.status == "completed":
                completed += 1
                assert replace(outcome, geometry=[]) == told, seed
    assert completed > count / 10


ODD: list[Any] = [
    None, True, -1, 0, 1, 2**53, 2**63, 10**400, -1e12, 1e300, 5e-324, float("nan"), float("inf"), "", "../a", "m", "\0",
    "\x1b[2J", "\ud800", "x" * 2_001, "x" * 65, [], {}, [[]], {"m": 1}, {"value": 1, "unit": "t"}, [{"a": 1}], [1, 1, 1],
    {f"x{number}": 1 for number in range(1_001)}, {f"t{number}": [] for number in range(65)},
    [{"name": f"p{number}", "lines": True, "density": None, "color": None} for number in range(65)],
]  # fmt: skip
KEYS = ["m", "extra", "c", "constraints", "metrics", "duration_ms", "unit", "satisfied", "blobs", "../a", "\0", ""]


def _mutated(chance: random.Random) -> tuple[bytes, bytes]:
    """Return a true message after one to four changes of its structure, its values or its bytes."""
    header = copy.deepcopy({**TRUE, **(FORGED_VERDICT if chance.random() < 0.3 else {})})
    header["blobs"] = [len(blob) for blob in BLOBS]
    blobs = bytearray(b"".join(BLOBS))
    for _ in range(chance.randint(1, 4)):
        place: Any = header
        while True:
            key = chance.choice(list(place) if isinstance(place, dict) else list(range(len(place))))
            if not isinstance(place[key], dict | list) or not place[key] or chance.random() < 0.25:
                break
            place = place[key]
        match chance.randrange(8):
            case 0:
                del place[key]
            case 1 if isinstance(place, dict):
                place[chance.choice(KEYS)] = copy.deepcopy(chance.choice(ODD))
            case 2 if isinstance(place, dict):
                place[chance.choice(KEYS)] = place.pop(key)
            case 3 if isinstance(place, list):
                place.insert(key, copy.deepcopy(chance.choice([place[key], *ODD])))
            case 4 if isinstance(place[key], float) or (type(place[key]) is int and place[key] < 2**64):
                place[key] *= chance.choice([-1, 0, 0.5, 10, 1e9, 1e300])
            case 5:
                blobs[chance.randrange(len(blobs))] = chance.choice([0, 1, 127, 128, 240, 255])
            case _:
                place[key] = copy.deepcopy(chance.choice(ODD))
        if not header:
            break
    text = bytearray(json.dumps(header).encode())
    if chance.random() < 0.1:
        text[chance.randrange(len(text))] = chance.choice(b'{}[]",:0\\\xff')
    return bytes(text), bytes(blobs[: len(blobs) if chance.random() < 0.9 else chance.randrange(len(blobs))])


@pytest.mark.parametrize("count", [1_000, pytest.param(10_000, marks=pytest.mark.slow)])
def test_of_hostile_results_none_is_believed_none_crashes_the_host_and_the_core_takes_what_the_host_takes(
    count: int,
) -> None:
    ended = {"taken": 0, "refused": 0, "damaged": 0, "no JSON": 0, "cut": 0}
    with asyncio.Runner() as runner:
        for seed in range(count):
            outcome = through_a_pipe(runner, *_mutated(random.Random(seed)))
            if isinstance(outcome, str):
                ended[outcome] += 1
                continue
            ended["taken"] += 1
            taken_by_core(outcome)
            if outcome.status == "completed":
                assert disbeliefs(outcome) == [], seed
    print(ended)
    assert min(ended.values()) > count / 100, ended


def test_without_the_host_s_verdict_many_of_them_are_believed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Guard off: of the same messages the host believes many, so the count above could be more than none."""

    def believing(task: Task, header: Any, *_: Any) -> Outcome:
        metrics = {name: {"value": value, "unit": "t"} for name, value in header["metrics"].items()}
        return Outcome("completed", metrics=metrics, constraints=header.get("constraints", {}))

    monkeypatch.setattr(received, "outcome", believing)
    believed = 0
    with asyncio.Runner() as runner:
        for seed in range(300):
            with contextlib.suppress(KeyError, AttributeError, TypeError):  # with which the host would have ended
                outcome = through_a_pipe(runner, *_mutated(random.Random(seed)))
                believed += isinstance(outcome, Outcome) and disbeliefs(outcome) != []
    assert believed > 30


DECLARED: dict[str, Any] = {
    "parameters": [
        {"name": "p", "type": "number", "default": 1.0, "min": 0.0, "max": 2.0, "step": 0.5, "unit": "m", "label": "P"},
        {"name": "q", "type": "choice", "default": "a", "choices": ["a", 2]},
        {"name": "r", "type": "string", "default": "x", "description": "lines\nof text"},
    ],
    "metrics": [{"name": "m", "unit": "kg", "label": None, "description": None}],
    "constraints": [{"name": "c", "metric": "m", "op": "<=", "value": 2}],
    "geometry_unit": "mm",
}


@pytest.mark.parametrize("count", [1_000, pytest.param(10_000, marks=pytest.mark.slow)])
def test_of_hostile_descriptions_the_core_takes_what_the_host_takes(count: int) -> None:
    ended = {"taken": 0, "damaged": 0}
    describe = Task("describe", "python", b"")
    for seed in range(count):
        chance = random.Random(seed)
        lists = copy.deepcopy(DECLARED)
        for _ in range(chance.randint(1, 2)):
            entries = lists[chance.choice(["parameters", "metrics", "constraints"])]
            entry = chance.choice(entries)
            mild = [None, 0, 1, 2.0, 0.5, "kg", "a", "m", "lines\nof text", True]
            value = chance.choice(mild if chance.random() < 0.6 else [*ODD, "x" * 201])
            entry[chance.choice([*entry, "unit", "positive"])] = copy.deepcopy(value)
        header = {"status": "completed", "description": lists, "blobs": [0]}
        try:
            received.announced(describe, header)
            outcome = received.outcome(describe, header, [], [bytearray()])
        except received.DamagedError:
            ended["damaged"] += 1
            continue
        ended["taken"] += 1
        taken_by_core(outcome)
        declarations.normalised(orjson.loads(orjson.dumps(outcome.description)))
    assert min(ended.values()) > count / 20, ended


def _rules(message: Any, field: str) -> Any:
    return message.DESCRIPTOR.fields_by_name[field].GetOptions().Extensions[validate_pb2.field]


def test_the_limits_of_the_wire_are_those_of_the_code() -> None:
    assert _rules(pb.Artefact, "size").int64.lte == model_limits.GEOMETRY_BYTES
    pattern = _rules(pb.Artefact, "name").string.pattern
    assert pattern == f"^{model_limits._NAME.pattern}$"
    assert _rules(pb.CompleteRequest, "chunk").bytes.max_len >= 256 * 1024
    # A kept byte is four characters at most, an escape; between the two parts stands a line.
    most = _rules(pb.Outcome, "log").string.max_len
    assert most >= 2 * 4 * printed.KEPT_BYTES + 100
    largest = model_limits.RESULT_BYTES + most + 256 * 1024 + model_limits.MOST_ARTEFACTS * 1_000
    assert largest + model_limits.MOST_METRICS * 400 < grpc_server.MAX_MESSAGE_BYTES, "a check has both, see `check`"
