"""Several short points by one message to a child: each result is that of its point alone, whatever the others do."""

from __future__ import annotations

import asyncio
import contextlib
import math
import statistics
from collections.abc import Sequence
from typing import Any

import pytest

from catenary_worker import child, kept, reused
from catenary_worker.host import Zygote
from catenary_worker.task import Outcome, Task
from integration.worker.zygotes import confirmed, good_evaluation

# The zygote belongs to the event loop of its module.
pytestmark = [pytest.mark.asyncio(loop_scope="module"), pytest.mark.sampled]
XS = [float(x) for x in range(40)]
HEAD = """PARAMETERS = [{"name": "x", "type": "number", "default": 1.0}]
import ctypes, os, sys, threading, time
SEEN = []
"""


@pytest.fixture(autouse=True)
def unhurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no child be replaced, no reuse end, and no message shrink for the time that a loaded machine takes."""
    monkeypatch.setattr(kept, "WORK_SECONDS", math.inf)
    monkeypatch.setattr(kept, "PAYING_SECONDS", math.inf)
    monkeypatch.setattr(kept, "TOGETHER_SECONDS", 1e6)
    monkeypatch.setattr(kept, "MOST_TOGETHER", 10)
    monkeypatch.setattr(child, "TOGETHER_SECONDS", 30.0)


@pytest.fixture
def messages(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Return the numbers of points of each message that gives several, and which are counted from now on."""
    found: list[int] = []
    perform = reused.perform_together

    async def counted(one: Any, tasks: Sequence[Task], *more: Any) -> list[Outcome]:
        found.append(len(tasks))
        return await perform(one, tasks, *more)

    monkeypatch.setattr(reused, "perform_together", counted)
    return found


def task_of(body: str, timeout: float = 60.0) -> Task:
    """Return a task without geometry whose `evaluate` has the lines of `body`, which set `m`."""
    lines = "".join(f"    {line}\n" for line in ["x = p['x']", *body.splitlines()])
    source = f"{HEAD}\ndef evaluate(p):\n{lines}    return {{'metrics': {{'m': m}}}}\n".encode()
    return Task("evaluate", "python", source, timeout=timeout, memory=1 << 30, repeatable=True, geometry=False)


async def ran(zygote: Zygote, task: Task, xs: Sequence[float] = XS) -> tuple[list[object], str]:
    """Return the values or statuses of points, as a chunk gives them away, and the reason that ended the reuse."""
    async with zygote.keep(task) as keeper:
        points = [{"x": x} for x in xs]
        outcomes = await confirmed(keeper, points, await keeper.evaluate_all(points))
    found = [one.metrics["m"]["value"] if one.status == "completed" else one.status for one in outcomes]
    return found, keeper.not_repeatable


async def test_points_of_one_message_have_their_own_results_and_times(zygote: Zygote, messages: list[int]) -> None:
    async with zygote.keep(task_of("time.sleep(0.05 if x == 7 else 0.001)\nm = 2 * x\nprint(x)")) as keeper:
        outcomes = await keeper.evaluate_all([{"x": x} for x in XS])
        assert not await keeper.confirm()
    assert [one.metrics["m"]["value"] for one in outcomes] == [2 * x for x in XS]
    assert [one.reused for one in outcomes] == [False, *[True] * 39]
    assert messages == [10, 10, 10, 8], "the first point of a child is alone, and the one whose time is taken"
    times = [one.duration_ms for one in outcomes[2:12]]
    # On a busy machine any one of them may take long.
    assert statistics.median(times) < 50 <= times[5], "the point that takes longer is seen to do so"


async def test_a_point_that_fails_leaves_the_others_their_results(zygote: Zygote, messages: list[int]) -> None:
    expected = [x if x % 9 else "failed" for x in XS]
    assert await ran(zygote, task_of("m = x / (x % 9 != 0)")) == (expected, "")
    assert len(messages) > 3


async def test_a_point_that_is_no_number_leaves_the_others_their_results(zygote: Zygote, messages: list[int]) -> None:
    expected = [x if x % 9 else "failed" for x in XS]
    assert await ran(zygote, task_of("m = x if x % 9 else float('nan')")) == (expected, "")
    assert len(messages) > 3


async def test_a_point_that_crashes_or_hangs_costs_no_other_point(
    zygote: Zygote, messages: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    crashed = [x if x != 7 else "failed" for x in XS]
    assert await ran(zygote, task_of("if x == 7: ctypes.string_at(0)\nm = x")) == (crashed, "")
    assert messages == [10], "then each point is a message of its own: the chunk has a point that costs a child"
    monkeypatch.setattr(child, "TOGETHER_SECONDS", 0.5)
    hung = [x if x != 7 else "timed_out" for x in XS[:12]]
    assert await ran(zygote, task_of("while x == 7: pass\nm = x", timeout=5.0), XS[:12]) == (hung, "")


async def test_who_waits_for_the_place_has_it_after_the_point_that_runs(
    zygote: Zygote, messages: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without the call to give points back, who waits has the place after all points of the message."""

    async def others() -> tuple[int, int]:
        """Return how many points had ended before and after another task came and ended."""
        task = task_of("print(x)\nsys.stdout.flush()\ntime.sleep(0.05)\nm = x")
        began = asyncio.Event()
        printed = child.Printed._read

        def read(self: child.Printed) -> bytes | None:
            piece = printed(self)
            if messages and piece and b"2.0\n" in piece:
                began.set()
            return piece

        with monkeypatch.context() as patched:
            patched.setattr(child.Printed, "_read", read)
            async with zygote.keep(task) as keeper:
                running = asyncio.ensure_future(keeper.evaluate_all([{"x": x} for x in XS[:12]]))
                await began.wait()
                await good_evaluation(zygote)
                count = len(messages)
                outcomes = await running
        assert [one.metrics["m"]["value"] for one in outcomes] == XS[:12]
        return count, len(messages)

    assert await others() == (1, 2), "the points that were given back are in a second message"
    messages.clear()
    monkeypatch.setattr(Zygote, "wanted", lambda self, tell: contextlib.nullcontext())
    assert await others() == (1, 1)


async def test_a_model_that_keeps_something_has_right_results_all_the_same(zygote: Zygote) -> None:
    found, reason = await ran(zygote, task_of("SEEN.append(x)\nm = x + (len(SEEN) > 20)"))
    assert found == XS
    assert reason.startswith("The metric m was once")


@pytest.mark.slow
async def test_what_a_point_leaves_is_cleared_before_the_next_of_its_message(zygote: Zygote) -> None:
    left = (
        "m = x + os.path.exists('left') + ('LEFT' in os.environ)\nopen('left', 'w').close()\nos.environ['LEFT'] = '1'"
    )
    assert await ran(zygote, task_of(left)) == (XS, "")
    closing = "m = x\nif x == 7: os.close(0)"
    assert await ran(zygote, task_of(closing)) == (XS, ""), "what can't be cleared ends the child after its point"


@pytest.mark.slow
async def test_threads_that_a_point_leaves_make_each_point_run_alone(
    zygote: Zygote, messages: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without the count only the audit is left, which takes the reuse from a model that was repeatable."""
    body = (
        "m = x + len(SEEN)\n"
        "if x == 7: threading.Thread(target=lambda: (SEEN.append(1), time.sleep(600)), daemon=True).start()"
    )
    assert await ran(zygote, task_of(body)) == (XS, "")
    assert messages == [10]
    monkeypatch.setattr(reused, "_threads", lambda pid: 1)
    assert (await ran(zygote, task_of(body)))[1] != ""


@pytest.mark.slow
async def test_a_child_that_forges_its_message_has_each_point_run_alone(zygote: Zygote, messages: list[int]) -> None:
    forged = (
        "from catenary_worker import reuse\n"
        "m = x\n"
        "def answer(tasks, *more):\n"
        "    text = b'{\"points\": [%b], \"seconds\": [1]}' % b','.join([b'{}'] * 99)\n"
        "    return [reuse.pipe.LENGTH.pack(len(text)) + text]\n"
        "reuse._respond_to_all = answer"
    )
    assert await ran(zygote, task_of(forged)) == (XS, "")
    assert messages == [10]


@pytest.mark.slow
async def test_results_that_one_message_has_no_room_for_come_with_the_next(zygote: Zygote, messages: list[int]) -> None:
    large = task_of("m = x").source.replace(b"{'m': m}}", b"{'m': m}, 'tables': {'t': [{'text': 'y' * 1900}] * 190}}")
    async with zygote.keep(Task("evaluate", "python", large, repeatable=True, geometry=False)) as keeper:
        outcomes = await keeper.evaluate_all([{"x": x} for x in XS[:12]])
    assert [one.metrics["m"]["value"] for one in outcomes] == XS[:12]
    assert messages == [10, 8, 6, 4, 2], "some 360 kB a result, and 1 MiB a message"
