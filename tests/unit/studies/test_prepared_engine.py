"""The engine that is ready before a study: when it is there, who takes it, and what ends it."""

from __future__ import annotations

import asyncio
import os
import signal
from pathlib import Path

import pytest

from catenary_core.studies import engine_process, prepared_engine
from catenary_core.studies.engine_process import EngineProcess
from catenary_core.studies.prepared_engine import PreparedEngine
from factories.studies import mixed

pytestmark = pytest.mark.slow


@pytest.fixture(autouse=True)
def _no_pause(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(prepared_engine, "PAUSE_SECONDS", 0.0)


async def _waiting(prepared: PreparedEngine) -> asyncio.subprocess.Process:
    """Return the process that waits, once it has loaded the libraries."""
    async with asyncio.timeout(60):
        while (process := prepared._process) is None:  # noqa: ASYNC110 (the event would be another task's)
            await asyncio.sleep(0.01)
        while "/scipy/" not in await asyncio.to_thread(Path(f"/proc/{process.pid}/maps").read_text):  # noqa: ASYNC110 (it is another process)
            await asyncio.sleep(0.01)
    return process


async def test_a_prepared_engine_says_what_a_new_one_says() -> None:
    definition = mixed()
    async with PreparedEngine() as prepared, EngineProcess(definition) as new:
        assert prepared.take() is None, "no study has run"
        prepared.renew()
        waiting = await _waiting(prepared)
        async with EngineProcess(definition, prepared.take()) as engine:
            assert engine.pid == waiting.pid
            assert await engine.ask() == await new.ask()
        assert waiting.returncode is not None, "the process has ended with its study"
        assert prepared.take() is None


async def test_one_process_waits_however_many_studies_end() -> None:
    async with PreparedEngine() as prepared:
        for _ in range(3):
            prepared.renew()
        waiting = await _waiting(prepared)
        prepared.renew()
        await asyncio.sleep(0)
        assert prepared._process is waiting
    assert waiting.returncode == -signal.SIGKILL, "the process ends with the leader"


async def test_a_prepared_engine_that_died_is_not_given() -> None:
    async with PreparedEngine() as prepared:
        prepared.renew()
        died = await _waiting(prepared)
        os.kill(died.pid, signal.SIGKILL)
        await died.wait()
        assert prepared.take() is None
        await asyncio.sleep(0)
        prepared.renew()
        assert (await _waiting(prepared)).pid != died.pid


async def test_a_prepared_engine_ends_when_no_study_comes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(prepared_engine, "KEPT_SECONDS", 0.1)
    async with PreparedEngine() as prepared:
        prepared.renew()
        assert prepared._keeping is not None
        assert await prepared._keeping
        assert prepared.take() is None


async def test_a_prepared_engine_that_cannot_start_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine_process, "_COMMAND", ("/no/such/program",))
    async with PreparedEngine() as prepared:
        prepared.renew()
        assert prepared._keeping is not None
        assert not await prepared._keeping
        assert prepared.take() is None
