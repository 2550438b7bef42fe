"""Evaluations of a model that `describe` has read and compiled before."""

import re
from dataclasses import replace

import pytest

from catenary_worker import task as limits
from catenary_worker.host import Zygote
from catenary_worker.task import Kind, Outcome, Task
from factories.services.models import zipped
from integration.worker.test_openscad import PLATE, VALUES
from integration.worker.zygotes import model

# The zygote belongs to the event loop of its module.
pytestmark = [pytest.mark.asyncio(loop_scope="module"), pytest.mark.sampled]

_FAILING = b"PARAMETERS = []\nimport tools\n\ndef evaluate(p):\n    return tools.half(0)\n"
_ARCHIVE = {"model.py": _FAILING, "tools.py": b"def half(n):\n    return 1 / n\n"}


@pytest.mark.parametrize(
    ("kind", "source", "values", "line"),
    [
        ("python", model("good"), {"size": 2.0}, None),
        ("zip", zipped({"model.py": model("good")}), {"size": 2.0}, None),
        ("zip", zipped(_ARCHIVE), {}, 5),
        ("openscad", PLATE.read_bytes(), VALUES, None),
    ],
    ids=["a file", "an archive", "a failing archive", "OpenSCAD"],
)
async def test_an_evaluation_is_the_same_as_of_a_model_that_is_read_anew(
    zygote: Zygote, kind: Kind, source: bytes, values: dict[str, object], line: int | None
) -> None:
    described = await zygote.run(Task("describe", kind, source))
    anew = Task("evaluate", kind, source, values)
    outcomes = [
        _timeless(await zygote.run(task))
        for task in (anew, replace(anew, description=described.description, code=described.code))
    ]
    assert outcomes[0] == outcomes[1]
    error = outcomes[0].error
    assert (None if error is None else error.line) == line


def _timeless(outcome: Outcome) -> Outcome:
    return replace(outcome, duration_ms=0.0, log=re.sub(r"rendering time: \S+", "rendering time", outcome.log))


async def test_what_cannot_be_compiled_is_told_when_it_is_described(zygote: Zygote) -> None:
    source = b"PARAMETERS = []\ndef evaluate(p):\n    return {}\nbreak\n"
    described, evaluated = [await zygote.run(Task(mode, "python", source)) for mode in ("describe", "evaluate")]
    assert described.error is not None
    assert (described.error.message, described.error.line) == (
        "SyntaxError: 'break' outside loop (model.py, line 4)",
        4,
    )
    assert evaluated.error == described.error


async def test_the_compiled_code_is_what_runs(zygote: Zygote) -> None:
    """A worker takes the code only from a child that ran none of the model; a model could forge its own child's."""
    good = Task("evaluate", "python", model("good"), {"size": 2.0})
    other = await zygote.run(Task("describe", "python", model("good").replace(b'p["size"]', b"3.0")))
    assert other.code
    assert (await zygote.run(good)).metrics["volume"]["value"] == 8.0
    forged = await zygote.run(replace(good, description=other.description, code=other.code))
    assert forged.metrics["volume"]["value"] == 27.0


async def test_large_code_is_compiled_for_each_evaluation(zygote: Zygote) -> None:
    literals = b"LITERALS = [%s]\n" % b",".join(b"'%06x' * 682" % number for number in range(3_000))
    source = model("good") + literals
    described = await zygote.run(Task("describe", "python", source))
    assert described.status == "completed", described.error
    assert described.code == b""
    evaluated = Task("evaluate", "python", source, {"size": 2.0}, description=described.description)
    assert (await zygote.run(evaluated)).metrics["volume"]["value"] == 8.0
    assert len(source) < 100_000 < limits.CODE_BYTES < 3_000 * 682 * 6
