"""Output for a person at the terminal. Texts come from strangers too: none may control the terminal."""

from __future__ import annotations

import csv as csv_writer
import io
import sys
import time
import traceback
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import IO, Any, Literal, Protocol

import orjson
import structlog
import typer
from rich.console import Console, RenderableType
from rich.live import Live
from rich.markup import escape
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    SpinnerColumn,
    Task,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)
from rich.table import Table
from rich.text import Text

from catenary_cli import logs
from catenary_wire.printable import escape_controls_in_json, escape_lines, one_line

_log = structlog.get_logger(__name__)
# Without emoji: `:bomb:` in a name stays text.
_out = Console(highlight=False, soft_wrap=True, emoji=False)
_err = Console(stderr=True, highlight=False, emoji=False)
Form = Literal["table", "json", "csv"]
"""A form of a command's output."""
FIRST_ROWS = 5
"""Rows of a model's table that are printed without being asked for."""
TOLD_SECONDS = 5.0
"""Seconds between two lines of progress without a terminal."""
_BROKEN = {"<=": ">", "<": ">=", ">": "<=", ">=": "<", "==": "≠"}
"""The comparison that holds where another one does not."""
_SOMETIMES = (("label", "Label"), ("group", "Group"), ("show_if", "Shown if"))
"""Columns of parameters that are left out where all are empty."""
_CELL_FRAME = 3
"""Characters that a table draws around a cell."""


@dataclass(frozen=True, slots=True)
class FittedColumn:
    """A column of a table that has room for some of its columns only."""

    name: str
    """Name, in the first line of the header."""
    unit: str | None = None
    """Unit, in the second line of the header; None for none."""
    keep: bool = False
    """True where other columns are left out for it."""


class UsageFault(Protocol):
    """An error of the parser of the command line."""

    message: str
    exit_code: int

    def show(self, file: IO[str] | None = None) -> None:
        """Write the usage and the error to a file."""


def line(text: str) -> None:
    """Print one line, without interpreting markup."""
    _out.print(one_line(text), markup=False)


def lines(text: str) -> None:
    """Print a text of several lines, without interpreting markup."""
    _out.print(escape_lines(text), markup=False)


def note(text: str) -> None:
    """Print a remark of one line on standard error, apart from the output."""
    _err.print(_safe(text), style="dim", soft_wrap=True)


def problem(text: str, details: Sequence[str] = ()) -> None:
    """Print on standard error why a command failed, with a line for each detail."""
    _err.print(f"[bold red]Error:[/] {_safe(text)}", soft_wrap=True)
    for detail in details:
        _err.print(_safe(detail), soft_wrap=True)


def usage(error: UsageFault) -> None:
    """Print on standard error how a command is used, as the parser of the command line says it."""
    error.message = one_line(error.message)
    told = io.StringIO()
    error.show(told)
    _err.print(escape_lines(told.getvalue().rstrip("\n")), markup=False, soft_wrap=True)


def can_ask() -> bool:
    """Return whether somebody sits before the command who can be asked."""
    return sys.stdin.isatty() and _err.is_terminal


def confirmed(question: str) -> bool:
    """Ask a question on standard error; return whether the answer is yes.

    Raises:
        typer.Abort: Nobody answers: the end of the input, or Ctrl-C.
    """
    # The libraries' own prompts write at least a blank to standard output, which may go into a file.
    _err.print(f"{one_line(question)} [y/N]: ", end="", markup=False, soft_wrap=True)
    try:
        answer = sys.stdin.readline()
    except KeyboardInterrupt:
        raise typer.Abort from None
    if not answer:
        raise typer.Abort
    return answer.strip().lower() in ("y", "yes")


def uncaught(error: BaseException) -> None:
    """Print on standard error the traceback of an unforeseen error, whose text a stranger may have written."""
    _err.print(escape_lines("".join(traceback.format_exception(error))), markup=False, soft_wrap=True)


def pairs(values: Mapping[str, str]) -> None:
    """Print names and values, one pair per line, ready to copy."""
    width = max(map(len, values))
    for name, value in values.items():
        line(f"{name.ljust(width)}  {value}")


def ways_to_serve() -> None:
    """Print the flags without which a server refuses every request."""
    from catenary_edge.http.origin import WAYS_TO_SERVE

    lines("\nWithout HTTPS every request is refused (403 HTTPS_REQUIRED). Start again with one of:\n")
    pairs({f"  {flags}": meaning for flags, meaning in WAYS_TO_SERVE})


def warning(text: str) -> None:
    """Print a warning on standard error."""
    _err.print(f"[yellow]Warning:[/] {_safe(text)}", soft_wrap=True)


def json(value: Mapping[str, Any], *, indent: bool = True) -> None:
    """Print JSON, on one line without `indent`."""
    text = orjson.dumps(value, option=orjson.OPT_INDENT_2 if indent else None).decode()
    _out.print(escape_controls_in_json(text), markup=False)


def printed(log: str) -> None:
    """Print a model's output on standard error."""
    if log:
        note("The model printed:")
        _err.print(escape_lines(log.rstrip("\n")), markup=False, soft_wrap=True)


def rows(columns: Sequence[str], values: Sequence[Sequence[Any]], nothing: str) -> None:
    """Print aligned columns, or on standard error the sentence for none. No line is wrapped: ids stay whole."""
    if not values:
        note(nothing)
        return
    cells = [["-" if value is None else " ".join(str(value).split()) for value in row] for row in (columns, *values)]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    for row in cells:
        line("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())


def csv(table: Iterable[Sequence[str]]) -> None:
    """Print lines of CSV. A text with lines of its own gets one: a terminal would show the others as ours.

    A file can end at a terminal too, so it has the same text; a remark tells that cells were changed.
    """
    text, changed = io.StringIO(), 0
    writer = csv_writer.writer(text, lineterminator="\n")
    for row in table:
        plain = [one_line(cell) for cell in row]
        changed += sum(one != other for one, other in zip(row, plain, strict=True))
        writer.writerow(plain)
    lines(text.getvalue().rstrip("\n"))
    if changed:
        texts = "1 text is" if changed == 1 else f"{changed:,} texts are"
        note(
            f"{texts} changed: line ends and control characters are escaped for the terminal; --json has all as they are."
        )


def fitted(columns: Sequence[FittedColumn], values: Sequence[Sequence[Any]]) -> list[str]:
    """Print a table of the columns that the terminal has room for; return the names of the others."""
    cells = [["" if value is None else _safe(number(value)) for value in row] for row in values]
    heads = [[_safe(column.name), *([f"[dim]{_safe(column.unit)}[/]"] if column.unit else [])] for column in columns]
    widths = [
        _CELL_FRAME + max(len(one_line(text)) for text in (column.name, column.unit or "", *(row[at] for row in cells)))
        for at, column in enumerate(columns)
    ]
    room = _out.width - 1 - sum(width for column, width in zip(columns, widths, strict=True) if column.keep)
    shown = []
    for at, column in enumerate(columns):
        if not column.keep:
            room -= widths[at]
        if column.keep or room >= 0:
            shown.append(at)
    table = Table()
    for at in shown:
        is_text = any(isinstance(row[at], str) for row in values)
        table.add_column("\n".join(heads[at]), justify="left" if is_text else "right", overflow="fold")
    for row in cells:
        table.add_row(*(row[at] for at in shown))
    _out.print(table)
    return [column.name for at, column in enumerate(columns) if at not in shown]


class _RateColumn(ProgressColumn):
    """The number that ends in a second."""

    def render(self, task: Task) -> Text:
        """Return the text of a task."""
        speed = task.finished_speed or task.speed
        return Text("" if speed is None else f"{speed:,.1f}/s")


class _Followed(Progress):
    """A bar with rows of texts below it."""

    below: Sequence[Sequence[str]] = ()

    def get_renderables(self) -> Iterable[RenderableType]:
        """Yield the bar, then the rows."""
        yield from super().get_renderables()
        if self.below:
            table = Table.grid(padding=(0, 2))
            for row in self.below:
                table.add_row(*map(_safe, row))
            yield table


@contextmanager
def following(text: str) -> Iterator[Callable[[int, int, str, Sequence[Sequence[str]]], None]]:
    """Show how far something is; yield a function that takes what is done, all there is, a text, and rows below the bar.

    On a terminal it is written anew in place, with what ends in a second and the time left, else a line of standard
    error every few seconds, without the rows.
    """
    columns = (
        TextColumn("{task.description}"),
        BarColumn(bar_width=15),
        MofNCompleteColumn(),
        _RateColumn(),
        TimeRemainingColumn(compact=True),
    )
    told = time.monotonic()
    with _Followed(*columns, console=_err, transient=True, disable=not _err.is_terminal) as bar:
        task = bar.add_task(_safe(text), total=None)

        def say(done: int, total: int, now: str, below: Sequence[Sequence[str]]) -> None:
            nonlocal told
            bar.below = below
            bar.update(task, completed=done, total=total, description=_safe(now))
            if not _err.is_terminal and time.monotonic() - told >= TOLD_SECONDS:
                told = time.monotonic()
                note(f"{now}: {done:,} of {total:,}")

        yield say


@contextmanager
def progress(text: str) -> Iterator[Callable[[str | None], None]]:
    """Show a running line with the elapsed time; yield a function that changes its text, or ends the line on None.

    Without a terminal on standard error the texts are log lines, for `--verbose`.
    """
    columns = (SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn())
    with Progress(*columns, console=_err, transient=True, disable=not _err.is_terminal) as bar:
        task = bar.add_task(_safe(text), total=None)

        def say(now: str | None) -> None:
            if now is None:
                bar.stop()
            else:
                bar.update(task, description=_safe(now))
                if logs.configured() and not _err.is_terminal:
                    _log.info(now)

        yield say


@contextmanager
def counting(text: str, total: int) -> Iterator[Callable[[int], None]]:
    """Show a progress bar of `total` rows; yield a function that adds finished rows."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=_err, transient=True, disable=not _err.is_terminal) as bar:
        task = bar.add_task(_safe(text), total=total)
        yield lambda rows: bar.advance(task, rows)


def is_watched() -> bool:
    """Return whether progress goes to a terminal."""
    return _err.is_terminal


def is_terminal() -> bool:
    """Return whether the output goes to a terminal."""
    return _out.is_terminal


def width() -> int:
    """Return the characters of a line of output."""
    return _out.width


@contextmanager
def screen() -> Iterator[Callable[[Sequence[Sequence[tuple[str, str]]]], None]]:
    """Take the whole terminal; yield a function that shows lines of texts with their styles."""
    with Live(console=_out, screen=True, auto_refresh=False, redirect_stdout=False, redirect_stderr=False) as live:

        def paint(shown: Sequence[Sequence[tuple[str, str]]]) -> None:
            text = Text(no_wrap=True, overflow="crop", end="")
            for at, pieces in enumerate(shown):
                text.append("\n" if at else "")
                for piece, style in pieces:
                    text.append(one_line(piece), style)
            live.update(text, refresh=True)

        yield paint


def counts(title: str, columns: Sequence[str], rows: Iterable[tuple[str, Sequence[int]]]) -> None:
    """Print a table with a name in its first column and counts in the others."""
    table = Table(title=_safe(title), title_justify="left")
    table.add_column(_safe(columns[0]))
    for column in columns[1:]:
        table.add_column(_safe(column), justify="right")
    for name, numbers in rows:
        table.add_row(_safe(name), *map(number, numbers))
    _out.print(table)


def evaluation(result: Mapping[str, Any], used: Sequence[Sequence[str]] = (), *, all_rows: bool = False) -> None:
    """Print the values, metrics, constraints and tables of an evaluation, or its error.

    Args:
        result: The evaluation.
        used: Name, value, unit and origin of each value; none are printed without it.
        all_rows: Whether all rows of the tables are printed, not only the first ones.
    """
    line(f"Evaluation {result['evaluation_id']}{' (stored)' if result['cached'] else ''}")
    if used:
        table = Table()
        table.add_column("Value of")
        table.add_column("Used", justify="right")
        for column in ("Unit", "Given"):
            table.add_column(column)
        for row in used:
            table.add_row(*map(_safe, row))
        _out.print(table)
    if result["status"] != "completed":
        error = result["error"] or {"code": result["status"], "message": "", "line": None}
        where = f" (line {error['line']})" if error["line"] else ""
        printed(result["log"] or "")
        problem(f"{result['status']}: {error['message']}{where} [{error['code']}]")
        return
    if result["metrics"]:
        table = Table()
        table.add_column("Metric")
        table.add_column("Value", justify="right")
        table.add_column("Unit")
        for name, metric in result["metrics"].items():
            table.add_row(_safe(name), number(metric["value"]), _safe(metric["unit"] or ""))
        _out.print(table)
    for name, constraint in result["constraints"].items():
        mark = "[green]holds[/]" if constraint["satisfied"] else "[red]broken[/]"
        _out.print(f"Constraint {_safe(name)}: {mark} ({_safe(compared(constraint))})")
    for name, given in result["tables"].items():
        _table(name, given, len(given) if all_rows else FIRST_ROWS)
    if result["duration_ms"] is not None:
        shapes = len({one["name"] for one in result["geometry"]})
        counted = "1 geometry" if shapes == 1 else f"{shapes} geometries"
        if result["files"]:
            counted += ", 1 file" if len(result["files"]) == 1 else f", {len(result['files'])} files"
        lines(f"The model ran {result['duration_ms']:.1f} ms; {counted}.\n")
    printed(result["log"] or "")


def compared(constraint: Mapping[str, Any]) -> str:
    """Return a constraint's value with its limit, as `2.37 > 1.0 mm` for a broken one; the value alone without a limit."""
    return f"{number(constraint['value'])} {limit_of(constraint)}".rstrip()


def limit_of(constraint: Mapping[str, Any]) -> str:
    """Return a constraint's limit, as `> 1.0 mm` for a broken one; empty without a limit."""
    if constraint["limit"] is None:
        return ""
    op = constraint["op"] if constraint["satisfied"] else _BROKEN[constraint["op"]]
    unit = f" {constraint['unit']}" if constraint["unit"] else ""
    return f"{op} {number(constraint['limit'])}{unit}"


def _table(name: str, given: Sequence[Mapping[str, Any]], most: int) -> None:
    """Print the first rows of a model's table, and how many are left out."""
    columns = dict.fromkeys(column for row in given for column in row)
    table = Table(title=_safe(name), title_justify="left")
    for column in columns:
        table.add_column(_safe(column))
    for row in given[:most]:
        table.add_row(*("" if row.get(column) is None else _safe(number(row[column])) for column in columns))
    _out.print(table)
    if len(given) > most:
        note(f"{len(given) - most:,} more rows; --tables prints all, --csv as CSV.")


def version(name: str, made: Mapping[str, Any], *, deployed: bool) -> None:
    """Print a checked model version and its parameters."""
    state = "deployed" if deployed else "ready"
    deterministic = "deterministic" if made["deterministic"] else "not deterministic: equal requests may differ"
    line(f"{name}, version {made['number']} ({made['model_version_id']}): {state}, {deterministic}")
    parameters(made["parameters"], "The model has no parameters.")
    if made["repeatable_reason"]:
        note(not_repeatable(made["repeatable_reason"]))
    for remark in made["warnings"]:
        warning(remark)


def not_repeatable(reason: str) -> str:
    """Return the sentence that tells why a version takes one process a point."""
    return f"Not repeatable, so each point of a batch takes a process of its own. {reason}"


def parameters(declared: Sequence[Mapping[str, Any]], nothing: str) -> None:
    """Print the parameters of a model, or on standard error the sentence for none."""
    if not declared:
        note(nothing)
        return
    table = Table()
    # A parameter without a label is shown with its name as one.
    declared = [{**one, "label": None if one["label"] == one["name"] else one["label"]} for one in declared]
    optional = [(key, title) for key, title in _SOMETIMES if any(parameter[key] for parameter in declared)]
    for column in ("Parameter", "Type", "Default", "Range", "Unit", *(title for _, title in optional)):
        table.add_column(column, overflow="fold")
    for parameter in declared:
        values = [
            parameter["name"],
            parameter["type"],
            _default(parameter),
            _bounds(parameter),
            parameter["unit"] or "",
        ]
        values += [parameter[key] or "" for key, _ in optional]
        table.add_row(*(_safe(str(value)) for value in values))
    _out.print(table)


def _default(parameter: Mapping[str, Any]) -> str:
    """Format a default: of a point its coordinates, of a table the number of its rows."""
    value = parameter["default"]
    if parameter["type"] == "point":
        return ", ".join(map(number, value))
    if parameter["type"] == "table":
        return "1 row" if len(value) == 1 else f"{len(value):,} rows"
    return number(value)


def _bounds(parameter: Mapping[str, Any]) -> str:
    """Format what a value may be: its choices, the columns of a table with their units, or its range."""
    if parameter["columns"]:
        units = [f" [{column['unit']}]" if column["unit"] else "" for column in parameter["columns"]]
        return ", ".join(column["name"] + unit for column, unit in zip(parameter["columns"], units, strict=True))
    choices = ", ".join(str(choice) for choice in parameter["choices"])
    step = f"step {number(parameter['step'])}" if parameter["step"] else ""
    return choices or ", ".join(filter(None, [_range(parameter["min"], parameter["max"]), step]))


def _range(low: float | None, high: float | None) -> str:
    if low is not None and high is not None:
        return f"{number(low)} … {number(high)}"
    return f"≥ {number(low)}" if low is not None else f"≤ {number(high)}" if high is not None else ""


def number(value: Any) -> str:
    """Format a number with six significant digits and thousands separators; anything else as `str` does."""
    return f"{value:,.6g}" if isinstance(value, float) else f"{value:,}" if type(value) is int else str(value)


def _safe(text: str) -> str:
    """Return a text of one line for rich, without markup and characters that control a terminal."""
    return escape(one_line(text))
