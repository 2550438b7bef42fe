"""No background task of the core ends by an exception that nobody foresaw; no log line has what a database error says."""

from __future__ import annotations

import asyncio
import logging
from typing import Any

import pytest
import sqlalchemy as sa
import structlog

from catenary_core.database import wakeups
from catenary_core.database.statements import Statement
from catenary_core.database.transactions import Database, Transaction
from catenary_core.database.wakeups import Wakeups
from catenary_core.frame import Frame
from catenary_core.jobs import endings, queue
from catenary_core.services.evaluations import queries
from catenary_core.services.projects import queries as project_queries
from factories.services.evaluations import end_waiters
from factories.services.models import World

CANARY = "ada.canary@example.com"


async def test_listening_goes_on_after_any_failure(db: Database, dsn: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wakeups, "POLL_SECONDS", 0.05)
    original, failed = Wakeups.fire, []

    def fails_once(self: Wakeups, channel: str) -> None:
        if not failed:
            failed.append(channel)
            raise RuntimeError(CANARY)
        original(self, channel)

    monkeypatch.setattr(Wakeups, "fire", fails_once)
    listening = Wakeups(dsn, (queue.CHANNEL,))
    ticket = listening.ticket(queue.CHANNEL)
    with structlog.testing.capture_logs() as logs:
        await listening.start()
        try:
            async with asyncio.timeout(60):
                while not ticket.is_set():
                    async with db.transaction() as tx:
                        await tx.notify(queue.CHANNEL)
                    await asyncio.sleep(0.05)  # until both connections were there
        finally:
            await listening.stop()
    assert [line["error"] for line in logs] == ["RuntimeError"]
    assert CANARY not in str(logs)


async def test_a_watch_for_endings_goes_on_after_any_failure(frame: Frame, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(endings, "POLL_SECONDS", 0.05)
    original, failed = Transaction.all, []

    async def fails_once(self: Transaction, statement: Statement, /, **given: Any) -> list[dict[str, Any]]:
        if statement is queries.FINAL:
            if not failed:
                failed.append(statement)
                raise RuntimeError(CANARY)
            return [{"evaluation_id": "e"}]
        return await original(self, statement, **given)

    monkeypatch.setattr(Transaction, "all", fails_once)
    with structlog.testing.capture_logs() as logs, end_waiters(frame.db, frame.wakeups).expect("e") as ended:
        assert await asyncio.wait_for(ended, 60) == {"evaluation_id": "e"}
    assert [line["error"] for line in logs] == ["RuntimeError"]
    assert CANARY not in str(logs)


async def test_a_database_error_is_logged_without_the_row_that_it_is_about(
    frame: Frame, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    world = World(frame)
    await world.add("olga")
    broken = Statement(
        sa.text(
            "INSERT INTO projects.project (project_id, name, description, environment_project_id, owner_user_id)"
            " VALUES (CAST(:project_id AS uuid), :name, nullif(:description, :description),"
            " CAST(:environment_project_id AS uuid), CAST(:owner_user_id AS uuid)) RETURNING *"
        )
    )
    monkeypatch.setattr(project_queries, "INSERT", broken)
    with caplog.at_level(logging.DEBUG), structlog.testing.capture_logs() as logs:
        refusal = await world.as_("olga").refused("CreateProject", name=CANARY)
    assert refusal.reason == "INTERNAL_ERROR"
    (line,) = [line for line in logs if line["event"] == "unexpected fault"]
    assert (line["error"], line["sqlstate"]) == ("NotNullViolation", "23502")
    assert any(frame.endswith(" create_project") for frame in line["frames"])
    assert CANARY not in f"{logs} {caplog.text} {refusal}"
