"""NSGA-II and NSGA-III of pymoo, over numbers, steps and choices at once.

Over plain numbers they are pymoo's own, with its operators, and give what it gives with the same seed. Else crossover and
mutation treat ordered coordinates as pymoo does and round them, and choices without order by exchange and by chance.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from pymoo.algorithms.moo.nsga2 import NSGA2
from pymoo.algorithms.moo.nsga3 import NSGA3
from pymoo.core.crossover import Crossover
from pymoo.core.evaluator import Evaluator
from pymoo.core.mutation import Mutation
from pymoo.core.problem import Problem
from pymoo.core.repair import Repair
from pymoo.core.sampling import Sampling
from pymoo.core.termination import NoTermination
from pymoo.operators.crossover.sbx import cross_sbx
from pymoo.operators.mutation.pm import mut_pm
from pymoo.operators.sampling.rnd import FloatRandomSampling
from pymoo.operators.selection.tournament import TournamentSelection
from pymoo.problems.static import StaticProblem
from pymoo.util.ref_dirs import get_reference_directions

from catenary_core.studies import variables
from catenary_core.studies.definition import Definition
from catenary_core.studies.searches import Vector
from catenary_core.studies.variables import Variable

Array = Any
"""A numpy array."""


class GeneticSearch:
    """One run of NSGA-II or NSGA-III."""

    def __init__(self, definition: Definition) -> None:
        columns = definition.variables
        low, high = (np.array([variable.bounds[side] for variable in columns], dtype=float) for side in (0, 1))
        self._problem = Problem(
            n_var=len(columns),
            n_obj=len(definition.objectives),
            n_ieq_constr=len(definition.constraints) + 1,
            xl=low,
            xu=high,
        )
        options: dict[str, Any] = {}
        if any(variable.is_discrete for variable in columns):
            options = {"crossover": _Crossover(columns), "mutation": _Mutation(columns), "repair": _Rounding(columns)}
        if definition.start:
            start = [variables.vector(columns, values) for values in definition.start]
            options["sampling"] = _Sampling(np.array(start[: definition.population], dtype=float))
        self._algorithm = _algorithm(definition, options)
        self._algorithm.setup(self._problem, termination=NoTermination(), seed=definition.seed)
        self._asked: Any = None

    def ask(self) -> list[list[float]]:
        """Return the vectors of the next generation; none when every design near the best ones was tried."""
        self._asked = self._algorithm.ask()
        return [] if self._asked is None else self._asked.get("X").astype(float).tolist()

    def tell(self, vectors: Sequence[Vector], objectives: Sequence[Vector], violations: Sequence[Vector]) -> None:
        """Take the results of the generation."""
        self._asked.set("X", np.array(vectors, dtype=float))
        known = StaticProblem(self._problem, F=np.array(objectives, dtype=float), G=np.array(violations, dtype=float))
        Evaluator().eval(known, self._asked)
        self._algorithm.tell(infills=self._asked)


def _algorithm(definition: Definition, options: dict[str, Any]) -> Any:
    if definition.algorithm == "nsga2":
        return NSGA2(pop_size=definition.population, **options)
    count = len(definition.objectives)
    directions = get_reference_directions("das-dennis", count, n_partitions=partitions(count, definition.population))
    selection = TournamentSelection(func_comp=by_violation)
    return NSGA3(directions, pop_size=max(definition.population, len(directions)), selection=selection, **options)


def by_violation(pop: Any, pairs: Array, random_state: Any = None, **_: Any) -> Array:
    """Choose of each pair the individual with less violation, else one by the study's own chance.

    pymoo's own comparison breaks ties of infeasible ones by a chance without a seed.
    """
    violation = pop.get("CV")[:, 0]
    first, second = pairs[:, 0], pairs[:, 1]
    drawn = random_state.random(len(pairs)) < 0.5
    wins = np.where(violation[first] == violation[second], drawn, violation[first] < violation[second])
    return np.where(wins, first, second)[:, None].astype(int)


def partitions(objectives: int, population: int) -> int:
    """Return the finest partition of the objectives' simplex that has no more directions than a population."""
    found = 1
    while math.comb(objectives + found, found + 1) <= population:
        found += 1
    return found


class _Sampling(Sampling):  # type: ignore[misc] # pymoo has no types
    """Begin with given vectors, and go on at random."""

    def __init__(self, start: Array) -> None:
        super().__init__()
        self._start = start

    def _do(self, problem: Any, n_samples: int, *args: Any, random_state: Any = None, **kwargs: Any) -> Array:
        rest = FloatRandomSampling()._do(problem, n_samples, *args, random_state=random_state, **kwargs)
        rest[: len(self._start)] = self._start
        return rest


class _Rounding(Repair):  # type: ignore[misc] # pymoo has no types
    """Round discrete coordinates."""

    def __init__(self, columns: Sequence[Variable]) -> None:
        super().__init__()
        self._discrete = np.array([variable.is_discrete for variable in columns])

    def _do(self, problem: Any, X: Array, **kwargs: Any) -> Array:  # noqa: N803 - the names of pymoo
        found = X.astype(float)
        found[:, self._discrete] = np.rint(found[:, self._discrete]) + 0.0
        return found


class _Crossover(Crossover):  # type: ignore[misc] # pymoo has no types
    """Cross ordered coordinates as SBX does, and exchange half of the others."""

    def __init__(self, columns: Sequence[Variable]) -> None:
        super().__init__(2, 2, prob=0.9)
        self._ordered = np.array([variable.is_ordered for variable in columns])

    def _do(self, problem: Any, X: Array, *args: Any, random_state: Any = None, **kwargs: Any) -> Array:  # noqa: N803 - the names of pymoo
        found = X.astype(float)
        pairs = X.shape[1]
        if self._ordered.any():
            found[:, :, self._ordered] = cross_sbx(
                found[:, :, self._ordered],
                problem.xl[self._ordered],
                problem.xu[self._ordered],
                *(np.full((pairs, 1), value) for value in (15.0, 0.5, 0.5)),
                random_state=random_state,
            )
        swapped = (random_state.random((pairs, X.shape[2])) < 0.5) & ~self._ordered
        first, second = found[0].copy(), found[1].copy()
        found[0][swapped], found[1][swapped] = second[swapped], first[swapped]
        return found


class _Mutation(Mutation):  # type: ignore[misc] # pymoo has no types
    """Move ordered coordinates as PM does, steps by at least one, and draw the others anew."""

    def __init__(self, columns: Sequence[Variable]) -> None:
        super().__init__(prob=0.9)
        self._ordered = np.array([variable.is_ordered for variable in columns])
        self._discrete = np.array([variable.is_discrete for variable in columns])

    def _do(self, problem: Any, X: Array, *args: Any, random_state: Any = None, **kwargs: Any) -> Array:  # noqa: N803 - the names of pymoo
        found = X.astype(float)
        count, width = found.shape
        share = min(0.5, 1 / width)
        if self._ordered.any():
            found[:, self._ordered] = mut_pm(
                found[:, self._ordered],
                problem.xl[self._ordered],
                problem.xu[self._ordered],
                np.full(count, 20.0),
                np.full(count, share),
                at_least_once=False,
                random_state=random_state,
            )
        moved = (found != X) & self._discrete
        steps = np.where(random_state.random((count, width)) < 0.5, -1.0, 1.0)
        too_short = moved & (np.rint(found) == X)
        found[too_short] = (X + steps)[too_short]
        found = np.clip(found, problem.xl, problem.xu)
        drawn = (random_state.random((count, width)) < share) & ~self._ordered
        anywhere = problem.xl + random_state.random((count, width)) * (problem.xu - problem.xl)
        found[drawn] = np.rint(anywhere)[drawn]
        return found
