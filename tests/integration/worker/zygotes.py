"""Models and zygotes for the worker's tests, and the look for what a bad model may have left."""

import asyncio
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from catenary_worker import host
from catenary_worker.host import Zygote
from catenary_worker.kept import Kept
from catenary_worker.task import Outcome, Task

MODELS = Path(__file__).parents[2] / "fixtures" / "models"


def model(name: str) -> bytes:
    path = MODELS / f"{name}.py"
    return (path if path.exists() else path.with_suffix(".txt")).read_bytes()  # .txt: what no tool could parse


def evaluate(name: str, timeout: float = 60.0, **more: object) -> Task:
    memory = more.pop("memory", 1 << 30)
    assert isinstance(memory, int)
    return Task("evaluate", "python", model(name), more, timeout, memory)


async def described(zygote: Zygote, task: Task) -> Task:
    """Return an evaluation with its model's description, which takes one child where the zygote would take two."""
    outcome = await zygote.run(replace(task, mode="describe", parameters={}))
    assert outcome.status == "completed", outcome.error
    return replace(task, description=outcome.description, code=outcome.code)


async def good_evaluation(zygote: Zygote) -> Outcome:
    outcome = await zygote.run(evaluate("good", size=2.0))
    assert outcome.status == "completed", outcome.error
    assert outcome.metrics["volume"] == {"value": 8.0, "unit": "m3"}
    return outcome


async def nothing_left(zygote: Zygote, before: set[int]) -> None:
    """Behind the zygote stands one waiting child and no process of `before`; no file of ours is in the temp folder."""
    assert zygote.state is not None
    folders_allowed = 0 if zygote.state.enforced else 1  # the waiting child's
    deadline = time.monotonic() + 60
    while True:
        running = children(zygote)
        folders = _folders(zygote)
        if len(running) == 1 and not running & before and len(folders) <= folders_allowed:
            break
        assert time.monotonic() < deadline, f"left: {running}, {folders}; before: {before}"
        await asyncio.sleep(0.01)  # in which the zygote's child of before ends


def _folders(zygote: Zygote) -> list[Path]:
    return list(Path(tempfile.gettempdir()).glob(f"catenary-model-{zygote.pid}-*"))


def children(zygote: Zygote) -> set[int]:
    """All processes behind the zygote."""
    found: set[int] = set()
    waiting = [zygote.pid]
    while waiting:
        pid = waiting.pop()
        try:
            text = Path(f"/proc/{pid}/task/{pid}/children").read_text()
        except (FileNotFoundError, ProcessLookupError):
            continue
        waiting += [int(child) for child in text.split()]
        found.update(int(child) for child in text.split())
    return found


class Without:
    """Starts zygotes with a guard taken out, to show that it is this guard which stops an attack."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.monkeypatch = monkeypatch

    def __call__(self, *guards: str, code: str = "") -> Zygote:
        lines = [f"namespaces.{guard} = lambda *_: None" for guard in guards if guard != "namespaces"]
        code = "\n".join(
            [
                code,
                "from catenary_worker.sandbox import namespaces",
                *lines,
                "from catenary_worker import zygote",
            ]
        )
        words = "namespaces" in guards
        if words:
            code += "\nzygote.probe = lambda: zygote.State(False, 'taken out by a test')"
        line = [sys.executable, "-P", "-c", code + "\nzygote.main()"]
        more = ["unsandboxed"] if words else []
        self.monkeypatch.setattr(host, "command", lambda control, *, allow_unsandboxed: [*line, str(control), *more])
        return Zygote(allow_unsandboxed=words)


async def chunk(keeper: Kept, points: Sequence[Mapping[str, object]]) -> list[Outcome]:
    """Run points in order, confirm their results, and compute anew what is not sure."""
    return await confirmed(keeper, points, [await keeper.evaluate(point) for point in points])


async def confirmed(keeper: Kept, points: Sequence[Mapping[str, object]], outcomes: list[Outcome]) -> list[Outcome]:
    """Confirm the results of points, and compute anew what is not sure."""
    if await keeper.confirm():
        again = [one for one in range(len(points)) if outcomes[one].reused]
        for number in again:
            outcomes[number] = await keeper.evaluate(points[number])
    return outcomes


def exists(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):  # the second: it ended between the opening and the reading
        return False


async def gone(pids: set[int]) -> bool:
    deadline = time.monotonic() + 60
    while any(map(exists, pids)):
        if time.monotonic() >= deadline:
            return False
        await asyncio.sleep(0.01)
    return True


async def child_at_work(zygote: Zygote) -> None:
    """Wait until a task is in its child."""
    async with asyncio.timeout(60):
        while zygote._running is None:  # noqa: ASYNC110 - it has no event to wait for
            await asyncio.sleep(0.01)
    await asyncio.sleep(0.2)
