"""Runs a command's coroutine; what can be foreseen ends it with one sentence and exit code 1."""

from __future__ import annotations

from collections.abc import Coroutine
from typing import Any

import psycopg
import typer
import uvloop

from catenary_cli import show
from catenary_cli.api import ApiError
from catenary_core.embedded_postgres import EmbeddedPostgresError

FORESEEN = (ApiError, EmbeddedPostgresError, OSError, psycopg.OperationalError, ValueError)
"""Errors whose text is for the person at the terminal; our own ones that say so derive from ValueError."""


def run(command: Coroutine[Any, Any, None]) -> None:
    """Runs a command to its end."""
    try:
        uvloop.run(command)
    except KeyboardInterrupt:
        raise typer.Exit(130) from None
    except FORESEEN as error:
        show.problem(str(error))
        raise typer.Exit(1) from None
