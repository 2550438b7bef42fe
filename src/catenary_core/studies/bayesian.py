"""TPE of Optuna: few, well chosen points, each asked for by a model of those before."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any

import optuna
from optuna.distributions import BaseDistribution, CategoricalDistribution, FloatDistribution, IntDistribution

from catenary_core.studies import variables
from catenary_core.studies.definition import Definition
from catenary_core.studies.searches import Vector
from catenary_core.studies.variables import Variable

_MOST_INTEGERS = 2**31
"""Most steps that Optuna counts; of more, coordinates between two steps are rounded."""


class BayesianSearch:
    """One run of TPE."""

    def __init__(self, definition: Definition) -> None:
        optuna.logging.set_verbosity(optuna.logging.ERROR)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", optuna.exceptions.ExperimentalWarning)
            sampler = optuna.samplers.TPESampler(
                seed=definition.seed % 2**32,
                multivariate=True,
            )
        self._study = optuna.create_study(directions=["minimize"] * len(definition.objectives), sampler=sampler)
        self._columns = definition.variables
        self._space: dict[str, BaseDistribution] = {one.name: _distribution(one) for one in definition.variables}
        self._population = definition.population
        self._trials: list[Any] = []
        for values in definition.start:
            at = variables.vector(self._columns, values)
            self._study.enqueue_trial({one.name: _plain(one, x) for one, x in zip(self._columns, at, strict=True)})

    def ask(self) -> list[list[float]]:
        """Return the vectors of the next generation."""
        self._trials = [self._study.ask(fixed_distributions=self._space) for _ in range(self._population)]
        return [[float(trial.params[one.name]) for one in self._columns] for trial in self._trials]

    def tell(self, vectors: Sequence[Vector], objectives: Sequence[Vector], violations: Sequence[Vector]) -> None:
        """Take the results of the generation, at the given vectors, which another release may have proposed."""
        for trial, at, values, distances in zip(self._trials, vectors, objectives, violations, strict=True):
            params = self._params(at)
            if params != trial.params:
                self._study.tell(trial, state=optuna.trial.TrialState.FAIL)
                self._study.add_trial(
                    optuna.trial.create_trial(
                        params=params,
                        distributions=self._space,
                        values=list(values),
                        constraints={str(index): distance for index, distance in enumerate(distances)},
                    )
                )
                continue
            for index, distance in enumerate(distances):
                trial.set_constraint(str(index), distance)
            self._study.tell(trial, list(values))

    def _params(self, vector: Vector) -> dict[str, Any]:
        return {
            one.name: self._space[one.name].to_external_repr(x) for one, x in zip(self._columns, vector, strict=True)
        }


def _distribution(variable: Variable) -> BaseDistribution:
    low, high = variable.bounds
    if not variable.is_discrete or high > _MOST_INTEGERS:
        return FloatDistribution(low, high)
    if variable.is_ordered:
        return IntDistribution(0, round(high))
    return CategoricalDistribution(list(range(round(high) + 1)))


def _plain(variable: Variable, coordinate: float) -> float | int:
    return round(coordinate) if variable.is_discrete else coordinate
