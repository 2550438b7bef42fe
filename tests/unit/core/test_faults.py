"""The log of a failure, and background work that outlives one."""

from __future__ import annotations

import asyncio
import importlib
import subprocess
import sys
from collections.abc import Callable

import psycopg
import pytest
import structlog

from catenary_core.background import failures
from catenary_core.background.failures import end, run_step, traces
from catenary_core.database.wakeups import Wakeups

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


def test_a_failed_import_is_told_with_the_name_of_the_module() -> None:
    with pytest.raises(ImportError) as caught:
        importlib.import_module("json.absent")
    assert traces(caught.value)["module"] == "json.absent"
    assert "module" not in traces(ImportError("a text")), "an import that names no module"


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
        assert not await run_step("work", lambda: fails(psycopg.OperationalError(CANARY)))
        assert not await run_step("work", lambda: fails(ValueError(CANARY)))
        assert await run_step("work", lambda: asyncio.sleep(0))
        with pytest.raises(asyncio.CancelledError):
            await run_step("work", lambda: fails(asyncio.CancelledError()))
    assert [(line["log_level"], line["work"], line["error"]) for line in lines] == [
        ("warning", "work", "OperationalError"),
        ("error", "work", "ValueError"),
    ]
    assert CANARY not in str(lines)


async def _until_a_wakeup_and_a_cancellation_meet(
    waiting: asyncio.Task[None], wake: Callable[[], None], turns: int
) -> bool:
    """Cancel a task `turns` turns of the loop after its wakeup; return whether the task ended."""
    await asyncio.sleep(0.01)
    wake()
    for _ in range(turns):
        await asyncio.sleep(0)
    waiting.cancel()
    done, _ = await asyncio.wait([waiting], timeout=0.2)
    return bool(done)


@pytest.mark.parametrize("turns", range(5))
async def test_work_that_is_woken_in_the_moment_of_its_stop_ends(turns: int) -> None:
    wakeups = Wakeups("", ("c",))

    async def work() -> None:
        while True:
            await wakeups.wait(wakeups.ticket("c"), 60)

    waiting = asyncio.create_task(work())
    assert await _until_a_wakeup_and_a_cancellation_meet(waiting, lambda: wakeups.fire("c"), turns)


@pytest.mark.skipif(sys.version_info >= (3, 12), reason="asyncio.wait_for keeps cancellations from Python 3.12 on")
async def test_waiting_as_asyncio_did_the_stop_is_lost_and_comes_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """This guards the test above.

    The end also comes to work that has lost its cancellation by such a wait.
    """
    monkeypatch.setattr(failures, "_AGAIN_SECONDS", 0.05)
    lost = 0
    for turns in range(5):
        event = asyncio.Event()

        async def work(event: asyncio.Event = event) -> None:
            while True:
                await asyncio.wait_for(event.wait(), 60)
                event.clear()

        waiting = asyncio.create_task(work())
        lost += not await _until_a_wakeup_and_a_cancellation_meet(waiting, event.set, turns)
        await end(waiting)
        assert waiting.cancelled()
    assert lost


async def test_the_end_of_work_tells_of_its_failure() -> None:
    async def fail() -> None:
        try:
            await asyncio.sleep(60)
        finally:
            raise LookupError(CANARY)

    working = asyncio.create_task(fail())
    await asyncio.sleep(0)
    with pytest.raises(LookupError):
        await end(working)
    await end(None)
