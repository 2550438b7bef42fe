"""The common parts of both baselines: settings, the caller's token, cursors and addresses of pages."""

from __future__ import annotations

import base64
import os
import re
import zlib
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote
from uuid import UUID

import jwt
import orjson

DSN_VARIABLE, KEY_VARIABLE = "BASELINE_DSN", "BASELINE_KEY"
MAX_CONNECTIONS = 20
"""As a node of Catenary has."""
EXACT_COUNT = 10_000
_DATE = re.compile(r"\d{4}-\d\d-\d\d")


@dataclass(frozen=True)
class Caller:
    """The user of a token."""

    user_id: UUID
    admin: bool


def token_of(user_id: str, key: str) -> str:
    """Return a token for a user."""
    return jwt.encode({"sub": user_id, "admin": False, "exp": 2**33}, key, algorithm="HS256")


def caller_of(header: str | None) -> Caller | None:
    """Return the caller of an Authorization header; None for one that isn't let in."""
    scheme, _, token = (header or "").partition(" ")
    if scheme.lower() != "bearer":
        return None
    try:
        claims = jwt.decode(token, os.environ[KEY_VARIABLE], algorithms=["HS256"], options={"require": ["sub", "exp"]})
    except jwt.PyJWTError:
        return None
    return Caller(UUID(claims["sub"]), claims["admin"])


def fits(value: Any, data_type: str) -> bool:
    """Return True if a value is one of a parameter type's data type."""
    match data_type:
        case "number":
            return type(value) in (int, float)
        case "integer":
            return type(value) is int
        case "boolean":
            return type(value) is bool
        case "date":
            return isinstance(value, str) and _DATE.fullmatch(value) is not None
        case "string":
            return isinstance(value, str)
        case _:
            return value is not None


def any_twice(items: Iterable[tuple[UUID, UUID]]) -> bool:
    """Return True if a request names a parameter or an entry twice, of (parameter id, entry id)."""
    parameters, entries = zip(*items, strict=True)
    return len(set(parameters)) < len(parameters) or len(set(entries)) < len(entries)


def cursor_of(created_at: str, id_: UUID) -> str:
    """Return the cursor of a row in the list of parameters."""
    data = orjson.dumps(["parameters", "created_at", False, created_at, id_])
    return base64.b64encode(zlib.crc32(data).to_bytes(4, "big") + data).decode()


def place_of(cursor: str) -> tuple[str, str]:
    """Return the `created_at` and the id in a cursor; a damaged one raises ValueError."""
    data = base64.b64decode(cursor, validate=True)
    if int.from_bytes(data[:4], "big") != zlib.crc32(data[4:]):
        raise ValueError("the cursor is damaged")
    *_, created_at, id_ = orjson.loads(data[4:])
    return created_at, id_


def page_url(host: str, limit: int, parameter: str, cursor: str | None) -> str | None:
    """Return the address of another page; None without a cursor."""
    if cursor is None:
        return None
    return f"http://{host}/parameter/v1/parameters?page_limit={limit}&{parameter}={quote(cursor, safe='')}"
