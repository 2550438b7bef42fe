"""Ranks, fronts, knees, representatives and hypervolumes, against their definitions."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from catenary_core.studies import fronts, selection

ROWS = st.integers(1, 4).flatmap(
    lambda width: st.lists(st.lists(st.integers(-3, 3), min_size=width, max_size=width), min_size=1, max_size=30)
)


def dominates(one: list[int], other: list[int]) -> bool:
    return one != other and all(a <= b for a, b in zip(one, other, strict=True))


@given(ROWS)
def test_ranks_peel_the_points_front_by_front(rows: list[list[int]]) -> None:
    found = fronts.ranks(np.array(rows, dtype=float))
    left = set(range(len(rows)))
    rank = 1
    while left:
        front = {at for at in left if not any(dominates(rows[other], rows[at]) for other in left)}
        assert {at for at in left if found[at] == rank} == front
        left -= front
        rank += 1


@given(ROWS)
def test_the_front_is_the_first_rank(rows: list[list[int]]) -> None:
    points = np.array(rows, dtype=float)
    assert list(fronts.non_dominated(points)) == [at for at, rank in enumerate(fronts.ranks(points)) if rank == 1]


@given(ROWS)
def test_the_hypervolume_counts_the_cells_that_a_front_dominates(rows: list[list[int]]) -> None:
    points = np.array(rows, dtype=float)
    width = points.shape[1]
    cells = np.stack(np.meshgrid(*[np.arange(-3, 3)] * width), axis=-1).reshape(-1, width)
    dominated = (points[:, None, :] <= cells[None]).all(axis=2).any(axis=0).sum()
    assert fronts.hypervolume(points, np.full(width, 3.0)) == pytest.approx(dominated)


def test_of_no_points() -> None:
    nothing = np.zeros((0, 2))
    assert fronts.ranks(nothing) == []
    assert len(fronts.non_dominated(nothing)) == 0
    assert fronts.hypervolume(nothing, np.ones(2)) == 0
    assert selection.knee([]) is None
    assert selection.representatives([], 3) == []


def test_a_front_that_would_take_too_long_has_no_hypervolume() -> None:
    rng = np.random.default_rng(1)
    assert fronts.hypervolume(rng.random((2_001, 4)), np.ones(4)) is None
    assert fronts.hypervolume(rng.random((2_001, 3)), np.ones(3)) is not None


def test_the_knee_gives_up_least_of_every_objective() -> None:
    front = [[0.0, 100.0], [1.0, 30.0], [2.0, 20.0], [10.0, 0.0]]
    assert selection.knee(front) == 1
    assert selection.knee([[one, other * 1e6] for one, other in front]) == 1, "whatever the units"
    assert selection.knee([[5.0, 5.0]]) == 0


def test_representatives_lie_far_from_each_other() -> None:
    front = [[at / 100, 1 - at / 100] for at in range(101)]
    found = selection.representatives(front, 5)
    assert len(set(found)) == 5
    assert {0, 100} <= set(found)
    assert selection.representatives(front, 0) == []
    assert len(selection.representatives(front[:3], 50)) == 3
    assert selection.representatives([[1.0, 1.0]] * 4, 3) == [0], "equal points have one"
