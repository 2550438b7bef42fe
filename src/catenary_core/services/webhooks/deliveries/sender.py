"""One attempt to deliver a message to a receiver that nobody trusts.

What it may cost is bounded: the time in all, the bytes that are read, what is kept. Bodies are never inflated.
"""

from __future__ import annotations

import asyncio
import time
import traceback
from collections.abc import Mapping
from dataclasses import dataclass
from types import TracebackType
from typing import Self

import aiohttp
import structlog

from catenary_core.services.webhooks.deliveries.responses import ReceiverResponse, reason
from catenary_core.services.webhooks.targets import name_lookup
from catenary_core.services.webhooks.targets.connections import Connector
from catenary_core.services.webhooks.targets.guard import Guard

TOTAL_SECONDS = 15.0

_log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class AttemptResult:
    """What became of one attempt.

    `status`: the HTTP status, None without an answer. `reason`: why it failed, a sentence for the webhook's owner; None for
    2xx. `excerpt`: the first 1,024 bytes of the answer's body as text, without U+0000, empty for a compressed one.
    `retry_after`: seconds that the receiver asks for, 0 to 86,400. `duration_ms`: from the look-up to the end of the answer.
    """

    status: int | None
    reason: str | None
    excerpt: str
    retry_after: float | None
    duration_ms: float

    @property
    def delivered(self) -> bool:
        """Whether the receiver took the message: by its status alone, since nothing hangs on its body."""
        return self.status is not None and 200 <= self.status < 300


class Sender:
    """Delivers messages, each over a connection of its own; an async context manager.

    https only, no redirects, no proxies, no cookies. With `allow_private` plain http and private addresses too;
    `public_url` is the server's own address, where webhooks may not go. `total`: seconds for one attempt.
    """

    def __init__(
        self,
        *,
        allow_private: bool,
        public_url: str | None = None,
        total: float = TOTAL_SECONDS,
        look_up: name_lookup.LookUp = name_lookup.look_up,
    ) -> None:
        self._guard = Guard(allow_private=allow_private, public_url=public_url, look_up=look_up)
        self._total = total

    async def __aenter__(self) -> Self:
        self._session = aiohttp.ClientSession(
            connector=Connector(self._guard),
            cookie_jar=aiohttp.DummyCookieJar(),
            headers={"User-Agent": "Catenary-Webhooks", "Accept": "*/*", "Accept-Encoding": "identity"},
            timeout=aiohttp.ClientTimeout(total=None, sock_connect=None),  # `send` has one for everything
            auto_decompress=False,
            trust_env=False,
        )
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._session.close()

    async def send(self, url: str, headers: Mapping[str, str], body: bytes) -> AttemptResult:
        """POSTs the body once; whatever the receiver does ends as an outcome, never as an exception."""
        begun = time.monotonic()
        answer, problem = ReceiverResponse(), None
        try:
            async with asyncio.timeout(self._total):
                target = await self._guard.target(url)
                async with self._session.post(target, data=body, headers=headers, allow_redirects=False) as response:
                    await answer.read(response)
        except Exception as error:  # noqa: BLE001 (a receiver may send anything, and one attempt must not end the others)
            problem = reason(error, self._total)
            if problem is None:
                # Without its text, which may have the url's secrets.
                where = "".join(traceback.format_tb(error.__traceback__))
                _log.error("webhook attempt failed unexpectedly", error=type(error).__name__, where=where)
                problem = "The attempt failed."
        return AttemptResult(
            answer.status,
            problem if answer.status is None else answer.reason,
            answer.excerpt,
            answer.retry_after,
            round((time.monotonic() - begun) * 1000, 3),
        )
