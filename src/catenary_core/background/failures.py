"""Unforeseen failures: how the log records them, and how background work survives and ends.

A database error's text contains values of rows (`DETAIL: Key (email)=(…)`), and any other exception's text may. So a
log line never contains an exception's text: the type, the SQLSTATE and the frames are enough to find the cause.
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
"""Temporary failures of the connection to the database."""
_AGAIN_SECONDS = 5.0


def traces(error: BaseException) -> dict[str, Any]:
    """Return an exception's log fields, without texts or variables.

    Returns:
        `error`: the type; `sqlstate`: of a database error; `module`: what an import did not find; `frames`: as
        `file:line function`; `cause`: the same fields of the exception that caused this one.
    """
    frames = traceback.extract_tb(error.__traceback__)
    found: dict[str, Any] = {"error": type(error).__qualname__}
    if isinstance(error, psycopg.Error) and error.sqlstate:
        found["sqlstate"] = error.sqlstate
    if isinstance(error, ImportError) and error.name:
        found["module"] = error.name
    found["frames"] = [f"{frame.filename}:{frame.lineno} {frame.name}" for frame in frames]
    cause = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    if isinstance(error, BaseExceptionGroup):  # the first failure is the reason why the others were cancelled
        cause = error.exceptions[0]
    if cause is not None:
        found["cause"] = traces(cause)
    return found


async def run_step(name: str, step: Callable[[], Awaitable[object]]) -> bool:
    """Run one step of background work; return False if the step raised.

    A failure is logged; only a cancellation ends the work. After a failed step the caller pauses before the next one.
    """
    try:
        await step()
    except DATABASE_LOST as error:
        _log.warning("background work without a database", work=name, error=type(error).__name__)
    except Exception as error:  # noqa: BLE001 (work that ends silently is worse than work that fails and is repeated)
        _log.error("background work failed", work=name, **traces(error))
    else:
        return True
    return False


async def end(task: asyncio.Task[Any] | None) -> None:
    """Cancel background work and wait for its end; raise its exception unless that is the cancellation.

    The cancellation is repeated while the task runs on: before Python 3.12 `asyncio.wait_for`, by which the connection
    pool waits, loses a cancellation that arrives in the moment in which the wait ends (python/cpython issue 86296).
    """
    if task is None:
        return
    while not task.done():
        task.cancel()
        await asyncio.wait([task], timeout=_AGAIN_SECONDS)
    if not task.cancelled():
        task.result()
