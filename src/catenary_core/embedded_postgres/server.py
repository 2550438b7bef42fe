"""The PostgreSQL server that Catenary starts in its data directory if no database is configured.

Any number of processes share one server. Two lock files coordinate them (flock, so that the kernel frees them when a
process dies): ``start.lock`` is held exclusively during a start or a stop; ``use.lock`` is shared by every user of the
server for as long as it uses the server. The last user to stop also stops the server; a killed user counts as gone.

The data directory contains ``pg`` (the cluster), ``run`` (the socket, if its path is short enough), ``pg.log`` and
``pg.log.1``, ``pg.pass`` (the password), the two locks, and ``binaries`` if a copy was needed. The server listens only
on that one private socket, never on TCP, and never runs as root. Linux only: processes are looked up in ``/proc``.
"""

import contextlib
import fcntl
import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import Self

import psycopg
from psycopg.conninfo import make_conninfo

from catenary_core.embedded_postgres.cluster import PORT, Cluster, Running, arguments, open_private
from catenary_core.embedded_postgres.installation import EmbeddedPostgresError, binaries_on_path
from catenary_core.embedded_postgres.password import PASSWORD_FILE, USER

__all__ = [
    "EmbeddedPostgres",
    "EmbeddedPostgresError",
    "binaries_on_path",
    "default_data_dir",
    "open_data_dir",
    "open_lock",
    "start",
]

_DATABASE = "catenary"
_START_SECONDS = 300.0  # recovery after a crash replays up to max_wal_size
_ANSWER_SECONDS = 15.0  # a server in state ready must accept a connection within this time
_CONNECT_SECONDS = 5
_LAUNCHES = 3  # a server killed during its start is started again
_STOP_SECONDS = 120.0  # a fast shutdown writes a checkpoint
_POLL_SECONDS = 0.005


def default_data_dir() -> Path:
    """Return ``/var/lib/catenary`` for root, else ``catenary`` in ``$XDG_DATA_HOME`` or ``~/.local/share``.

    A relative ``XDG_DATA_HOME`` is ignored, as the XDG Base Directory Specification 0.8 requires.
    """
    if os.geteuid() == 0:
        return Path("/var/lib/catenary")
    home = Path(os.environ.get("XDG_DATA_HOME", ""))
    return (home if home.is_absolute() else Path.home() / ".local/share") / "catenary"


def start(data_dir: Path, *, binaries: Path | None = None) -> "EmbeddedPostgres":
    """Join the server of ``data_dir``, or start it; create its cluster and the database ``catenary`` if needed.

    The call blocks until the server accepts connections: milliseconds to join, about a second in an empty directory, up
    to 5 minutes for recovery after a crash. If the server is killed, call it again: the DSN stays the same.

    Args:
        data_dir: the data directory; created if missing.
        binaries: folder of ``initdb`` of another installation (15 or newer) than the packaged one; used only if the
            server has to be started.

    Raises:
        EmbeddedPostgresError: the server can't be started; no process of this call is left running.
    """
    return EmbeddedPostgres(Cluster(open_data_dir(data_dir)), binaries)


class EmbeddedPostgres:
    """One process's use of the shared server; end it with `stop` or by leaving the context manager.

    A forked child shares the use for as long as it keeps the inherited descriptor; its own `stop` does nothing, because
    its parent ends the use.
    """

    dsn: str
    """psycopg conninfo for the database ``catenary``."""

    def __init__(self, cluster: Cluster, binaries: Path | None) -> None:
        self._cluster = cluster
        self._binaries = binaries
        self._pid = os.getpid()
        self._use: int | None = None
        with _locked(cluster.data_dir) as start_lock:
            self._use = open_lock(cluster.data_dir / "use.lock")
            try:
                # Does not wait: the lock is taken exclusively only under start.lock.
                fcntl.flock(self._use, fcntl.LOCK_SH)
                self.dsn = self._bring_up(start_lock)
            except BaseException:
                self._leave_and_stop()
                raise

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def stop(self) -> None:
        """End this use; the last user stops the server (fast: sessions end, all data is written).

        A repeated call does nothing.

        Raises:
            EmbeddedPostgresError: the server takes over 2 minutes to stop.
        """
        if self._use is None or self._pid != os.getpid():
            return
        if not self._cluster.data_dir.is_dir():  # removed meanwhile: the server notices within a minute
            self._leave()
            return
        with _locked(self._cluster.data_dir):
            self._leave_and_stop()

    def _leave(self) -> bool:
        """Release the shared lock; return False if it was already released."""
        use, self._use = self._use, None
        if use is None:
            return False
        fcntl.flock(use, fcntl.LOCK_UN)  # closing isn't enough: a forked child may hold the same lock
        os.close(use)
        return True

    def _leave_and_stop(self) -> None:
        if not self._leave():
            return
        rest = open_lock(self._cluster.data_dir / "use.lock")
        try:
            fcntl.flock(rest, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return  # others still use the server
        finally:
            os.close(rest)
        if running := self._cluster.running():
            self._stop_server(running)

    def _stop_server(self, running: Running) -> None:
        deadline = time.monotonic() + _STOP_SECONDS
        with contextlib.suppress(ProcessLookupError):
            os.kill(running.pid, signal.SIGINT)
        while arguments(running.pid):
            if time.monotonic() > deadline:
                raise EmbeddedPostgresError(
                    f"The server of {self._cluster.data_dir} (process {running.pid}) was asked to stop and still runs "
                    f"after {_STOP_SECONDS:.0f} s. Wait until it ends; {self._cluster.log} shows what it is doing."
                )
            time.sleep(_POLL_SECONDS)
        if running.socket_dir != self._cluster.data_dir / "run":
            with contextlib.suppress(OSError):
                running.socket_dir.rmdir()

    def _bring_up(self, start_lock: int) -> str:
        """Start the server if needed, from whatever state; return the DSN once a connection succeeds."""
        cluster = self._cluster
        launched: int | None = None
        launches = 0
        ready_since: float | None = None
        deadline = time.monotonic() + _START_SECONDS
        while time.monotonic() < deadline:
            running = cluster.running()
            if running is None:
                ready_since = None
                if launched is None or not arguments(launched):
                    if launches == _LAUNCHES:
                        raise EmbeddedPostgresError(
                            f"The server of {cluster.data_dir} ended while it started: {cluster.last_fatal()} "
                            f"(from {cluster.log}). Remove the cause and start again."
                        )
                    launched = cluster.launch(self._binaries, start_lock)
                    launches += 1
            elif running.state == "ready":
                # The state "ready" survives a kill and a stop that begins: only a connection is proof.
                ready_since = ready_since or time.monotonic()
                try:
                    return self._connected(running.socket_dir)
                except psycopg.Error as error:
                    if time.monotonic() - ready_since > _ANSWER_SECONDS:
                        reason = str(error).partition("\n")[0]
                        raise EmbeddedPostgresError(
                            f"The server of {cluster.data_dir} (process {running.pid}) runs but doesn't serve: "
                            f"{reason}. Remove the cause or stop that process, then start again."
                        ) from error
            time.sleep(_POLL_SECONDS)
        raise EmbeddedPostgresError(
            f"The server of {cluster.data_dir} isn't ready after {_START_SECONDS:.0f} s. "
            f"{cluster.log} shows what it is doing; start again when it has finished."
        )

    def _connected(self, socket_dir: Path) -> str:
        """Connect, create a missing database, and return its DSN."""
        peer = self._cluster.account.name  # the kernel verifies the account behind the socket
        dsn = make_conninfo(
            host=str(socket_dir),
            port=PORT,
            user=USER,
            password=self._cluster.password(),
            dbname=_DATABASE,
            requirepeer=peer,
        )
        try:
            server = psycopg.connect(dsn, dbname="postgres", autocommit=True, connect_timeout=_CONNECT_SECONDS)
        except psycopg.OperationalError as error:
            if "password authentication failed" in str(error):
                path = self._cluster.data_dir / PASSWORD_FILE
                raise EmbeddedPostgresError(
                    f"The server refuses the password in {path}, as when one of both was restored alone: stop all "
                    "servers of the data directory, remove the file and start again; the start makes a new one."
                ) from None
            raise
        with server as connection:
            if not connection.execute("SELECT FROM pg_database WHERE datname = %s", [_DATABASE]).rowcount:
                connection.execute(f"CREATE DATABASE {_DATABASE}")
        return dsn


def open_data_dir(data_dir: Path) -> Path:
    """Return the data directory with links resolved; create it if missing.

    Raises:
        EmbeddedPostgresError: it can't be created or written to.
    """
    path = data_dir.expanduser().resolve()
    root = os.geteuid() == 0
    try:
        if not path.exists():
            for folder in reversed([folder for folder in (path, *path.parents) if not folder.exists()]):
                folder.mkdir(exist_ok=True)
                folder.chmod(0o711 if root else 0o700)  # whatever the umask: the account passes through
        elif root and path.stat().st_uid == 0 and not any(path.iterdir()):
            # An empty folder, as mkdtemp makes it: let the account pass.
            path.chmod(path.stat().st_mode & 0o7777 | 0o011)
        if not path.is_dir() or not os.access(path, os.R_OK | os.W_OK | os.X_OK):
            raise PermissionError(None, "not a directory that this user may write to")
    except OSError as error:
        raise EmbeddedPostgresError(
            f"{path} can't be the data directory: {error.strerror}. Choose another one, or run as its owner."
        ) from error
    return path


def open_lock(path: Path) -> int:
    """Open a lock file of the data directory; create it if missing.

    Raises:
        EmbeddedPostgresError: it can't be opened.
    """
    try:
        return open_private(path, os.O_RDWR | os.O_CREAT)
    except OSError as error:
        raise EmbeddedPostgresError(
            f"{path} can't be opened: {error.strerror}. Run as its owner, or choose another data directory."
        ) from error


@contextlib.contextmanager
def _locked(data_dir: Path) -> Iterator[int]:
    """Hold ``start.lock``; other starts and stops of the same data directory wait."""
    lock = open_lock(data_dir / "start.lock")
    try:
        deadline = time.monotonic() + _START_SECONDS + _STOP_SECONDS
        while True:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                if time.monotonic() > deadline:
                    raise EmbeddedPostgresError(
                        f"Another process has been starting or stopping the server of {data_dir} for minutes: "
                        f"look for the one that holds {data_dir / 'start.lock'}."
                    ) from None
            time.sleep(_POLL_SECONDS)
        yield lock
    finally:
        os.close(lock)
