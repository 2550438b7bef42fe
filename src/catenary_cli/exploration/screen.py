"""The screen of a live session: parameters at the left, metrics and constraints at the right, as lines of text.

Beside each result stands its change since the first one of the session.

A screen has no texts that control the terminal: `show.screen` escapes each piece.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from catenary_cli import show
from catenary_cli.exploration.design import EditedDesign
from catenary_cli.exploration.findings import sparkline
from catenary_cli.remote.declared_order import UNKNOWN, Order, arranged
from catenary_wire.printable import one_line

Piece = tuple[str, str]
"""A text and its style."""
HELP = "↑ ↓ choose   ← → change   PgUp PgDn ten steps   Home End bounds"
MORE_HELP = "0-9 type a value   r default   s keep   q quit"
_TRACK, _SHORT_TRACK = 10, 5
"""Columns of a slider, and of one below `_WIDE`, where the names at the right need the room."""
_WIDE = 100
_LONGEST_NAME = 16
_LONGEST_VALUE = 9
_LONGEST_UNIT = 4
_LONGEST_CHANGE = 9
_MARK = 2
_SHORTEST_NAME = 8
"""Characters that a name at the right keeps, however little room there is."""
_HISTORY = 8


class Told:
    """The answers of the server so far."""

    def __init__(self, order: Order = UNKNOWN) -> None:
        """Begin without a result; those that come are shown in an order."""
        self._order = order
        self.state = "connecting"
        self.problem = ""
        self.kept: Piece | None = None
        """What came of the wish to keep the design, until the next key or refusal."""
        self.metrics: Mapping[str, Mapping[str, Any]] = {}
        self.constraints: Mapping[str, Mapping[str, Any]] = {}
        self.start: Mapping[str, Mapping[str, Mapping[str, Any]]] = {}
        """The first completed result; empty before it."""
        self.history: dict[str, list[float]] = {}
        self.designs = 0

    def note_kept(self, piece: Piece) -> None:
        """Take what came of the wish to keep a design."""
        self.kept = piece

    def refuse(self, problem: str) -> None:
        """Take the fault of a design."""
        self.problem, self.kept = problem, None

    def take(self, evaluation: Mapping[str, Any], milliseconds: float) -> None:
        """Take a result, and the time from its design to it."""
        self.designs += 1
        if evaluation["status"] != "completed":
            error = evaluation["error"] or {"message": "", "line": None}
            where = f" (line {error['line']})" if error["line"] else ""
            self.refuse(f"{str(evaluation['status']).replace('_', ' ')}: {error['message']}{where}")
            self.state = f"{milliseconds:.0f} ms"
            return
        self.problem = ""
        self.state = f"{milliseconds:.0f} ms, of which the model {evaluation['duration_ms']:.0f}"
        self.start = self.start or evaluation
        self.metrics, self.constraints = (arranged(evaluation[key], self._order[key]) for key in UNKNOWN)
        for name, metric in self.metrics.items():
            self.history[name] = [*self.history.get(name, []), metric["value"]][-_HISTORY:]


def draw(title: str, design: EditedDesign, told: Told, typed: str | None, width: int, height: int) -> list[list[Piece]]:
    """Return the lines of a screen.

    Args:
        title: Name of the project.
        design: The design.
        told: The results so far.
        typed: Text of a value that is being typed; None for none.
        width: Columns of the terminal.
        height: Lines of the terminal.
    """
    head: list[list[Piece]] = [
        _both([(f" {title}", "bold")], [(f"{told.state} ", "dim")], width),
        [("─" * width, "dim")],
    ]
    foot: list[list[Piece]] = [[("─" * width, "dim")], _foot(design, told, typed, width)]
    foot += [[(f" {text}", "dim")] for text in (HELP, MORE_HELP)]
    room = max(1, height - len(head) - len(foot))
    first = min(max(0, design.at - room + 1), max(0, len(design.declared) - room))
    left = [
        _parameter(design, one, typed if design.chosen is one else None, _TRACK if width >= _WIDE else _SHORT_TRACK)
        for one in design.declared[first : first + room]
    ]
    half = max((_length(line) for line in left), default=0) + 2
    right = _results(told, width - half)
    if len(right) > room:
        right = [*right[: room - 1], [(f"{len(right) - room + 1} more lines: make the terminal higher", "dim")]]
    rows = [
        [*_padded(left[at] if at < len(left) else [], half), *(right[at] if at < len(right) else [])]
        for at in range(room)
    ]
    return [_cut(line, width) for line in [*head, *rows, *foot]]


def _parameter(design: EditedDesign, one: Mapping[str, Any], typed: str | None, columns: int) -> list[Piece]:
    is_chosen = design.chosen is one
    names = min(_LONGEST_NAME, max(len(other["name"]) for other in design.declared))
    units = min(_LONGEST_UNIT, max(len(other["unit"] or "") for other in design.declared))
    style = "bold" if is_chosen else ""
    value = f"{typed}▏" if typed is not None else _value(design.values[one["name"]])
    if not is_chosen and design.values[one["name"]] != one["default"]:
        style = "cyan"
    part = design.part(one)
    track = ""
    if part is not None:
        at = round(part * (columns - 1))
        track = "─" * at + "●" + "─" * (columns - 1 - at)
    elif one["choices"]:
        track = " ".join(str(choice) for choice in one["choices"])
    return [
        (" ▸ " if is_chosen else "   ", "bold cyan"),
        (_fit(one["name"], names), style),
        (" " + _fit(value, _LONGEST_VALUE, right=True), style),
        (" " + _fit(one["unit"] or "", units), "dim"),
        (" " + _fit(track, columns), "cyan" if is_chosen else "dim"),
    ]


def _results(told: Told, width: int) -> list[list[Piece]]:
    style = "dim" if told.problem else ""
    limits = {name: f" {_limit(constraint)}" for name, constraint in told.constraints.items()}
    end = max([_LONGEST_UNIT + 1, *(_MARK + len(limit) for limit in limits.values())])
    longest = max((len(name) for name in [*told.metrics, *told.constraints]), default=0)
    room = max(_SHORTEST_NAME, width - _LONGEST_VALUE - _LONGEST_CHANGE - len("  ") - end)
    names = min(_LONGEST_NAME, longest, room)
    lines: list[list[Piece]] = []
    for name, metric in told.metrics.items():
        pieces = [
            (_fit(name, names), style),
            *_numbers(metric, told.start["metrics"].get(name), style or "bold", style or "yellow"),
            (" " + _fit(metric["unit"] or "", _LONGEST_UNIT), "dim"),
        ]
        history = told.history.get(name, [])
        if len(history) > 1 and _length(pieces) + _HISTORY < width:
            pieces.append((" " + sparkline(history), "dim"))
        lines.append(pieces)
    if told.constraints:
        lines.append([])
    for name, constraint in told.constraints.items():
        mark = ("✓", "green") if constraint["satisfied"] else ("✗", "bold red")
        pieces = [
            (_fit(name, names), style),
            *_numbers(constraint, told.start["constraints"].get(name), style or mark[1], style or "yellow"),
            (f" {mark[0]}", style or mark[1]),
        ]
        limit = (limits[name], "dim")
        fits = _length([*pieces, limit]) <= width
        lines += [[*pieces, limit]] if fits else [pieces, [(" ", ""), limit]]
    return lines


def _limit(constraint: Mapping[str, Any]) -> str:
    """Return a limit with signs of one column, for a narrow screen."""
    return show.limit_of(constraint).replace("<=", "≤", 1).replace(">=", "≥", 1)


def _numbers(now: Mapping[str, Any], start: Mapping[str, Any] | None, style: str, change_style: str) -> list[Piece]:
    """Return the columns of a value and of its change since the start."""
    return [
        (" " + _fit(_value(now["value"]), _LONGEST_VALUE, right=True), style),
        (f" {_change(now, start):>{_LONGEST_CHANGE}}", change_style),
    ]


def _change(now: Mapping[str, Any], start: Mapping[str, Any] | None) -> str:
    """Return the signed change of a value since the start; empty for none, or where the start had no such value."""
    if start is None or math.isclose(now["value"], start["value"]):
        return ""
    change = now["value"] - start["value"]
    forms = (format(change, form) for form in ("+,.6g", "+.2e", "+.1e"))  # the last one fits every number
    return next(text for text in forms if len(text) <= _LONGEST_CHANGE)


def _foot(design: EditedDesign, told: Told, typed: str | None, width: int) -> list[Piece]:
    if typed is not None:
        return [(f" {design.chosen['name']} = {typed}▏  enter takes it, escape leaves it", "bold")]
    if told.kept is not None:
        return [(_fit(f" {told.kept[0]}", width - 1), told.kept[1])]
    if told.problem:
        return [(_fit(f" {told.problem}", width - 1), "bold red")]
    one = design.chosen
    about = [one["description"] or one["name"]]
    if one["min"] is not None and one["max"] is not None:
        about.append(f"{_value(one['min'])} … {_value(one['max'])} {one['unit'] or ''}".strip())
    about += map(str, one["choices"])
    return [(_fit(f" {' '.join(about)}", width - 1), "")]


def command(project_id: str, design: EditedDesign) -> str:
    """Return the command that evaluates a design, for the shell; values that are defaults are left out."""
    import shlex

    import orjson

    changed = {one["name"]: value for one in design.declared if (value := design.values[one["name"]]) != one["default"]}
    given = [
        f"{name}={value if isinstance(value, str) else orjson.dumps(value).decode()}"
        for name, value in (changed | design.kept).items()
    ]
    return shlex.join(["catenary", "evaluate", project_id, *given])


def _value(value: Any) -> str:
    if isinstance(value, Mapping):
        return f"{value.get('value')} {value.get('unit')}"
    if isinstance(value, list):
        return ", ".join(map(_value, value))
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else show.number(value)


def _fit(text: str, width: int, *, right: bool = False) -> str:
    """Return a text of one line with exactly so many characters; a longer one ends with an ellipsis."""
    text = one_line(text)
    if len(text) > width:
        return text[: width - 1] + "…"
    return text.rjust(width) if right else text.ljust(width)


def _length(line: Sequence[Piece]) -> int:
    return sum(len(text) for text, _ in line)


def _padded(line: list[Piece], width: int) -> list[Piece]:
    return [*line, (" " * max(0, width - _length(line)), "")]


def _both(left: list[Piece], right: list[Piece], width: int) -> list[Piece]:
    return [*_padded(_cut(left, width - _length(right) - 1), width - _length(right)), *right]


def _cut(line: list[Piece], width: int) -> list[Piece]:
    """Return the pieces of a line up to a width."""
    kept = []
    for text, style in line:
        plain = one_line(text)[: max(0, width)]
        kept.append((plain, style))
        width -= len(plain)
    return kept
