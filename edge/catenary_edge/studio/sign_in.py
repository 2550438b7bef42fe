"""The page's Content-Security-Policy, with the origins at which it exchanges codes for tokens of identity providers."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Mapping
from typing import Any
from urllib.parse import urlsplit

from catenary.platform.v1 import studio_service_pb2 as pb
from catenary_edge.errors.problem import Problem
from catenary_edge.transcoding.services import Rpc

CONFIG = "/catenary.platform.v1.StudioService/GetStudioConfig"
FRESH_SECONDS = 30.0
"""Seconds for which the origins are used before the core is asked again."""
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; connect-src {connected}; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types lit-html default edges"
)

Ask = Callable[[Rpc, Any, Mapping[str, str]], Awaitable[Mapping[str, Any]]]
"""Calls a method of the core without credentials; returns the response's fields. Raises Problem."""


class StudioPolicy:
    """Tells the policy of the page: all from this origin, nothing inline, and markup by Lit's templates alone.

    The policy `default` of the page's own script lets the charts' library empty an element, and makes no markup of any text.

    Pictures may be blobs too, since one that needs a credential is fetched by the page. The page speaks to its own origin,
    and to the configured identity providers.
    """

    def __init__(self, ask: Ask, rpc: Rpc, clock: Callable[[], float] = time.monotonic) -> None:
        """Create the policy; `clock` is monotonic, in seconds."""
        self._ask = ask
        self._rpc = rpc
        self._clock = clock
        self._origins: tuple[str, ...] = ()
        self._next_look = float("-inf")

    async def find(self) -> str:
        """Return the policy; while the core can't be asked, with the origins of before."""
        if self._clock() >= self._next_look:
            self._next_look = self._clock() + FRESH_SECONDS
            try:
                found = await self._ask(self._rpc, pb.GetStudioConfigRequest(), {})
            except Problem:
                self._next_look = self._clock()
            else:
                self._origins = tuple(sorted({*_origins(found["config"])}))
        return _POLICY.format(connected=" ".join(("'self'", *self._origins)))


def _origins(config: Mapping[str, Any]) -> list[str]:
    """Return the origins of the token endpoints that are plain enough for a policy."""
    found = []
    for one in config["issuers"]:
        parts = urlsplit(one["token_endpoint"] or "")
        if parts.hostname and not set(parts.netloc) & set(" ;,'\"*@"):
            found.append(f"{parts.scheme}://{parts.netloc}")
    return found
