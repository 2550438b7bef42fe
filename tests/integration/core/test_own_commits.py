"""A process's knowledge of its own commits, without PostgreSQL's notifications: nothing listens here."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import pytest

from catenary_core.database.transactions import Database, Transaction
from catenary_core.database.wakeups import Wakeups


@pytest.fixture
def wakeups(db: Database) -> Wakeups:
    """Not started, so that nothing but the process's own commits fires it."""
    made = Wakeups(db.dsn, ("c", "d"))
    made.follow(db.commits)
    return made


async def _notify(tx: Transaction) -> None:
    await tx.notify("c")


async def _tell(tx: Transaction) -> None:
    tx.wake_locally("c")


@pytest.mark.parametrize("how", [_notify, _tell])
async def test_a_commit_fires_its_channel_at_once_and_no_other(
    db: Database, wakeups: Wakeups, how: Callable[[Transaction], Awaitable[None]]
) -> None:
    ticket, other = wakeups.ticket("c"), wakeups.ticket("d")
    async with db.transaction() as tx:
        await how(tx)
        assert not ticket.is_set()
    assert ticket.is_set()
    assert not other.is_set()


async def test_what_is_rolled_back_fires_nothing(db: Database, wakeups: Wakeups) -> None:
    ticket = wakeups.ticket("c")

    async def fail() -> None:
        async with db.transaction() as tx:
            await tx.notify("c")
            raise RuntimeError("on purpose")

    with pytest.raises(RuntimeError, match="on purpose"):
        await fail()
    assert not ticket.is_set()


async def test_the_parts_of_a_unit_fire_when_the_unit_is_committed(db: Database, wakeups: Wakeups) -> None:
    ticket = wakeups.ticket("c")
    async with db.as_one() as unit:
        async with db.transaction() as tx:
            await tx.notify("c")
        assert not ticket.is_set()
        await unit.commit()
        assert ticket.is_set()
        again = wakeups.ticket("c")
        async with db.transaction() as tx:
            await tx.notify("c")
        assert not again.is_set()
    assert again.is_set()


async def test_what_was_notified_lately_counts_from_the_commit_on(db: Database) -> None:
    async with db.as_one():
        async with db.transaction() as tx:
            await tx.notify("c")
        async with db.transaction() as tx:
            assert not tx.notified_within("c", 3600)
    async with db.transaction() as tx:
        assert tx.notified_within("c", 3600)
        assert not tx.notified_within("d", 3600)


async def test_what_was_notified_lately_is_decided_once_a_transaction(db: Database) -> None:
    async with db.transaction() as tx:
        assert not tx.notified_within("c", 3600)
        async with db.transaction() as other:
            await other.notify("c")
        assert not tx.notified_within("c", 3600), "another commit came between"
    async with db.transaction() as tx:
        assert tx.notified_within("c", 3600)
        db.commits.notified_at.clear()  # as if the hour were over
        assert tx.notified_within("c", 3600)
    async with db.transaction() as tx:
        assert not tx.notified_within("c", 3600)
