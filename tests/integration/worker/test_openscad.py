"""OpenSCAD models, in the same sandbox. Needs the `openscad` program of the distribution."""

import asyncio
import shutil
from pathlib import Path

import pytest

from catenary_worker import host
from catenary_worker.host import Zygote
from catenary_worker.jobs.check import check
from catenary_worker.sandbox import runtime
from catenary_worker.task import Task
from integration.worker.zygotes import Without, children, described, exists, good_evaluation, nothing_left

PLATE = Path(__file__).parents[2] / "fixtures" / "models" / "customizer.scad"
SLOW = b"$fn = 400; minkowski() { sphere(10); sphere(3); sphere(1); }"
VALUES = {"length": 120, "holes": 2, "thickness": 5.0, "size": 8, "pattern": "ring"}

pytestmark = [pytest.mark.asyncio(loop_scope="module"), pytest.mark.slow]
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
    slow = await described(zygote, task(SLOW))
    await zygote.ready()
    running = asyncio.create_task(zygote.run(slow))
    while not zygote._births:  # noqa: ASYNC110 - ordered and not born yet, of which there is no event
        await asyncio.sleep(0)
    birth = zygote._births[-1]
    in_cell = asyncio.Event()
    with monkeypatch.context() as patch:
        if not guarded:
            patch.setattr(host, "_discarded", lambda _: in_cell.set())
        running.cancel()
        with pytest.raises(asyncio.CancelledError):
            await running
    child = await birth
    if guarded:
        await nothing_left(zygote, {child.pid})
    else:
        await in_cell.wait()  # until then its pipe is read, and so can't be closed
        assert exists(child.pid), "it waits for a task"
        child.close()
    await good_evaluation(zygote)


async def test_where_the_program_is_missing_the_answer_says_so(without: Without) -> None:
    zygote = without(code="from catenary_worker.sandbox import runtime\nruntime.openscad = lambda: None")
    try:
        outcome = await zygote.run(task(b"cube(1);"))
        assert outcome.error is not None
        assert outcome.error.message == (
            "OpenSCAD is not installed on this worker; its operator installs the program openscad, such as by"
            " `apt-get install openscad`. The worker finds it without a restart."
        )
    finally:
        await zygote.close()


@needs_openscad
@pytest.mark.parametrize("ordered", [True, False])
async def test_equal_values_give_the_same_bytes_although_openscad_changes_its_order(
    zygote: Zygote, without: Without, *, ordered: bool
) -> None:
    source = b"""
        difference() { cube([50, 50, 10]); for (a = [0:30:330]) rotate(a) translate([12, 0, -1]) cylinder(r = 2, h = 40); }
        translate([0, 0, 5]) minkowski() { cube([20, 20, 4]); sphere(2, $fn = 12); }
    """
    code = "from catenary_worker.models import openscad\nopenscad._ordered = lambda *mesh: mesh"
    used = zygote if ordered else without(code=code)
    try:
        files = set()
        for _ in range(6 if ordered else 30):
            files.add((await used.run(task(source))).geometry[0].data)
            if len(files) > 1:
                break
    finally:
        if used is not zygote:
            await used.close()
    assert (len(files) == 1) == ordered, "six pushes of such a file were five times not deterministic"


@needs_openscad
@pytest.mark.parametrize(("unit", "metres"), [("", 0.42), ('GEOMETRY_UNIT = "in";\n', 10.668)])
async def test_a_file_is_in_millimetres_unless_it_names_another_unit(zygote: Zygote, unit: str, metres: float) -> None:
    outcome = await zygote.run(task(f"{unit}length = 420;\ncube([length, 10, 10]);".encode(), length=420))
    assert outcome.status == "completed", outcome.error
    assert outcome.geometry[0].parts[0]["bounding_box"]["max"][0] == pytest.approx(metres)


@needs_openscad
async def test_a_program_that_is_installed_later_is_found_without_a_restart(
    tmp_path: Path, without: Without, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "bin"
    folder.mkdir()
    program = runtime.openscad()
    assert program is not None
    zygote = without(code=f"from catenary_worker.sandbox import runtime\nruntime.OPENSCAD_FOLDERS = {str(folder)!r}")
    monkeypatch.setattr(runtime, "OPENSCAD_FOLDERS", str(folder))
    try:
        await zygote.start()
        missing = await zygote.run(task(b"cube(1);"))
        assert missing.error is not None
        assert missing.error.message.startswith("OpenSCAD is not installed")
        assert not await zygote.renew(), "nothing has changed"
        shutil.copy(program, folder)
        assert await zygote.renew()
        found = await zygote.run(task(b"cube(1);"))
        assert found.status == "completed", found.error
        assert not await zygote.renew()
        (folder / "openscad").unlink()
        assert await zygote.renew(), "a removed program is no longer used"
        assert (await zygote.run(task(b"cube(1);"))).status == "failed"
    finally:
        await zygote.close()


@needs_openscad
async def test_what_openscad_warns_of_is_a_remark_of_the_check(zygote: Zygote) -> None:
    """A library that is not there and a module that nobody wrote: half of the geometry is gone, and OpenSCAD goes on."""
    source = b"use <parts.scad>\ncube(20);\ntranslate([30, 0, 0]) foot(5);\n"
    outcome, _ = await check(zygote, task(source))
    assert outcome.status == "completed"
    missing, unknown = outcome.remarks
    assert missing.startswith("OpenSCAD: WARNING: Can't open library 'parts.scad'")
    assert unknown.startswith("OpenSCAD: WARNING: Ignoring unknown module 'foot'")
    assert "line 3" in unknown
