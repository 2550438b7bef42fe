"""Golden requests and responses: what a walk over a version sent and got, with ids and times by their place."""

from __future__ import annotations

import os
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import orjson

from catenary_edge.settings import EdgeSettings
from factories.installations.installation import ANSWER_SECONDS
from factories.installations.serving import PUBLIC_URL, serving
from factories.walks.conformance import Conformance

FOLDER = Path(__file__).parents[2] / "contract" / "goldens"
WRITE = "CATENARY_WRITE_GOLDENS"
"""With this variable set, the goldens are written anew; look at each difference before it is committed."""
_UUID = re.compile(r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")
_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z")
_CURSOR = re.compile(r"(?<=\"|=)[A-Za-z0-9+/%]{60,}={0,2}(?:%3D){0,2}")
_HEADERS = ("allow", "content-type", "deprecation", "link", "location", "sunset", "x-api-stage")


@dataclass
class Recorder:
    """A client that keeps what it sent and got, and checks each status."""

    http: httpx.AsyncClient
    recorded: list[dict[str, Any]] = field(default_factory=list)
    _names: dict[str, str] = field(default_factory=dict)

    async def __call__(self, method: str, path: str, status: int, **given: Any) -> Any:
        """Send a request and return the body."""
        answer = await self.http.request(method, path, **given)
        assert answer.status_code == status, f"{method} {path} {given}: {answer.status_code} {answer.text}"
        body = orjson.loads(answer.content) if answer.content else None
        asked = {"method": method, "path": path, **{key: given[key] for key in ("params", "json") if key in given}}
        headers = {name: answer.headers[name] for name in _HEADERS if name in answer.headers}
        said = {"status": answer.status_code, "headers": headers, "body": body}
        self.recorded.append(self._stable({"request": asked, "response": said}))
        return body

    async def unseen(self, method: str, path: str, **given: Any) -> Any:
        """Send an unrecorded request, for preparations over the current version."""
        answer = await self.http.request(method, path, **given)
        assert answer.is_success, f"{method} {path}: {answer.status_code} {answer.text}"
        return orjson.loads(answer.content)

    def _stable(self, step: dict[str, Any]) -> Any:
        text = orjson.dumps(step).decode()
        text = _TIME.sub("<time>", _UUID.sub(self._name, text))
        return orjson.loads(_CURSOR.sub("<cursor>", text))

    def _name(self, found: re.Match[str]) -> str:
        text = found[0].lower()
        if text.startswith("00000000-"):  # given by the walk itself
            return text
        return self._names.setdefault(text, f"<id {len(self._names)}>")


@asynccontextmanager
async def conforming(
    dsn: str,
    folder: Path,
    conforms: Conformance,
    *,
    remote: bool,
    edge: EdgeSettings | None = None,
    transport: httpx.AsyncBaseTransport | None = None,
) -> AsyncIterator[httpx.AsyncClient]:
    """Yield a client of a node whose answers are compared with the documents."""
    edge = edge or EdgeSettings(dev=True, public_url=PUBLIC_URL)
    hooks = {"response": [conforms.check]}
    async with (
        serving(dsn, folder, remote=remote, edge=edge, public_url=PUBLIC_URL) as node,
        httpx.AsyncClient(base_url=node.url, timeout=ANSWER_SECONDS, event_hooks=hooks, transport=transport) as http,
    ):
        yield http


def compare(name: str, recorded: list[dict[str, Any]]) -> None:
    """Compare a walk with its golden, or write the golden anew (WRITE)."""
    path = FOLDER / f"{name}.json"
    if os.environ.get(WRITE):
        FOLDER.mkdir(exist_ok=True)
        path.write_bytes(orjson.dumps(recorded, option=orjson.OPT_INDENT_2) + b"\n")
        return
    golden = orjson.loads(path.read_bytes())
    for index, (mine, kept) in enumerate(zip(recorded, golden, strict=True)):
        assert mine == kept, f"{path.name}, step {index}"
