"""The declarations that a worker read from a model, in the shapes of model.proto.

The worker has checked the declarations against each other. A worker stands outside the core, so this module checks
again everything that is stored.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from catenary.platform.v1 import model_pb2
from catenary.platform.v1.model_shapes import ModelConstraint, ModelError, ModelMetric, ModelParameter, TableColumn
from catenary_core.services.models import rules, shown_if
from catenary_wire import input_files, model_limits
from catenary_wire.characters import refused_character
from catenary_wire.expressions import constraint_limits
from catenary_wire.json_form import enum_numbers

_TYPES = tuple(enum_numbers(model_pb2.ParameterType.DESCRIPTOR))
_MOST = {
    "parameters": model_limits.MOST_PARAMETERS,
    "metrics": model_limits.MOST_DECLARED_METRICS,
    "constraints": model_limits.MOST_CONSTRAINTS,
}
_LONGEST = {
    "label": model_limits.LABEL,
    "unit": model_limits.UNIT,
    "group": model_limits.LABEL,
    "description": model_limits.TEXT,
    "show_if": model_limits.EXPRESSION,
    "value": model_limits.EXPRESSION,
}
_ERROR_CODES = {"failed": "MODEL_FAILED", "timed_out": "EVALUATION_TIMEOUT"}
_Entry = Mapping[str, Any]
_Made = TypeVar("_Made")


@dataclass(frozen=True, slots=True)
class Declarations:
    """The declarations of a model."""

    parameters: list[ModelParameter]
    metrics: list[ModelMetric]
    constraints: list[ModelConstraint]


def normalised(description: Mapping[str, Any] | None) -> Declarations:
    """Return a worker's description with every field of its shapes.

    Raises ValueError, with a sentence: the description is malformed.
    """
    if description is None:
        raise ValueError("The check gave no description of the model.")
    parameters = _all(description, "parameters", _parameter)
    if sum(map(model_limits.cells, parameters)) > model_limits.MOST_CELLS:
        raise ValueError(f"The defaults of all tables have more than {model_limits.MOST_CELLS:,} cells together.")
    if sum(parameter["type"] == "file" for parameter in parameters) > model_limits.MOST_INPUT_FILES:
        raise ValueError(f"More than {model_limits.MOST_INPUT_FILES} parameters have the type file.")
    shown_if.check(parameters)
    metrics = _all(description, "metrics", _metric)
    constraints = _all(description, "constraints", _constraint)
    for _, fault in constraint_limits.faults(constraints, parameters, metrics):
        raise ValueError(fault)
    return Declarations(sorted(parameters, key=lambda parameter: parameter["order"]), metrics, constraints)


def failure(status: str, error: Mapping[str, Any] | None) -> ModelError:
    """Build the error of a check that ended as `failed` or `timed_out`."""
    code = _ERROR_CODES.get(status, "MODEL_FAILED")
    given = error or {}
    message, line = given.get("message"), given.get("line")
    return {
        "code": code,
        "message": message if isinstance(message, str) and message else "The check of the model failed.",
        "line": line if isinstance(line, int) and 0 < line < 2**31 else None,
    }


def _all(description: Mapping[str, Any], key: str, read: Callable[[_Entry], _Made]) -> list[_Made]:
    entries = description.get(key, [])
    if not isinstance(entries, list) or not all(isinstance(entry, Mapping) for entry in entries):
        raise ValueError(f"{key} of the description is not a list of objects.")
    if len(entries) > _MOST[key]:
        raise ValueError(f"{key} of the description has more than {_MOST[key]} entries.")
    names = [entry.get("name") for entry in entries]
    if not all(map(model_limits.is_name, names)) or len(set(names)) < len(names):
        raise ValueError(f"{key} of the description has an entry without a name of its own.")
    return [_read(key, entry, read) for entry in entries]


def _read(key: str, entry: _Entry, read: Callable[[_Entry], _Made]) -> _Made:
    try:
        return read(entry)
    except ValueError as error:
        raise ValueError(f"{key} of the description, {entry['name']}: {error}.") from None


def _parameter(entry: _Entry) -> ModelParameter:
    kind = entry.get("type")
    if kind not in _TYPES:
        raise ValueError("the type is none of the known ones")
    choices = entry.get("choices") or []
    if not isinstance(choices, list) or not all(isinstance(item, str) or rules.is_number(item) for item in choices):
        raise ValueError("choices is not a list of texts and numbers")
    if len(choices) > model_limits.MOST_CHOICES:
        raise ValueError(f"choices has more than {model_limits.MOST_CHOICES} values")
    made: ModelParameter = {
        "name": entry["name"],
        "label": _text(entry, "label") or entry["name"],
        "type": kind,
        "default": entry.get("default"),
        "min": _number(entry, "min"),
        "max": _number(entry, "max"),
        "step": _number(entry, "step"),
        "positive": entry.get("positive") is True,
        "choices": choices,
        "unit": _text(entry, "unit"),
        "group": _text(entry, "group"),
        "description": _text(entry, "description") or "",
        "order": _order(entry),
        "show_if": _text(entry, "show_if"),
        "columns": _columns(entry),
        "accept": _accept(entry),
        "max_bytes": _max_bytes(entry),
    }
    if made["step"] is not None and entry["step"] <= 0:
        raise ValueError("the step is not over 0")
    if found := rules.fault(made, {}):
        raise ValueError(found.message.rstrip("."))
    return made


def _order(entry: _Entry) -> int:
    order = entry.get("order") or 0
    if type(order) is not int or abs(order) > model_limits.ORDER:
        raise ValueError(f"the order is no whole number in ±{model_limits.ORDER:,}")
    return order


def _accept(entry: _Entry) -> list[str]:
    accept = entry.get("accept") or []
    if not isinstance(accept, list) or not all(map(input_files.is_suffix, accept)):
        raise ValueError("accept is not a list of suffixes")
    if accept and entry.get("type") != "file":
        raise ValueError("accept stands where the type is file only")
    if len(accept) > model_limits.MOST_SUFFIXES or len(set(accept)) < len(accept):
        raise ValueError(f"accept has a suffix twice, or more than {model_limits.MOST_SUFFIXES}")
    return accept


def _max_bytes(entry: _Entry) -> int | None:
    most = entry.get("max_bytes")
    if (entry.get("type") == "file") != (most is not None):
        raise ValueError("max_bytes stands exactly where the type is file")
    if most is not None and (type(most) is not int or not 1 <= most <= model_limits.INPUT_FILE_BYTES):
        raise ValueError(f"max_bytes is no whole number from 1 to {model_limits.INPUT_FILE_BYTES:,}")
    return most


def _columns(entry: _Entry) -> list[TableColumn]:
    columns = entry.get("columns") or []
    if not isinstance(columns, list) or not all(isinstance(column, Mapping) for column in columns):
        raise ValueError("columns is not a list of objects")
    if (entry.get("type") == "table") != bool(columns):
        raise ValueError("columns stand exactly where the type is table")
    if len(columns) > model_limits.MOST_COLUMNS:
        raise ValueError(f"columns has more than {model_limits.MOST_COLUMNS} entries")
    names = [column.get("name") for column in columns]
    if not all(map(model_limits.is_name, names)) or len(set(names)) < len(names):
        raise ValueError("columns has an entry without a name of its own")
    return [_column(column) for column in columns]


def _column(column: _Entry) -> TableColumn:
    if column.get("type") not in model_limits.COLUMN_TYPES:
        raise ValueError(f"the type of the column {column['name']} is none of the known ones")
    return {"name": column["name"], "type": column["type"], "unit": _text(column, "unit")}


def _metric(entry: _Entry) -> ModelMetric:
    return {
        "name": entry["name"],
        "unit": _text(entry, "unit"),
        "description": _text(entry, "description") or "",
    }


def _constraint(entry: _Entry) -> ModelConstraint:
    value = _text(entry, "value") if isinstance(entry.get("value"), str) else _number(entry, "value")
    if entry.get("op") not in model_limits.OPERATORS or not model_limits.is_name(entry.get("metric")) or value is None:
        raise ValueError("it is not `metric op value`")
    return {"name": entry["name"], "metric": entry["metric"], "op": entry["op"], "value": value}


def _text(entry: _Entry, key: str) -> str | None:
    value = entry.get(key)
    if value is not None and not isinstance(value, str):
        raise ValueError(f"{key} is not text")
    if value is not None and len(value) > _LONGEST[key]:
        raise ValueError(f"{key} has more than {_LONGEST[key]} characters")
    if value is not None and refused_character(value, multiline=key == "description") is not None:
        raise ValueError(f"{key} has characters that a text can't have")
    return value


def _number(entry: _Entry, key: str) -> object:
    value = entry.get(key)
    if value is not None and not rules.is_number(value):
        raise ValueError(f"{key} is not a finite number")
    return value
