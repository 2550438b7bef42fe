"""The endpoints at which people sign in to the Studio and out of it, as the provider's discovery names them."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import structlog

from catenary_core.services.identity.tokens import provider_documents
from catenary_core.settings import OidcIssuer

_log = structlog.get_logger(__name__)
FRESH_SECONDS = 600.0
"""Age at which the endpoints are read again."""
RETRY_SECONDS = 30.0
"""Minimum time between two reads."""


@dataclass(frozen=True, slots=True)
class Endpoints:
    """The addresses of a provider; None while it can't be read."""

    authorization: str | None = None
    """To which the page leads people."""
    token: str | None = None
    """At which the page exchanges a code for a token."""
    end_session: str | None = None
    """To which the page leads people who sign out; None too where the provider names none."""


class SignInEndpoints:
    """The endpoints of one provider, as last read. Without credentials anybody asks for them, so reads are few."""

    def __init__(self, config: OidcIssuer, clock: Callable[[], float] = time.monotonic) -> None:
        """Create the endpoints; `clock` is monotonic, in seconds."""
        self._issuer = config.issuer
        self._clock = clock
        self._known = Endpoints()
        self._next_read = float("-inf")
        self._reading = asyncio.Lock()

    async def find(self) -> Endpoints:
        """Return the endpoints; read them first if they are old, or if the last attempt failed 30 s ago or earlier."""
        async with self._reading:
            if self._clock() >= self._next_read:
                await self._read()
            return self._known

    async def _read(self) -> None:
        self._next_read = self._clock() + RETRY_SECONDS
        try:
            async with asyncio.timeout(provider_documents.TIMEOUT_SECONDS), provider_documents.session() as session:
                document = await provider_documents.discover(session, self._issuer)
            self._known = Endpoints(
                self._checked(document, "authorization"),
                self._checked(document, "token"),
                self._offered(document, "end_session"),
            )
            self._next_read = self._clock() + FRESH_SECONDS
        except provider_documents.UNREADABLE as error:
            _log.warning("an identity provider can't be read", issuer=self._issuer, error=repr(error)[:200])

    def _checked(self, document: dict[str, Any], name: str) -> str:
        """Return an endpoint.

        Raises ValueError: the document names none, or one that can't be trusted.
        """
        url = document.get(f"{name}_endpoint")
        if not isinstance(url, str):
            raise ValueError(f"the discovery document names no {name}_endpoint")
        provider_documents.check_address(url, self._issuer)
        return url

    def _offered(self, document: dict[str, Any], name: str) -> str | None:
        """Return an endpoint that a provider may lack; one that can't be trusted counts as lacking."""
        if document.get(f"{name}_endpoint") is None:
            return None
        try:
            return self._checked(document, name)
        except ValueError as error:
            _log.warning(
                "an endpoint of an identity provider is left out", issuer=self._issuer, error=repr(error)[:200]
            )
            return None
