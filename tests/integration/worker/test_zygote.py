"""The life of a zygote: start, one task at a time, cancel, loss, end; as root and as another user."""

import asyncio
import os
import shutil
import signal
import sys
import time
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import psutil
import pytest

from catenary_worker import host
from catenary_worker.host import (
    CancelledRunError,
    SandboxUnavailableError,
    WorkerFaultError,
    Zygote,
)
from catenary_worker.sandbox import runtime
from catenary_worker.task import Task
from integration.worker.zygotes import (
    Without,
    child_at_work,
    children,
    evaluate,
    exists,
    gone,
    good_evaluation,
    model,
    nothing_left,
)

# The zygote belongs to the event loop of its module.
pytestmark = [pytest.mark.asyncio(loop_scope="module"), pytest.mark.slow]
needs_build123d = pytest.mark.skipif(
    find_spec("build123d") is None, reason="the optional package build123d is not installed (pip install -e '.[brep]')"
)


def threads(zygote: Zygote) -> int:
    assert zygote.pid is not None
    return psutil.Process(zygote.pid).num_threads()


async def test_an_evaluation_returns_metrics_constraints_tables_geometry_and_its_time(zygote: Zygote) -> None:
    outcome = await good_evaluation(zygote)
    assert outcome.metrics == {"volume": {"value": 8.0, "unit": "m3"}, "faces": {"value": 12, "unit": None}}
    compared = {"metric": "volume", "op": "<=", "limit": 30, "unit": "m3"}
    assert outcome.constraints == {"small": {"value": 8.0, "satisfied": True, **compared}}
    assert outcome.tables == {"sides": [{"side": 1, "length": 2.0}]}
    assert outcome.duration_ms > 0
    (box,) = outcome.geometry
    assert (box.name, box.format, box.content_type) == ("box", "glb", "model/gltf-binary")
    assert box.data[:4] == b"glTF"
    (part,) = box.parts
    assert part["mass"] == pytest.approx(8000)


async def test_a_describe_runs_no_code_of_the_model(zygote: Zygote) -> None:
    source = model("good").replace(b"import trimesh", b"raise RuntimeError('ran')")
    outcome = await zygote.run(Task("describe", "python", source))
    assert outcome.status == "completed", outcome.error
    assert outcome.description is not None
    assert [parameter["name"] for parameter in outcome.description["parameters"]] == ["size"]
    ran = await zygote.run(Task("evaluate", "python", source, {"size": 2.0}))
    assert ran.error is not None
    assert ran.error.message == "RuntimeError: ran"


async def test_the_next_child_is_made_while_a_model_runs(zygote: Zygote) -> None:
    task = Task(
        "evaluate",
        "python",
        b"""
import time
PARAMETERS = []
METRICS = []
def evaluate(p):
    time.sleep(0.5)
    return {"metrics": {}}
""",
    )
    for _ in range(3):
        assert (await zygote.run(task)).status == "completed"
        assert [spare.done() for spare in zygote._spares] == [True]


async def test_tasks_run_one_at_a_time_in_a_child_of_their_own(zygote: Zygote) -> None:
    source = b"""
import time
seen = []
PARAMETERS = []
def evaluate(p):
    seen.append(1)
    time.sleep(0.05)
    return {"metrics": {"seen": len(seen)}}
"""
    started = time.monotonic()
    outcomes = await asyncio.gather(*(zygote.run(Task("evaluate", "python", source)) for _ in range(3)))
    assert time.monotonic() - started > 0.15
    assert [outcome.metrics["seen"]["value"] for outcome in outcomes] == [1, 1, 1]


async def test_a_library_begins_no_thread_beside_the_model(zygote: Zygote) -> None:
    outcome = await zygote.run(evaluate("counted_threads"))
    assert outcome.status == "completed", outcome.error
    assert outcome.metrics["value"]["value"] == 2, "the model's own thread is the second"
    assert threads(zygote) == 1, "else a fork would lose those that a library relies on"


@pytest.mark.skipif(len(os.sched_getaffinity(0)) == 1, reason="with one processor there is no second thread anyway")
async def test_with_all_processors_a_library_begins_threads(without: Without) -> None:
    zygote = without(code="import os; os.sched_setaffinity = lambda *_: None")
    try:
        await zygote.start()
        assert threads(zygote) > 1, "so the test above can fail"
    finally:
        await zygote.close()


async def test_random_numbers_and_the_order_of_sets_are_the_same_in_every_child(zygote: Zygote) -> None:
    source = b"""
import random
import numpy as np
PARAMETERS = []
def evaluate(p):
    order = "".join({"a", "b", "c", "d", "e"})
    return {"metrics": {"r": random.random(), "n": np.random.rand()}, "tables": {"t": [{"order": order}]}}
"""
    first, second = [await zygote.run(Task("evaluate", "python", source)) for _ in range(2)]
    assert first.metrics == second.metrics
    assert first.tables == second.tables
    other = Zygote()
    try:
        third = await other.run(Task("evaluate", "python", source))
        assert (third.metrics, third.tables) == (first.metrics, first.tables)
    finally:
        await other.close()


async def test_a_cancelled_run_ends_its_child(zygote: Zygote) -> None:
    before = children(zygote)
    running = asyncio.create_task(zygote.run(evaluate("hostile/endless_loop", 600)))
    await child_at_work(zygote)
    await zygote.cancel()
    with pytest.raises(CancelledRunError):
        await running
    await nothing_left(zygote, before)

    before = children(zygote)
    running = asyncio.create_task(zygote.run(evaluate("hostile/endless_loop", 600)))
    await child_at_work(zygote)
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    await nothing_left(zygote, before)
    await good_evaluation(zygote)


async def test_a_child_that_will_not_end_after_its_result_is_ended(
    zygote: Zygote, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(host, "LINGER_SECONDS", 2.0)  # long enough to be seen on a busy machine
    source = b"""
import time
PARAMETERS = []
def evaluate(p):
    def forever(_):
        while True:
            pass
    time.sleep = forever
    return {"metrics": {"done": 1}}
"""
    outcome = await zygote.run(Task("evaluate", "python", source))
    assert outcome.status == "completed", outcome.error
    child = [one.pid for one in zygote._lingering][-1]  # the one before it described the model
    assert exists(child), "it lives on until the result is delivered"
    await nothing_left(zygote, {child})


async def test_a_cancel_before_the_child_is_ready_holds() -> None:
    zygote = Zygote()
    try:
        running = asyncio.create_task(zygote.run(evaluate("hostile/endless_loop", 600)))
        await asyncio.sleep(0.05)  # the zygote is still starting
        await zygote.cancel()
        with pytest.raises(CancelledRunError):
            await running
        await zygote.cancel()  # with nothing to cancel
        await good_evaluation(zygote)
    finally:
        await zygote.close()


async def test_a_killed_zygote_is_a_worker_fault_and_starts_again() -> None:
    zygote = Zygote()
    try:
        await zygote.start()
        assert zygote.pid is not None
        behind = children(zygote)
        os.kill(zygote.pid, signal.SIGKILL)
        assert await gone(behind), "the child outlived its zygote"
        await good_evaluation(zygote)

        running = asyncio.create_task(zygote.run(evaluate("hostile/endless_loop", 600)))
        await child_at_work(zygote)
        behind = children(zygote)
        os.kill(zygote.pid, signal.SIGKILL)
        with pytest.raises(WorkerFaultError):
            await running
        assert await gone(behind), "an evaluation outlived its zygote"
        await good_evaluation(zygote)
    finally:
        await zygote.close()


async def test_close_ends_every_process() -> None:
    zygote = Zygote()
    await zygote.start()
    running = asyncio.create_task(zygote.run(evaluate("hostile/ignored_signals", 600)))
    await child_at_work(zygote)
    assert zygote.pid is not None
    everything = {zygote.pid, *children(zygote)}
    assert len(everything) >= 2, "the child at work, and the next one"
    await zygote.close()
    with pytest.raises(CancelledRunError):
        await running
    assert await gone(everything)


FORBIDDEN = """
import errno, pyseccomp
calls = pyseccomp.SyscallFilter(pyseccomp.ALLOW)
calls.add_rule(pyseccomp.ERRNO(errno.EPERM), "unshare")
calls.load()
from catenary_worker import zygote
zygote.main()
"""


@pytest.fixture
def forbidden(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make the system forbid namespaces, by the same means as containers do."""

    def command(control: int, *, allow_unsandboxed: bool) -> list[str]:
        more = ["unsandboxed"] if allow_unsandboxed else []
        return [sys.executable, "-P", "-c", FORBIDDEN, str(control), *more]

    monkeypatch.setattr(host, "command", command)


@pytest.mark.usefixtures("forbidden")
async def test_where_namespaces_are_forbidden_no_model_runs() -> None:
    zygote = Zygote()
    with pytest.raises(SandboxUnavailableError, match=r"this system forbids it .*Operation not permitted"):
        await zygote.start()
    with pytest.raises(SandboxUnavailableError):
        await zygote.run(evaluate("good", size=2.0))
    assert zygote.pid is None
    assert zygote.state is not None
    assert not zygote.state.enforced


@pytest.mark.usefixtures("forbidden")
async def test_where_namespaces_are_forbidden_a_setting_allows_models_without() -> None:
    zygote = Zygote(allow_unsandboxed=True)
    try:
        state = await zygote.start()
        assert not state.enforced
        assert state.reason is not None
        before = children(zygote)
        await good_evaluation(zygote)
        await nothing_left(zygote, before)
    finally:
        await zygote.close()


async def test_the_digest_is_stable_and_names_the_runtime(monkeypatch: pytest.MonkeyPatch) -> None:
    digest = runtime.digest()
    assert digest == runtime.digest()
    assert len(bytes.fromhex(digest)) == 32
    assert {"manifold3d", "numpy", "scipy", "trimesh"} <= set(runtime.distributions())
    monkeypatch.setattr(runtime, "openscad", lambda: None)
    monkeypatch.setattr(runtime, "distributions", lambda: ["numpy"])
    assert runtime.digest() != digest


async def test_a_source_that_is_too_large_is_refused_without_a_child(
    zygote: Zygote, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(host, "SOURCE_BYTES", 10)
    outcome = await zygote.run(evaluate("good", size=2.0))
    assert outcome.error is not None
    assert outcome.error.message.startswith("The model file is larger than")


async def test_no_descriptor_leaks_over_many_evaluations_of_every_outcome(zygote: Zygote) -> None:
    def descriptors() -> tuple[int, int]:
        return len(os.listdir("/proc/self/fd")), len(os.listdir(f"/proc/{zygote.pid}/fd"))  # noqa: PTH208

    tasks = [
        evaluate("good", size=2.0),
        evaluate("hostile/syntax_error"),
        evaluate("hostile/exit_early"),
        evaluate("hostile/segfault"),
        evaluate("hostile/endless_loop", 0.05),
    ]

    async def settled() -> tuple[int, int]:
        """Return the numbers once they rest: while the next child is being forked, the zygote holds its pipes."""
        found = descriptors()
        for _ in range(40):
            await asyncio.sleep(0.1)
            found, last = descriptors(), found
            if found == last:
                break
        return found

    before = children(zygote)
    await good_evaluation(zygote)
    await nothing_left(zygote, before)
    at_first = await settled()
    for task in tasks * 5:
        before = children(zygote)
        await zygote.run(task)
    await nothing_left(zygote, before)
    at_last = await settled()
    # Fewer where something of an earlier test was collected meanwhile.
    assert all(last <= first for first, last in zip(at_first, at_last, strict=True)), (at_first, at_last)


@needs_build123d
async def test_a_build123d_shape_becomes_a_glb_and_a_step_file() -> None:
    source = b"""
PARAMETERS = []
from build123d import Box, Cylinder
def evaluate(p):
    return {"geometry": {"plate": {"mesh": Box(420, 400, 20) - Cylinder(100, 20), "density": 7850}}}
"""
    zygote = Zygote()
    try:
        outcome = await zygote.run(Task("evaluate", "python", source))
        assert outcome.status == "completed", outcome.error
        assert [(file.name, file.format) for file in outcome.geometry] == [("plate", "glb"), ("plate", "step")]
        (plate,) = outcome.geometry[0].parts
        assert plate["volume"] == pytest.approx((420 * 400 - 3.14159 * 100**2) * 20 * 1e-9, rel=0.005)
        assert plate["mass"] == pytest.approx(plate["volume"] * 7850)
        assert plate["bounding_box"]["max"] == pytest.approx([0.21, 0.2, 0.01]), "build123d counts in millimetres"
        assert outcome.geometry[1].data.startswith(b"ISO-10303-21;")
        await asyncio.sleep(1.1)  # a STEP file's header tells the second of its writing
        again = await zygote.run(Task("evaluate", "python", source))
        assert again.geometry == outcome.geometry
    finally:
        await zygote.close()


@needs_build123d
@pytest.mark.parametrize(
    ("unit", "width"), [("um", 420_000), ("cm", 42), ("m", 0.42), ("in", 420 / 25.4), ("ft", 420 / 304.8)]
)
async def test_a_build123d_model_may_name_another_unit_for_glb_and_step(
    tmp_path: Path, unit: str, width: float
) -> None:
    source = f"""
PARAMETERS = []
GEOMETRY_UNIT = {unit!r}
from build123d import Box
def evaluate(p):
    return {{"geometry": {{"plate": Box({width!r}, {width!r}, {width!r})}}}}
"""
    zygote = Zygote()
    try:
        outcome = await zygote.run(Task("evaluate", "python", source.encode()))
        assert outcome.status == "completed", outcome.error
        glb, step = outcome.geometry
        assert glb.parts[0]["bounding_box"]["max"] == pytest.approx([0.21] * 3)
        (tmp_path / "plate.step").write_bytes(step.data)
        read = import_module("build123d").import_step(tmp_path / "plate.step")
        assert pytest.approx(420) == read.bounding_box().size.X, "a reader sees the true size, in its millimetres"
    finally:
        await zygote.close()


@pytest.mark.slow
async def test_two_million_triangles_come_through(zygote: Zygote) -> None:
    source = b"""
import numpy as np
PARAMETERS = []
def evaluate(p):
    n = 1000
    x, y = np.meshgrid(np.arange(n + 1.0), np.arange(n + 1.0))
    vertices = np.column_stack([x.ravel(), y.ravel(), np.sin(x.ravel() / 50)])
    a = (np.arange(n)[:, None] * (n + 1) + np.arange(n)).ravel()
    faces = np.concatenate([np.column_stack([a, a + 1, a + n + 2]), np.column_stack([a, a + n + 2, a + n + 1])])
    return {"geometry": {"ground": (vertices, faces)}}
"""
    outcome = await zygote.run(Task("evaluate", "python", source))
    assert outcome.status == "completed", outcome.error
    assert outcome.geometry[0].parts[0]["triangles"] == 2_000_000
    assert 30_000_000 < len(outcome.geometry[0].data) < 64 * 1024 * 1024
    too_many = await zygote.run(Task("evaluate", "python", source.replace(b"n = 1000", b"n = 1600")))
    assert too_many.error is not None
    assert "more" in too_many.error.message or "at most" in too_many.error.message


@pytest.mark.slow
@pytest.mark.gate
async def test_a_model_may_use_its_whole_memory_and_no_more(zygote: Zygote) -> None:
    source = b"""
PARAMETERS = [{"name": "megabytes", "type": "integer", "default": 1}]
def evaluate(p):
    return {"metrics": {"size": len(b"x" * (p["megabytes"] * 10**6))}}
"""
    fits = await zygote.run(Task("evaluate", "python", source, {"megabytes": 1_900}))
    assert fits.status == "completed", fits.error
    over = await zygote.run(Task("evaluate", "python", source, {"megabytes": 2_300}))
    assert over.error is not None
    assert over.error.message == "MemoryError: the model used more than 2048 MiB of memory."


async def test_the_digest_covers_the_shared_step_rule(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    before = runtime.digest()
    copies = [Path(shutil.copytree(package, tmp_path / package.name)) for package in runtime._OURS]
    monkeypatch.setattr(runtime, "_OURS", copies)
    monkeypatch.setattr(runtime, "_HERE", copies[0])
    assert runtime.digest() == before
    rule = tmp_path / "catenary_wire" / "steps.py"
    rule.write_text(rule.read_text().replace("1e-9", "1e-3"))
    assert runtime.digest() != before
