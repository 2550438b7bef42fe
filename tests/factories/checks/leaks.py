"""A search of error bodies for texts that must be in none: traces, SQL, paths of the machine, names of our parts, ids of others.

`watch` looks at every refusal that an edge of this process makes, at every one that an httpx client gets, and at every
status that a dispatcher of this process gives; `tests/conftest.py` fails the test in which a leak was seen.
"""

from __future__ import annotations

import re
from typing import Any

import httpx
import orjson
import pytest
from aiohttp.web import BaseRequest, Response

from catenary_core.call import errors
from catenary_edge.errors.problem import Problem
from catenary_edge.exchange import Exchange
from catenary_edge.http import bodies
from catenary_edge.responses import Responses
from factories.installations.installation import ROOT

FORBIDDEN = {
    "a trace": re.compile(
        r"Traceback|File \"|\.py:\d|\.py\", line|, line \d+, in |object at 0x|\b\w+Error\(|\b\w+Exception\b|<class '"
    ),
    "SQL": re.compile(
        r"\bSELECT\b.+\bFROM\b|\bINSERT INTO\b|\bUPDATE\b.+\bSET\b|\bDELETE FROM\b|\bDETAIL:|duplicate key|violates "
        r"|relation \"|column \"|syntax error at or near|SQLSTATE|pg_[a-z]+|_pkey\b|_fkey\b|_idx\b"
    ),
    "a path of the machine": re.compile(
        rf"/(?:tmp|root|home|usr|var|etc|proc|opt|dev/shm|work)/|site-packages|{re.escape(str(ROOT))}"
    ),
    "a part of ours": re.compile(
        r"\b(?:psycopg|postgres\w*|aiohttp|asyncio|sqlalchemy|protovalidate|uvloop|orjson|catenary_(?:core|edge|worker|cli)|127\.0\.0\.1:\d+)\b",
        re.IGNORECASE,
    ),
}
_UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}", re.IGNORECASE)
_BODY = "watched body"
_OWN_KEYS = ("documentation_url", "requestId", "timestamp")
"""What every body has of its own request."""
_OF_ADMINS = ("project_ids",)
"""What Admins alone are told: the projects that a user whom they delete owns alone."""


def found(body: bytes, sent: str) -> list[str]:
    """Return the leaks in an error body; texts that the caller sent may be repeated in it."""
    text = "\n".join(_texts(_parsed(body), sent))
    leaks = [
        f"{what}: {match[0]!r} in {text!r}" for what, pattern in FORBIDDEN.items() if (match := pattern.search(text))
    ]
    known = {one.lower() for one in _UUID.findall(sent)}
    strange = {one.lower() for one in _UUID.findall(text)} - known
    return leaks + [f"an id that was not sent: {one} in {text!r}" for one in sorted(strange)]


def _parsed(body: bytes) -> Any:
    try:
        return orjson.loads(body)
    except orjson.JSONDecodeError:
        return body.decode(errors="replace")


def _texts(value: Any, sent: str) -> list[str]:
    """Return the texts of a body without the caller's own words."""
    if isinstance(value, dict):
        return [
            text
            for key, item in value.items()
            if key not in (*_OWN_KEYS, *_OF_ADMINS)
            for text in [key, *_texts(item, sent)]
        ]
    if isinstance(value, list):
        return [text for item in value for text in _texts(item, sent)]
    if not isinstance(value, str):
        return []
    for word in sorted(set(re.findall(r"[^\s\"'&=?,]{4,}", sent)), key=len, reverse=True)[:200]:
        value = value.replace(word, "…")
    return [] if value.rstrip("…") and value.rstrip("…") in sent else [value]


class Watch:
    """The leaks that were seen, and how many bodies were read."""

    def __init__(self) -> None:
        self.leaks: list[str] = []
        self.read = 0

    def look(self, body: bytes, sent: str) -> None:
        self.read += 1
        self.leaks += found(body, sent)


def watch(patch: pytest.MonkeyPatch) -> Watch:
    """Watch all refusals until the patches are undone."""
    seen = Watch()
    read, refusal, translate = bodies.read, Responses.refusal, errors.to_call_error
    send, asend = httpx.Client.send, httpx.AsyncClient.send

    async def read_and_kept(request: BaseRequest, *given: Any) -> bytes:
        request._state[_BODY] = data = await read(request, *given)
        return data

    def read_refusal(self: Responses, exchange: Exchange, problem: Problem) -> Response:
        response = refusal(self, exchange, problem)
        request = exchange.request
        body = response.body if isinstance(response.body, bytes) else b""
        given = request._state.get(_BODY, b"").decode(errors="replace")
        sent = f"{request.rel_url} {request.rel_url.raw_path_qs} {list(request.headers.items())} {given}"
        seen.look(body, sent)
        return response

    def read_status(error: errors.DomainError, request_id: str) -> errors.CallError:
        found = translate(error, request_id)
        texts = [error.message, *(violation.message for violation in error.violations)]
        # What was sent isn't known here, so ids may be the caller's.
        seen.look(orjson.dumps(_UUID.sub("", " ".join(texts))), str(error.details.get("value")))
        return found

    def sent_by(self: httpx.Client, request: httpx.Request, **given: Any) -> httpx.Response:
        response = send(self, request, **given)
        if response.status_code >= 400:
            seen.look(response.read(), _sent(request))
        return response

    async def asent_by(self: httpx.AsyncClient, request: httpx.Request, **given: Any) -> httpx.Response:
        response = await asend(self, request, **given)
        if response.status_code >= 400:
            seen.look(await response.aread(), _sent(request))
        return response

    patch.setattr(bodies, "read", read_and_kept)
    patch.setattr(Responses, "refusal", read_refusal)
    patch.setattr(errors, "to_call_error", read_status)
    patch.setattr(httpx.Client, "send", sent_by)
    patch.setattr(httpx.AsyncClient, "send", asent_by)
    return seen


def _sent(request: httpx.Request) -> str:
    try:
        content = request.content.decode(errors="replace")
    except httpx.RequestNotRead:
        content = ""
    return f"{request.url} {request.url.raw_path.decode(errors='replace')} {list(request.headers.items())} {content}"
