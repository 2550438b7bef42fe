"""The root keys of an installation: locked up under its secret, which changes while all that was issued goes on."""

from __future__ import annotations

import asyncio
import base64
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

import aiohttp
import httpx
import psycopg
import pytest
import sqlalchemy as sa
import standardwebhooks
from alembic import command
from cryptography.fernet import InvalidToken
from cryptography.hazmat.primitives.asymmetric import ec
from psycopg.rows import dict_row
from pydantic import SecretStr
from structlog.testing import capture_logs

from catenary_cli.installation.prepared import open_database
from catenary_core.bootstrap import RENEWALS, SEALED, running_core
from catenary_core.database import migrate
from catenary_core.database.transactions import Database
from catenary_core.keyring import ring, rotation
from catenary_core.keyring.ring import Member, SecretRefusedError, secrets_of
from catenary_core.keyring.rotation import RotationError
from catenary_core.secrets import Roots, SecretLock, Secrets, random_secret, secret_text
from catenary_core.services.identity.tokens.signing_keys import _private_bytes
from factories.events.world import Caller, World
from factories.installations.installation import ANSWER_SECONDS
from factories.installations.serving import SECRET, core_settings, serving
from factories.webhooks.world import Hooks, receiving

pytestmark = pytest.mark.sampled

NEW = bytes(reversed(SECRET))


def _sql(dsn: str, query: str, *given: Any) -> list[dict[str, Any]]:
    with psycopg.connect(dsn, autocommit=True, row_factory=dict_row) as connection:
        cursor = connection.execute(query.encode(), given)
        return cursor.fetchall() if cursor.description else []


async def _rotate(db: Database, own: bytes = SECRET, new: bytes = NEW) -> None:
    async with rotation.begun(db, own, new):
        pass


@asynccontextmanager
async def _member(db: Database, secret: bytes) -> AsyncIterator[Member]:
    member = await Member.join(db, secret)
    try:
        yield member
    finally:
        await member.stop()


def _values(dsn: str) -> list[bytes]:
    """Return every value of a `bytea` column of the database."""
    columns = _sql(dsn, "SELECT table_schema, table_name, column_name FROM information_schema.columns"
                        " WHERE data_type = 'bytea' AND table_schema NOT IN ('pg_catalog', 'information_schema')")  # fmt: skip
    return [
        bytes(row["value"])
        for column in columns
        for row in _sql(
            dsn,
            'SELECT "{column_name}" AS value FROM "{table_schema}"."{table_name}" WHERE "{column_name}" IS NOT NULL'.format(
                **column
            ),
        )
    ]


def _readable(dsn: str, secrets: Secrets) -> int:
    """Count the values in the database that the keys decrypt."""
    found = 0
    for value in _values(dsn):
        try:
            secrets.decrypt(value)
        except InvalidToken:
            continue
        found += 1
    return found


async def test_a_new_installation_has_random_keys_and_every_process_the_same(db: Database, dsn: str) -> None:
    found = await asyncio.gather(*(secrets_of(db, SECRET) for _ in range(4)))
    assert len({one.digest("x") for one in found}) == 1
    assert found[0].digest("x") != Secrets(Roots.derived(SECRET)).digest("x")
    dump = b"".join(_values(dsn))
    assert dump.startswith(b"gAAAA")
    roots = SecretLock(SECRET).open(dump)
    assert Secrets(roots).digest("x") == found[0].digest("x")
    for key in (SECRET, roots.pepper, roots.pairs[0].encryption, roots.pairs[0].fingerprint):
        assert key not in dump
        assert key.hex().encode() not in dump
        assert base64.b64encode(key) not in dump
    with pytest.raises(InvalidToken):
        SecretLock(NEW).open(dump)


async def test_another_secret_starts_nothing(dsn: str, db: Database, tmp_path: Path) -> None:
    await secrets_of(db, SECRET)
    with pytest.raises(SecretRefusedError, match=r"not the one of this database.*CATENARY_SECRET_KEY.*secret\.key"):
        await secrets_of(db, NEW)
    with pytest.raises(SecretRefusedError):
        async with running_core(core_settings(dsn, tmp_path, secret_key=SecretStr(secret_text(NEW)))):
            pass
    assert _sql(dsn, "SELECT id FROM keyring.node") == []


def _older(dsn: str) -> Secrets:
    """Bring an empty database to the release before the root keys, with a signing key."""
    engine = sa.create_engine("postgresql+psycopg://", creator=lambda: psycopg.connect(dsn), poolclass=sa.NullPool)
    with engine.connect() as connection:
        command.upgrade(migrate._config(connection), "0034")
        connection.commit()
    secrets = Secrets(Roots.derived(SECRET))
    _sql(
        dsn,
        "INSERT INTO identity.signing_key (id, private_key, signs_from, signs_until, verifies_until)"
        " VALUES (gen_random_uuid(), %s, now(), now() + interval '20 days', now() + interval '22 days')",
        secrets.encrypt(_private_bytes(ec.generate_private_key(ec.SECP256R1()))),
    )
    return secrets


async def test_keys_that_follow_from_the_secret_go_on_and_are_locked_up(empty_dsn: str) -> None:
    older = _older(empty_dsn)
    migrate.upgrade(empty_dsn)
    async with open_database(empty_dsn) as db:
        with pytest.raises(SecretRefusedError, match="not the one of this database"):
            await secrets_of(db, NEW)
        found = await secrets_of(db, SECRET)
        assert found.digest("client") == older.digest("client")
        assert found.decrypt(older.encrypt(b"x")) == b"x"
        assert older.decrypt(found.encrypt(b"x")) == b"x"
        assert found.has_fingerprint("body", older.fingerprint("body"))
        assert _sql(empty_dsn, "SELECT id FROM keyring.inherited") == []


@pytest.mark.slow
async def test_without_the_proof_a_wrong_secret_would_become_the_installation_s(
    empty_dsn: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    _older(empty_dsn)
    migrate.upgrade(empty_dsn)
    monkeypatch.setattr(ring, "_reads", lambda *_: True)
    async with open_database(empty_dsn) as db:
        await secrets_of(db, NEW)
        with pytest.raises(SecretRefusedError):
            await secrets_of(db, SECRET)


async def test_both_secrets_open_the_same_keys_until_the_old_one_ends(db: Database, dsn: str) -> None:
    async with _member(db, SECRET) as old:
        before = old.secrets.encrypt(b"before")
        await _rotate(db)
        for row in _sql(dsn, "SELECT name, roots FROM keyring.secret"):
            lock = SecretLock(SECRET if row["name"] == SecretLock(SECRET).name else NEW)
            assert (lock.open(bytes(row["roots"])).coming is None) == (lock.name == SecretLock(SECRET).name)
        async with _member(db, NEW) as new:
            await old.report()
            for one, other in ((old, new), (new, old)):
                assert one.secrets.digest("x") == other.secrets.digest("x")
                assert one.secrets.decrypt(other.secrets.encrypt(b"x")) == b"x"
                assert one.secrets.has_fingerprint("x", other.secrets.fingerprint("x"))
            with pytest.raises(RotationError, match=r"nodes still run with the old secret: .+-\d+; start them again"):
                await rotation.retired(db, NEW, ())
    async with _member(db, NEW) as new:
        fingerprint = new.secrets.fingerprint("x")
        retiring = asyncio.create_task(rotation.retired(db, NEW, ()))
        while not retiring.done():
            await new.report()
            await asyncio.sleep(0.05)
        await retiring
        assert new.secrets.decrypt(before) == b"before"
        assert new.secrets.fingerprint("x") != fingerprint
        assert new.secrets.has_fingerprint("x", fingerprint)
        assert new.secrets.digest("x") == old.secrets.digest("x")
    with pytest.raises(
        SecretRefusedError, match=rf"the secret {SecretLock(SECRET).name} was retired or taken back; put the valid one"
    ):
        await secrets_of(db, SECRET)
    assert [row["state"] for row in _sql(dsn, "SELECT state FROM keyring.secret ORDER BY state")] == [
        "current",
        "ended",
    ]


async def test_without_the_look_at_nodes_a_secret_would_end_under_a_running_one(
    db: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rotation.SecretUse, "users_of", lambda *_: "")
    monkeypatch.setattr(rotation, "_TAKE_UP_SECONDS", 0.1)
    async with _member(db, SECRET) as old:
        await _rotate(db)
        with pytest.raises(RotationError):
            await rotation.retired(db, NEW, ())
        with pytest.raises(SecretRefusedError, match="retired"):
            await Member.join(db, SECRET)
        await old.report()  # which the log tells of


@pytest.mark.parametrize("age", [25, 31])
async def test_a_node_that_was_killed_counts_for_30_seconds(db: Database, dsn: str, age: int) -> None:
    await Member.join(db, SECRET)  # which never leaves
    await _rotate(db)
    _sql(dsn, "UPDATE keyring.node SET seen_at = seen_at - make_interval(secs => %s)", age)
    if age < 30:
        with pytest.raises(RotationError, match="nodes still run with the old secret"):
            await rotation.retired(db, NEW, ())
    else:
        await rotation.retired(db, NEW, ())


async def test_a_node_whose_secret_has_ended_says_so_once(db: Database, dsn: str) -> None:
    async with _member(db, SECRET) as stopped:  # as if it had stood still for a minute
        await _rotate(db)
        _sql(dsn, "DELETE FROM keyring.node")
        await rotation.retired(db, NEW, ())
        with capture_logs() as logs:
            await stopped.report()
            await stopped.report()
        assert [(line["log_level"], line["secret"]) for line in logs] == [("error", SecretLock(SECRET).name)]


async def test_of_two_rotations_at_once_one_begins(db: Database, dsn: str) -> None:
    await secrets_of(db, SECRET)
    done = await asyncio.gather(*(_rotate(db, new=random_secret()) for _ in range(2)), return_exceptions=True)
    (lost,) = [one for one in done if one is not None]
    assert isinstance(lost, RotationError)
    assert "a rotation is under way since" in str(lost)
    assert "catenary secret cancel" in str(lost)
    assert len(_sql(dsn, "SELECT name FROM keyring.secret")) == 2


async def test_a_rotation_that_fails_in_its_block_has_not_begun(db: Database, dsn: str) -> None:
    await secrets_of(db, SECRET)
    with pytest.raises(OSError, match="full"):
        async with rotation.begun(db, SECRET, NEW):
            raise OSError("full")
    assert len(_sql(dsn, "SELECT name FROM keyring.secret")) == 1
    await _rotate(db)


async def test_steps_out_of_order_say_what_to_do(db: Database) -> None:
    await secrets_of(db, SECRET)
    with pytest.raises(RotationError, match="no rotation is under way; `catenary secret rotate` begins one"):
        await rotation.retired(db, SECRET, ())
    with pytest.raises(RotationError, match="nothing to take back"):
        async with rotation.taken_back(db):
            pass
    with pytest.raises(RotationError, match="was used here before"):
        await _rotate(db, new=SECRET)
    with pytest.raises(SecretRefusedError):
        await _rotate(db, own=NEW, new=random_secret())
    await _rotate(db)
    with pytest.raises(RotationError, match="this command still has the old secret"):
        await rotation.retired(db, SECRET, ())
    with pytest.raises(RotationError, match="a rotation is under way"):
        await _rotate(db, own=NEW, new=random_secret())


async def test_a_rotation_is_taken_back_unless_a_node_runs_with_the_new_secret(db: Database) -> None:
    await secrets_of(db, SECRET)
    await _rotate(db)
    async with _member(db, NEW):
        with pytest.raises(RotationError, match="nodes run with the new secret"):
            async with rotation.taken_back(db):
                pass
    async with rotation.taken_back(db):
        pass
    await secrets_of(db, SECRET)
    with pytest.raises(SecretRefusedError, match="retired"):
        await secrets_of(db, NEW)
    with pytest.raises(RotationError, match="was used here before"):
        await _rotate(db)
    third = random_secret()
    await _rotate(db, new=third)
    await rotation.retired(db, third, ())
    await secrets_of(db, third)


async def test_a_retirement_that_a_node_does_not_take_up_is_finished_later(
    db: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    await secrets_of(db, SECRET)
    await _rotate(db)
    monkeypatch.setattr(rotation, "_TAKE_UP_SECONDS", 0.0)
    async with _member(db, NEW) as stuck:
        with pytest.raises(RotationError, match=r"have not taken up the new keys: .+-\d+; stop them"):
            await rotation.retired(db, NEW, ())
        with pytest.raises(RotationError, match="the last retirement is not finished"):
            await _rotate(db, own=NEW, new=random_secret())
        await stuck.report()
        await stuck.report()
        await rotation.retired(db, NEW, ())
    with pytest.raises(RotationError, match="no rotation is under way"):
        await rotation.retired(db, NEW, ())


async def _issued(here: World, owner: Caller) -> dict[str, str]:
    """Make an API key and two projects, one with an Idempotency-Key; return what a later node must take."""
    made = await here.call(
        owner, "POST", "/v1/api_keys", 201, json={"name": "k", "scopes": ["platform:write", "platform:read"]}
    )
    for name in ("one", "two"):
        async with here.http.post(
            f"{here.url}/v1/projects", headers={**owner.headers, "Idempotency-Key": name}, json={"name": name}
        ) as answer:
            project = (await answer.json())["data"]["project"]["project_id"]
    page = await here.call(owner, "GET", "/v1/projects?limit=1")
    return {"key": made["data"]["key"], "project": project, "cursor": page["metadata"]["next_cursor"]}


async def _goes_on(url: str, owner: Caller, issued: dict[str, str], *, token: str) -> str:
    """Use all that was issued at a node; return a new token of the client."""
    async with httpx.AsyncClient(base_url=url, timeout=ANSWER_SECONDS) as http:
        for headers in ({"Authorization": f"Bearer {token}"}, owner.headers, {"X-API-Key": issued["key"]}):
            answer = await http.get("/v1/projects", params={"limit": 1, "cursor": issued["cursor"]}, headers=headers)
            assert answer.status_code == 200, answer.text
            assert len(answer.json()["data"]["projects"]) == 1
        again = await http.post(
            "/v1/projects", headers={**owner.headers, "Idempotency-Key": "two"}, json={"name": "two"}
        )
        assert (again.status_code, again.headers["Idempotency-Replayed"]) == (201, "true"), again.text
        assert again.json()["data"]["project"]["project_id"] == issued["project"]
        other = await http.post(
            "/v1/projects", headers={**owner.headers, "Idempotency-Key": "two"}, json={"name": "other"}
        )
        assert other.json()["error"]["code"] == "IDEMPOTENCY_KEY_REUSED"
        sent = {"grant_type": "client_credentials", "client_id": owner.client_id, "client_secret": owner.client_secret}
        answer = await http.post("/v1/auth/token", json=sent)
        assert answer.status_code == 200, answer.text
        return str(answer.json()["access_token"])


@pytest.mark.slow
async def test_all_that_was_issued_goes_on_through_rotation_and_retirement(
    empty_dsn: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An installation of an older release, so that the old secret opens all of a dump from before."""
    monkeypatch.setattr(ring, "REPORT_SECONDS", 0.2)
    _older(empty_dsn)
    migrate.upgrade(empty_dsn)
    leaked = Secrets(Roots.derived(SECRET))
    new_key = {"secret_key": SecretStr(secret_text(NEW))}
    async with AsyncExitStack() as stack:
        db = await stack.enter_async_context(open_database(empty_dsn))
        receiver = await stack.enter_async_context(receiving())
        async with AsyncExitStack() as old_runs:
            old = await old_runs.enter_async_context(serving(empty_dsn, tmp_path / "a", webhook_allow_private=True))
            session = await old_runs.enter_async_context(aiohttp.ClientSession())
            here = World(old, session)
            owner = await here.caller("owner")
            webhook = await Hooks(here, receiver, empty_dsn).webhook(owner, "/hook", "project.created")
            issued = await _issued(here, owner)
            await _rotate(db)
            new = await stack.enter_async_context(
                serving(empty_dsn, tmp_path / "b", webhook_allow_private=True, **new_key)
            )
            token = await _goes_on(old.url, owner, issued, token=owner.token)
            token = await _goes_on(new.url, owner, issued, token=token)
            token = await _goes_on(old.url, owner, issued, token=token)
            with pytest.raises(RotationError, match="nodes still run with the old secret"):
                await rotation.retired(db, NEW, SEALED)
        assert _readable(empty_dsn, leaked) > 2
        await rotation.retired(db, NEW, SEALED, RENEWALS)
        token = await _goes_on(new.url, owner, issued, token=token)
        await _goes_on(new.url, owner, issued, token=token)
        session = await stack.enter_async_context(aiohttp.ClientSession())
        hooks = Hooks(World(new, session), receiver, empty_dsn)
        count = len(receiver.of())
        await hooks.happen(owner, "after")
        request = (await receiver.got(count + 1))[-1]
        standardwebhooks.Webhook(webhook["secret"]).verify(request.body, dict(request.headers))
        # What the old secret opened before, it opens no more; a dump says nothing to those who have it.
        assert _readable(empty_dsn, leaked) == 0
        assert _readable(empty_dsn, new.core.frame.secrets) > 2
        with pytest.raises(SecretRefusedError, match="was retired"):
            async with running_core(core_settings(empty_dsn, tmp_path / "c")):
                pass


@pytest.mark.slow
async def test_without_the_retirement_s_columns_the_old_secret_goes_on_reading(empty_dsn: str) -> None:
    leaked = _older(empty_dsn)
    migrate.upgrade(empty_dsn)
    async with open_database(empty_dsn) as db:
        await secrets_of(db, SECRET)
        await _rotate(db)
        await rotation.retired(db, NEW, ())
        assert _readable(empty_dsn, leaked) == 1


async def test_more_rows_than_a_page_are_encrypted_anew(db: Database, dsn: str) -> None:
    secrets = await secrets_of(db, SECRET)
    with psycopg.connect(dsn) as connection, connection.cursor() as cursor:
        cursor.executemany(
            "INSERT INTO idempotency.record (id, fingerprint, answer) VALUES (%s, '', %s)",
            [(number.to_bytes(4, "big"), secrets.encrypt(b"%d" % number)) for number in range(1201)],
        )
    await _rotate(db)
    await rotation.retired(db, NEW, SEALED)
    found = await secrets_of(db, NEW)
    read = [
        (int.from_bytes(bytes(row["id"]), "big"), found._newest.decrypt(bytes(row["answer"])))
        for row in _sql(dsn, "SELECT id, answer FROM idempotency.record ORDER BY id")
    ]
    assert read == [(number, b"%d" % number) for number in range(1201)]
