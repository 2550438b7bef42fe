"""The parameters that a model declares, each checked by its type."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from catenary_wire import input_files, value_forms
from catenary_wire.model_limits import (
    COLUMN_TYPES,
    EXPRESSION,
    INPUT_FILE_BYTES,
    LABEL,
    MOST_CELLS,
    MOST_CHOICES,
    MOST_COLUMNS,
    MOST_SUFFIXES,
    ORDER,
    TEXT,
    UNIT,
)
from catenary_wire.steps import on_step
from catenary_worker.models.entries import (
    Entry,
    check_keys,
    check_name,
    check_text,
    checked_texts,
    format_value,
    is_number,
)
from catenary_worker.task import ModelFaultError

_BARE = {"name", "type", "default", "label", "group", "description", "order", "show_if"}
_COMMON = _BARE | {"unit"}
_NUMERIC = {"min", "max", "step", "positive"}
KEYS_OF_TYPE = {
    "number": _COMMON | _NUMERIC,
    "integer": _COMMON | _NUMERIC,
    "boolean": _COMMON,
    "string": _COMMON,
    "choice": _COMMON | {"choices"},
    "color": _BARE,
    "date": _BARE,
    "point": _COMMON,
    "table": _BARE | {"columns"},
    "file": _BARE | {"accept", "max_bytes"},
}
"""The keys that an entry of each type may have."""
KEYS = ("name", "label", "type", "default", "min", "max", "step", "positive", "choices", "unit", "group", "description",
        "order", "show_if", "columns", "accept", "max_bytes")  # fmt: skip
"""The keys of a normalised parameter."""
_TEXTS = {"label": LABEL, "unit": UNIT, "group": LABEL, "description": TEXT, "show_if": EXPRESSION}
_FORMS: Mapping[str, tuple[Callable[[object], object], str]] = {
    "color": (value_forms.color, value_forms.COLOR_FORM),
    "date": (value_forms.day, value_forms.DATE_FORM),
    "point": (value_forms.point, value_forms.POINT_FORM),
}
_COLUMN_KEYS = ("name", "type", "unit")
_WANTED = {"number": "a finite number", "integer": "a whole number in ±2^63", "boolean": "True or False"}


def check(what: str, entry: Entry) -> dict[str, Any]:
    """Return the normalised parameter of an entry, with every key of KEYS.

    Args:
        what: The beginning of the text of a fault, such as `PARAMETERS: span:`.
        entry: The entry, whose name is checked already.

    Raises:
        ModelFaultError: The entry is invalid; the error has its line.
    """
    kind = entry.get("type")
    if not isinstance(kind, str) or kind not in KEYS_OF_TYPE:
        raise entry.fault(f"{what} type {format_value(kind)} must be one of {', '.join(KEYS_OF_TYPE)}.", "type")
    # A key set to None is the same as one left out.
    given = Entry({key: value for key, value in entry.items() if value is not None})
    given.line, given.lines = entry.line, entry.lines
    entry = given
    check_keys(what, entry, KEYS_OF_TYPE[kind], f"the type {kind}")
    if "default" not in entry and kind != "file":
        raise entry.fault(f"{what} has no default.")
    parameter: dict[str, Any] = dict.fromkeys(KEYS)
    parameter.update(name=entry["name"], type=kind, default=entry.get("default"))
    parameter["order"] = _order(what, entry)
    parameter.update(checked_texts(what, entry, _TEXTS))
    if kind in ("number", "integer"):
        _numeric(what, entry, kind, parameter)
    elif kind == "boolean" and not isinstance(entry["default"], bool):
        raise entry.fault(f"{what} default {format_value(entry['default'])} must be True or False.", "default")
    elif kind == "string":
        parameter["default"] = checked_texts(what, entry, {"default": TEXT})["default"]
    elif kind == "choice":
        _choice(what, entry, parameter)
    elif kind in _FORMS:
        _form(what, entry, kind, parameter)
    elif kind == "table":
        _table(what, entry, parameter)
    elif kind == "file":
        _file(what, entry, parameter)
    return parameter


def _numeric(what: str, entry: Entry, kind: str, parameter: dict[str, Any]) -> None:
    """Check the range and step of a number. The grid of the step starts at `min`, or at 0 without one."""
    for key in ("default", "min", "max", "step"):
        value = entry.get(key)
        if value is None:
            continue
        if not is_number(value) or (kind == "integer" and not isinstance(value, int)):
            wanted = "a whole number in ±2^63" if kind == "integer" else "a finite number"
            raise entry.fault(f"{what} {key} {format_value(value)} must be {wanted}.", key)
        parameter[key] = value if kind == "integer" else float(value)
    default, low, high, step = (parameter[key] for key in ("default", "min", "max", "step"))
    if low is not None and high is not None and low > high:
        raise entry.fault(f"{what} min {low} is over max {high}.", "min")
    if (low is not None and default < low) or (high is not None and default > high):
        raise entry.fault(f"{what} default {default} is outside {_range(low, high)}.", "default")
    if step is not None:
        if step <= 0:
            raise entry.fault(f"{what} step {step} must be over 0.", "step")
        if not on_step(default, low or 0, step):
            raise entry.fault(f"{what} default {default} is not on the step {step} from {low or 0}.", "default")
    positive = entry.get("positive")
    if positive is not None and not isinstance(positive, bool):
        raise entry.fault(f"{what} positive {format_value(positive)} must be True or False.", "positive")
    parameter["positive"] = positive
    if positive and default <= 0:
        raise entry.fault(f"{what} default {default} must be over 0, since positive is set.", "default")


def _range(low: float | None, high: float | None) -> str:
    return f"{'...' if low is None else low} to {'...' if high is None else high}"


def _choice(what: str, entry: Entry, parameter: dict[str, Any]) -> None:
    choices = entry.get("choices")
    if not isinstance(choices, list | tuple) or not choices:
        raise entry.fault(f"{what} choices must be a list of at least one value.", "choices")
    if len(choices) > MOST_CHOICES:
        raise entry.fault(f"{what} has more than {MOST_CHOICES} choices.", "choices")
    for choice in choices:
        if not is_number(choice):
            try:
                check_text(choice, f"{what} choice", LABEL, multiline=False)
            except ModelFaultError as fault:
                raise entry.fault(fault.message, "choices") from None
    if len(set(choices)) != len(choices):
        raise entry.fault(f"{what} a choice is given twice.", "choices")
    if isinstance(entry["default"], bool) or entry["default"] not in choices:
        raise entry.fault(f"{what} default {format_value(entry['default'])} is not one of its choices.", "default")
    parameter["choices"] = list(choices)


def _order(what: str, entry: Entry) -> int:
    """Return the place of a parameter among the others, 0 unless given."""
    order = entry.get("order", 0)
    if type(order) is not int or not -ORDER <= order <= ORDER:
        raise entry.fault(f"{what} order {format_value(order)} must be a whole number in ±{ORDER:,}.", "order")
    return order


def _form(what: str, entry: Entry, kind: str, parameter: dict[str, Any]) -> None:
    """Check the default of a colour, date or point, and give it its one spelling."""
    read, form = _FORMS[kind]
    found = read(entry["default"])
    if found is None:
        raise entry.fault(f"{what} default {format_value(entry['default'])} must be {form}.", "default")
    parameter["default"] = found


def _file(what: str, entry: Entry, parameter: dict[str, Any]) -> None:
    """Check the suffixes, the size and the default of a file; whether the default is there, `input_files` checks."""
    accept = entry.get("accept", ())
    if not isinstance(accept, list | tuple) or not all(map(input_files.is_suffix, accept)):
        text = f'{what} accept {format_value(accept)} must be a list of suffixes in lower case, such as [".csv"].'
        raise entry.fault(text, "accept")
    if len(accept) > MOST_SUFFIXES or len(set(accept)) < len(accept):
        raise entry.fault(f"{what} accept has a suffix twice, or more than {MOST_SUFFIXES}.", "accept")
    most = entry.get("max_bytes", INPUT_FILE_BYTES)
    if type(most) is not int or not 1 <= most <= INPUT_FILE_BYTES:
        text = f"{what} max_bytes {format_value(most)} must be a whole number from 1 to {INPUT_FILE_BYTES:,}."
        raise entry.fault(text, "max_bytes")
    default = entry.get("default")
    if default is not None:
        if not input_files.is_path(default):
            raise entry.fault(f"{what} default {format_value(default)} must be {input_files.PATH_FORM}.", "default")
        if accept and input_files.suffix_of(default) not in accept:
            text = f"{what} default {format_value(default)} must end in one of {', '.join(accept)}."
            raise entry.fault(text, "default")
    parameter.update(accept=list(accept), max_bytes=most)


def _table(what: str, entry: Entry, parameter: dict[str, Any]) -> None:
    """Check the columns of a table and the rows of its default."""
    columns = entry.get("columns")
    if not isinstance(columns, list | tuple) or not columns:
        raise entry.fault(f"{what} columns must be a list of at least one dict with name and type.", "columns")
    if len(columns) > MOST_COLUMNS:
        raise entry.fault(f"{what} has more than {MOST_COLUMNS} columns.", "columns")
    try:
        checked = [_column(f"{what} column {number}", column) for number, column in enumerate(columns, 1)]
    except ModelFaultError as fault:
        raise entry.fault(fault.message, "columns") from None
    names = [column["name"] for column in checked]
    if len(set(names)) < len(names):
        raise entry.fault(f"{what} two columns have the same name.", "columns")
    parameter["columns"] = checked
    rows = entry["default"]
    if not isinstance(rows, list | tuple):
        raise entry.fault(f"{what} default {format_value(rows)} must be a list of rows.", "default")
    if len(rows) * len(checked) > MOST_CELLS:
        raise entry.fault(f"{what} default has more than {MOST_CELLS:,} cells.", "default")
    try:
        parameter["default"] = [
            _row(f"{what} default, row {number}", row, checked) for number, row in enumerate(rows, 1)
        ]
    except ModelFaultError as fault:
        raise entry.fault(fault.message, "default") from None


def _column(what: str, column: object) -> dict[str, Any]:
    if not isinstance(column, dict):
        raise ModelFaultError(f"{what}: {format_value(column)} must be a dict with name and type.")
    for key in column:
        if key not in _COLUMN_KEYS:
            known = ", ".join(_COLUMN_KEYS)
            raise ModelFaultError(f"{what}: unknown key {format_value(key)}; known keys are {known}.")
    kind, unit = column.get("type"), column.get("unit")
    name = check_name(column.get("name"), f"{what}: name")
    if not isinstance(kind, str) or kind not in COLUMN_TYPES:
        raise ModelFaultError(f"{what}: type {format_value(kind)} must be one of {', '.join(COLUMN_TYPES)}.")
    if unit is not None:
        if kind not in ("number", "integer"):
            raise ModelFaultError(f"{what}: a column of the type {kind} has no unit; remove it.")
        check_text(unit, f"{what}: unit", UNIT, multiline=False)
    return {"name": name, "type": kind, "unit": unit}


def _row(what: str, row: object, columns: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    names = [column["name"] for column in columns]
    if not isinstance(row, dict) or row.keys() != set(names):
        raise ModelFaultError(f"{what}: {format_value(row)} must be a dict with exactly {', '.join(names)}.")
    return {
        column["name"]: _cell(f"{what}, {column['name']}", row[column["name"]], column["type"]) for column in columns
    }


def _cell(what: str, value: object, kind: str) -> float | int | bool | str:
    if kind == "string":
        return check_text(value, what)
    if kind == "boolean" and isinstance(value, bool):
        return value
    if kind == "number" and is_number(value):
        return float(value)  # type: ignore[arg-type]  # `is_number` tells no type
    if kind == "integer" and is_number(value) and isinstance(value, int):
        return value
    raise ModelFaultError(f"{what}: {format_value(value)} must be {_WANTED[kind]}.")
