"""Turns of users at conversions of geometry."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager

import pytest

from catenary_core.services.evaluations.conversions import Turns

Turn = Callable[[str], AbstractAsyncContextManager[object]]


async def _order(turn: Turn, *users: str) -> str:
    """Return the order in which calls of users are worked on, all made at once."""
    order: list[str] = []

    async def call(user_id: str) -> None:
        async with turn(user_id):
            order.append(user_id)
            await asyncio.sleep(0)

    await asyncio.gather(*map(call, users))
    return "".join(order)


async def test_users_take_turns_however_many_conversions_one_of_them_wants() -> None:
    assert await _order(Turns(1).turn, *"AAAABBC") == "ABCABAA"
    slot = asyncio.Semaphore(1)
    assert await _order(lambda _: slot, *"AAAABBC") == "AAAABBC", "guard off: others wait for all of A's"


async def test_a_user_holds_one_turn_and_another_user_begins_at_once() -> None:
    turns = Turns(2)
    async with turns.turn("A"):
        waiting = asyncio.create_task(_order(turns.turn, "A"))
        async with asyncio.timeout(60), turns.turn("B"):
            pass
        assert not waiting.done()
    assert await waiting == "A"


@pytest.mark.parametrize("given", [False, True])
async def test_a_call_that_is_cancelled_keeps_no_turn_from_others(*, given: bool) -> None:
    turns = Turns(1)
    holding = turns.turn("A")
    await holding.__aenter__()
    cancelled = asyncio.create_task(_order(turns.turn, "B"))
    last = asyncio.create_task(_order(turns.turn, "C"))
    await asyncio.sleep(0)
    if given:  # cancelled in the moment in which it was given its turn
        await holding.__aexit__(None, None, None)
        cancelled.cancel()
    else:
        cancelled.cancel()
        await holding.__aexit__(None, None, None)
    async with asyncio.timeout(60):
        assert await last == "C"
    assert not turns._waiting
    assert not turns._active
