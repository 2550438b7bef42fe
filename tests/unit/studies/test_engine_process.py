"""The process of an engine: what it has, what ends it, and that the core loads none of its libraries."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from catenary_core.studies import engine_process, engine_program
from catenary_core.studies.definition import Definition, Objective
from catenary_core.studies.engine_process import ENVIRONMENT, EngineFailedError, EngineProcess
from catenary_core.studies.searches import SampleChangedError
from factories.studies import mixed, mixed_function, run

pytestmark = pytest.mark.slow

LIBRARIES = ("pymoo", "optuna", "SALib", "moocore", "pandas")


async def _run(definition: Definition) -> tuple[list[Mapping[str, Any]], list[Mapping[str, Any]]]:
    points: list[Mapping[str, Any]] = []
    answers = []
    async with EngineProcess(definition) as engine:
        while (asked := await engine.ask())["points"]:
            outcomes = [{"parameters": point, "metrics": mixed_function(point)} for point in asked["points"]]
            answers.append(await engine.tell(outcomes))
            points += asked["points"]
    return points, answers


@pytest.mark.parametrize("algorithm", ["nsga2", "nsga3", "tpe"])
async def test_the_process_says_what_the_engine_says(algorithm: Any) -> None:
    definition = mixed(algorithm)
    points, answers = await _run(definition)
    outcomes, progress = run(definition, mixed_function)
    assert points == [outcome.parameters for outcome in outcomes]
    assert [answer["hypervolume"] for answer in answers] == [one.hypervolume for one in progress]
    assert [score["feasible"] for answer in answers for score in answer["scores"]] == [
        score.is_feasible for one in progress for score in one.scores
    ]
    assert answers[-1]["front"] == progress[-1].front
    assert answers[-1]["front"]


@pytest.mark.parametrize("algorithm", ["morris", "sobol_indices"])
async def test_a_sensitivity_in_the_process(algorithm: Any) -> None:
    definition = replace(mixed(algorithm, budget=400), constraints=(), objectives=(Objective("cost", None),))
    async with EngineProcess(definition) as engine:
        while (asked := await engine.ask())["points"]:
            await engine.tell([{"parameters": one, "metrics": mixed_function(one)} for one in asked["points"]])
        (found,) = await engine.indices()
    assert list(found["parameters"]) == [variable.name for variable in definition.variables]
    assert found["used"] > 0


async def test_points_of_another_sample_are_told_as_such() -> None:
    definition = replace(mixed("morris", budget=40), constraints=(), objectives=(Objective("cost", None),))
    async with EngineProcess(replace(definition, seed=2)) as engine:
        others = (await engine.ask())["points"]
    async with EngineProcess(definition) as engine:
        with pytest.raises(SampleChangedError):
            await engine.tell([{"parameters": one, "metrics": {"cost": 1.0}} for one in others])


async def test_the_process_has_no_variable_and_no_descriptor_of_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CATENARY_DATABASE_URL", "postgresql://user:secret@127.0.0.1/db")
    inherited = os.open("/dev/null", os.O_RDONLY)
    os.set_inheritable(inherited, True)
    try:
        async with EngineProcess(mixed()) as engine:
            await engine.ask()
            names, limits, held = await asyncio.to_thread(_seen, engine.pid)
        assert names == set(ENVIRONMENT)
        assert f"Max address space         {engine_program.MEMORY_BYTES}" in limits
        assert f"Max file size             {engine_program.FILE_BYTES}" in limits
        assert all(one.startswith("pipe:") for one in held), held
    finally:
        os.close(inherited)


def _seen(pid: int | None) -> tuple[set[str], str, list[str]]:
    """Return the names of a process's variables, its limits, and the targets of its descriptors."""
    process = Path(f"/proc/{pid}")
    entries = process.joinpath("environ").read_bytes().rstrip(b"\0").split(b"\0")
    names = {entry.partition(b"=")[0].decode() for entry in entries}
    return (
        names,
        process.joinpath("limits").read_text(),
        [str(one.readlink()) for one in process.joinpath("fd").iterdir()],
    )


def test_the_process_writes_no_bytecode() -> None:
    """A module cut at the limit on files would end every later import of it."""
    assert "-B" in engine_process._COMMAND


async def test_a_process_that_dies_is_told_and_the_study_goes_on_in_another() -> None:
    definition = mixed()
    async with EngineProcess(definition) as engine:
        asked = await engine.ask()
        assert engine.pid is not None
        os.kill(engine.pid, signal.SIGKILL)
        with pytest.raises(EngineFailedError):
            await engine.tell([{"parameters": one, "metrics": None} for one in asked["points"]])
    async with EngineProcess(definition) as engine:
        assert await engine.ask() == asked


async def test_a_process_that_says_nothing_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine_process, "_COMMAND", ("/bin/sleep", "60"))
    monkeypatch.setattr(engine_process, "ANSWER_SECONDS", 0.2)
    engine = EngineProcess(mixed())
    with pytest.raises(EngineFailedError, match="TimeoutError"):
        async with engine:
            pytest.fail("it began")
    assert engine._process is not None
    assert engine._process.returncode == -signal.SIGKILL


async def test_an_answer_without_end_is_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine_process, "_COMMAND", ("/bin/cat", "/dev/zero"))
    monkeypatch.setattr(engine_process, "LONGEST_ANSWER", 2**16)
    with pytest.raises(EngineFailedError):
        async with EngineProcess(mixed()):
            pytest.fail("it began")


async def test_a_request_that_fails_tells_no_values() -> None:
    async with EngineProcess(mixed()) as engine:
        await engine.ask()
        with pytest.raises(EngineFailedError, match=r"^ValueError$"):
            await engine.tell([])
        assert (await engine.ask())["points"], "the engine goes on"


async def test_a_definition_that_no_algorithm_takes_is_told() -> None:
    broken = replace(mixed(), objectives=(Objective(None, "no_such_name"),))
    engine = EngineProcess(broken)
    with pytest.raises(EngineFailedError, match="ExpressionError"):
        async with engine:
            pytest.fail("it began")
    assert engine._process is not None
    assert engine._process.returncode is not None, "the process has ended"


async def test_a_cancelled_request_leaves_no_process() -> None:
    engine = EngineProcess(mixed())
    entered = asyncio.Event()

    async def use() -> None:
        async with engine:
            entered.set()
            await asyncio.Event().wait()

    task = asyncio.create_task(use())
    await entered.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert engine._process is not None
    assert engine._process.returncode is not None


async def test_a_cancelled_end_leaves_no_process() -> None:
    engine = EngineProcess(mixed())
    entered = asyncio.Event()

    async def use() -> None:
        async with engine:
            entered.set()

    task = asyncio.create_task(use())
    await entered.wait()
    task.cancel()  # it waits for the end of the process now
    with pytest.raises(asyncio.CancelledError):
        await task
    assert engine._process is not None
    assert engine._process.returncode is not None, "the process has ended"


def test_the_core_loads_no_library_of_a_study() -> None:
    program = (
        "import sys, catenary_core.bootstrap, catenary_core.studies.declaration, catenary_core.studies.engine_process;"
        f"print([name for name in {LIBRARIES} if name in sys.modules])"
    )
    found = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "[]"
