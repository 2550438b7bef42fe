"""The runner of a command's coroutine; a foreseen error ends the command with one sentence and exit code 1."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Coroutine, Sequence
from typing import Any, TypeVar

import structlog
import typer
import uvloop

from catenary_cli import logs
from catenary_cli.error_sentences import ManyFaultsError, sentence_of

ResultT = TypeVar("ResultT")
_log = structlog.get_logger(__name__)


def run(command: Coroutine[Any, Any, ResultT]) -> ResultT:
    """Run a command to its end; return its result.

    The sentence of a foreseen error is a log line if the process logs and standard error is no terminal, else text for
    a person.

    Raises:
        typer.Exit: With code 1 for a foreseen error, 130 for Ctrl-C.
    """
    gc.freeze()  # the imported modules
    gc.enable()
    try:
        return uvloop.run(command)
    except KeyboardInterrupt:
        raise typer.Exit(130) from None
    except Exception as error:
        if not isinstance(error, foreseen_errors()):
            raise
        _report(sentence_of(error), _faults_of(error))
        raise typer.Exit(1) from None


def run_privately(command: Coroutine[Any, Any, ResultT]) -> ResultT:
    """Run a command of an installation; its files, and those of its child processes, are for their owner alone.

    The commands for callers do not use this: a file that they write for a person follows that person's umask.
    """
    os.umask(0o077)
    return run(command)


def foreseen_errors() -> tuple[type[Exception], ...]:
    """Return the errors whose text is for the person at the command line; our own ones derive from ValueError."""
    # Imported only after an error: together they would double the start time of every process.
    import aiohttp
    import psycopg

    from catenary_cli.remote.api import ApiError
    from catenary_core.embedded_postgres.server import EmbeddedPostgresError
    from catenary_worker.child import WorkerFaultError

    ours = (ApiError, EmbeddedPostgresError, WorkerFaultError)
    return (*ours, OSError, ValueError, aiohttp.ClientError, psycopg.OperationalError)


def _faults_of(error: Exception) -> Sequence[str]:
    """Return the lines that follow the sentence of a foreseen error: one for each fault."""
    from catenary_cli.remote.api import ApiError

    return error.faults if isinstance(error, (ManyFaultsError, ApiError)) else ()


def _report(text: str, faults: Sequence[str]) -> None:
    if logs.configured() and not sys.stderr.isatty():
        _log.error(text)
        return
    from catenary_cli import show

    show.problem(text, faults)
