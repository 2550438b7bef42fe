"""Models with colours, dates, points and tables, from their file through the sandbox to what the core stores."""

from __future__ import annotations

import pytest

from catenary_core.services.evaluations import rules
from catenary_core.services.models import declarations
from catenary_worker.host import Zygote
from catenary_worker.jobs.check import check
from catenary_worker.task import Task
from factories.services.verdicts import taken_by_core

# The zygote belongs to the event loop of its module.
pytestmark = [pytest.mark.asyncio(loop_scope="module"), pytest.mark.sampled]

TYPES = b"""
PARAMETERS = [
    {"name": "shade", "type": "color", "default": "#B8B2A7", "order": 2, "show_if": "heavy"},
    {"name": "begin", "type": "date", "default": "2026-02-28"},
    {"name": "corner", "type": "point", "default": [1, 2, 3], "unit": "m", "order": -1},
    {"name": "heavy", "type": "boolean", "default": False},
    {"name": "loads", "type": "table", "default": [{"at": 1, "kind": "snow"}],
     "columns": [{"name": "at", "type": "number", "unit": "m"}, {"name": "kind", "type": "string"}]},
]
def evaluate(p):
    print(repr(p))
    return {"metrics": {"sum": sum(row["at"] for row in p["loads"]), "x": p["corner"][0]}}
"""


async def test_a_model_gets_the_values_of_every_type_as_they_were_checked(zygote: Zygote) -> None:
    outcome, deterministic = await check(zygote, Task("evaluate", "python", TYPES))
    assert (outcome.status, outcome.error, deterministic) == ("completed", None, True)
    taken_by_core(outcome)
    declared = declarations.normalised(dict(outcome.description or {})).parameters
    assert [one["name"] for one in declared] == ["corner", "begin", "heavy", "loads", "shade"]
    given = {
        "shade": "#FF000080",
        "begin": "2028-02-29",
        "corner": {"value": [10, 0, 0], "unit": "ft"},
        "loads": [{"at": {"value": 100, "unit": "cm"}, "kind": "wind"}, {"at": 2, "kind": ""}],
    }
    values = rules.resolve(declared, given)
    ran = await zygote.run(Task("evaluate", "python", TYPES, values, description=outcome.description))
    assert ran.metrics == {"sum": {"value": 3.0, "unit": None}, "x": {"value": 3.048, "unit": None}}
    assert ran.log.strip() == repr(values)
    assert values["shade"] == "#ff000080", "a value is used though its parameter is not shown"


OUTPUTS = b"""
PARAMETERS = [{"name": "n", "type": "integer", "default": 1}]
def evaluate(p):
    rows = [{"i": i, "square": i * i} for i in range(5)]
    return {
        "tables": {"squares": rows},
        "charts": {"growth": {"kind": "line", "table": "squares", "x": "i", "y": ["square"]}},
        "files": {"report.txt": b"text " * p["n"], "page.html": b"<script>alert(1)</script>"},
    }
"""


async def test_files_and_charts_come_through_the_sandbox(zygote: Zygote) -> None:
    outcome, deterministic = await check(zygote, Task("evaluate", "python", OUTPUTS))
    assert (outcome.status, outcome.error, deterministic) == ("completed", None, True)
    assert (outcome.files, outcome.charts) == ([], {}), "a check needs none of them"
    ran = await zygote.run(Task("evaluate", "python", OUTPUTS, {"n": 1_000_000}, description=outcome.description))
    assert ran.status == "completed", ran.error
    assert [(file.name, len(file.data)) for file in ran.files] == [("report.txt", 5_000_000), ("page.html", 25)]
    assert ran.charts == {"growth": {"kind": "line", "table": "squares", "x": "i", "y": ["square"]}}
    taken_by_core(ran)


@pytest.mark.parametrize(
    ("returned", "message"),
    [
        ('{"files": {"a.bin": bytes(17 << 20)}}', "file a.bin has 17,825,792 bytes; at most 16 MiB are allowed."),
        (
            '{"files": {f"f{i}": b"x" for i in range(1000)}}',
            "evaluate returned 1,000 files; at most 64 are allowed.",
        ),
        ('{"files": {"../a": b"x"}}', "file '../a' has a name that is none"),
        ('{"files": [b"x"]}', "evaluate: files must be a dict by name"),
        (
            '{"charts": {"c": {"kind": "line", "table": "t", "x": "a", "y": ["b"]}}}',
            "chart c must have a table that is returned beside it (there is none), not {",
        ),
    ],
)
async def test_what_may_not_be_returned_fails_with_its_sentence(zygote: Zygote, returned: str, message: str) -> None:
    source = f"PARAMETERS = []\ndef evaluate(p):\n    return {returned}\n".encode()
    outcome = await zygote.run(Task("evaluate", "python", source))
    assert outcome.error is not None
    assert outcome.error.message.startswith(message)


async def test_files_that_change_from_run_to_run_make_a_model_that_is_not_deterministic(zygote: Zygote) -> None:
    source = b"""
import time
PARAMETERS = []
def evaluate(p):
    return {"files": {"now.txt": str(time.monotonic_ns()).encode()}}
"""
    outcome, deterministic = await check(zygote, Task("evaluate", "python", source))
    assert (outcome.status, deterministic) == ("completed", False)
