"""Cursors of the data services' lists: standard base64 of a checksum, the list with its sort, and a row's place in it.

They are opaque to callers. The checksum finds damage and cursors of another list or sort; it proves nothing.
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
"""A list's key in its answer, what it is sorted by, and whether it falls."""
_ID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.ASCII)
_MOMENT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,6})?Z", re.ASCII)


@dataclass(frozen=True, slots=True)
class Key:
    """A row's place in a list."""

    value: str
    id: str


def encoded(sort: Sort, key: Key) -> str:
    """The cursor of a row."""
    data = orjson.dumps([*sort, key.value, key.id])
    return base64.b64encode(zlib.crc32(data).to_bytes(4, "big") + data).decode()


def decoded(text: str, sort: Sort) -> Key | None:
    """The key in a cursor of this list and sort; None for anything else."""
    try:
        data = base64.b64decode(text.encode("ascii"), validate=True)
        if int.from_bytes(data[:4], "big") != zlib.crc32(data[4:]):
            return None
        *about, value, id_ = orjson.loads(data[4:])
    except (binascii.Error, ValueError, TypeError):
        return None
    if about != list(sort) or not isinstance(value, str) or not isinstance(id_, str) or not _ID.fullmatch(id_):
        return None
    if "\0" in value or (sort[1].endswith("_at") and not _is_moment(value)):
        return None
    return Key(value, id_)


def _is_moment(text: str) -> bool:
    """Whether a text is a timestamp as `db` loads them."""
    try:
        return _MOMENT.fullmatch(text) is not None and datetime.fromisoformat(text) is not None
    except ValueError:
        return False
