"""Studies of many points: memory of their engine, and the time of a generation, as points come.

Run it with `.venv/bin/python tests/bench/studies.py [points]`, 100,000 by default. The model is a function of two metrics; the
engine is the one that `catenary_core.studies.engine_program` serves, here in this process. Each tenth of the points it prints
the resident memory, the objects that the garbage collector knows, and milliseconds a generation.
"""

from __future__ import annotations

import gc
import math
import sys
import time
from collections import Counter
from collections.abc import Mapping
from typing import Any

import psutil
from smoke import few

from catenary_core.studies.definition import Definition, Objective
from catenary_core.studies.engine import Engine
from catenary_core.studies.scores import PointOutcome
from catenary_core.studies.variables import Choice, Range, StepRange

POPULATION = 100
_SHOWN = 5


def main() -> None:
    """Measure a study."""
    budget = int(sys.argv[1]) if len(sys.argv) > 1 else few(100_000, 1_000)
    engine = Engine(_definition(budget))
    process = psutil.Process()
    part, told, started, generations = max(POPULATION, budget // 10), 0, time.perf_counter(), 0
    before: Counter[str] = Counter()
    while (asked := engine.ask()).points:
        progress = engine.tell([PointOutcome(point, _metrics(point)) for point in asked.points])
        told, generations = told + len(asked.points), generations + 1
        if told // part > (told - len(asked.points)) // part:
            gc.collect()
            kinds = Counter(type(one).__name__ for one in gc.get_objects())
            grown = ", ".join(f"{name} {count:+}" for name, count in (kinds - before).most_common(_SHOWN))
            milliseconds = (time.perf_counter() - started) * 1e3 / generations
            print(
                f"{told:7} points: {process.memory_info().rss / 1e6:6.1f} MB, {sum(kinds.values())} objects"
                f" ({grown}), {milliseconds:5.1f} ms a generation, {len(progress.front)} on the front",
                flush=True,
            )
            before, started, generations = kinds, time.perf_counter(), 0


def _definition(budget: int) -> Definition:
    return Definition(
        algorithm="nsga2",
        variables=(
            Range("width", 0.5, 4.0),
            StepRange("count", 1, 1, 0, 99, whole=True),
            Choice("kind", ("steel", "timber", "stone"), is_ordered=False),
        ),
        fixed={},
        parameters=(),
        metrics=tuple({"name": name, "unit": None} for name in ("cost", "sag")),
        objectives=(Objective("cost", None), Objective("sag", None)),
        constraints=(),
        population=POPULATION,
        budget=budget,
        seed=1,
    )


def _metrics(point: Mapping[str, Any]) -> dict[str, float]:
    weight = {"steel": 3.0, "timber": 1.0, "stone": 2.0}[point["kind"]]
    return {"cost": weight * point["width"] * point["count"], "sag": math.exp(-point["width"]) / point["count"]}


if __name__ == "__main__":
    main()
