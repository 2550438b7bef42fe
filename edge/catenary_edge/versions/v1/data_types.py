"""The data types `boolean` and `number` are named `bool` and `float`; a request may give either name.

> decided: `bool`, `float` for `boolean`, `number`
"""

from __future__ import annotations

from typing import Any

from catenary_edge.transcoding.schema import Schema
from catenary_edge.versions.change import PARAMETER, Extras, RequestChange, ResponseChange, VersionChange

_PACKAGE = "catenary.parameter.v1"
_KEY = "data_type"
_OLDER = {"boolean": "bool", "number": "float"}
_NEWER = {older: newer for newer, older in _OLDER.items()}


def _shown(parameter_type: dict[str, Any], _: Extras) -> dict[str, Any]:
    return {**parameter_type, _KEY: _OLDER.get(parameter_type[_KEY], parameter_type[_KEY])}


def _taken(parameter_type: dict[str, Any]) -> dict[str, Any]:
    given = parameter_type.get(_KEY)
    return {**parameter_type, _KEY: _NEWER[given]} if type(given) is str and given in _NEWER else parameter_type


def _describe_answer(schema: Schema) -> None:
    told = schema["properties"][_KEY]
    schema["properties"][_KEY] = {**told, "enum": [_OLDER.get(name, name) for name in told["enum"]]}


def _describe_body(schema: Schema) -> None:
    told = schema["properties"][_KEY]
    schema["properties"][_KEY] = {**told, "enum": [*told["enum"], *_NEWER]}


CHANGE = VersionChange(
    surfaces=PARAMETER,
    answers=tuple(
        ResponseChange(f"{_PACKAGE}.{name}", _shown, _describe_answer)
        for name in ("ParameterType", "ParameterTypeReference")
    ),
    requests=(RequestChange(f"{_PACKAGE}.NewParameterType", _taken, _describe_body),),
)
