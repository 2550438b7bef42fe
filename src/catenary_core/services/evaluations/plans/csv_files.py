"""Evaluations as CSV (RFC 4180), in the columns that design-exploration viewers read: `in:span [m]`, `out:mass [kg]`.

What `write` makes, `read` takes, also after a spreadsheet has saved it with semicolons. A text stands after an apostrophe
where a spreadsheet would take it for a formula, and where it would be read as something else: an apostrophe at its
beginning, an empty text, a choice that looks like a number or a truth.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import orjson

from catenary_core.call.errors import DomainError, Violation, invalid
from catenary_core.call.item_faults import ItemFaults
from catenary_core.services.evaluations import rules
from catenary_core.services.evaluations.plans.layout import Layout, layout
from catenary_wire import strict_json
from catenary_wire.csv_cells import MARK, is_formula
from catenary_wire.sentences import Sentence
from catenary_wire.strict_json import JsonError

CONTENT_TYPE = "text/csv; charset=utf-8"
FIELD = "csv"
"""Name of the request's field with a file, in refusals."""
_IN = re.compile(r"in:\s*(?P<name>[^\s\[\]]+)\s*(?:\[(?P<unit>.*)\])?")
_PASSED_OVER = ("img", "threed")
_MAX_FAULTS = 100
_MISREAD = re.compile(rf"{MARK}|[\[{{]|\s*[0-9.]+(?:e[+-]?[0-9]+)?\s*$|\s*-[0-9.]|\s*(?:true|false)\s*$", re.IGNORECASE)
"""Begins a text that `read` would take for something else."""
_LONGEST_NUMBER = 400
_LONGEST_NAME = 200
_MOST_COLUMNS = 2_000
# A cell may fill a file, whose size is bounded before: the 131,072 characters of the default are few for a table.
csv.field_size_limit(16 * 1024 * 1024)
MAX_CELLS = 1_000_000
"""Maximum values of a file: a model of 100 parameters in the longest file."""
_DECIMAL_COMMA = re.compile(r"[+-]?\d+,\d+")


@dataclass(frozen=True, slots=True)
class _Column:
    index: int
    parameter: Mapping[str, Any]
    unit: str | None


def name(kind: str, column: Mapping[str, Any]) -> str:
    """Return the name of a column.

    Args:
        kind: `in` or `out`.
        column: `name` and `unit` of a parameter or metric.
    """
    unit = column["unit"]
    return f"{kind}:{column['name']}" + (f" [{unit}]" if unit else "")


def line(cells: Iterable[str]) -> str:
    """Return one line of a file."""
    out = io.StringIO(newline="")
    csv.writer(out, lineterminator="\r\n").writerow(cells)
    return out.getvalue()


def cell(value: Any) -> str:
    """Return the text of a cell; None is empty."""
    if value is None:
        return ""
    if not isinstance(value, str):
        return orjson.dumps(value).decode()
    marked = not value or is_formula(value) or _MISREAD.match(value)
    return f"{MARK}{value}" if marked else value


def write(table: Layout) -> bytes:
    """Build the file of a plan."""
    lines = [line(name("in", column) for column in table.columns)]
    lines += [line(map(cell, row)) for row in table.rows]
    return "".join(lines).encode()


def read(declared: Sequence[Mapping[str, Any]], text: str, most: int) -> Layout:
    """Read the evaluations of a plan's file, in its order.

    Args:
        declared: The model's parameters.
        text: The file.
        most: Maximum rows.

    Raises:
        DomainError: VALIDATION_ERROR, UNKNOWN_PARAMETER or PARAMETER_OUT_OF_RANGE, with the lines of the faults.
    """
    columns, found = _read(declared, text, most)
    given = {column.parameter["name"] for column in columns}
    return layout([parameter for parameter in declared if parameter["name"] in given], found)


def rows(declared: Sequence[Mapping[str, Any]], text: str, most: int) -> list[dict[str, Any]]:
    """Return the values that each row of a file gives, by name; arguments and errors as of `read`."""
    return _read(declared, text, most)[1]


def _read(declared: Sequence[Mapping[str, Any]], text: str, most: int) -> tuple[list[_Column], list[dict[str, Any]]]:
    text = text.removeprefix("\ufeff")
    delimiter = max(",;\t", key=text.partition("\n")[0].count)
    lines = _lines(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True))
    _, header = next(lines, (1, []))
    if len(header) > _MOST_COLUMNS:
        raise invalid(
            FIELD,
            "{field}, line {line}: there are {columns} columns, over the limit of {most}; leave out those that give none.",
            value=None,
            constraint="csv",
            line=1,
            columns=len(header),
            most=_MOST_COLUMNS,
        )
    columns = _columns(declared, header)
    found: list[dict[str, Any]] = []
    faults = ItemFaults()
    for index, (number, cells) in enumerate(lines):
        if index == most:
            raise invalid(
                FIELD,
                "{field}, line {line}: there are more than {most} rows; split the file.",
                value=None,
                constraint="csv",
                line=number,
                most=most,
            )
        if (index + 1) * len(columns) > MAX_CELLS:
            raise invalid(
                FIELD,
                "{field}, line {line}: there are more than {most} values; leave out the columns of defaults, or split the file.",
                value=None,
                constraint="csv",
                line=number,
                most=MAX_CELLS,
            )
        with faults.of(number):
            found.append(_row(columns, cells, len(header), number, decimal_comma=delimiter != ","))
        if index - len(found) >= _MAX_FAULTS:
            break
    faults.refuse()
    if not found:
        raise invalid(
            FIELD, "{field}, line {line}: no row follows; give at least one.", value=None, constraint="csv", line=1
        )
    return columns, found


def _lines(reader: Iterator[list[str]]) -> Iterator[tuple[int, list[str]]]:
    """Yield the cells of each line that is not blank, with the number of its last line."""
    number = 0
    try:
        for cells in reader:
            number = reader.line_num  # type: ignore[attr-defined]  # the protocol of readers leaves it out
            if cells:
                yield number, cells
    except csv.Error as error:
        raise invalid(
            FIELD,
            "{field}, line {line}: {why}; write the file as CSV (RFC 4180).",
            value=None,
            constraint="csv",
            line=number + 1,
            why=str(error),
        ) from None


def _columns(declared: Sequence[Mapping[str, Any]], header: Sequence[str]) -> list[_Column]:
    known = {parameter["name"]: parameter for parameter in declared}
    found: dict[str, tuple[int, str | None]] = {}
    for index, title in enumerate(map(str.strip, header)):
        if not title or title.startswith("out:") or title.lower() in _PASSED_OVER:
            continue
        match = _IN.fullmatch(title) if len(title) <= _LONGEST_NAME else None
        if match is None:
            raise invalid(
                FIELD,
                "{field}, line {line}: the column {column} is none of {known}, with a unit in brackets where there is one.",
                value=None,
                constraint="csv",
                line=1,
                column=title[:80],
                known="in:<parameter>, out:<metric>, img, threeD",
            )
        if match["name"] in found:
            raise invalid(
                FIELD,
                "{field}, line {line}: the parameter {parameter} has two columns; leave one out.",
                value=None,
                constraint="csv",
                line=1,
                parameter=match["name"],
            )
        found[match["name"]] = (index, match["unit"])
    if unknown := found.keys() - known.keys():
        rules.resolve(declared, dict.fromkeys(unknown))
    if not found:
        raise invalid(
            FIELD,
            "{field}, line {line}: no column gives a parameter; name one {column}.",
            value=None,
            constraint="csv",
            line=1,
            column="in:<parameter>",
        )
    return [_column(index, known[name], unit) for name, (index, unit) in found.items()]


def _column(index: int, parameter: Mapping[str, Any], unit: str | None) -> _Column:
    """Return a column whose unit converts into the parameter's."""
    unit = unit.strip() if unit else None
    if unit == parameter["unit"] or not unit:
        return _Column(index, parameter, None)
    if parameter["unit"] is None:
        raise invalid(
            FIELD,
            "{field}, line {line}: the parameter {parameter} has no unit; leave {unit} out.",
            value=None,
            constraint="csv",
            line=1,
            parameter=parameter["name"],
            unit=f"[{unit[:64]}]",
        )
    unbounded = {"type": "number", "min": None, "max": None, "step": None, "positive": False}
    with _at_line(1):
        rules.resolve([{**parameter, **unbounded}], {parameter["name"]: {"value": 1.0, "unit": unit}})
    return _Column(index, parameter, unit)


def _row(
    columns: Sequence[_Column], cells: Sequence[str], width: int, number: int, *, decimal_comma: bool
) -> dict[str, Any]:
    """Return the resolved values of a row; an empty cell gives none.

    Raises:
        DomainError: Whatever `rules.resolve` raises, with the line.
    """
    if len(cells) != width:
        raise invalid(
            FIELD,
            "{field}, line {line}: {cells} cells stand below {width} names; quote a cell that has a separator.",
            value=None,
            constraint="csv",
            line=number,
            cells=len(cells),
            width=width,
        )
    given: dict[str, Any] = {}
    for column in columns:
        text = cells[column.index]
        if text:
            given[column.parameter["name"]] = _value(column, text, number, decimal_comma=decimal_comma)
    with _at_line(number):
        resolved = rules.resolve([column.parameter for column in columns], given)
    return {name: resolved[name] for name in given}


def _value(column: _Column, text: str, number: int, *, decimal_comma: bool) -> Any:
    """Return what a cell gives; what is no value of the parameter's type stays text, which the rules refuse."""
    kind = column.parameter["type"]
    if text.startswith(MARK):
        return text.removeprefix(MARK)
    plain = text.strip()
    if kind in ("number", "integer"):
        if decimal_comma and _DECIMAL_COMMA.fullmatch(plain):
            plain = plain.replace(",", ".")
        value = _json(plain)
        value = text if value is None else value
        return value if column.unit is None else {"value": value, "unit": column.unit}
    if kind == "choice":
        value = _json(plain)
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        if is_number and value in column.parameter["choices"]:  # a negative one too, which begins as a formula
            return value
    if is_formula(text):
        raise invalid(
            FIELD,
            "{field}, line {line}: the cell of {parameter} begins as a formula; put an apostrophe before a text that is meant.",
            value=None,
            constraint="csv",
            line=number,
            parameter=column.parameter["name"],
        )
    if kind == "boolean":
        return {"true": True, "false": False}.get(plain.lower(), text)
    # A point or a table is JSON in its cell.
    value = _json(plain) if kind not in ("string", "choice") and plain[:1] in ("[", "{") else None
    if value is None:
        return text
    return value if column.unit is None else {"value": value, "unit": column.unit}


def _json(text: str) -> Any:
    """Return the value of a JSON text; None if the text is none."""
    if len(text) > _LONGEST_NUMBER and text[:1] not in ("[", "{"):
        return None
    try:
        return strict_json.parse(text.encode())
    except JsonError:
        return None


@contextmanager
def _at_line(number: int) -> Iterator[None]:
    """Add the line to the refusals of the block."""
    try:
        yield
    except DomainError as fault:
        raise DomainError(
            fault.reason,
            Sentence("Line {line}: {fault}", {"line": number, "fault": fault.message}),
            details=fault.details,
            violations=[
                Violation(
                    one.field, Sentence("Line {line}: {fault}", {"line": number, "fault": one.message}), one.constraint
                )
                for one in fault.violations
            ],
        ) from None
