"""The password of the embedded server: asked for, made once, given to older clusters, and lost."""

from __future__ import annotations

import shutil
import stat
import subprocess
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from catenary_core.embedded_postgres import cluster
from catenary_core.embedded_postgres import server as embedded_postgres
from catenary_core.embedded_postgres.cluster import Cluster, arguments
from catenary_core.embedded_postgres.server import EmbeddedPostgresError

pytestmark = pytest.mark.sampled


@pytest.fixture(scope="module")
def template(data_root: Path) -> Path:
    embedded_postgres.start(data_root / "passwords").stop()
    return data_root / "passwords"


@pytest.fixture
def used(data_root: Path, template: Path) -> Iterator[Path]:
    """Yield a used data directory whose server is stopped."""
    folder = data_root / uuid.uuid4().hex[:8]
    subprocess.run(["cp", "-a", template, folder], check=True)
    yield folder
    shutil.rmtree(folder)


def _ask(dsn: str, query: str) -> Any:
    with psycopg.connect(dsn, autocommit=True) as connection:
        row = connection.execute(query).fetchone()
        assert row
        return row[0]


def _reached(dsn: str, password: str | None) -> bool:
    """Return whether the server lets a process of this user in, with that password or without one."""
    parts = conninfo_to_dict(dsn) | {"password": password}
    try:
        psycopg.connect(make_conninfo(**parts)).close()
    except psycopg.OperationalError:
        return False
    return True


def _of_an_older_release(data_dir: Path) -> None:
    """Make a cluster what older releases made: it trusts whoever reaches its socket, and has no password."""
    with embedded_postgres.start(data_dir) as server, psycopg.connect(server.dsn, autocommit=True) as connection:
        connection.execute("CREATE TABLE kept (id int)")
        connection.execute("ALTER ROLE catenary PASSWORD NULL")
    (data_dir / "pg" / "pg_hba.conf").write_text("local all all trust\nlocal replication all trust\n")
    (data_dir / "pg.pass").unlink()


def _without_the_guard(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Cluster, "_require_password", lambda self, chosen: None)


def test_the_socket_asks_for_the_password_which_is_made_once(used: Path) -> None:
    with embedded_postgres.start(used) as server:
        assert stat.S_IMODE((used / "pg.pass").stat().st_mode) == 0o600
        assert not _reached(server.dsn, None)
        assert not _reached(server.dsn, "guessed")
        assert _ask(server.dsn, "SELECT rolpassword FROM pg_authid WHERE rolname = 'catenary'").startswith(
            "SCRAM-SHA-256$"
        )
        by_file = make_conninfo(server.dsn, passfile=str(used / "pg.pass")).replace(
            f"password={_password(server.dsn)}", ""
        )
        assert "password=" not in by_file
        assert _ask(by_file, "SELECT 1") == 1
        running = Cluster(used).running()
        assert running
        assert _password(server.dsn) not in " ".join(arguments(running.pid))
        assert _password(server.dsn) not in (used / "pg.log").read_text()
    with embedded_postgres.start(used) as again:
        assert again.dsn == server.dsn


def _password(dsn: str) -> str:
    return str(conninfo_to_dict(dsn)["password"])


def test_a_cluster_that_trusts_is_changed_at_the_next_start(used: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _of_an_older_release(used)
    with monkeypatch.context() as unguarded:
        _without_the_guard(unguarded)
        with embedded_postgres.start(used) as server:
            assert _reached(server.dsn, None), "so the attack works"
            # A process of this release joins a server that an older one started: the conninfo stays good.
            unguarded.undo()
            joined = embedded_postgres.start(used)
            assert _ask(joined.dsn, "SELECT 1") == 1
            joined.stop()
    with embedded_postgres.start(used) as changed:
        assert changed.dsn == joined.dsn
        assert not _reached(changed.dsn, None)
        assert _ask(changed.dsn, "SELECT count(*) FROM kept") == 0
    assert Cluster(used).running() is None


@pytest.mark.parametrize("older", [True, False])
def test_a_change_that_was_killed_begins_anew(used: Path, older: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    if older:
        _of_an_older_release(used)
    else:
        (used / "pg.pass").unlink()
    for step in ("known_or_new", "verifier", "_write_rules"):
        with monkeypatch.context() as killed:

            def end(*_: object) -> None:
                raise KeyboardInterrupt

            killed.setattr(Cluster if step.startswith("_") else cluster, step, end)
            with pytest.raises(KeyboardInterrupt):
                embedded_postgres.start(used)
    with embedded_postgres.start(used) as server:
        assert not _reached(server.dsn, None)
        assert _ask(server.dsn, "SELECT 1") == 1


def test_a_password_that_is_lost_is_told_and_made_anew_by_the_next_start(used: Path) -> None:
    with embedded_postgres.start(used) as server:
        (used / "pg.pass").unlink()
        with pytest.raises(EmbeddedPostgresError, match=r"pg\.pass is gone.*start again; the start makes a new one"):
            embedded_postgres.start(used)
        assert _ask(server.dsn, "SELECT 1") == 1
    with embedded_postgres.start(used) as again:
        assert _password(again.dsn) != _password(server.dsn)
        assert not _reached(again.dsn, _password(server.dsn))


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ("*:*:*:catenary:of_another_backup\n", r"refuses the password in .*pg\.pass.* remove the file and start again"),
        ("", r"pg\.pass holds no password .* remove the file and start again"),
        ("secret", r"pg\.pass holds no password .* remove the file and start again"),
    ],
)
def test_a_password_of_another_server_is_refused_with_the_way_out(used: Path, content: str, told: str) -> None:
    (used / "pg.pass").write_text(content)
    with pytest.raises(EmbeddedPostgresError, match=told):
        embedded_postgres.start(used)
    (used / "pg.pass").unlink()
    embedded_postgres.start(used).stop()
    assert Cluster(used).running() is None
