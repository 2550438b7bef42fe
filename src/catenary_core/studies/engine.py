"""The engine of a study: proposes points, takes their outcomes, and tells how far the study has come.

The state of a study is its definition and the outcomes of its points. A new engine that is told the same outcomes proposes
the same further points, bit by bit; so nothing else has to be kept.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from catenary_core.studies import fronts, variables
from catenary_core.studies.definition import Definition
from catenary_core.studies.scores import PointOutcome, Score, Scorer
from catenary_core.studies.searches import Search


@dataclass(frozen=True, slots=True)
class Generation:
    """Points that are evaluated side by side."""

    number: int
    """Number, from 1."""
    first: int
    """Number of points before."""
    points: Sequence[dict[str, Any]]
    """Value of each variable; no points: there are no more."""


@dataclass(frozen=True, slots=True)
class Progress:
    """The state of a study after a generation."""

    scores: Sequence[Score]
    """Score of each point of the generation."""
    hypervolume: float | None
    """Volume between the front of all points and the reference; None for a sensitivity and where there is no reference."""
    reference: Sequence[float] | None
    """Value of each objective at the reference point; None while no point has given one."""
    front: Sequence[int]
    """Numbers, from 0, of the feasible points that no other dominates."""


class Engine:
    """One study on its way."""

    def __init__(self, definition: Definition) -> None:
        """Begin a study.

        Args:
            definition: the study; its expressions are right.
        """
        self._definition = definition
        self._scorer = Scorer(definition)
        self._search = _search(definition)
        self._signs = np.array([-1.0 if one.maximize else 1.0 for one in definition.objectives])
        self._asked: Generation | None = None
        self._vectors: list[list[float]] = []
        self._generation = 0
        self._count = 0
        self._reference: Any = None
        self._feasible = np.zeros((0, len(definition.objectives)))
        """Objectives of the feasible points, less being better."""
        self._numbers = np.zeros(0, dtype=np.int32)
        """Number of each feasible point."""
        self._front = np.zeros(0, dtype=np.int32)
        """Places among the feasible points of those on the front."""
        self._values: list[tuple[float | None, ...]] = []

    def ask(self) -> Generation:
        """Return the next generation, or the one that was asked for and not answered yet."""
        if self._asked is None:
            left = self._definition.budget - self._count
            self._vectors = self._search.ask() if left > 0 else []
            points = [variables.values(self._definition.variables, vector) for vector in self._vectors[:left]]
            self._asked = Generation(self._generation + 1, self._count, points)
        return self._asked

    def tell(self, outcomes: Sequence[PointOutcome]) -> Progress:
        """Take the outcomes of the whole generation that was asked for.

        Raises:
            ValueError: there are more or fewer outcomes than points.
            SampleChangedError: the points of a sensitivity are none of its sample.
        """
        asked = self.ask()
        if not asked.points or len(outcomes) != len(asked.points):
            raise ValueError(f"generation {asked.number} has {len(asked.points)} points, not {len(outcomes)}")
        scores = self._scorer.scores(outcomes)
        minimized = [self._scorer.minimized(score) for score in scores]
        if len(outcomes) == len(self._vectors):  # else the budget cut it, and there is no generation behind
            self._search.tell(
                [self._vector(at, outcome) for at, outcome in enumerate(outcomes)],
                minimized,
                [score.violations for score in scores],
            )
        self._asked = None
        self._generation += 1
        self._count += len(outcomes)
        return self._progress(scores, np.array(minimized))

    def ranks(self) -> tuple[list[int], list[int]]:
        """Return the numbers of the feasible points, and the rank of each among all: 1 on the front."""
        return self._numbers.tolist(), fronts.ranks(self._feasible)

    def indices(self) -> list[dict[str, Any]]:
        """Return the indices of each objective of a sensitivity, over the points that were told; [] of another study."""
        from catenary_core.studies.screening import Screening

        if not isinstance(self._search, Screening):
            return []
        return [self._search.indices(column) for column in zip(*self._values, strict=True)]

    def _vector(self, at: int, outcome: PointOutcome) -> list[float]:
        """Return the vector of a point; of stored values that differ from the proposed ones, theirs."""
        proposed = self._vectors[at]
        if self._asked is not None and outcome.parameters == self._asked.points[at]:
            return proposed
        return variables.vector(self._definition.variables, outcome.parameters)

    def _progress(self, scores: Sequence[Score], minimized: Any) -> Progress:
        if self._definition.is_sensitivity:
            self._values += [score.objectives for score in scores]
            return Progress(scores, None, None, [])
        if self._reference is None:
            self._reference = self._first_reference(scores, minimized)
        feasible = np.flatnonzero([score.is_feasible for score in scores]).astype(np.int32)
        known = len(self._feasible)
        self._feasible = np.concatenate([self._feasible, minimized[feasible]])
        self._numbers = np.concatenate([self._numbers, self._count - len(scores) + feasible])
        # What was dominated stays dominated.
        places = np.concatenate([self._front, np.arange(known, len(self._feasible), dtype=np.int32)])
        self._front = places[fronts.non_dominated(self._feasible[places])]
        front = self._numbers[self._front].tolist()
        if self._reference is None:
            return Progress(scores, None, None, front)
        volume = fronts.hypervolume(self._feasible[self._front], self._reference)
        return Progress(scores, volume, (self._signs * self._reference + 0.0).tolist(), front)

    def _first_reference(self, scores: Sequence[Score], minimized: Any) -> Any:
        """Return the reference point: the given values, the worst ones of this generation for the others."""
        given = [one.reference for one in self._definition.objectives]
        whole = minimized[[None not in score.objectives for score in scores]]
        if None in given and not len(whole):
            return None
        worst = whole.max(axis=0) if len(whole) else np.zeros(len(given))
        return np.array(
            [w if r is None else s * r for r, s, w in zip(given, self._signs, worst, strict=True)], dtype=float
        )


def _search(definition: Definition) -> Search:
    """Return the search of an algorithm; imports only that algorithm's library."""
    if definition.is_sensitivity:
        from catenary_core.studies.screening import Screening

        return Screening(definition)
    if definition.algorithm == "tpe":
        from catenary_core.studies.bayesian import BayesianSearch

        return BayesianSearch(definition)
    from catenary_core.studies.genetic import GeneticSearch

    return GeneticSearch(definition)
