"""The check of an uploaded version: its declarations, and whether its results are the same again.

The defaults and another legal point are evaluated in two children: defaults, other, defaults in the first; other, defaults
in the second. If all bits agree the version is repeatable: one child may run several of its points (`kept`). A version that
fails at the other point is checked with the defaults alone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from catenary_worker import input_files
from catenary_worker.agreement import WAY_OUT, difference
from catenary_worker.host import Zygote
from catenary_worker.jobs import remarks
from catenary_worker.models.other_point import other_point
from catenary_worker.reused import ReusedChild
from catenary_worker.task import Outcome, Task

_PROGRAM = "Each evaluation of an OpenSCAD file runs the OpenSCAD program in a process of its own."
_SPENT = (
    "After an evaluation the model's process was not as before it: a thread was left, a file of the model was changed, or"
    " its standard output was replaced."
)


async def check(zygote: Zygote, task: Task) -> tuple[Outcome, bool | None]:
    """Describe the model of `task`, evaluate its default values, and compare; each run has the task's own time limit.

    Returns:
        The first failed outcome with the description, else the description with the metrics of the defaults and
        `repeatable`; and whether two fresh children agreed in metrics, constraints, tables, charts and every byte of geometry
        and files (None unless the first evaluation of the defaults completed).
    """
    described = await zygote.run(replace(task, mode="describe", parameters={}))
    if described.status != "completed" or described.description is None:
        return described, None
    description = described.description
    known = replace(task, mode="evaluate", description=description, code=described.code)
    defaults = {parameter["name"]: parameter["default"] for parameter in description["parameters"]}
    if names := input_files.lacking(description, task.files):
        reason = f"Nothing was evaluated in the check, since {' and '.join(names)} has no default file."
        return replace(described, description=description, repeatable=False, not_repeatable=reason), None
    if task.kind == "openscad":
        first, again = [await zygote.run(replace(known, parameters=defaults)) for _ in range(2)]
        reason = _PROGRAM
    else:
        first, again, reason = await _compared(zygote, known, defaults, other_point(description["parameters"]))
    if first.status != "completed":
        return replace(first, description=description), None
    if again.status != "completed":
        return replace(again, description=description), False
    told = replace(first, description=description, constraints={}, tables={}, charts={}, geometry=[], files=[])
    told = replace(told, remarks=remarks.of(task.kind, description, first))
    return replace(told, repeatable=not reason, not_repeatable=reason), _result(first) == _result(again)


async def _compared(
    zygote: Zygote, task: Task, defaults: Mapping[str, object], other: Mapping[str, object] | None
) -> tuple[Outcome, Outcome, str]:
    """Return the outcomes of the defaults in two fresh children, and the reason against reuse or an empty text."""
    before: list[Mapping[str, object]] = [] if other is None else [other]
    ran = await _in_one_child(zygote, task, [defaults, *before, defaults])
    first = ran[0]
    if first.status != "completed":
        return first, first, ""
    if len(ran) == 2 and other is not None and ran[1].status != "completed":
        return await _compared(zygote, task, defaults, None)
    against = await _in_one_child(zygote, task, [*before, defaults])
    if len(ran) < 2 + len(before) or (len(against) <= len(before) and against[-1].status == "completed"):
        reason = _SPENT
    else:
        reason = _reason(first, ran[-1], "the defaults were evaluated again in the same process")
        if other is not None:
            reason = reason or _reason(ran[1], against[0], "other values were evaluated after the defaults, and first")
        reason = reason or _reason(first, against[-1], "the defaults were evaluated in another process")
    if other is None or difference(first, against[-1]) is None:
        return first, against[-1], reason
    return first, await zygote.run(replace(task, parameters=defaults)), reason


async def _in_one_child(zygote: Zygote, task: Task, points: Sequence[Mapping[str, object]]) -> list[Outcome]:
    """Return the outcomes of points in one child, up to one that does not complete or leaves the child spent."""
    outcomes: list[Outcome] = []
    async with zygote.slot(task):
        used = ReusedChild(zygote, await zygote.take(task))
        try:
            for parameters in points:
                if outcomes and (outcomes[-1].status != "completed" or not await used.fits()):
                    break
                outcomes.append(await used.run(replace(task, parameters=parameters)))
        finally:
            used.end()
    return outcomes


def _reason(first: Outcome, second: Outcome, when: str) -> str:
    found = difference(first, second)
    return "" if found is None else f"{found} when {when}: {WAY_OUT}."


def _result(outcome: Outcome) -> tuple[object, ...]:
    geometry = [(item.name, item.format, item.data) for item in outcome.geometry]
    return outcome.metrics, outcome.constraints, outcome.tables, outcome.charts, geometry, outcome.files
