"""One attempt to deliver a message to an untrusted receiver.

Its cost is bounded: the total time, the bytes read, the bytes stored. Bodies are never decompressed.
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
"""Time limit of one attempt."""

_log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class AttemptResult:
    """The result of one attempt."""

    status: int | None
    """The HTTP status; None without a response."""
    reason: str | None
    """The reason of a failure, a sentence for the webhook's owner; None for 2xx."""
    excerpt: str
    """The first 1,024 bytes of the response's body as text, without U+0000; empty for a compressed body."""
    retry_after: float | None
    """Seconds that the receiver asks to wait, 0 to 86,400; None without."""
    duration_ms: float
    """Milliseconds from the look-up of the name to the end of the response."""

    @property
    def delivered(self) -> bool:
        """True if the receiver accepted the message: only its status decides, not its body."""
        return self.status is not None and 200 <= self.status < 300


class Sender:
    """Delivers messages, each over its own connection; an async context manager.

    Only https, no redirects, no proxies, no cookies. `allow_private` also allows plain http and private addresses.
    `public_url` is the server's own address, which webhooks may not call. `total`: time limit of one attempt, in
    seconds.
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
            timeout=aiohttp.ClientTimeout(total=None, sock_connect=None),  # `send` has one for the whole attempt
            auto_decompress=False,
            trust_env=False,
        )
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._session.close()

    async def send(self, url: str, headers: Mapping[str, str], body: bytes) -> AttemptResult:
        """POST the body once; return a result in every case, never raise for the receiver's behaviour."""
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
                # Without the error's text, which may contain secrets of the url.
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
