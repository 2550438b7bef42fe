"""Runs a command's coroutine; what can be foreseen ends it with one sentence and exit code 1."""

from __future__ import annotations

import sys
from collections.abc import Coroutine
from typing import Any

import structlog
import typer
import uvloop

from catenary_cli import logs

_log = structlog.get_logger(__name__)


def run(command: Coroutine[Any, Any, None]) -> None:
    """Runs a command to its end.

    The sentence is a log line when a process that logs has no terminal on standard error, else text for a person.
    """
    try:
        uvloop.run(command)
    except KeyboardInterrupt:
        raise typer.Exit(130) from None
    except Exception as error:
        if not isinstance(error, _foreseen()):
            raise
        _tell(str(error).strip())
        raise typer.Exit(1) from None


def _foreseen() -> tuple[type[Exception], ...]:
    """Errors whose text is for the person who ran the command; our own ones that say so derive from ValueError."""
    # Imported when something went wrong: together they would double the start of every process.
    import aiohttp
    import psycopg

    from catenary_cli.remote.api import ApiError
    from catenary_core.embedded_postgres.server import EmbeddedPostgresError
    from catenary_worker.host import WorkerFaultError

    ours = (ApiError, EmbeddedPostgresError, WorkerFaultError)
    return (*ours, OSError, ValueError, aiohttp.ClientError, psycopg.OperationalError)


def _tell(text: str) -> None:
    if logs.configured() and not sys.stderr.isatty():
        _log.error(text)
        return
    from catenary_cli import show

    show.problem(text)
