"""The chain of the audit trail: what is verified as whole, and every way to break it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
import sqlalchemy as sa
import structlog

from catenary_core.audit import entries, queries
from catenary_core.audit.chain import Chain
from catenary_core.audit.entries import AuditEntry
from catenary_core.audit.minute_counts import MOST_OF_ADDRESS, MinuteCounts
from catenary_core.audit.verification import Verified, verify
from catenary_core.database.statements import Statement
from catenary_core.database.transactions import Database, Session, Transaction
from catenary_core.secrets import Roots, Secrets
from factories.audit import trail_of

pytestmark = pytest.mark.sampled

SECRETS = Secrets(Roots.derived(bytes(32)))


@pytest.fixture
async def session(db: Database) -> AsyncIterator[Session]:
    async with db.session() as opened:
        yield opened


async def _write(db: Database, *actions: str, address: str | None = None) -> None:
    for action in actions:
        async with db.transaction() as tx:
            await entries.write(tx, AuditEntry(action, request_id="r", details={"ids": ["ä"]}, address=address))


async def _run(db: Database, text: str) -> None:
    async with db.transaction() as tx:
        await tx.execute(Statement(sa.text(text)))


async def _verified(db: Database, secrets: Secrets = SECRETS) -> Verified:
    async with db.snapshot() as tx:
        return await verify(tx, secrets)


def _chain(db: Database, days: int = 365) -> Chain:
    return Chain(db, SECRETS, days)


async def test_committed_entries_are_chained_in_any_batches(db: Database, session: Session) -> None:
    chain = _chain(db)
    await _write(db, "a", "b")
    assert await chain.extend(session, anchored=False) == 2
    await _write(db, "c")
    assert await chain.extend(session, anchored=True) == 1
    assert await chain.extend(session, anchored=True) == 0
    found = await _verified(db)
    assert (found.entries, found.waiting, found.break_) == (3, 0, None)
    assert [entry["chain_sequence"] for entry in await trail_of(db)] == [1, 2, 3]


async def test_an_entry_that_commits_late_comes_after_those_before_it(db: Database, session: Session) -> None:
    async with db.session() as other, other.transaction() as late:
        await late.execute(queries.WRITE, **AuditEntry("late").values())
        await _write(db, "early")
        assert await _chain(db).extend(session, anchored=False) == 1
    assert await _chain(db).extend(session, anchored=False) == 1
    assert [(one["action"], one["chain_sequence"]) for one in await trail_of(db)] == [("late", 2), ("early", 1)]
    assert (await _verified(db)).break_ is None


@pytest.mark.parametrize(
    ("change", "break_"),
    [
        ("UPDATE audit.entry SET actor_id = gen_random_uuid() WHERE action = 'b'", "sequence 2 was changed"),
        ("UPDATE audit.entry SET details = '{\"ids\": [\"ä\"]}' WHERE action = 'c'", "sequence 3 was changed"),
        ("UPDATE audit.entry SET occurred_at = now() WHERE action = 'a'", "sequence 1 was changed"),
        ("UPDATE audit.entry SET chain_hash = ''::bytea WHERE action = 'b'", "sequence 2 was changed"),
        ("DELETE FROM audit.entry WHERE action = 'b'", "before sequence 3 are missing"),
        ("DELETE FROM audit.entry WHERE action = 'a'", "before sequence 2 are missing"),
        ("DELETE FROM audit.entry WHERE action = 'c'", "after sequence 2 are missing"),
        ("DELETE FROM audit.entry", "at its beginning are missing"),
        ("UPDATE audit.anchor SET trimmed = true", "place 3 of the chain is not of this installation's secret"),
        ("UPDATE audit.anchor SET chain_sequence = 2", "place 2 of the chain is not of this installation's secret"),
    ],
)
async def test_every_change_of_the_chain_is_found(db: Database, session: Session, change: str, break_: str) -> None:
    await _write(db, "a", "b", "c")
    await _chain(db).extend(session, anchored=True)
    assert (await _verified(db)).break_ is None
    await _run(db, change)
    assert break_ in str((await _verified(db)).break_)


async def test_without_the_signature_a_shorter_chain_would_be_whole(db: Database, session: Session) -> None:
    await _write(db, "a", "b", "c")
    await _chain(db).extend(session, anchored=False)
    await _run(db, "DELETE FROM audit.entry WHERE action = 'c'")
    assert (await _verified(db)).break_ is None


async def test_a_chain_that_is_made_anew_does_not_match_its_signature(db: Database, session: Session) -> None:
    """Whoever writes the database can compute hashes, but not sign them."""
    await _write(db, "a", "b", "c")
    await _chain(db).extend(session, anchored=True)
    await _run(db, "UPDATE audit.entry SET action = 'x', chain_sequence = NULL, chain_hash = NULL WHERE action = 'b'")
    await _run(db, "UPDATE audit.entry SET chain_sequence = NULL, chain_hash = NULL")
    anchors = "CREATE TABLE kept AS SELECT * FROM audit.anchor"
    await _run(db, anchors)
    await _run(db, "DELETE FROM audit.anchor")
    await _chain(db).extend(session, anchored=False)
    assert (await _verified(db)).break_ is None, "the forged chain is whole in itself"
    await _run(db, "INSERT INTO audit.anchor SELECT * FROM kept")
    assert "sequence 3 were changed" in str((await _verified(db)).break_)


async def test_another_secret_vouches_for_nothing(db: Database, session: Session) -> None:
    await _write(db, "a")
    await _chain(db).extend(session, anchored=True)
    assert "not of this installation's secret" in str((await _verified(db, Secrets(Roots.random()))).break_)


async def test_signatures_from_before_a_retirement_of_the_secret_stay_valid(db: Database, session: Session) -> None:
    await _write(db, "a")
    await _chain(db).extend(session, anchored=True)
    renewed = Secrets(Roots.derived(bytes(32)).with_coming().renewed())
    assert (await _verified(db, renewed)).break_ is None
    await _write(db, "b")
    await Chain(db, renewed, 365).extend(session, anchored=True)
    assert (await _verified(db, renewed)).break_ is None
    assert "not of this installation's secret" in str((await _verified(db)).break_)


async def test_old_entries_leave_a_signed_place_where_the_chain_begins(db: Database, session: Session) -> None:
    chain = _chain(db, days=30)
    await _write(db, "old", "older", "new", address="192.0.2.1")
    await _run(db, "UPDATE audit.entry SET occurred_at = now() - interval '31 days' WHERE action <> 'new'")
    await chain.extend(session, anchored=True)
    assert not await chain.trim(session)
    (left,) = await trail_of(db)
    assert (left["action"], left["chain_sequence"]) == ("new", 3)
    assert (await _verified(db)).break_ is None
    await _run(db, "DELETE FROM audit.entry")  # which nobody may take for old
    assert "signed up to place 3" in str((await _verified(db)).break_)


async def test_a_chain_goes_on_after_all_of_it_was_old(db: Database, session: Session) -> None:
    chain = _chain(db, days=30)
    await _write(db, "old", address="192.0.2.1")
    await _run(db, "UPDATE audit.entry SET occurred_at = now() - interval '31 days'")
    await chain.extend(session, anchored=False)
    await chain.trim(session)
    assert await trail_of(db) == []
    await _write(db, "new")
    await chain.extend(session, anchored=False)
    assert [(one["action"], one["chain_sequence"]) for one in await trail_of(db)] == [("new", 2)]
    assert (await _verified(db)).break_ is None


async def test_addresses_are_kept_for_ninety_days_and_no_part_of_the_chain(db: Database, session: Session) -> None:
    chain = _chain(db)
    await _write(db, "old", "new", address="2001:db8::1")
    await _run(db, "UPDATE audit.entry SET occurred_at = now() - interval '91 days' WHERE action = 'old'")
    await chain.extend(session, anchored=True)
    await chain.trim(session)
    assert [(one["action"], one["address"]) for one in await trail_of(db)] == [("old", None), ("new", "2001:db8::1")]
    assert (await _verified(db)).break_ is None


async def test_each_chained_entry_is_a_line_of_the_log_without_its_address(db: Database, session: Session) -> None:
    await _write(db, "a", address="192.0.2.1")
    with structlog.testing.capture_logs() as lines:
        await _chain(db).extend(session, anchored=False)
        await _chain(db).extend(session, anchored=False)
    (line,) = [line for line in lines if line.get("stream") == "audit"]
    told = {name: line[name] for name in ("action", "outcome", "request_id", "sequence", "chain_sequence", "details")}
    assert told == {
        "action": "a",
        "outcome": "ok",
        "request_id": "r",
        "sequence": 1,
        "chain_sequence": 1,
        "details": {"ids": ["ä"]},
    }
    assert "192.0.2.1" not in str(line)


async def test_equal_refusals_of_a_minute_are_one_row_that_is_chained_after_it(db: Database, session: Session) -> None:
    first, second = MinuteCounts(db), MinuteCounts(db)
    for _ in range(3):
        first.add(AuditEntry("m", "INVALID_TOKEN", address="192.0.2.1", request_id="r"))
    first.add(AuditEntry("m", "INVALID_TOKEN", address="192.0.2.2"))
    second.add(AuditEntry("m", "INVALID_TOKEN", address="192.0.2.1"), 4)  # another process
    await _run(db, _EARLY_IN_A_MINUTE)
    await first.stop()
    await second.stop()
    assert sorted((one["address"], one["count"], one["request_id"]) for one in await trail_of(db)) == [
        ("192.0.2.1", 7, "r"),
        ("192.0.2.2", 1, ""),
    ]
    assert await _chain(db).extend(session, anchored=False) == 0, "their count may still grow"
    await _run(db, "UPDATE audit.entry SET open_until = open_until - interval '2 minutes'")
    assert await _chain(db).extend(session, anchored=False) == 2
    async with db.read() as tx:
        keys = await tx.all(Statement(sa.text("SELECT fold_key, open_until FROM audit.entry")))
    assert {(row["fold_key"], row["open_until"]) for row in keys} == {(None, None)}, "a hash would outlive the address"
    first.add(AuditEntry("m", "INVALID_TOKEN", address="192.0.2.1"))
    await first.stop()
    assert len(await trail_of(db)) == 3, "a chained row never changes"


_EARLY_IN_A_MINUTE = (
    "SELECT pg_sleep(CASE WHEN extract(second FROM clock_timestamp()) > 50"
    " THEN 60.1 - extract(second FROM clock_timestamp()) ELSE 0 END)"
)


async def test_refusals_beyond_what_is_counted_apart_are_counted_together(
    db: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("catenary_core.audit.minute_counts.MOST", 2)
    refusals = MinuteCounts(db)
    for number in range(10):
        refusals.add(AuditEntry("m", "INVALID_TOKEN", address=f"192.0.2.{number}"))
    await refusals.stop()
    assert sorted((one["action"], one["count"]) for one in await trail_of(db)) == [("further", 8), ("m", 1), ("m", 1)]


async def test_the_rows_that_an_address_makes_in_a_minute_are_bounded(db: Database) -> None:
    now = 120.0
    refusals = MinuteCounts(db, lambda: now)
    for minute in range(2):
        now = 120.0 + 60 * minute
        for number in range(300):
            refusals.add(AuditEntry(f"m{number}", "INVALID_TOKEN", address=f"2001:db8::{number % 2:x}"))
        refusals.add(AuditEntry("m", "INVALID_TOKEN", address="192.0.2.1"))
    await refusals.stop()
    rows = await trail_of(db)
    assert len(rows) == MOST_OF_ADDRESS + 2
    counted = {(one["action"], one["address"]): one["count"] for one in rows}
    assert counted["further", "2001:db8::"] == 2 * (300 - MOST_OF_ADDRESS)
    assert counted["m", "192.0.2.1"] == 2


async def test_refusals_of_a_lost_database_wait_for_it(db: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    refusals = MinuteCounts(db)
    refusals.add(AuditEntry("m", "INVALID_TOKEN"), 5)
    with monkeypatch.context() as patch:
        patch.setattr(db, "transaction", _lost)
        with pytest.raises(ConnectionError):
            await refusals.stop()
    await refusals.stop()
    assert [one["count"] for one in await trail_of(db)] == [5]


def _lost() -> None:
    raise ConnectionError


async def test_refusals_that_a_stop_finds_in_their_commit_count_once(
    db: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("catenary_core.audit.minute_counts.FLUSH_SECONDS", 0.01)
    committed, transaction = asyncio.Event(), db.transaction

    @asynccontextmanager
    async def answered_late() -> AsyncIterator[Transaction]:
        async with transaction() as tx:
            yield tx
        committed.set()
        await asyncio.sleep(0.1)

    monkeypatch.setattr(db, "transaction", answered_late)
    refusals = MinuteCounts(db)
    refusals.add(AuditEntry("m", "INVALID_TOKEN"), 5)
    await refusals.start()
    await committed.wait()
    await refusals.stop()
    assert [one["count"] for one in await trail_of(db)] == [5]
