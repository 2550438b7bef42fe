"""The findings of a study, for a person and as CSV: its state, its front and its indices."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from catenary_cli import show
from catenary_cli.exploration import front_plot, points
from catenary_cli.exploration.points import ExtraColumn, Output, Point
from catenary_cli.exploration.proportion import proportion

_LEVELS = "▁▂▃▄▅▆▇█"
_MOST_LEVELS = 40
_BAR = 20
_MOST_DIGITS = 9
"""Representatives that are drawn with their number."""
_KINDS = {"optimization": "search", "sensitivity": "sensitivity"}


def sparkline(values: Sequence[float]) -> str:
    """Return a line of bars for numbers; of many numbers the last of each equal part."""
    if len(values) > _MOST_LEVELS:
        values = [values[(at + 1) * len(values) // _MOST_LEVELS - 1] for at in range(_MOST_LEVELS)]
    low, high = min(values), max(values)
    return "".join(_LEVELS[round(proportion(value, low, high) * (len(_LEVELS) - 1))] for value in values)


def ended(counts: Mapping[str, int]) -> int:
    """Return the number of points that ended."""
    return sum(counts[name] for name in ("completed", "failed", "timed_out", "cancelled"))


def title(objective: Mapping[str, Any]) -> str:
    """Return the name or the expression of an objective."""
    return str(objective["metric"] or objective["expression"])


def aims(study: Mapping[str, Any]) -> str:
    """Return what a study is for, such as `minimize mass, maximize height`."""
    if study["kind"] == "sensitivity":
        return f"measure {', '.join(map(title, study['objectives']))}"
    return ", ".join(f"{one['direction']} {title(one)}" for one in study["objectives"])


def named(study: Mapping[str, Any]) -> str:
    """Return the kind and the algorithm of a study."""
    return f"{_KINDS.get(study['kind'], study['kind'])} by {study['algorithm']}, {points.counted(study['budget'], 'point')}"


def progress(study: Mapping[str, Any]) -> str:
    """Return the text of a line of progress."""
    if study["kind"] == "sensitivity":
        return "Measuring"
    return f"Generation {study['generation'] + 1}, front {study['front_size']:,}"


def best_so_far(study: Mapping[str, Any], front: Sequence[Point], knee: int | None) -> list[tuple[str, ...]]:
    """Return rows that tell what a search has found: each objective's best value and that of the knee, and the hypervolume.

    Args:
        study: The study.
        front: Points of its front.
        knee: Index of the knee, or None.
    """
    if not front:
        return [("No feasible design yet",)]
    at_knee = next((point for point in front if point["index"] == knee), None)
    rows: list[tuple[str, ...]] = [("Objective", "Best", *(["Knee"] if at_knee else []), "Unit")]
    for at, column in enumerate(_objective_columns(study, front)):
        values = [value for point in front if (value := column.value(point)) is not None]
        best = max if study["objectives"][at]["direction"] == "maximize" else min
        knee_value = [_number(column.value(at_knee))] if at_knee else []
        rows.append((column.name, _number(best(values, default=None)), *knee_value, column.unit or ""))
    volumes = [one["hypervolume"] for one in study["hypervolume"] if one["hypervolume"] is not None]
    if volumes:
        rows.append(("Hypervolume", _number(volumes[-1]), sparkline(volumes)))
    return rows


def _number(value: float | None) -> str:
    return "-" if value is None else show.number(float(value))


def print_state(study: Mapping[str, Any]) -> None:
    """Print a study, without its points."""
    counts = study["counts"]
    state = {
        "Study": f"{study['study_id']}, {study['status']}{_stopped(study)}",
        **{title: study[name] for title, name in (("Name", "name"), ("Note", "note")) if study.get(name)},
        "For": aims(study),
        "By": f"{study['algorithm']}, seed {study['seed']}, {study['population']:,} points a generation",
        **({"Why": study["algorithm_reason"]} if study.get("algorithm_reason") else {}),
        **({"Stops": _rules(study["stop"])} if study.get("stop") else {}),
        "Points": f"{ended(counts):,} of {study['budget']:,}: {points.summary(counts)}",
    }
    if study["kind"] == "optimization":
        state["Front"] = f"{points.counted(study['front_size'], 'point')} after generation {study['generation']:,}"
    volumes = [one["hypervolume"] for one in study["hypervolume"] if one["hypervolume"] is not None]
    if volumes:
        state["Hypervolume"] = f"{sparkline(volumes)} {show.number(float(volumes[-1]))}"
    if study["expected_end"] and study["status"] == "running":
        state["Expected end"] = f"{study['expected_end'][:16].replace('T', ' ')} UTC"
    show.pairs(state)
    if study["error"]:
        show.warning(study["error"])


def _stopped(study: Mapping[str, Any]) -> str:
    """Return how a rule ended a study, behind the status; empty where none did."""
    if study.get("stopped_by") == "seconds":
        return " since its time was over"
    return " since its generations stalled" if study.get("stopped_by") else ""


def _rules(stop: Mapping[str, Any]) -> str:
    """Return the rules by which a study ends before its budget is used."""
    found = []
    if stop["seconds"] is not None:
        found.append(f"after {points.counted(stop['seconds'], 'second')}")
    if stop["stalled_generations"] is not None:
        found.append(f"after {points.counted(stop['stalled_generations'], 'generation')} without growth")
    return ", or ".join(found)


def print_front(
    study: Mapping[str, Any],
    results: Sequence[Point],
    chosen: Mapping[str, Any],
    units: Mapping[str, str | None],
    output: Output,
    axes: tuple[int, int],
) -> None:
    """Print a front: drawn over two of its objectives, then as a table by the first objective.

    Args:
        study: The study.
        results: The points of the front.
        chosen: Indices of the `knee` and of the `representatives`.
        units: Units of parameters by name.
        output: Form, and rows of the table.
        axes: Numbers of the objectives to draw to the right and upwards, from 1.
    """
    extra = _objective_columns(study, results)
    marks: dict[int, int | str] = {index: number for number, index in enumerate(chosen["representatives"], 1)}
    if chosen["knee"] is not None:
        marks[chosen["knee"]] = "knee"
    marked = ExtraColumn("", None, lambda point: marks.get(point["index"]), "chosen")
    if output.form == "csv":
        show.csv(points.csv_rows(results, units, [marked, *extra]))
        return
    if len(results) > 1 and len(extra) > 1:
        _draw_front(results, marks, extra[axes[0] - 1], extra[axes[1] - 1])
    ordered = sorted(results, key=lambda point: [_key(value["value"]) for value in point["objectives"]])
    shown = _without_objectives(study, ordered)
    points.print_table(shown, units, [marked, *extra], output.rows, "The front is empty: no point is feasible yet.")


def _draw_front(results: Sequence[Point], marks: Mapping[int, int | str], across: ExtraColumn, up: ExtraColumn) -> None:
    """Draw the points over two objectives, those that were chosen above the others."""
    placed = [
        front_plot.Mark(across.value(point), up.value(point), _sign(marks.get(point["index"])))
        for point in sorted(results, key=lambda point: point["index"] in marks)
        if across.value(point) is not None and up.value(point) is not None
    ]
    if placed:
        show.lines(front_plot.drawing(placed, _axis(across), _axis(up), show.width()))
        knee = ["K: knee"] if "knee" in marks.values() else []
        others = ["digits: representatives"] if any(mark != "knee" for mark in marks.values()) else []
        show.line(", ".join([f"{front_plot.POINT}: point of the front", *knee, *others]))


def _sign(mark: int | str | None) -> str:
    """Return the character of a mark: K for the knee, a digit or + for a representative."""
    if mark is None:
        return front_plot.POINT
    if isinstance(mark, str):
        return "K"
    return str(mark) if mark <= _MOST_DIGITS else "+"


def _axis(column: ExtraColumn) -> str:
    return f"{column.name} [{column.unit}]" if column.unit else column.name


def print_results(
    study: Mapping[str, Any], results: Sequence[Point], units: Mapping[str, str | None], output: Output
) -> None:
    """Print the points of a study with their generation and rank, in their order."""
    extra = [
        ExtraColumn("Gen.", None, lambda point: point["generation"]),
        ExtraColumn("Rank", None, lambda point: point["rank"]),
        *_objective_columns(study, results),
    ]
    shown = _without_objectives(study, results)
    points.print_table(shown, units, extra, output.rows, "The study has no points yet.")


def _objective_columns(study: Mapping[str, Any], results: Sequence[Point]) -> list[ExtraColumn]:
    units = {name: one["unit"] for point in results for name, one in point["metrics"].items()}
    return [
        _objective_column(at, objective, units.get(objective["metric"]))
        for at, objective in enumerate(study["objectives"])
    ]


def _without_objectives(study: Mapping[str, Any], results: Sequence[Point]) -> list[Point]:
    """Return the points without the metrics that have the column of an objective."""
    objectives = {objective["metric"] for objective in study["objectives"]}
    return [
        {**point, "metrics": {name: one for name, one in point["metrics"].items() if name not in objectives}}
        for point in results
    ]


def _key(value: float | None) -> tuple[bool, float]:
    return value is None, value or 0.0


def _objective_column(at: int, objective: Mapping[str, Any], unit: str | None) -> ExtraColumn:
    arrow = {"minimize": "↓", "maximize": "↑"}.get(objective["direction"], "")
    # A metric has its own column in CSV.
    in_csv = None if objective["metric"] else f"out:{title(objective)}"
    return ExtraColumn(f"{title(objective)} {arrow}".strip(), unit, lambda point: _objective(point, at), in_csv)


def _objective(point: Point, at: int) -> Any:
    values = point["objectives"]
    return values[at]["value"] if at < len(values) else None


def print_indices(found: Sequence[Mapping[str, Any]], output: Output) -> None:
    """Print how much each parameter counts, the greatest first; each objective has a table."""
    if output.form == "csv":
        keys = ("mu_star", "mu_star_confidence", "sigma", "s1", "s1_confidence", "st", "st_confidence")
        show.csv(
            [
                ("objective", "parameter", *keys),
                *(
                    (
                        title(one["objective"]),
                        index["parameter"],
                        *("" if index[key] is None else str(index[key]) for key in keys),
                    )
                    for one in found
                    for index in one["parameters"]
                ),
            ]
        )
        return
    if not found:
        show.note("There are no indices: the study is no sensitivity, or has not ended.")
    for one in found:
        _print_objective(one)


def _print_objective(one: Mapping[str, Any]) -> None:
    key = "mu_star" if any(index["mu_star"] is not None for index in one["parameters"]) else "st"
    names = ("mu_star", "sigma") if key == "mu_star" else ("s1", "st")
    heads = {"mu_star": "mu*", "sigma": "sigma", "s1": "alone S1", "st": "in all ST"}
    rows = sorted(one["parameters"], key=lambda index: -(index[key] or 0.0))
    most = max([1.0 if key == "st" else 0.0, *(index[key] or 0.0 for index in rows)])
    left_out = f", {one['left_out']:,} left out" if one["left_out"] else ""
    show.line(
        f"{title(one['objective'])} ({one['used']:,} {'trajectories' if key == 'mu_star' else 'base points'}{left_out})"
    )
    show.fitted(
        [show.FittedColumn(name, keep=True) for name in ("Parameter", *(heads[name] for name in names), "")],
        [
            [index["parameter"], *(_with_confidence(index, name) for name in names), _bar(index[key], most)]
            for index in rows
        ],
    )


def _with_confidence(index: Mapping[str, Any], name: str) -> str:
    if index[name] is None:
        return "-"
    half = index.get(f"{name}_confidence")
    return show.number(float(f"{index[name]:.4g}")) + (
        "" if half is None else f" ± {show.number(float(f'{half:.2g}'))}"
    )


def _bar(value: float | None, most: float) -> str:
    return "█" * round(_BAR * min(1.0, max(0.0, (value or 0.0) / most))) if most > 0 else ""
