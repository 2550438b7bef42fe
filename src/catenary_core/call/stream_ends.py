"""The end of a stream, noticed however it comes: at its last item, by a failure, or by a reader who leaves."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable
from typing import Any

from catenary_core.call.errors import CallError

Items = AsyncGenerator[dict[str, Any], None]


class WatchedStream(AsyncGenerator[dict[str, Any], None]):
    """Items, and at their end one call of `ended` with the status code's name."""

    def __init__(self, items: Items, ended: Callable[[str], None]) -> None:
        """`items` raise CallError for a failure."""
        self._items = items
        self._ended: Callable[[str], None] | None = ended

    async def asend(self, value: None) -> dict[str, Any]:
        """See AsyncGenerator."""
        try:
            return await self._items.asend(value)
        except StopAsyncIteration:
            self._end("OK")
            raise
        except CallError as error:
            self._end(error.code().name)
            raise
        except asyncio.CancelledError:
            self._end("CANCELLED")
            raise

    async def athrow(self, *given: Any) -> dict[str, Any]:
        """See AsyncGenerator."""
        self._end("CANCELLED")
        return await self._items.athrow(*given)

    async def aclose(self) -> None:
        """See AsyncGenerator."""
        self._end("CANCELLED")
        await self._items.aclose()

    def __del__(self) -> None:
        """A reader who left before the first item may not have closed it: a generator over it that never began can't."""
        self._end("CANCELLED")

    def _end(self, code: str) -> None:
        if self._ended is not None:
            ended, self._ended = self._ended, None
            ended(code)
