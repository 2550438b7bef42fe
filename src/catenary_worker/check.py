"""The check of an uploaded version: what it declares, and whether its defaults evaluate, twice to the same."""

from __future__ import annotations

from dataclasses import replace

from catenary_worker.host import Zygote
from catenary_worker.task import Outcome, Task


async def check(zygote: Zygote, task: Task) -> tuple[Outcome, bool | None]:
    """Describes the model of `task`, then evaluates its defaults twice.

    The outcome is the first failure, or the first evaluation with the description. The flag tells whether both evaluations
    agreed in metrics, constraints, tables and every byte of geometry; None when there were not two.
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
