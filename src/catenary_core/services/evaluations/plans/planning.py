"""The evaluations of a plan: every combination of values, a sample of them, or the rows of a file.

Everything here only computes, and is called in a thread: a sample of the largest size takes about a second.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from catenary_core.call.errors import invalid
from catenary_core.call.item_faults import ItemFaults
from catenary_core.services.evaluations import rules
from catenary_core.services.evaluations.plans import csv_files
from catenary_core.services.evaluations.plans.layout import MAX_CELLS, MAX_EVALUATIONS, Layout, layout
from catenary_core.services.evaluations.plans.ranges import Given, Interval, Levels, values_of
from catenary_wire.sentences import Fields

GRID, CSV = "grid", "csv"
_Axes = Sequence[Levels | Interval]
_Points = Sequence[Sequence[float]]
"""Points of the unit cube."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """A request for a plan."""

    kind: str
    """`grid`, `csv`, or the name of a sample."""
    parameters: Mapping[str, Given]
    size: int | None
    seed: int | None
    csv: str | None


def is_sample(kind: str) -> bool:
    """Return whether the evaluations of a kind are drawn, by a seed."""
    return kind in _SAMPLES


def plan(declared: Sequence[Mapping[str, Any]], wanted: Wanted) -> Layout:
    """Lay out the evaluations that a request wants.

    Args:
        declared: The model's parameters (catenary.platform.v1.ModelParameter).
        wanted: The request; the seed of a sample is set.

    Raises:
        DomainError: VALIDATION_ERROR, UNKNOWN_PARAMETER or PARAMETER_OUT_OF_RANGE.
    """
    _check_fields(wanted)
    if wanted.csv is not None:
        return csv_files.read(declared, wanted.csv, MAX_EVALUATIONS)
    if unknown := wanted.parameters.keys() - {parameter["name"] for parameter in declared}:
        rules.resolve(declared, dict.fromkeys(unknown))
    varied = [parameter for parameter in declared if parameter["name"] in wanted.parameters]
    axes: list[Levels | Interval] = []
    faults = ItemFaults()
    for index, parameter in enumerate(varied):
        with faults.of(index):
            axes.append(_axis(parameter, wanted))
    faults.refuse()
    rows = _grid(axes) if wanted.kind == GRID else _sample(axes, wanted)
    names = [parameter["name"] for parameter in varied]
    return layout(varied, (rules.resolve(varied, dict(zip(names, row, strict=True))) for row in rows))


def _axis(parameter: Mapping[str, Any], wanted: Wanted) -> Levels | Interval:
    name = parameter["name"]
    found = values_of(parameter, wanted.parameters[name])
    if wanted.kind == GRID and isinstance(found, Interval):
        raise invalid(
            f"parameters.{name}.count",
            "{field} is missing; the parameter has no steps, so a grid needs {field}, or {values}.",
            value=None,
            constraint="required",
            values=Fields(f"parameters.{name}.values"),
        )
    return found


def _check_fields(wanted: Wanted) -> None:
    """Refuse a field that the kind lacks or does not take, and more values than a plan may have."""
    given = {
        "parameters": bool(wanted.parameters),
        "size": wanted.size is not None,
        "seed": wanted.seed is not None,
        "csv": wanted.csv is not None,
    }
    needed = {GRID: {"parameters"}, CSV: {"csv"}}.get(wanted.kind, {"parameters", "size"})
    optional = {"seed"} if is_sample(wanted.kind) else set()
    for field, is_given in given.items():
        if field in needed and not is_given:
            raise invalid(
                field,
                "{field} is missing; the kind {kind} needs it.",
                value=None,
                constraint="required",
                kind=wanted.kind,
            )
        if is_given and field not in needed | optional:
            raise invalid(
                field,
                "{field} is not taken by the kind {kind}; leave it out.",
                value=None,
                constraint="not_taken",
                kind=wanted.kind,
            )
    if wanted.size is not None and (cells := wanted.size * len(wanted.parameters)) > MAX_CELLS:
        raise invalid(
            "size",
            "{field} makes {cells} values with these parameters, over the limit of {most}; lower it, or vary fewer.",
            value=wanted.size,
            constraint="max_cells",
            cells=cells,
            most=MAX_CELLS,
        )


def _grid(axes: _Axes) -> Iterator[tuple[Any, ...]]:
    """Yield every combination; the last parameter's value changes first."""
    levels = [axis for axis in axes if isinstance(axis, Levels)]
    points = math.prod(axis.number for axis in levels)
    if points > MAX_EVALUATIONS:
        counts = " x ".join(str(axis.number) for axis in levels[:10]) + (" x …" if len(levels) > 10 else "")
        raise invalid(
            "parameters",
            "{field} makes a grid of {counts} evaluations, over the limit of {most}; lower counts, or take a sample.",
            value=None,
            constraint="max_items",
            counts=counts,
            most=MAX_EVALUATIONS,
        )
    return itertools.product(*([axis.at(index) for index in range(axis.number)] for axis in levels))


def _sample(axes: _Axes, wanted: Wanted) -> Iterator[tuple[Any, ...]]:
    size, seed = wanted.size, wanted.seed
    if size is None or seed is None:
        raise RuntimeError("a sample has a size, and its caller gives it a seed")
    for point in _SAMPLES[wanted.kind](len(axes), size, seed):
        yield tuple(axis.share(part) for axis, part in zip(axes, point, strict=True))


def _latin_hypercube(dimensions: int, size: int, seed: int) -> _Points:
    # Imported late: it takes a second and 50 MB, which only a node that plans samples should spend.
    from scipy.stats import qmc

    return qmc.LatinHypercube(dimensions, rng=seed).random(size).tolist()


def _sobol(dimensions: int, size: int, seed: int) -> _Points:
    from scipy.stats import qmc

    # The sequence is balanced at powers of two; the beginning of the next one is the sample.
    points: _Points = qmc.Sobol(dimensions, rng=seed).random_base2(max(0, size - 1).bit_length())[:size].tolist()
    return points


def _halton(dimensions: int, size: int, seed: int) -> _Points:
    from scipy.stats import qmc

    return qmc.Halton(dimensions, rng=seed).random(size).tolist()


_SAMPLES: Mapping[str, Callable[[int, int, int], _Points]] = {
    "latin_hypercube": _latin_hypercube,
    "sobol": _sobol,
    "halton": _halton,
}
