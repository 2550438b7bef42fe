"""The reader of files: rows with their lines. Their meaning is checked later."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from catenary_core.call import json_text
from catenary_core.call.errors import DomainError
from catenary_core.services.parameter.imports import columns
from catenary_core.services.parameter.imports.faults import Faults, Row, TooManyFaultsError, suggestion

MAX_BYTES = 64 * 2**20
MAX_ROWS = 100_000
MAX_CELL = 131_072
SEPARATOR = ";"
"""Between the paths or ids of one cell."""
_LISTS = ("parents", "parent_ids")
_UTF16 = (b"\xff\xfe", b"\xfe\xff")
_SPACE = re.compile(r"[ \t\n\r]*")


class KindNeededError(ValueError):
    """The kind of the rows is needed and not given."""


def read(data: bytes, kind: str | None, faults: Faults, *, is_json: bool) -> dict[str, list[Row]]:
    """Return the rows of a file by kind, in the order of `columns.KINDS`; other problems become faults.

    Args:
        data: The file.
        kind: Kind of the rows of a CSV file or JSON list; None where nobody has told it.
        faults: Collects the faults.
        is_json: Whether the file is JSON, else CSV.

    Raises:
        KindNeededError: The file is CSV or a JSON list, and the kind is None.
        TooManyFaultsError: The number of faults has reached its limit.
    """
    if not is_json and kind is None:
        raise KindNeededError
    text = _text(data, faults)
    if text is None:
        return {}
    if is_json:
        return _json(text, kind, faults)
    return {_known(kind): list(_csv(text, _known(kind), faults))}


def _known(kind: str | None) -> str:
    if kind is None:
        raise KindNeededError
    return kind


def _text(data: bytes, faults: Faults) -> str | None:
    """Return the text of a UTF-8 file, with or without a byte order mark; None after a fault."""
    if data.startswith(_UTF16):
        faults.add(None, "The file is in UTF-16; save it as UTF-8 (in Excel: CSV UTF-8).")
        return None
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        byte = f"0x{data[error.start]:02X}"
        faults.add(
            data.count(b"\n", 0, error.start) + 1,
            f"The byte {byte} is not UTF-8; save the file as UTF-8 (in Excel: CSV UTF-8).",
        )
        return None
    if "\0" in text:
        faults.add(text.count("\n", 0, text.index("\0")) + 1, "The character U+0000 can't be kept; remove it.")
        return None
    return text


def _csv(text: str, kind: str, faults: Faults) -> Iterator[Row]:
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    header: list[str] | None = None
    line, rows = 1, 0
    try:
        for cells in reader:
            if any(cell.strip() for cell in cells):
                if header is None:
                    header = [cell.strip() for cell in cells]
                    if not _check_header(header, line, kind, faults):
                        return
                elif len(cells) != len(header):
                    count = f"{len(cells)} cell{'' if len(cells) == 1 else 's'}"
                    faults.add(
                        line, f"The line has {count}, and the header {len(header)}; quote a cell with a comma in it."
                    )
                elif any(len(cell) > MAX_CELL for cell in cells):
                    faults.add(line, f"A cell has over {MAX_CELL:,} characters; a value has at most 100,000.")
                    rows += 1
                else:
                    rows += 1
                    if rows > MAX_ROWS:
                        faults.add(line, f"The file has over {MAX_ROWS:,} rows; split it into several files.")
                        return
                    yield _csv_row(line, dict(zip(header, cells, strict=True)))
            line = reader.line_num + 1
    except csv.Error as error:
        faults.add(line, _csv_problem(str(error)))
        return
    if not rows and not faults:
        faults.add(None, "The file has no rows; it needs a header and a line for each row.")


def _csv_problem(error: str) -> str:
    if "field limit" in error:
        return f"A cell has over {csv.field_size_limit():,} characters; a value has at most 100,000."
    if "end of data" in error:
        return "A quote that begins here is not closed; double a quote inside of a quoted cell."
    return f'The line is not valid CSV ({error}); put a cell with a quote in it into quotes, and double that quote: "12"" pipe".'


def _check_header(header: list[str], line: int, kind: str, faults: Faults) -> bool:
    known = columns.names(kind)
    if len(header) == 1 and any(mark in header[0] for mark in ";\t|"):
        faults.add(line, "The columns are not separated by commas; save the file with commas between the cells.")
        return False
    for place, name in enumerate(header):
        if not name:
            faults.add(line, f"Column {place + 1} has no name in the header.")
        elif name in header[:place]:
            faults.add(line, f"The header has the column {name} twice.", column=name)
        elif name not in known:
            faults.add(
                line, f"{kind.capitalize()} have no column {name[:100]}{suggestion(name, known)}", column=name[:100]
            )
    return not faults


def _csv_row(line: int, cells: Mapping[str, str]) -> Row:
    given: dict[str, Any] = {}
    for name, cell in cells.items():
        # A text value may begin with a space; a name or a number may not.
        text = cell if name in ("value", "comment") else cell.strip()
        if cell.strip():
            given[name] = [part.strip() for part in text.split(SEPARATOR)] if name in _LISTS else text
    return Row(line, "", given)


def _json(text: str, kind: str | None, faults: Faults) -> dict[str, list[Row]]:
    scanner = _Scanner(text)
    try:
        found = _json_lists(scanner, kind, faults)
    except (json.JSONDecodeError, RecursionError) as error:
        where = scanner.at
        why = "it is nested too deeply"
        if isinstance(error, json.JSONDecodeError):
            where, why = error.pos, error.msg
        faults.add(text.count("\n", 0, where) + 1, f"The file is not valid JSON: {why}.")
        return {}
    if not any(found.values()) and not faults:
        faults.add(None, "The file has no items.")
    return {kind: found[kind] for kind in columns.KINDS if kind in found}


def _json_lists(scanner: _Scanner, kind: str | None, faults: Faults) -> dict[str, list[Row]]:
    found: dict[str, list[Row]] = {}
    if scanner.next_is("["):
        found[_known(kind)] = list(_items(scanner, _known(kind), faults))
    else:
        scanner.take("{", "a list, or an object with the lists assets, parameters and entries")
        while not scanner.takes("}"):
            if found:
                scanner.take(",", "a comma or }")
            line = scanner.line
            key = scanner.value()
            scanner.take(":", "a colon")
            if not isinstance(key, str) or key not in columns.KINDS or key in found:
                faults.add(line, f"{str(key)[:100]} is none of {', '.join(columns.KINDS)}, or is given twice.")
                return found
            found[key] = list(_items(scanner, key, faults))
    scanner.end()
    return found


def _items(scanner: _Scanner, kind: str, faults: Faults) -> Iterator[Row]:
    scanner.take("[", f"the list of {kind}")
    index = 0
    while not scanner.takes("]"):
        if index:
            scanner.take(",", "a comma or ]")
        line, item = scanner.line, f"{kind}[{index}]"
        start = scanner.at
        scanner.value()
        if index >= MAX_ROWS:
            faults.add(line, f"The list has over {MAX_ROWS:,} items; split it into several files.")
            raise TooManyFaultsError
        row = _json_row(scanner.text[start : scanner.at], line, item, kind, faults)
        if row is not None:
            yield row
        index += 1


def _json_row(text: str, line: int, item: str, kind: str, faults: Faults) -> Row | None:
    try:
        cells = json_text.parse(text, item)
    except DomainError as error:
        faults.add(line, error.message, item=item)
        return None
    if not isinstance(cells, dict):
        faults.add(line, "An item is an object with the columns as keys.", item=item)
        return None
    row = Row(line, item, {name: value for name, value in cells.items() if _is_given(name, value)})
    known = columns.names(kind)
    for name, value in row.cells.items():
        if name not in known:
            faults.of(row, name[:100], f"{kind.capitalize()} have no key {name[:100]}{suggestion(name, known)}")
        elif name in _LISTS:
            if not isinstance(value, list) or not all(isinstance(part, str) for part in value):
                faults.of(row, name, f"{name} must be a list of texts.")
        elif name != "value" and not isinstance(value, str):
            faults.of(row, name, f"{name} must be a text.")
    return None if faults.has(row) else row


def _is_given(name: str, value: Any) -> bool:
    return value is not None and (name == "value" or not isinstance(value, str) or bool(value.strip()))


class _Scanner:
    """Walks over the outer parts of a JSON text and knows the current line; the standard reader gives no positions."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self._counted, self._line = 0, 1
        self._decoder = json.JSONDecoder(parse_int=str, parse_float=str, parse_constant=str)
        self._skip()

    @property
    def line(self) -> int:
        """The line of the next part."""
        self._line += self.text.count("\n", self._counted, self.at)
        self._counted = self.at
        return self._line

    def next_is(self, mark: str) -> bool:
        """Return whether a mark comes next."""
        return self.text.startswith(mark, self.at)

    def takes(self, mark: str) -> bool:
        """Skip a mark if it comes next; return whether it did."""
        if not self.next_is(mark):
            return False
        self.at += len(mark)
        self._skip()
        return True

    def take(self, mark: str, expected: str) -> None:
        """Skip a mark.

        Raises:
            json.JSONDecodeError: Another text comes next.
        """
        if not self.takes(mark):
            raise json.JSONDecodeError(f"expected {expected} here", self.text, self.at)

    def value(self) -> Any:
        """Skip a value and return it, its numbers as text."""
        value, self.at = self._decoder.raw_decode(self.text, self.at)
        self._skip()
        return value

    def end(self) -> None:
        """Check that the text ends here.

        Raises:
            json.JSONDecodeError: More text follows.
        """
        if self.at < len(self.text):
            raise json.JSONDecodeError("there is more text after its end", self.text, self.at)

    def _skip(self) -> None:
        found = _SPACE.match(self.text, self.at)
        self.at = found.end() if found else self.at
