"""The check of a version: its outcome is one that the core takes, however much the model declares and returns."""

from __future__ import annotations

from dataclasses import replace

import pytest

from catenary_core.services.models import declarations
from catenary_wire.model_limits import RESULT_BYTES
from catenary_worker.host import Zygote
from catenary_worker.jobs.check import check
from catenary_worker.task import Task
from factories.services.verdicts import taken_by_core

# The zygote belongs to the event loop of its module.
pytestmark = [pytest.mark.asyncio(loop_scope="module"), pytest.mark.slow]


def _source(choices: int, rows: int) -> bytes:
    """Return a model that declares 200 parameters of some choices, and returns a table of 200 characters a row."""
    texts = [f"{number:0190d}" for number in range(choices)]
    parameters = [
        {"name": f"p{number}", "type": "choice", "choices": texts, "default": texts[0]} for number in range(200)
    ]
    return (
        f"PARAMETERS = {parameters!r}\nMETRICS = [{{'name': 'm', 'unit': 'kg'}}]\n"
        "CONSTRAINTS = [{'name': 'c', 'metric': 'm', 'op': '<=', 'value': 1}]\n"
        "def evaluate(p):\n"
        f"    return {{'metrics': {{'m': 1, 'n': 2}}, 'tables': {{'t': [{{'a': 'x' * 190}}] * {rows}}}}}\n"
    ).encode()


async def test_a_check_of_a_large_model_is_taken_by_the_core(zygote: Zygote) -> None:
    task = Task("evaluate", "python", _source(75, 15_000))
    outcome, deterministic = await check(zygote, task)
    assert outcome.status == "completed", outcome.error
    assert deterministic is True
    assert outcome.metrics == {"m": {"value": 1, "unit": "kg"}, "n": {"value": 2, "unit": None}}
    taken_by_core(outcome)
    assert len(declarations.normalised(dict(outcome.description or {})).parameters) == 200
    table = [{"a": "x" * 190}] * 15_000
    with pytest.raises(AssertionError):
        taken_by_core(replace(outcome, tables={"t": table}))  # with all that it returned it is no message of the core


@pytest.mark.parametrize(("choices", "rows"), [(90, 0), (1, 17_000)])
async def test_a_check_of_a_model_that_is_too_large_fails_with_the_reason(
    zygote: Zygote, choices: int, rows: int
) -> None:
    outcome, deterministic = await check(zygote, Task("evaluate", "python", _source(choices, rows)))
    assert (outcome.status, deterministic) == ("failed", None)
    assert outcome.error is not None
    assert outcome.error.message == (
        f"The result has more than {RESULT_BYTES >> 20} MiB of metrics, tables and descriptions."
    )
    taken_by_core(outcome)


HEAD = "PARAMETERS = [{'name': 'x', 'type': 'number', 'default': 1, 'min': 0, 'max': 9, 'step': 1}]\nSEEN = []\n"
AFTER_OTHERS = "when the defaults were evaluated again in the same process"
WAY_OUT = "evaluate must depend on its parameters alone, and keep nothing for the next call."
SPENT = (
    "After an evaluation the model's process was not as before it: a thread was left, a file of the model was changed, or"
    " its standard output was replaced."
)
POOL = """from concurrent.futures import ThreadPoolExecutor
    with ThreadPoolExecutor(8) as pool: return {'metrics': {'m': sum(pool.map(abs, range(1000)))}}"""
FINDINGS = {
    "a repeatable model": ("return {'metrics': {'m': p['x']}}", True, ""),
    "a counter": (
        "SEEN.append(1); return {'metrics': {'n': 1, 'm': len(SEEN)}}",
        True,
        f"The metric m was once 1 and once 3 {AFTER_OTHERS}: {WAY_OUT}",
    ),
    "a table": (
        "SEEN.append(1); return {'tables': {'rows': [{'a': 1}, {'a': len(SEEN)}]}}",
        True,
        f"Row 2 of the table rows differed {AFTER_OTHERS}: {WAY_OUT}",
    ),
    "a table with more rows": (
        "SEEN.append({}); return {'tables': {'rows': SEEN}}",
        True,
        f"Row 2 of the table rows differed {AFTER_OTHERS}: {WAY_OUT}",
    ),
    "a geometry": (
        "SEEN.append([len(SEEN), 0, 0]); return {'geometry': {'g': [[0, 1, 1], *SEEN[-1:]]}}",
        True,
        f"The geometry g (glb) differed {AFTER_OTHERS}: {WAY_OUT}",
    ),
    "the sign of a zero": (
        "SEEN.append(1); return {'metrics': {'m': 0.0 if len(SEEN) < 2 else -0.0}}",
        True,
        f"The metric m was once 0.0 and once -0.0 {AFTER_OTHERS}: {WAY_OUT}",
    ),
    "a metric that comes later": (
        "SEEN.append(1); return {'metrics': dict.fromkeys('mn'[:len(SEEN)], 1)}",
        True,
        f"The metric n was there in one evaluation only {AFTER_OTHERS}: {WAY_OUT}",
    ),
    "other values only": (
        "SEEN.append(1); return {'metrics': {'m': 1 if p['x'] == 1 else len(SEEN)}}",
        True,
        f"The metric m was once 2 and once 1 when other values were evaluated after the defaults, and first: {WAY_OUT}",
    ),
    "the first values": (
        "SEEN.append(p['x']); return {'metrics': {'m': SEEN[0] if p['x'] == 1 else 5}}",
        True,
        f"The metric m was once 1.0 and once 2.0 when the defaults were evaluated in another process: {WAY_OUT}",
    ),
    "a failure at the second call": (
        "SEEN.append(1); assert len(SEEN) != 3; return {}",
        True,
        f"One evaluation ended as failed {AFTER_OTHERS}: {WAY_OUT}",
    ),
    "chance": (
        "import os; return {'metrics': {'m': int.from_bytes(os.urandom(6), 'big')}}",
        False,
        None,
    ),
    "a failure at other values": ("assert p['x'] == 1; return {}", True, ""),
    "an end at other values": ("if p['x'] != 1: import os; os._exit(0)\n    return {}", True, ""),
    "threads that end": (POOL, True, ""),
    "a thread": (
        "import threading, time; threading.Thread(target=time.sleep, args=(600,), daemon=True).start(); return {}",
        True,
        SPENT,
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", FINDINGS)
async def test_a_check_finds_whether_a_model_is_repeatable_and_says_what_differed(zygote: Zygote, name: str) -> None:
    body, expected, reason = FINDINGS[name]
    outcome, deterministic = await check(
        zygote, Task("evaluate", "python", f"{HEAD}def evaluate(p):\n    {body}\n".encode())
    )
    assert outcome.status == "completed", outcome.error
    assert deterministic is expected
    assert outcome.repeatable is (reason == "")
    if reason is None:
        assert AFTER_OTHERS in outcome.not_repeatable
    else:
        assert outcome.not_repeatable == reason
    taken_by_core(outcome)


async def test_a_model_without_another_point_is_checked_with_its_defaults_alone(zygote: Zygote) -> None:
    source = "PARAMETERS = []\nSEEN = []\ndef evaluate(p):\n    SEEN.append(1); return {'metrics': {'m': len(SEEN)}}\n"
    outcome, deterministic = await check(zygote, Task("evaluate", "python", source.encode()))
    assert (outcome.repeatable, deterministic) == (False, True)
    outcome, _ = await check(zygote, Task("evaluate", "python", source.replace("len(SEEN)", "1").encode()))
    assert (outcome.repeatable, outcome.not_repeatable) == (True, "")


async def test_a_failed_check_says_nothing_of_repeatable(zygote: Zygote) -> None:
    outcome, _ = await check(
        zygote, Task("evaluate", "python", b"PARAMETERS = []\ndef evaluate(p): raise ValueError\n")
    )
    assert (outcome.status, outcome.repeatable, outcome.not_repeatable) == ("failed", None, "")
