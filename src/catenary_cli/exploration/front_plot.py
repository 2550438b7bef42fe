"""A front drawn with characters over two of its objectives, for a terminal."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from catenary_cli import show
from catenary_cli.exploration.proportion import proportion
from catenary_wire.printable import one_line

POINT = "•"
"""The sign of a point that was not chosen."""
_ROWS = 14
_MOST_COLUMNS = 64
_FRAME = 4
"""Characters between the numbers of the upright axis and the points, and behind these."""


@dataclass(frozen=True, slots=True)
class Mark:
    """A point of the front with its sign; a later mark hides earlier ones at the same place."""

    across: float
    """Value to the right."""
    up: float
    """Value upwards."""
    sign: str = POINT
    """One character."""


def drawing(marks: Sequence[Mark], across: str, up: str, width: int) -> str:
    """Return lines that draw marks between the least and the greatest values, with titles of both axes.

    Args:
        marks: At least one.
        across: Title of the axis to the right.
        up: Title of the upright axis.
        width: Characters that a line may have.
    """
    left, right = min(mark.across for mark in marks), max(mark.across for mark in marks)
    low, high = min(mark.up for mark in marks), max(mark.up for mark in marks)
    numbers = {0: show.number(high), _ROWS - 1: show.number(low)}
    margin = max(map(len, numbers.values()))
    columns = max(2, min(_MOST_COLUMNS, width - margin - _FRAME))
    cells = [[" "] * columns for _ in range(_ROWS)]
    for mark in marks:
        row = _ROWS - 1 - round(proportion(mark.up, low, high) * (_ROWS - 1))
        cells[row][round(proportion(mark.across, left, right) * (columns - 1))] = mark.sign
    lines = [one_line(up)]
    for at, line in enumerate(cells):
        tick = "┤" if at in numbers else "│"
        lines.append(f"{numbers.get(at, ''):>{margin}} {tick} {''.join(line)}".rstrip())
    ends = show.number(left), show.number(right)
    between = " " * max(1, columns - len(ends[0]) - len(ends[1]))
    lines.append(f"{'':>{margin}} └─{'─' * columns}")
    lines.append(f"{'':>{margin}}   {ends[0]}{between}{ends[1]}")
    lines.append(f"{'':>{margin}}   {one_line(across):^{columns}}".rstrip())
    return "\n".join(lines)
