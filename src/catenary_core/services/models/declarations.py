"""The declarations that a worker read from a model, in the shapes of model.proto.

The worker has checked the declarations against each other. A worker stands outside the core, so this module checks
again everything that is stored.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from catenary.platform.v1 import model_pb2
from catenary.platform.v1.model_shapes import ModelConstraint, ModelError, ModelMetric, ModelParameter
from catenary_core.services.models import rules
from catenary_wire.json_form import enum_numbers

_TYPES = tuple(enum_numbers(model_pb2.ParameterType.DESCRIPTOR))
_OPERATORS = ("<=", "<", ">=", ">", "==")
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,63}", re.ASCII)
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
    return Declarations(
        _all(description, "parameters", _parameter),
        _all(description, "metrics", _metric),
        _all(description, "constraints", _constraint),
    )


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
    names = [entry.get("name") for entry in entries]
    if not all(isinstance(name, str) and _NAME.fullmatch(name) for name in names) or len(set(names)) < len(names):
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
    }
    if made["step"] is not None and entry["step"] <= 0:
        raise ValueError("the step is not over 0")
    if found := rules.fault(made, {}):
        raise ValueError(found.message.rstrip("."))
    return made


def _metric(entry: _Entry) -> ModelMetric:
    return {
        "name": entry["name"],
        "unit": _text(entry, "unit"),
        "description": _text(entry, "description") or "",
    }


def _constraint(entry: _Entry) -> ModelConstraint:
    value = _number(entry, "value")
    if entry.get("op") not in _OPERATORS or not _text(entry, "metric") or value is None:
        raise ValueError("it is not `metric op value`")
    return {"name": entry["name"], "metric": entry["metric"], "op": entry["op"], "value": value}


def _text(entry: _Entry, key: str) -> str | None:
    value = entry.get(key)
    if value is not None and not isinstance(value, str):
        raise ValueError(f"{key} is not text")
    return value


def _number(entry: _Entry, key: str) -> object:
    value = entry.get(key)
    if value is not None and not rules.is_number(value):
        raise ValueError(f"{key} is not a finite number")
    return value
