"""Points of batches and studies as a table for a person, and as CSV with the columns of evaluations.csv."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from catenary_cli import show
from catenary_cli.remote.api import Api

OUR_COLUMNS = ("point", "status", "chosen", "broken", "error")
"""Columns that `csv_rows` adds to those of evaluations.csv."""
_MOST_FAILURES = 5
_EXTREMES = ("Metric", "Smallest", "at", "Largest", "at", "Unit")
Point = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Output:
    """The form of results, and how many rows a table has."""

    form: show.Form
    """Form."""
    rows: int
    """Rows of a table."""


@dataclass(frozen=True, slots=True)
class ExtraColumn:
    """A column of a list of points beside parameters and metrics."""

    name: str
    """Name of the column."""
    unit: str | None
    """Unit, or None."""
    value: Callable[[Point], Any]
    """Returns the value of a point."""
    in_csv: str | None = None
    """Name of the column in CSV; None for none."""


async def units_of(api: Api, project_id: str, model_version_id: str) -> dict[str, str | None]:
    """Return the units of the parameters by name; empty when the version isn't deployed any more."""
    project = (await api.get(f"projects/{project_id}"))["project"]
    if project["deployed_model_version_id"] != model_version_id:
        return {}
    return {one["name"]: one["unit"] for one in await api.pages(f"projects/{project_id}/parameters", "parameters")}


def broken(point: Point) -> list[str]:
    """Return the names of the constraints that a point breaks."""
    return [name for name, constraint in point["constraints"].items() if not constraint["satisfied"]]


def ended_well(counts: Mapping[str, int]) -> bool:
    """Return whether all points have a result."""
    return counts["completed"] == counts["total"]


def counted(number: int, one: str) -> str:
    """Return a number with its noun, such as `1 point` or `1,000 points`."""
    return f"{number:,} {one}" if number == 1 else f"{number:,} {one}s"


def summary(counts: Mapping[str, int]) -> str:
    """Return the sentence part that tells how the points ended."""
    names = {"completed": "completed", "failed": "failed", "timed_out": "timed out", "cancelled": "cancelled"}
    parts = [f"{counts[key]:,} {name}" for key, name in names.items() if counts[key] or key == "completed"]
    if counts["cached"]:
        parts[0] += f" ({counts['cached']:,} stored already)"
    waiting = counts["queued"] + counts["running"]
    return ", ".join([*parts, *([f"{waiting:,} to come"] if waiting else [])])


def print_table(
    points: Sequence[Point], units: Mapping[str, str | None], extra: Sequence[ExtraColumn], most: int, nothing: str
) -> None:
    """Print the parameters that vary, the metrics and the broken constraints of the first points.

    Args:
        points: All points.
        units: Units of parameters by name.
        extra: Columns between the parameters and the metrics.
        most: Number of rows.
        nothing: Sentence for no points.
    """
    if not points:
        show.note(nothing)
        return
    names = _parameter_names(points, units)
    varied = [name for name in names if len({str(one["parameters"].get(name)) for one in points}) > 1]
    metrics = _metric_units(points)
    columns = [
        show.FittedColumn("#", keep=True),
        *(show.FittedColumn(name, units.get(name)) for name in varied or names),
        *(show.FittedColumn(one.name, one.unit, keep=True) for one in extra),
        *(show.FittedColumn(name, unit) for name, unit in metrics.items()),
        show.FittedColumn("Breaks", keep=True),
    ]
    rows = [
        [
            point["index"],
            *(point["parameters"].get(name) for name in varied or names),
            *(one.value(point) for one in extra),
            *((point["metrics"].get(name) or {}).get("value") for name in metrics),
            _remark(point),
        ]
        for point in points[:most]
    ]
    if not any(row[-1] for row in rows):
        columns, rows = columns[:-1], [row[:-1] for row in rows]
    left_out = show.fitted(columns, rows)
    if len(points) > most:
        show.note(f"{counted(len(points) - most, 'further point')}: --rows shows more, --csv all.")
    if left_out:
        show.note(f"Too wide for the terminal: {', '.join(left_out)}; --csv has every column.")
    _print_failures(points)


def _remark(point: Point) -> str:
    """Return the first broken constraint of a point and the number of others, or its status."""
    if point["status"] != "completed":
        return str(point["status"]).replace("_", " ")
    names = broken(point)
    return f"{names[0]} +{len(names) - 1}" if len(names) > 1 else "".join(names)


def _print_failures(points: Sequence[Point]) -> None:
    failed = [point for point in points if point["error"]]
    for point in failed[:_MOST_FAILURES]:
        where = f" (line {point['error']['line']})" if point["error"]["line"] else ""
        show.warning(f"Point {point['index']} {point['status']}: {point['error']['message']}{where}")
    if len(failed) > _MOST_FAILURES:
        show.note(f"{len(failed) - _MOST_FAILURES:,} further failures: --csv has all.")


def csv_rows(
    points: Sequence[Point], units: Mapping[str, str | None], extra: Sequence[ExtraColumn]
) -> Iterable[Sequence[str]]:
    """Yield the lines of a CSV file: a header, then each point."""
    # Imported here: it takes the core's errors with it, which no other command for callers needs.
    from catenary_core.services.evaluations.plans import csv_files

    names, metrics = _parameter_names(points, units), _metric_units(points)
    told = [one for one in extra if one.in_csv is not None]
    yield [
        "point",
        "status",
        *(str(one.in_csv) for one in told),
        *(csv_files.name("in", {"name": name, "unit": units.get(name)}) for name in names),
        *(csv_files.name("out", {"name": name, "unit": unit}) for name, unit in metrics.items()),
        "broken",
        "error",
    ]
    for point in points:
        values = [
            point["index"],
            point["status"],
            *(one.value(point) for one in told),
            *(point["parameters"].get(name) for name in names),
            *((point["metrics"].get(name) or {}).get("value") for name in metrics),
            " ".join(broken(point)) or None,
            (point["error"] or {}).get("message"),
        ]
        yield [csv_files.cell(value) for value in values]


def _parameter_names(points: Sequence[Point], units: Iterable[str]) -> list[str]:
    """Return the names of the points' parameters: those with known units in their order, then others."""
    found = dict.fromkeys(name for point in points for name in point["parameters"])
    return list(dict.fromkeys([*(name for name in units if name in found), *found]))


def _metric_units(points: Sequence[Point]) -> dict[str, str | None]:
    units: dict[str, str | None] = {}
    for point in points:
        for name, metric in point["metrics"].items():
            units.setdefault(name, metric["unit"])
    return units


def print_extremes(points: Sequence[Point]) -> None:
    """Print the smallest and the largest value of each metric, each with its point."""
    rows = []
    for name, unit in _metric_units(points).items():
        values = [(point["metrics"][name]["value"], point["index"]) for point in points if name in point["metrics"]]
        low, high = min(values), max(values, key=lambda one: (one[0], -one[1]))
        rows.append([name, low[0], f"# {low[1]}", high[0], f"# {high[1]}", unit])
    if rows:
        show.fitted([show.FittedColumn(name, keep=True) for name in _EXTREMES], rows)
