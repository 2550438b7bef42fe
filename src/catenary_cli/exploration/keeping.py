"""Designs of a live session that a person keeps as stored evaluations."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from typing import Any

import aiohttp
import orjson

from catenary_cli.error_sentences import sentence_of
from catenary_cli.exploration.screen import Piece
from catenary_cli.remote.api import Api, ApiError

_AT_ONCE = {"Prefer": "respond-async"}
"""The id is told at once, even while the model runs."""


class DesignKeeper:
    """Keeps the designs of one session, each once, while the session goes on."""

    def __init__(self, api: Api, project_id: str, model_version_id: str, tell: Callable[[Piece], None]) -> None:
        """Keep evaluations of the version that the session explores; `tell` takes what to show of each."""
        self._api = api
        self._path = f"projects/{project_id}/evaluate"
        self._version = model_version_id
        self._tell = tell
        self._asked: dict[bytes, asyncio.Task[None]] = {}
        self._kept: dict[bytes, str] = {}

    @property
    def pending(self) -> set[asyncio.Task[None]]:
        """Return the requests that are not answered."""
        return {task for task in self._asked.values() if not task.done()}

    @property
    def ids(self) -> list[str]:
        """Return the ids of the kept evaluations, each once."""
        return list(dict.fromkeys(self._kept.values()))

    def keep(self, values: Mapping[str, Any]) -> None:
        """Keep the design with these values; one that is kept already is told again, and not asked for twice."""
        body = orjson.dumps({"parameters": values, "model_version_id": self._version}, option=orjson.OPT_SORT_KEYS)
        if body in self._kept:
            self._tell_kept(body)
            return
        self._tell(("Keeping the design …", "dim"))
        if body not in self._asked:
            self._asked[body] = asyncio.create_task(self._ask(body), name="keeping a design")

    async def finish(self) -> None:
        """Wait until all requests are answered."""
        await asyncio.gather(*self.pending)

    def cancel(self) -> None:
        """Give up the requests that are not answered."""
        for task in self.pending:
            task.cancel()

    async def _ask(self, body: bytes) -> None:
        try:
            evaluation = (await self._api.post(self._path, orjson.loads(body), _AT_ONCE))["evaluation"]
        except (ApiError, aiohttp.ClientError, OSError) as refusal:
            sentence = sentence_of(refusal) or "the server gave no answer in time; press s again"
            self._tell((f"Not kept: {sentence}", "bold red"))
        else:
            self._kept[body] = str(evaluation["evaluation_id"])
            self._tell_kept(body)
        finally:
            del self._asked[body]

    def _tell_kept(self, body: bytes) -> None:
        self._tell((f"Kept: {self._kept[body]}", "bold green"))
