"""One child runs several points of a repeatable model: the results are those of fresh children, or the reuse ends."""

from __future__ import annotations

import asyncio
import math
import os
import signal
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import pytest

from catenary_worker import kept, reused
from catenary_worker.host import CancelledRunError, Zygote
from catenary_worker.kept import Keeper
from catenary_worker.task import MEBIBYTE, Outcome, Task
from factories.services.models import zipped
from integration.worker.zygotes import Without, child_at_work, chunk, good_evaluation

# The zygote belongs to the event loop of its module.
pytestmark = [pytest.mark.asyncio(loop_scope="module"), pytest.mark.slow]


@pytest.fixture(autouse=True)
def unhurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no child be replaced, and no reuse end, for the time that a loaded machine takes."""
    monkeypatch.setattr(kept, "WORK_SECONDS", math.inf)
    monkeypatch.setattr(kept, "PAYING_SECONDS", math.inf)


HEAD = """PARAMETERS = [{"name": "x", "type": "number", "default": 1.0}]
import ctypes, os, random, signal, sys, threading, time
import numpy as np
SEEN = []
"""
XS = (1.0, 2.0, 3.0, 4.0, 5.0, 6.0)


def source(body: str, load: str = "") -> bytes:
    """Return a model whose `evaluate` has the lines of `body`, which set `m`; `load` runs at loading."""
    lines = "".join(f"    {line}\n" for line in ["x = p['x']", *body.strip().splitlines()])
    return f"{HEAD}{load}\ndef evaluate(p):\n{lines}    return {{'metrics': {{'m': m}}}}\n".encode()


def task_of(model: bytes, *, timeout: float = 60.0, memory: int = 1 << 30) -> Task:
    kind = "zip" if model.startswith(b"PK") else "python"
    return Task("evaluate", kind, model, timeout=timeout, memory=memory, repeatable=True)


async def ran(zygote: Zygote, task: Task, xs: Sequence[float] = XS) -> tuple[list[Outcome], str]:
    """Return the outcomes of points in children that are kept, and the reason that ended the reuse."""
    async with zygote.keep(task) as keeper:
        outcomes = await chunk(keeper, [{"x": x} for x in xs])
        return outcomes, keeper.not_repeatable


def values(outcomes: Sequence[Outcome]) -> list[object]:
    return [one.metrics["m"]["value"] if one.status == "completed" else one.status for one in outcomes]


async def test_points_of_a_kept_child_are_those_of_fresh_ones_and_the_model_is_loaded_once_a_child(
    zygote: Zygote,
) -> None:
    task = task_of(source("SEEN.append(x)\nm = x * 2\nprint(len(SEEN), x)", "print('loaded')"))
    outcomes, reason = await ran(zygote, task)
    assert (values(outcomes), reason) == ([2 * x for x in XS], "")
    assert [one.log for one in outcomes] == [
        "loaded\n1 1.0\n",
        *(f"{number} {number}.0\n" for number in range(2, 7)),
    ], "each log is that of its point"
    assert [one.reused for one in outcomes] == [False, *[True] * 5]
    fresh, _ = await ran(zygote, replace(task, repeatable=False))
    assert [one.log for one in fresh] == [f"loaded\n1 {x}\n" for x in XS]
    assert not any(one.reused for one in fresh)


async def test_a_kept_child_holds_no_place_between_its_points(zygote: Zygote) -> None:
    async with zygote.keep(task_of(source("SEEN.append(x)\nm = len(SEEN)"))) as keeper:
        await keeper.evaluate({"x": 1.0})
        await good_evaluation(zygote)
        assert (await keeper.evaluate({"x": 1.0})).metrics["m"]["value"] == 2, "the same child"


@dataclass
class Cleared:
    """A model that leaves something which is cleared before its next point."""

    name: str
    body: str
    load: str = ""
    expected: Callable[[float], float] = lambda x: x


BUSY = "until = time.monotonic() + 0.1\nwhile time.monotonic() < until: pass"
CLEARED = [
    Cleared("random", "SEEN.append(random.random())\nm = x + (SEEN[-1] != 0.8444218515250481)"),
    Cleared("numpy's random", "m = x + (np.random.random() != 0.5488135039273248)"),
    Cleared(
        "numpy's second number of a pair",
        "m = x + (np.random.normal() != 0.4001572083672233)",
        "np.random.normal()",
    ),
    Cleared("a file", "m = x + os.path.exists('left')\nopen('left', 'w').close()"),
    Cleared("a folder", "m = x + os.path.exists('left')\nos.makedirs('left/deeper', exist_ok=True)"),
    Cleared("the folder", "m = x + (os.getcwd() != HERE)\nos.makedirs('a')\nos.chdir('a')", "HERE = os.getcwd()"),
    Cleared("the environment", "m = x + ('LEFT' in os.environ)\nos.environ['LEFT'] = '1'"),
    Cleared("sys.path", "m = x + ('/left' in sys.path)\nsys.path.insert(0, '/left')"),
    Cleared("umask", "m = x + (os.umask(0o077) == 0o077)"),
    Cleared(
        "a signal handler",
        "m = x + (signal.getsignal(signal.SIGUSR1) is not signal.SIG_DFL)\nsignal.signal(signal.SIGUSR1, lambda *_: 0)",
    ),
    Cleared("an alarm", "m = x + bool(signal.alarm(60))"),
    Cleared("a timer", f"m = x + bool(SEEN)\n{BUSY}\nsignal.setitimer(signal.ITIMER_REAL, 0.03)",
            "signal.signal(signal.SIGALRM, lambda *_: SEEN.append(1))"),
    Cleared("the recursion limit", "m = x + (sys.getrecursionlimit() == 777)\nsys.setrecursionlimit(777)"),
    Cleared("blocked signals", "m = x + bool(signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGUSR1]))"),
    Cleared("the output", "m = x + hasattr(sys.stdout, 'left')\nsys.stdout = type('Out', (), {'left': 1, 'flush': id})"),
]  # fmt: skip


async def test_what_a_point_leaves_outside_of_the_model_is_cleared(zygote: Zygote) -> None:
    for left in CLEARED:
        outcomes, reason = await ran(zygote, task_of(source(left.body, left.load)))
        assert (values(outcomes), reason) == (list(XS), ""), left.name
        assert sum(one.reused for one in outcomes) == 5, left.name


async def test_without_the_clearing_the_same_models_give_wrong_values_or_lose_the_reuse(without: Without) -> None:
    zygote = without(code="from catenary_worker import reuse\nreuse.Surroundings.restore = lambda self: True")
    await zygote.start()
    for left in CLEARED:
        outcomes, reason = await ran(zygote, task_of(source(left.body, left.load)))
        assert reason or values(outcomes) != list(XS), left.name
    await zygote.close()


STATEFUL = [
    ("a counter", "SEEN.append(x)\nm = x + len(SEEN) - 1"),
    ("a cache on a rounded key", "m = CACHE.setdefault(round(x / 100), x)"),
    ("a change after three calls", "SEEN.append(x)\nm = x if len(SEEN) < 4 else -x"),
    ("a generator of its own", "m = x + (RANDOM.random() != FIRST)"),
    ("a replaced function of numpy", "m = x + float(np.sin(0.0))\nnp.sin = np.cos"),
    ("a module", "m = x + ('left' in sys.modules)\nsys.modules['left'] = os"),
    ("a failure after three calls", "SEEN.append(x)\nassert len(SEEN) < 4\nm = x"),
    ("a crash at the fifth call", "SEEN.append(x)\nif len(SEEN) == 5: ctypes.string_at(0)\nm = x"),
    ("an end at the fifth call", "SEEN.append(x)\nif len(SEEN) == 5: os._exit(0)\nm = x"),
    ("a numpy setting", "m = x if np.float64(1e308) * SCALE else 0\nSEEN or np.seterr(all='raise')\nSEEN.append(1)"),
]
STATE = (
    "CACHE = {}\nRANDOM = np.random.default_rng(1)\nFIRST = np.random.default_rng(1).random()\nSCALE = np.float64(10)"
)


@pytest.mark.parametrize(("name", "body"), STATEFUL, ids=[name for name, _ in STATEFUL])
async def test_a_model_that_keeps_something_loses_the_reuse_and_its_points_are_right(
    zygote: Zygote, name: str, body: str
) -> None:
    outcomes, reason = await ran(zygote, task_of(source(body, STATE)))
    assert values(outcomes) == list(XS)
    assert reason.endswith("evaluate must depend on its parameters alone, and keep nothing for the next call.")
    assert outcomes[-1].not_repeatable == reason


async def test_without_the_audit_wrong_values_are_taken(zygote: Zygote, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept, "difference", lambda *_: None)
    for name, body in STATEFUL[:6]:
        outcomes, reason = await ran(zygote, task_of(source(body, STATE)))
        assert reason == ""
        assert values(outcomes) != list(XS), name


async def test_the_reason_names_what_differed(zygote: Zygote) -> None:
    _, reason = await ran(zygote, task_of(source(STATEFUL[0][1])), XS[:2])
    assert reason.startswith("The metric m was once 3.0 and once 2.0, when a process that had run other points before")


EXHAUSTING = [
    ("descriptors", "SEEN.append(open(os.devnull))\nm = x", 300),
    ("memory", "SEEN.append(bytearray(60 << 20))\nm = x", 12),
    ("room for files", "SEEN.append(open('f', 'w'))\nos.remove('f')\nSEEN[-1].write('x' * (30 << 20))\nm = x", 8),
]


@pytest.mark.parametrize(("name", "body", "points"), EXHAUSTING, ids=[name for name, _, _ in EXHAUSTING])
async def test_what_runs_out_costs_a_child_and_no_point(zygote: Zygote, name: str, body: str, points: int) -> None:
    xs = [float(number) for number in range(points)]
    outcomes, reason = await ran(zygote, task_of(source(body), memory=256 * MEBIBYTE), xs)
    assert (values(outcomes), reason) == (xs, "")
    assert sum(one.reused for one in outcomes) >= points // 2


async def test_without_the_word_of_what_ran_out_such_models_lose_the_reuse(
    zygote: Zygote, monkeypatch: pytest.MonkeyPatch
) -> None:
    performed = reused.perform

    async def silent(*arguments: Any) -> Outcome:
        return replace(await performed(*arguments), exhausted=False)

    monkeypatch.setattr(reused, "perform", silent)
    for name, body, points in EXHAUSTING[1:]:  # without a descriptor a child can't look at its folder, and ends before
        xs = [float(number) for number in range(points)]
        outcomes, reason = await ran(zygote, task_of(source(body), memory=256 * MEBIBYTE), xs)
        assert values(outcomes) == xs, name
        assert reason.startswith("A point failed in a process that had run other points before"), name


async def test_output_that_a_library_in_c_still_holds_belongs_to_its_point(zygote: Zygote, without: Without) -> None:
    task = task_of(source("m = x\nctypes.CDLL(None).puts(str(x).encode())"))
    outcomes, _ = await ran(zygote, task)
    assert [one.log for one in outcomes] == [f"{x}\n" for x in XS]
    unflushed = without(
        code="import types\nfrom catenary_worker import execution\n"
        "execution._LIBC = types.SimpleNamespace(fflush=lambda stream: 0)"
    )
    await unflushed.start()
    outcomes, _ = await ran(unflushed, task)
    assert [one.log for one in outcomes] == [""] * len(XS)
    await unflushed.close()


async def test_the_limit_of_processor_time_has_room_for_all_points_of_a_child(zygote: Zygote) -> None:
    task = task_of(source("import resource\nm = resource.getrlimit(resource.RLIMIT_CPU)[0]"), timeout=7.0)
    one = await zygote.run(replace(task, parameters={"x": 1.0}))
    outcomes, _ = await ran(zygote, task, XS[:2])
    (fresh,), kept_ = values([one]), values(outcomes)
    assert (fresh, kept_) == (38, [50, 50]), "four processors for the wall-clock time, and for the seconds of work"


async def test_without_a_sandbox_children_are_kept_too(without: Without) -> None:
    zygote = without("namespaces")
    await zygote.start()
    for left in CLEARED:
        outcomes, reason = await ran(zygote, task_of(source(left.body, left.load)))
        assert (values(outcomes), reason) == (list(XS), ""), left.name
        assert sum(one.reused for one in outcomes) == 5, left.name
    await zygote.close()


async def test_a_child_with_more_threads_than_at_its_start_is_replaced(
    zygote: Zygote, monkeypatch: pytest.MonkeyPatch
) -> None:
    body = "m = x + len(SEEN)\nthreading.Thread(target=lambda: (SEEN.append(1), time.sleep(600)), daemon=True).start()"
    outcomes, reason = await ran(zygote, task_of(source(body)))
    assert (values(outcomes), reason) == (list(XS), "")
    assert not any(one.reused for one in outcomes)
    monkeypatch.setattr(reused, "_threads", lambda pid: 1)
    assert (await ran(zygote, task_of(source(body))))[1] != "", "without the count only the audit is left"


async def test_a_point_that_takes_too_long_costs_its_child_and_no_other_point(zygote: Zygote) -> None:
    task = task_of(source("while x == 3: pass\nm = x"), timeout=5.0)
    outcomes, reason = await ran(zygote, task)
    assert (values(outcomes), reason) == ([1.0, 2.0, "timed_out", 4.0, 5.0, 6.0], "")


async def test_a_point_that_always_crashes_costs_its_child_and_no_other_point(zygote: Zygote) -> None:
    outcomes, reason = await ran(zygote, task_of(source("if x == 3: ctypes.string_at(0)\nm = x")))
    assert (values(outcomes), reason) == ([1.0, 2.0, "failed", 4.0, 5.0, 6.0], "")
    assert outcomes[2].error is not None
    assert outcomes[2].error.message.startswith("The model's process crashed")


async def test_a_child_that_writes_to_its_pipe_between_points_is_replaced(
    zygote: Zygote, monkeypatch: pytest.MonkeyPatch
) -> None:
    body = "m = x\nSEEN.append(x)\nprint(len(SEEN))\nWRITE()"
    load = (
        "from catenary_worker.sandbox import pipe\nEND = pipe.write_all\n"
        "def WRITE():\n    def more(descriptor, pieces):\n        END(descriptor, [b''.join(pieces) + b'Rx'])\n"
        "    pipe.write_all = more\n"
    )
    outcomes, reason = await ran(zygote, task_of(source(body, load)))
    assert (values(outcomes), reason) == (list(XS), "")
    assert {one.log for one in outcomes} == {"1\n"}, "no child has a second point"
    monkeypatch.setattr(reused.async_pipe, "is_empty", lambda descriptor: True)
    assert (await ran(zygote, task_of(source(body, load))))[1] != "", "without the look the next result is damaged"


async def test_files_of_a_zip_are_kept_and_a_changed_one_costs_the_child(zygote: Zygote) -> None:
    body = "m = x + int(open('data.txt').read())\nprint(os.listdir())"
    outcomes, reason = await ran(zygote, task_of(zipped({"model.py": source(body), "data.txt": b"0"})))
    assert (values(outcomes), reason) == (list(XS), "")
    assert all(one.reused and "data.txt" in one.log for one in outcomes[1:])
    changing = body + "\nopen('data.txt', 'w').write('1')"
    outcomes, reason = await ran(zygote, task_of(zipped({"model.py": source(changing), "data.txt": b"0"})))
    assert (values(outcomes), reason) == (list(XS), "")
    assert not any(one.reused for one in outcomes)


async def test_a_child_is_replaced_after_its_work_and_the_next_one_begins_with_the_last_point(
    zygote: Zygote, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kept, "WORK_SECONDS", 0.0)
    outcomes, _ = await ran(zygote, task_of(source("SEEN.append(x)\nm = x\nprint(len(SEEN))")))
    assert [one.log for one in outcomes] == ["1\n"] * 6, "no budget: a child a point"


async def test_a_cancelled_point_costs_its_child_and_the_next_one_is_right(zygote: Zygote) -> None:
    async with zygote.keep(task_of(source("while x == 3: pass\nSEEN.append(x)\nm = x + len(SEEN) - 1"))) as keeper:
        await keeper.evaluate({"x": 1.0})
        waiting = asyncio.create_task(keeper.evaluate({"x": 3.0}))
        await child_at_work(zygote)
        waiting.cancel()
        await asyncio.wait({waiting})
        assert waiting.cancelled()
        assert (await keeper.evaluate({"x": 2.0})).metrics["m"]["value"] == 2.0, "a fresh child"
        waiting = asyncio.create_task(keeper.evaluate({"x": 3.0}))
        await child_at_work(zygote)
        await zygote.cancel()
        with pytest.raises(CancelledRunError):
            await waiting
        assert (await keeper.evaluate({"x": 2.0})).metrics["m"]["value"] == 2.0


async def test_a_zygote_that_dies_between_points_costs_its_child(without: Without) -> None:
    zygote = Zygote()
    await zygote.start()
    async with zygote.keep(task_of(source("m = x"))) as keeper:
        await keeper.evaluate({"x": 1.0})
        assert zygote.pid is not None
        os.kill(zygote.pid, signal.SIGKILL)
        async with asyncio.timeout(60):
            while zygote._control is not None:  # noqa: ASYNC110 - it has no event to wait for
                await asyncio.sleep(0.01)
        assert (await keeper.evaluate({"x": 2.0})).metrics["m"]["value"] == 2.0
    await zygote.close()


async def test_a_model_that_cannot_be_described_fails_at_each_point(zygote: Zygote) -> None:
    async with zygote.keep(task_of(b"no model")) as keeper:
        for _ in range(2):
            outcome = await keeper.evaluate({})
            assert outcome.error is not None
            assert outcome.error.message == "SyntaxError: invalid syntax"


async def asked(zygote: Zygote, task: Task, x: float) -> Outcome:
    """Run one point in a context of its own, as one job does."""
    async with zygote.keep(task) as keeper:
        outcome = await keeper.evaluate({"x": x})
        await keeper.confirm()
    return outcome


SECRET = "SEEN.append(x)\nm = SEEN[0]\nprint(len(SEEN))"
"""A model whose result tells the first value that its process saw."""


async def test_a_child_goes_on_for_its_sharers_and_never_for_others(
    zygote: Zygote, monkeypatch: pytest.MonkeyPatch
) -> None:
    mine = replace(task_of(source(SECRET)), sharers="one user, project and version")
    assert (await asked(zygote, mine, 1.0)).log == "1\n"
    assert (await asked(zygote, mine, 1.0)).log == "2\n", "the child that was left, and not confirmed after this"
    others = {
        "another user": replace(mine, sharers="another user"),
        "nobody": replace(mine, sharers=""),
        "another file": replace(mine, source=mine.source + b"#"),
        "more memory": replace(mine, memory=2 << 30),
        "another time": replace(mine, timeout=30.0),
        "one who wants no geometry": replace(mine, geometry=False),
    }
    for name, other in others.items():
        await asked(zygote, mine, 1.0)
        outcome = await asked(zygote, other, 2.0)
        assert (values([outcome]), outcome.log, outcome.reused) == ([2.0], "1\n", False), name
    monkeypatch.setattr(reused.LeftChild, "_is_of", lambda *_: True)
    for name, other in others.items():
        zygote.left.end()
        await asked(zygote, mine, 1.0)
        assert values([await asked(zygote, other, 2.0)]) == [1.0], (
            f"without the guard {name} gets the value of one user"
        )


async def test_a_child_is_left_only_when_its_results_are_confirmed(zygote: Zygote) -> None:
    task = replace(task_of(source("SEEN.append(x)\nm = x\nprint(len(SEEN))")), sharers="some")
    async with zygote.keep(task) as keeper:
        for x in XS:
            await keeper.evaluate({"x": x})
    assert (await asked(zygote, task, 1.0)).log == "1\n"

    async def fails() -> None:
        async with zygote.keep(task) as keeper:
            await keeper.evaluate({"x": 1.0})
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await fails()
    assert (await asked(zygote, task, 1.0)).log == "1\n", "an error in the block ends the child"


async def test_a_left_child_ends_by_itself(zygote: Zygote, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reused, "LEFT_SECONDS", 0.0)
    task = replace(task_of(source("SEEN.append(x)\nm = x\nprint(len(SEEN))")), sharers="some")
    await asked(zygote, task, 1.0)
    async with asyncio.timeout(60):
        while zygote.left._child is not None:  # noqa: ASYNC110 - it has no event to wait for
            await asyncio.sleep(0.001)
    assert (await asked(zygote, task, 1.0)).log == "1\n"


async def _killed_at(zygote: Zygote, monkeypatch: pytest.MonkeyPatch) -> None:
    """Have every further child of a zygote killed as soon as it is taken, as a system without memory does."""
    take = Zygote.take

    async def taken(self: Zygote, task: Task) -> Any:
        child = await take(self, task)
        child.kill()
        await asyncio.shield(child.ended)  # else it may answer before the zygote kills it
        return child

    monkeypatch.setattr(Zygote, "take", taken)


async def test_a_fresh_child_that_is_killed_tells_nothing_of_the_model(
    zygote: Zygote, monkeypatch: pytest.MonkeyPatch
) -> None:
    for ends_by in ("a kill", "the time limit"):
        with monkeypatch.context() as patched:
            async with zygote.keep(task_of(source("m = x"))) as keeper:
                outcomes = [await keeper.evaluate({"x": x}) for x in XS[:2]]
                if ends_by == "a kill":
                    await _killed_at(zygote, patched)
                else:
                    timed_out = Outcome("timed_out")
                    patched.setattr(reused, "perform", lambda *_, out=timed_out: asyncio.sleep(0, out))
                assert outcomes[1].reused
                assert await keeper.confirm(), "what was reused is to be computed anew"
                assert keeper.not_repeatable == "", ends_by
                patched.undo()
                again = await keeper.evaluate({"x": 2.0})
                assert (values([again]), again.reused, again.not_repeatable) == ([2.0], False, "")


async def test_of_the_idle_children_the_one_that_waits_longest_is_dropped(
    zygote: Zygote, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def logs(most: int) -> list[str]:
        """Return the logs of the last points of three contexts, which had a point each."""
        monkeypatch.setattr(reused, "MOST_IDLE", most)
        task = task_of(source("SEEN.append(x)\nm = x\nprint(len(SEEN))"))
        async with zygote.keep(task) as first, zygote.keep(task) as second, zygote.keep(task) as third:
            for keeper in (first, second, third):
                await keeper.evaluate({"x": 1.0})
            return [(await keeper.evaluate({"x": 2.0})).log for keeper in (third, second, first)]

    assert await logs(3) == ["2\n", "2\n", "2\n"]
    assert await logs(2) == ["2\n", "2\n", "1\n"], "a fresh child for who waited longest"
    assert not zygote.idle._holders, "none is held after the contexts"


async def test_a_model_that_lost_the_reuse_has_it_in_no_later_context(zygote: Zygote) -> None:
    keeper, stateful = Keeper(zygote), task_of(source(STATEFUL[0][1]))
    async with keeper.keep("one", stateful) as context:
        await chunk(context, [{"x": 1.0}, {"x": 2.0}])
        assert context.not_repeatable
    async with keeper.keep("one", stateful) as context:
        assert not any([(await context.evaluate({"x": x})).reused for x in XS[:2]])
    async with keeper.keep("another", task_of(source("m = x"))) as context:
        assert any([(await context.evaluate({"x": x})).reused for x in XS[:2]])
