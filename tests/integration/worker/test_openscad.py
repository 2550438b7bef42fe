"""OpenSCAD models, in the same sandbox. Needs the `openscad` program of the distribution."""

import asyncio
from pathlib import Path

import pytest

from catenary_worker import host
from catenary_worker.host import Zygote
from catenary_worker.sandbox import runtime
from catenary_worker.task import Task
from integration.worker.zygotes import Without, children, exists, good_evaluation, nothing_left

PLATE = Path(__file__).parents[2] / "fixtures" / "models" / "customizer.scad"
SLOW = b"$fn = 400; minkowski() { sphere(10); sphere(3); sphere(1); }"
VALUES = {"length": 120, "holes": 2, "thickness": 5.0, "size": 8, "pattern": "ring"}

pytestmark = pytest.mark.asyncio(loop_scope="module")
needs_openscad = pytest.mark.skipif(
    runtime.openscad() is None, reason="the program openscad is not installed (as root: apt-get install openscad)"
)


def task(source: bytes, timeout: float = 60.0, **parameters: object) -> Task:
    return Task("evaluate", "openscad", source, parameters, timeout)


async def test_the_customizer_comments_are_the_parameters(zygote: Zygote) -> None:
    outcome = await zygote.run(Task("describe", "openscad", PLATE.read_bytes()))
    assert outcome.description is not None, outcome.error
    names = [parameter["name"] for parameter in outcome.description["parameters"]]
    assert names == ["length", "thickness", "holes", "pattern", "size", "label", "countersunk", "margin"]


@needs_openscad
async def test_the_parameters_reach_the_program_and_its_solid_comes_back_in_metres(zygote: Zygote) -> None:
    outcome = await zygote.run(task(PLATE.read_bytes(), **VALUES))
    assert outcome.status == "completed", outcome.error
    (model,) = outcome.geometry
    (part,) = model.parts
    hole = 24 / 2 * 4**2 * 0.2588190451025207 * 5  # a 24-gon of radius 4: n/2 r^2 sin(2 pi / n), 5 mm thick
    assert part["kind"] == "solid"
    assert part["volume"] == pytest.approx((120 * 30 * 5 - 2 * hole) * 1e-9, rel=1e-4)
    assert part["bounding_box"]["max"] == pytest.approx([0.12, 0.03, 0.005])
    await nothing_left(zygote, set())


ATTACKS = {
    "a syntax error": (b"cube([1,1,1]\n", "OpenSCAD: ERROR: Parser error", {}),
    "nothing": (b"x = 1;", "OpenSCAD: Current top level object is empty", {}),
    "a flat shape": (b"square(1);", "OpenSCAD: Current top level object is not a 3D object", {}),
    "a file of the machine": (b'import("/etc/passwd");', "OpenSCAD: ", {}),
    "a file of another format": (b'surface("/etc/hostname");', "OpenSCAD: ", {}),
    "code in a text": (b't = "a";\nif (t == "a") cube(1);', "OpenSCAD: Current top level", {"t": 'b"; cube(9); s="'}),
    "a parameter that it does not have": (b"cube(1);", "'$fn' is not a parameter", {"$fn": 3}),
    "endless recursion": (b"function f(x) = f(x + 1) + 1; cube(f(0));", "OpenSCAD: ", {}),
}


@needs_openscad
@pytest.mark.parametrize("name", ATTACKS)
async def test_a_bad_model_fails_and_the_next_good_evaluation_works(zygote: Zygote, name: str) -> None:
    source, message, parameters = ATTACKS[name]
    before = children(zygote)
    outcome = await zygote.run(task(source, **parameters))
    assert outcome.status == "failed", outcome
    assert outcome.error is not None
    assert outcome.error.message.startswith(message), outcome.error
    assert "root:" not in outcome.error.message
    await good_evaluation(zygote)
    await nothing_left(zygote, before)


@needs_openscad
async def test_an_error_names_its_line(zygote: Zygote) -> None:
    outcome = await zygote.run(task(b"cube(1);\n\ncube(1) cube;\ncube(1);\n"))
    assert outcome.error is not None
    assert outcome.error.line == 3


@needs_openscad
async def test_a_model_that_takes_too_long_is_ended_with_its_program(zygote: Zygote) -> None:
    outcome = await zygote.run(task(SLOW, 1.0))
    assert outcome.status == "timed_out"
    await nothing_left(zygote, set())
    await good_evaluation(zygote)


@needs_openscad
@pytest.mark.parametrize("guarded", [True, False])
async def test_a_child_whose_task_was_cancelled_before_it_was_there_is_ended(
    zygote: Zygote, monkeypatch: pytest.MonkeyPatch, *, guarded: bool
) -> None:
    await zygote.ready()
    running = asyncio.create_task(zygote.run(task(SLOW)))
    while not zygote._births:  # noqa: ASYNC110 - ordered and not born yet, of which there is no event
        await asyncio.sleep(0)
    birth = zygote._births[-1]
    with monkeypatch.context() as patch:
        if not guarded:
            patch.setattr(host, "_discarded", lambda _: None)
        running.cancel()
        with pytest.raises(asyncio.CancelledError):
            await running
    child = await birth
    if guarded:
        await nothing_left(zygote, {child.pid})
    else:
        assert exists(child.pid), "it waits for a task"
        child.close()
    await good_evaluation(zygote)


async def test_where_the_program_is_missing_the_answer_says_so(without: Without) -> None:
    zygote = without(code="from catenary_worker.sandbox import runtime\nruntime.openscad = lambda: None")
    try:
        outcome = await zygote.run(task(b"cube(1);"))
        assert outcome.error is not None
        assert outcome.error.message == "OpenSCAD is not installed on this worker."
    finally:
        await zygote.close()
