"""A task without geometry: the model runs as always, and its geometry is not looked at."""

from dataclasses import replace

import pytest

from catenary_worker.host import Zygote
from catenary_worker.task import Task
from integration.worker.zygotes import model

# The zygote belongs to the event loop of its module.
pytestmark = [pytest.mark.asyncio(loop_scope="module"), pytest.mark.sampled]

_NO_SHAPE = b"""
PARAMETERS = []

def evaluate(p):
    return {"metrics": {"mass": 1.0}, "geometry": {"tower": "no shape"}}
"""


async def test_the_result_has_all_but_the_geometry(zygote: Zygote) -> None:
    task = Task("evaluate", "python", model("good"), {"size": 2.0})
    whole, without = await zygote.run(task), await zygote.run(replace(task, geometry=False))
    assert len(whole.geometry) == 1
    assert without.unmade == [("box", "glb")], "its names are told"
    assert replace(without, duration_ms=0.0, unmade=[]) == replace(whole, geometry=[], duration_ms=0.0)


async def test_faults_of_the_geometry_are_not_looked_for(zygote: Zygote) -> None:
    task = Task("evaluate", "python", _NO_SHAPE)
    assert (await zygote.run(task)).status == "failed"
    assert (await zygote.run(replace(task, geometry=False))).metrics == {"mass": {"value": 1.0, "unit": None}}


async def test_each_point_of_a_kept_child_has_geometry_or_none(zygote: Zygote) -> None:
    task = Task("evaluate", "python", model("good"), repeatable=True)
    async with zygote.keep(task) as keeper:
        made = [await keeper.evaluate({"size": 2.0}, geometry=wanted) for wanted in (True, False, True, False)]
        assert keeper._used is not None
        assert keeper._used.points == 4, "one child ran them all"
    assert [len(one.geometry) for one in made] == [1, 0, 1, 0]
    assert [one.unmade for one in made] == [[], [("box", "glb")], [], [("box", "glb")]]
    assert made[0].geometry == made[2].geometry
