"""A client that records what it sent and got, so that two ways of serving the same requests can be compared."""

from __future__ import annotations

import csv
import io
import re
from dataclasses import dataclass, field
from typing import Any

import httpx
import orjson

_UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z")
_TOKEN = re.compile(r"cat_(share|invite|sign_in)_[A-Za-z0-9_-]{43}")
_VARYING = re.compile(
    r'"(duration_ms|compute_seconds|expires_in|staff_id|access_token|token|client_secret|secret|key|prefix|cursor|next_cursor|before|after|previous|next|kid|x|y|expires_at|issuer|sequence|chain_sequence)":("[^"]*"|[\d.]+|(?<=chain_sequence":)null)'
)
_COMPARED_HEADERS = (
    "content-type",
    "content-length",
    "content-range",
    "content-disposition",
    "accept-ranges",
    "allow",
    "cache-control",
    "vary",
    "location",
    "retry-after",
    "idempotency-replayed",
    "preference-applied",
    "www-authenticate",
    "x-request-id",
    "x-ratelimit-limit",
)


def _without_durations(table: str) -> str:
    """Return a CSV without the values of its column of durations, which differ from run to run."""
    rows = list(csv.reader(io.StringIO(table)))
    if not rows or "duration_ms" not in rows[0]:
        return table
    column = rows[0].index("duration_ms")
    out = io.StringIO()
    csv.writer(out).writerows([row[:column] + row[column + 1 :] for row in rows])
    return out.getvalue()


@dataclass
class Walk:
    """A client that records what it sent and got."""

    http: httpx.AsyncClient
    recorded: list[tuple[str, int, dict[str, str], str]] = field(default_factory=list)
    _names: dict[str, str] = field(default_factory=dict)

    async def __call__(self, method: str, path: str, status: int, **given: Any) -> Any:
        """Send a request, check its status and return the body, parsed when it is JSON."""
        headers = {"X-Request-Id": f"step-{len(self.recorded)}", **given.pop("headers", {})}
        answer = await self.http.request(method, path, headers=headers, **given)
        assert answer.status_code == status, f"{method} {path}: {answer.status_code} {answer.text}"
        shown = {name: self._normal(answer.headers[name]) for name in _COMPARED_HEADERS if name in answer.headers}
        is_json = bool(answer.content) and answer.headers.get("content-type", "").startswith("application/json")
        if is_json:
            # The lengths of times and keys differ from run to run.
            shown.pop("content-length", None)
        if method == "HEAD":
            shown.pop("content-length", None)
        is_csv = answer.headers.get("content-type", "").startswith("text/csv")
        if is_csv:
            body = self._normal(_without_durations(answer.text))
        else:
            body = self._normal(answer.text) if is_json else answer.content.hex()
        self.recorded.append((f"{method} {self._normal(path.lower())}", answer.status_code, shown, body))
        return orjson.loads(answer.content) if is_json else answer.content

    def _normal(self, text: str) -> str:
        text = _UUID.sub(lambda match: self._names.setdefault(match[0], f"<id {len(self._names)}>"), text)
        text = _TOKEN.sub("<token>", _TIME.sub("<time>", text))
        return _VARYING.sub(r'"\1":<varies>', text)
