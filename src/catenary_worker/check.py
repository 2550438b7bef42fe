"""The check of an uploaded version: its declarations, and whether its default values give the same result twice."""

from __future__ import annotations

from dataclasses import replace

from catenary_worker.host import Zygote
from catenary_worker.task import Outcome, Task


async def check(zygote: Zygote, task: Task) -> tuple[Outcome, bool | None]:
    """Describe the model of `task`, then evaluate its default values twice.

    Returns:
        The first failed outcome, else the first evaluation with the description and without geometry; and whether both
        evaluations agreed in metrics, constraints, tables and every byte of geometry (None unless the first evaluation
        completed).
    """
    described = await zygote.run(replace(task, mode="describe", parameters={}))
    if described.status != "completed" or described.description is None:
        return described, None
    defaults = {parameter["name"]: parameter["default"] for parameter in described.description["parameters"]}
    evaluated = replace(task, mode="evaluate", parameters=defaults)
    first = await zygote.run(evaluated)
    if first.status != "completed":
        return replace(first, description=described.description), None
    second = await zygote.run(evaluated)
    if second.status != "completed":
        return replace(second, description=described.description), False
    return replace(first, description=described.description, geometry=[]), _result(first) == _result(second)


def _result(outcome: Outcome) -> tuple[object, ...]:
    geometry = [(item.name, item.format, item.data) for item in outcome.geometry]
    return outcome.metrics, outcome.constraints, outcome.tables, geometry
