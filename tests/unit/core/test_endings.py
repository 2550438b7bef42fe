"""Waiting for the end of an evaluation."""

from __future__ import annotations

import asyncio
import time

import pytest

from catenary_core.database.statements import Row
from catenary_core.jobs.endings import wait_until


def _future() -> asyncio.Future[Row]:
    return asyncio.get_running_loop().create_future()


async def test_an_end_is_given_in_the_next_turn_of_the_loop() -> None:
    future = _future()
    waiting = asyncio.create_task(wait_until(future, time.monotonic() + 600))
    await asyncio.sleep(0)
    future.set_result({"status": "completed"})
    await asyncio.sleep(0)
    assert waiting.done(), "so that who waits goes before who ended it (`WorkerServicer.complete`)"
    assert waiting.result() == {"status": "completed"}


@pytest.mark.parametrize("seconds", [-1.0, 0.0, 0.01])
async def test_without_an_end_in_time_there_is_none(seconds: float) -> None:
    assert await wait_until(_future(), time.monotonic() + seconds) is None


async def test_a_cancellation_at_the_end_of_the_time_is_one() -> None:
    waiting = asyncio.create_task(wait_until(_future(), time.monotonic()))
    await asyncio.sleep(0)
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
