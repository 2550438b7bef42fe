"""Children that are made ahead of their tasks."""

import asyncio
import re
from collections.abc import Collection
from pathlib import Path

import pytest

from catenary_worker import host
from catenary_worker.child import WorkerFaultError
from catenary_worker.host import SPARES, Zygote
from catenary_worker.task import Kind, Task
from catenary_worker.zygote import State
from integration.worker.zygotes import Without, children, described, evaluate

# The zygote belongs to the event loop of its module.
pytestmark = [pytest.mark.asyncio(loop_scope="module"), pytest.mark.slow]


async def test_children_are_made_ahead_and_serve_one_task_each(zygote: Zygote) -> None:
    good = await described(zygote, evaluate("good", size=2.0))
    zygote.replenish()
    zygote.replenish()
    await asyncio.wait_for(asyncio.wait(list(zygote._spares)), 60)
    waiting = await _children_of(zygote, SPARES)
    await zygote.run(good)
    left = await _children_of(zygote, SPARES - 1)
    assert left < waiting
    await zygote.run(good)
    await _children_of(zygote, 1, besides=waiting)


async def test_a_waiting_child_has_its_filter_and_limits_before_there_is_a_task(
    zygote: Zygote, without: Without
) -> None:
    filters, limits = await _of_a_waiting_child(zygote)
    assert filters == 1
    assert {"Max open files  256", "Max processes  64", "Max core file size  0"} <= limits
    unguarded = without("filter_calls", "limit")
    try:
        await unguarded.start()
        filters, limits = await _of_a_waiting_child(unguarded)
        assert filters == 0
        assert "Max processes  64" not in limits
    finally:
        await unguarded.close()


async def _of_a_waiting_child(zygote: Zygote) -> tuple[int, set[str]]:
    """Return the number of a waiting child's filters over its zygote's, and its limits: name and ceiling."""
    await zygote.ready()
    pid = zygote._spares[0].result().pid
    lines = _told(pid, "limits").splitlines()[1:]
    return _filters(pid) - _filters(zygote.pid), {f"{line[:26].strip()}  {line[47:68].strip()}" for line in lines}


def _filters(pid: int | None) -> int:
    found = re.search(r"^Seccomp_filters:\s*(\d+)$", _told(pid, "status"), re.MULTILINE)
    assert found is not None
    return int(found[1])


def _told(pid: int | None, name: str) -> str:
    return Path(f"/proc/{pid}/{name}").read_text()


async def _children_of(zygote: Zygote, count: int, besides: Collection[int] = ()) -> set[int]:
    """Return the zygote's children once there are `count`, and none of them is one of `besides`."""
    for _ in range(6000):
        found = children(zygote)
        if len(found) == count and not found & set(besides):
            return found
        await asyncio.sleep(0.01)
    raise AssertionError(found)


@pytest.mark.parametrize("kind", ["python", "openscad"])
async def test_a_zygote_that_is_lost_with_its_first_word_is_a_worker_fault_at_once(
    monkeypatch: pytest.MonkeyPatch, kind: Kind
) -> None:
    zygote = Zygote()
    start = zygote._start

    async def lost() -> State:
        state = await start()
        zygote._lose()
        return state

    monkeypatch.setattr(zygote, "_start", lost)
    try:
        async with asyncio.timeout(host.START_SECONDS):  # as long as one child is waited for
            with pytest.raises(WorkerFaultError):
                await zygote.run(Task("evaluate", kind, b""))
    finally:
        await zygote.close()
