"""Cursors of the data services' lists: standard base64 of a checksum, the list with its sort, and a row's key.

Cursors are opaque to callers. The checksum detects damage and cursors of another list or sort; it proves no origin.
"""

from __future__ import annotations

import base64
import binascii
import re
import zlib
from dataclasses import dataclass
from datetime import datetime

import orjson

Sort = tuple[str, str, bool]
"""A list's key in its response, the name of the sort, and whether it is descending."""
_ID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.ASCII)
_TIMESTAMP = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,6})?Z", re.ASCII)


@dataclass(frozen=True, slots=True)
class Key:
    """A row's position in a list."""

    value: str
    """Value of the sort column."""
    id: str
    """Id of the row."""


def encoded(sort: Sort, key: Key) -> str:
    """Return the cursor of a row."""
    data = orjson.dumps([*sort, key.value, key.id])
    return base64.b64encode(zlib.crc32(data).to_bytes(4, "big") + data).decode()


def decoded(text: str, sort: Sort) -> Key | None:
    """Return the key in a cursor of this list and sort; None for any other text."""
    try:
        data = base64.b64decode(text.encode("ascii"), validate=True)
        if int.from_bytes(data[:4], "big") != zlib.crc32(data[4:]):
            return None
        *about, value, id_ = orjson.loads(data[4:])
    except (binascii.Error, ValueError, TypeError):
        return None
    if about != list(sort) or not isinstance(value, str) or not isinstance(id_, str) or not _ID.fullmatch(id_):
        return None
    if "\0" in value or (sort[1].endswith("_at") and not _is_timestamp(value)):
        return None
    return Key(value, id_)


def _is_timestamp(text: str) -> bool:
    """Return whether a text is a timestamp in the form of `database.transactions`."""
    try:
        return _TIMESTAMP.fullmatch(text) is not None and datetime.fromisoformat(text) is not None
    except ValueError:
        return False
