"""Look-ups of receivers' host names, in separate threads.

A receiver with slow name servers can delay only other webhooks, never the server's other look-ups, which share the
event loop's few threads.
"""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor

LookUp = Callable[[str], Awaitable[list[str]]]
"""Returns the addresses of a host name."""

_threads = ThreadPoolExecutor(64, "webhook-names")
"""Many threads, because each look-up that hangs occupies one for as long as the C library waits."""


async def look_up(host: str) -> list[str]:
    """Return the addresses of a name, in the order of RFC 6724, or an address itself.

    Raises OSError: there are none.
    """
    loop = asyncio.get_running_loop()
    found = await loop.run_in_executor(_threads, _addresses, host)
    return list(dict.fromkeys(found))


def _addresses(host: str) -> list[str]:
    return [str(info[4][0]) for info in socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)]
