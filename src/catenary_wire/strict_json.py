r"""Strict JSON (guide/conventions.md, "Strictness"): orjson, and a check for the faults that orjson lets through.

orjson keeps the last of two equal keys and takes `\u0000`. The quick check costs a pass over the bytes: outside strings
there is one colon a member, so two equal keys leave the parsed objects with fewer members than the text has colons. Only a
text that looks wrong is read again by the standard library, which shows every member and number as written, to find the
fault and name its place.

The one rule of numbers: an integer in ±2^63 is exact, any other number is the nearest double, and a number over the largest
double is refused. So `100000000000000000000`, which JavaScript writes for 1e20, is the double 1e20.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable
from typing import Any

import orjson

DEPTH = 32

_STRINGS = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"', re.DOTALL)
_LONG_NUMBER = re.compile(rb"\d{19}")
_LARGEST = 2**63 - 1


class JsonError(ValueError):
    """The fault of a text that is not strict JSON.

    `text` goes on after the name of the place ("stands twice in one object"). `constraint` names the broken rule: json, utf8,
    nesting, duplicate, finite or characters. `value` is a refused number as written, else None. `path` holds the keys
    and indexes of the place, the innermost first. The cause, where there is one, is the standard library's own error.
    """

    def __init__(self, text: str, constraint: str, value: str | None = None) -> None:
        super().__init__(text)
        self.text = text
        self.constraint = constraint
        self.value = value
        self.path: list[str | int] = []


class _TooDeepError(Exception):
    pass


class _Members(list[tuple[str, Any]]):
    """The members of an object as written."""


class _Number:
    """A number that no double holds, as written."""

    def __init__(self, text: str) -> None:
        self.text = text


def parse(data: bytes) -> Any:
    """Return the value of a JSON text of at most 32 levels. Raises JsonError for anything else.

    Integers come back exactly from -2^63 to 2^63 - 1; other numbers as the nearest double, and refused when that is infinite.
    """
    try:
        value = orjson.loads(data)
    except orjson.JSONDecodeError as error:
        raise JsonError(f"is not valid JSON: {error}", "json") from _explain(data)
    bare = _STRINGS.sub(b"", data)
    try:
        doubtful = _members(value, 1) != bare.count(b":")
    except _TooDeepError:
        doubtful = True
    if doubtful or b"\\u0000" in data:
        _explain(data)
    # orjson gives a double for an integer past 64 bits, but an integer for one that 64 bits hold without a sign.
    return _with_doubles(value) if _LONG_NUMBER.search(bare) else value


def _with_doubles(value: Any) -> Any:
    """Return the value with a double for each integer over 2^63 - 1; change objects and arrays in place."""
    if type(value) is int:
        return value if value <= _LARGEST else float(value)
    if type(value) is dict:
        for key, item in value.items():
            value[key] = _with_doubles(item)
    elif type(value) is list:
        value[:] = map(_with_doubles, value)
    return value


def _members(value: Any, depth: int) -> int:
    """Count the object members in the value, at every level."""
    items: Iterable[Any]
    if type(value) is dict:
        count = len(value)
        items = value.values()
    elif type(value) is list:
        count = 0
        items = value
    else:
        return 0
    if depth > DEPTH:
        raise _TooDeepError
    for item in items:
        if type(item) is dict or type(item) is list:
            count += _members(item, depth + 1)
    return count


def _explain(data: bytes) -> json.JSONDecodeError | None:
    """Raise the first fault of a JSON text. Returns the standard library's error for no JSON, None for no fault."""
    try:
        tree = json.loads(
            data.decode(),
            object_pairs_hook=_Members,
            parse_int=_number,
            parse_float=_number,
            parse_constant=_Number,
        )
    except UnicodeDecodeError as error:
        raise JsonError(f"is not valid UTF-8 at byte {error.start}", "utf8") from None
    except RecursionError:
        raise JsonError(f"is nested over {DEPTH} levels deep", "nesting") from None
    except json.JSONDecodeError as error:
        return error
    _inspect(tree, 1)
    return None


def _number(text: str) -> float | _Number:
    number = float(text)
    return number if math.isfinite(number) else _Number(text)


def _inspect(value: Any, depth: int) -> None:
    """Raise the first fault in a value, with its place."""
    if isinstance(value, _Number):
        raise JsonError("is not a finite number", "finite", value.text)
    if isinstance(value, str):
        _inspect_text(value)
    elif isinstance(value, _Members):
        if depth > DEPTH:
            raise JsonError(f"is nested over {DEPTH} levels deep", "nesting")
        seen: set[str] = set()
        for key, item in value:
            try:
                _inspect_text(key)
                if key in seen:
                    raise JsonError("stands twice in one object", "duplicate")
                seen.add(key)
                _inspect(item, depth + 1)
            except JsonError as error:
                error.path.append(key)
                raise
    elif isinstance(value, list):
        if depth > DEPTH:
            raise JsonError(f"is nested over {DEPTH} levels deep", "nesting")
        for index, item in enumerate(value):
            try:
                _inspect(item, depth + 1)
            except JsonError as error:
                error.path.append(index)
                raise


def _inspect_text(text: str) -> None:
    if "\0" in text:
        raise JsonError("has the character U+0000, which can't be stored", "characters")
    if not text.isascii():
        try:
            text.encode()
        except UnicodeEncodeError:
            raise JsonError("has half of a surrogate pair, which is no character", "characters") from None
