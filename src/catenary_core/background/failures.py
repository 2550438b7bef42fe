"""What the log has of a failure that nobody foresaw, how background work outlives one, and how it is ended.

A database error's text holds the values of rows (`DETAIL: Key (email)=(…)`), and any other exception's may, so no text of an
exception reaches a log: its type, the SQLSTATE and the frames find the cause.
"""

from __future__ import annotations

import asyncio
import traceback
from collections.abc import Awaitable, Callable
from typing import Any

import psycopg
import structlog
from psycopg_pool import PoolTimeout

_log = structlog.get_logger(__name__)
DATABASE_LOST = (psycopg.OperationalError, PoolTimeout)
"""Failures of the way to the database, which pass."""
_AGAIN_SECONDS = 5.0


def traces(error: BaseException) -> dict[str, Any]:
    """Log fields of an exception: `error` its type, `sqlstate` of a database error, `frames` as `file:line function`, and the
    same of what it came from under `cause`. Neither texts nor variables."""
    frames = traceback.extract_tb(error.__traceback__)
    found: dict[str, Any] = {"error": type(error).__qualname__}
    if isinstance(error, psycopg.Error) and error.sqlstate:
        found["sqlstate"] = error.sqlstate
    found["frames"] = [f"{frame.filename}:{frame.lineno} {frame.name}" for frame in frames]
    cause = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    if isinstance(error, BaseExceptionGroup):  # what failed first says why the others were ended
        cause = error.exceptions[0]
    if cause is not None:
        found["cause"] = traces(cause)
    return found


async def run_step(name: str, step: Callable[[], Awaitable[object]]) -> bool:
    """Runs one step of background work: whether it went well. A failure is logged; only a cancellation ends the work.

    The caller pauses before the next step when this one failed.
    """
    try:
        await step()
    except DATABASE_LOST as error:
        _log.warning("background work without a database", work=name, error=type(error).__name__)
    except Exception as error:  # noqa: BLE001 (work that ends silently is worse than work that fails and is tried again)
        _log.error("background work failed", work=name, **traces(error))
    else:
        return True
    return False


async def end(task: asyncio.Task[Any] | None) -> None:
    """Cancels background work and waits until it has ended. Raises what it ended with, unless that is the cancellation.

    It is cancelled again while it goes on: before Python 3.12 `asyncio.wait_for`, by which the pool of connections waits, loses
    a cancellation that comes in the moment in which the wait ends (python/cpython issue 86296).
    """
    if task is None:
        return
    while not task.done():
        task.cancel()
        await asyncio.wait([task], timeout=_AGAIN_SECONDS)
    if not task.cancelled():
        task.result()
