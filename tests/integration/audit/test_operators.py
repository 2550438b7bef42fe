"""Entries of the audit trail without a caller: commands that work on the database, and the start of a process."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
import sqlalchemy as sa

from catenary_cli.installation import clients, commands, worker_tokens
from catenary_core.audit.chain import Chain
from catenary_core.audit.verification import Verified, verify
from catenary_core.bootstrap import running_core
from catenary_core.bootstrap_data import load_catalogues
from catenary_core.database.statements import Statement
from catenary_core.database.transactions import Database
from catenary_core.keyring.ring import secrets_of
from factories.audit import trail_of
from factories.installations.serving import SECRET, core_settings


async def test_changes_by_commands_are_entries_of_the_operator(dsn: str, db: Database) -> None:
    made = await clients.create(dsn, SECRET, "robot", admin=False)
    path = f"/v1/clients/{made['client_id']}"
    await clients.rotate_secret(dsn, SECRET, made["client_id"])
    await clients.revoke_tokens(dsn, made["client_id"])
    await worker_tokens.create(dsn, "w")
    (token,) = await worker_tokens.valid(dsn)
    await worker_tokens.revoke(dsn, token["worker_token_id"])
    await load_catalogues(db)
    with pytest.raises(ValueError, match="there is no client"):
        await clients.revoke_tokens(dsn, token["worker_token_id"])
    trail = await trail_of(db)
    token_path = f"/v1/worker_tokens/{token['worker_token_id']}"
    assert [(one["action"], one["subject"]) for one in trail] == [
        ("CreateClient", path),
        ("RotateClientSecret", path),
        ("RevokeClientTokens", path),
        ("CreateWorkerToken", token_path),
        ("DeleteWorkerToken", token_path),
        ("catalogues.loaded", None),
    ]
    assert {(one["actor_id"], one["credential_id"], one["outcome"]) for one in trail} == {(None, "operator", "ok")}
    assert "robot" not in str(trail)


async def test_a_start_names_the_settings_that_are_set_and_no_value(dsn: str, db: Database, tmp_path: Path) -> None:
    settings = core_settings(dsn, tmp_path, requests_per_hour=123456, public_url="https://catenary.example")
    async with running_core(settings):
        (start,) = [one for one in await trail_of(db) if one["action"] == "node.started"]
    names = {"database_url", "data_dir", "secret_key", "requests_per_hour", "public_url"}
    assert set(start["details"]["settings"]) == names
    for value in ("123456", "catenary.example", str(tmp_path)):
        assert value not in str(start)


async def test_a_running_core_chains_what_it_and_the_commands_write(dsn: str, db: Database, tmp_path: Path) -> None:
    await clients.create(dsn, SECRET, "robot", admin=False)
    async with running_core(core_settings(dsn, tmp_path)):
        while (found := await _verified(db)).waiting:  # noqa: ASYNC110 (the database has no event for it)
            await asyncio.sleep(0.05)
    assert (found.entries, found.break_, found.anchored_at is None) == (2, None, False)


async def _verified(db: Database) -> Verified:
    secrets = await secrets_of(db, SECRET)
    async with db.snapshot() as tx:
        return await verify(tx, secrets)


async def test_the_command_tells_a_whole_trail_and_the_first_break(
    dsn: str, db: Database, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    await clients.create(dsn, SECRET, "robot", admin=False)
    await commands.audit_verify(core_settings(dsn, tmp_path))
    assert "whole: 0 entries" in (told := capsys.readouterr().out)
    assert "1 newer" in told
    async with db.session() as session:
        await Chain(db, await secrets_of(db, SECRET), 365).extend(session, anchored=True)
    await commands.audit_verify(core_settings(dsn, tmp_path))
    assert "whole: 1 entries" in capsys.readouterr().out
    async with db.transaction() as tx:
        await tx.execute(Statement(sa.text("UPDATE audit.entry SET subject = 'x'")))
    with pytest.raises(commands.BrokenTrailError, match="the entry of sequence 1 was changed"):
        await commands.audit_verify(core_settings(dsn, tmp_path))
