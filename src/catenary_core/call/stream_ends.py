"""Detection of a stream's end: after the last item, by a failure, or by a reader who leaves."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable
from typing import Any

from catenary_core.call.errors import CallError

Items = AsyncGenerator[dict[str, Any], None]
"""Items of a stream, each a dict in the shape of its message."""


class WatchedStream(AsyncGenerator[dict[str, Any], None]):
    """A stream that calls `ended` once at its end, with the name of the status code."""

    def __init__(self, items: Items, ended: Callable[[str], None]) -> None:
        """Wrap a stream.

        Args:
            items: the stream; a failure is a CallError.
            ended: receives the status code's name.
        """
        self._items = items
        self._ended: Callable[[str], None] | None = ended

    async def asend(self, value: None) -> dict[str, Any]:
        """Implement AsyncGenerator."""
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

    async def athrow(self, *exception: Any) -> dict[str, Any]:
        """Implement AsyncGenerator."""
        self._end("CANCELLED")
        return await self._items.athrow(*exception)

    async def aclose(self) -> None:
        """Implement AsyncGenerator."""
        self._end("CANCELLED")
        await self._items.aclose()

    def __del__(self) -> None:
        """Report the end if nobody closed the stream.

        A reader who leaves before the first item may not close it: a generator over it that never began can't.
        """
        self._end("CANCELLED")

    def _end(self, code: str) -> None:
        if self._ended is not None:
            ended, self._ended = self._ended, None
            ended(code)
