"""What a log has of a failure, and that background work outlives one."""

from __future__ import annotations

import asyncio
import io
import logging

import psycopg
import pytest
import structlog

from catenary_cli import logs
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


def test_what_a_library_logs_of_an_exception_is_without_its_text_too(monkeypatch: pytest.MonkeyPatch) -> None:
    written = io.StringIO()
    root = logging.getLogger()
    kept, level, settings = root.handlers[:], root.level, structlog.get_config()
    monkeypatch.setattr("sys.stderr", written)
    try:
        logs.configure(verbose=False)
        logging.getLogger("asyncio").error("a task failed", exc_info=_failure())
        structlog.get_logger("some.library").error("it failed", exc_info=_failure())
    finally:
        structlog.configure(**settings)
        root.handlers[:] = kept
        root.setLevel(level)
    lines = written.getvalue().splitlines()
    assert len(lines) == 2
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
