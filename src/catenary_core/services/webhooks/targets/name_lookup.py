"""Looking up names of receivers.

In threads of their own: a receiver whose name servers are slow holds up other webhooks at most, never the server's other
look-ups, which share the event loop's few threads.
"""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor

LookUp = Callable[[str], Awaitable[list[str]]]
"""From a host name to its addresses."""

_threads = ThreadPoolExecutor(64, "webhook-names")
"""More than a few names that hang can take: each holds its threads as long as the C library waits."""


async def look_up(host: str) -> list[str]:
    """The addresses of a name, in the order of RFC 6724; an address is its own. OSError when there are none."""
    loop = asyncio.get_running_loop()
    found = await loop.run_in_executor(_threads, _addresses, host)
    return list(dict.fromkeys(found))


def _addresses(host: str) -> list[str]:
    return [str(info[4][0]) for info in socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)]
