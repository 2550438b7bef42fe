"""What a log has of a failure, and that background work outlives one."""

from __future__ import annotations

import asyncio
import subprocess
import sys

import psycopg
import pytest
import structlog

from catenary_core.faults import survived, traces

CANARY = "ada.canary@example.com"


def _fail(text: str) -> None:
    try:
        raise psycopg.errors.UniqueViolation(f"Key (email)=({text})")
    except psycopg.Error as error:
        raise LookupError(text) from error


def _failure() -> LookupError:
    with pytest.raises(LookupError) as caught:
        _fail(CANARY)
    return caught.value


def test_a_failure_is_told_by_its_types_sqlstate_and_frames_without_any_text() -> None:
    found = traces(_failure())
    assert (found["error"], found["cause"]["error"]) == ("LookupError", "UniqueViolation")
    assert found["cause"]["sqlstate"] == "23505"
    assert found["frames"][-1].startswith(__file__)
    assert found["frames"][-1].endswith(" _fail")
    assert CANARY not in str(found)


# In a process of its own: configuring the logs changes hooks of the whole process.
_LOGGING = f"""
import logging, psycopg, structlog
from catenary_cli import logs

logs.configure("node", verbose=False)
try:
    try:
        raise psycopg.errors.UniqueViolation("Key (email)=({CANARY})")
    except psycopg.Error as error:
        raise LookupError("{CANARY}") from error
except LookupError as error:
    logging.getLogger("asyncio").error("a task failed", exc_info=error)
    structlog.get_logger("some.library").error("it failed", exc_info=True)
    raise
"""


def test_what_a_library_logs_of_an_exception_is_without_its_text_too() -> None:
    done = subprocess.run([sys.executable, "-c", _LOGGING], capture_output=True, text=True, timeout=60)
    lines = done.stderr.splitlines()
    assert len(lines) == 3, "a task's, a library's, and the uncaught one"
    for line in lines:
        assert '"error":"LookupError"' in line
        assert "23505" in line
        assert CANARY not in line


async def test_background_work_outlives_every_failure_but_a_cancellation() -> None:
    async def fails(error: BaseException) -> None:
        raise error

    with structlog.testing.capture_logs() as lines:
        assert not await survived("work", lambda: fails(psycopg.OperationalError(CANARY)))
        assert not await survived("work", lambda: fails(ValueError(CANARY)))
        assert await survived("work", lambda: asyncio.sleep(0))
        with pytest.raises(asyncio.CancelledError):
            await survived("work", lambda: fails(asyncio.CancelledError()))
    assert [(line["log_level"], line["work"], line["error"]) for line in lines] == [
        ("warning", "work", "OperationalError"),
        ("error", "work", "ValueError"),
    ]
    assert CANARY not in str(lines)
