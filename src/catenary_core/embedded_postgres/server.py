"""The PostgreSQL server that Catenary starts itself in its data directory, when it is given no database.

Any number of processes share one server. Two lock files say who may do what (flock, so that the kernel frees
them when a process dies): ``start.lock`` is held exclusively around a start or a stop, ``use.lock`` is shared by
every user for as long as it uses the server. Who stops last stops the server; a killed user counts as gone.

In the data directory stand: ``pg`` (the cluster), ``run`` (the socket, when its path is short enough),
``pg.log`` and ``pg.log.1``, the two locks, and ``binaries`` where a copy was needed. The server listens on that
one private socket only, never on TCP, and never runs as root. Linux only: processes are looked up in ``/proc``.
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

from catenary_core.embedded_postgres.cluster import PORT, USER, Cluster, Running, arguments, open_private
from catenary_core.embedded_postgres.installation import EmbeddedPostgresError, binaries_on_path

__all__ = [
    "EmbeddedPostgres",
    "EmbeddedPostgresError",
    "binaries_on_path",
    "default_data_dir",
    "open_data_dir",
    "start",
]

_DATABASE = "catenary"
_START_SECONDS = 300.0  # recovery after a crash replays up to max_wal_size
_ANSWER_SECONDS = 15.0  # a server that says it is ready has this long to accept a connection
_CONNECT_SECONDS = 5
_LAUNCHES = 3  # a server that is killed while it starts is started again
_STOP_SECONDS = 120.0  # a fast shutdown writes a checkpoint
_POLL_SECONDS = 0.005


def default_data_dir() -> Path:
    """Return ``/var/lib/catenary`` for root, else ``catenary`` in ``$XDG_DATA_HOME`` or ``~/.local/share``.

    A relative ``XDG_DATA_HOME`` is ignored, as the XDG Base Directory Specification 0.8 asks.
    """
    if os.geteuid() == 0:
        return Path("/var/lib/catenary")
    home = Path(os.environ.get("XDG_DATA_HOME", ""))
    return (home if home.is_absolute() else Path.home() / ".local/share") / "catenary"


def start(data_dir: Path, *, binaries: Path | None = None) -> "EmbeddedPostgres":
    """Join the server of ``data_dir``, or start it; make its cluster and the database ``catenary`` if need be.

    ``binaries`` is the folder of ``initdb`` of another installation (15 or newer) than the one in our wheel; it
    counts only when the server has to be started. Blocks until the server accepts connections, which takes
    milliseconds to join, a second or so on an empty directory, and up to 5 minutes for recovery after a crash.
    After the server was killed, call it again: the DSN stays the same.

    Raises `EmbeddedPostgresError` for everything that stands in the way; then nothing of ours is left running.
    """
    return EmbeddedPostgres(Cluster(open_data_dir(data_dir)), binaries)


class EmbeddedPostgres:
    """One process's use of the shared server, ended by `stop` or by leaving it as a context manager.

    ``dsn`` is a psycopg conninfo for the database ``catenary``. A forked child shares the use for as long as it
    keeps the inherited descriptor; its own `stop` does nothing, since the use is its parent's to end.
    """

    dsn: str

    def __init__(self, cluster: Cluster, binaries: Path | None) -> None:
        self._cluster = cluster
        self._binaries = binaries
        self._pid = os.getpid()
        self._use: int | None = None
        with _locked(cluster.data_dir) as start_lock:
            self._use = _open_lock(cluster.data_dir / "use.lock")
            try:
                fcntl.flock(self._use, fcntl.LOCK_SH)  # at once: it is taken exclusively only under start.lock
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
        """End this use; as the last one, stop the server (fast: sessions end, everything is written out).

        Calling it again does nothing. Raises `EmbeddedPostgresError` when the server takes over 2 minutes.
        """
        if self._use is None or self._pid != os.getpid():
            return
        if not self._cluster.data_dir.is_dir():  # removed under us: the server sees that itself within a minute
            self._leave()
            return
        with _locked(self._cluster.data_dir):
            self._leave_and_stop()

    def _leave(self) -> bool:
        """Give the shared lock back; False when that is done already."""
        use, self._use = self._use, None
        if use is None:
            return False
        fcntl.flock(use, fcntl.LOCK_UN)  # closing isn't enough: a forked child may hold the same lock
        os.close(use)
        return True

    def _leave_and_stop(self) -> None:
        if not self._leave():
            return
        rest = _open_lock(self._cluster.data_dir / "use.lock")
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
                    f"The server of {self._cluster.data_dir} (process {running.pid}) was told to stop and still runs "
                    f"after {_STOP_SECONDS:.0f} s. Wait until it ends; {self._cluster.log} says what it does."
                )
            time.sleep(_POLL_SECONDS)
        if running.socket_dir != self._cluster.data_dir / "run":
            with contextlib.suppress(OSError):
                running.socket_dir.rmdir()

    def _bring_up(self, start_lock: int) -> str:
        """Bring the server to accept connections, whatever state it is found in, and return the DSN."""
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
                # That state outlives a kill and comes before a stop: only a connection counts.
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
            f"{cluster.log} says what it does; start again when it has finished."
        )

    def _connected(self, socket_dir: Path) -> str:
        """Connect, make the database when it isn't there, and return its DSN."""
        peer = self._cluster.account.name  # the kernel vouches for who is behind the socket
        dsn = make_conninfo(host=str(socket_dir), port=PORT, user=USER, dbname=_DATABASE, requirepeer=peer)
        with psycopg.connect(dsn, dbname="postgres", autocommit=True, connect_timeout=_CONNECT_SECONDS) as connection:
            if not connection.execute("SELECT FROM pg_database WHERE datname = %s", [_DATABASE]).rowcount:
                connection.execute(f"CREATE DATABASE {_DATABASE}")
        return dsn


def open_data_dir(data_dir: Path) -> Path:
    """Return the data directory with links followed, made when it isn't there.

    Raises `EmbeddedPostgresError` when it can't be made or written to.
    """
    path = data_dir.expanduser().resolve()
    root = os.geteuid() == 0
    try:
        if not path.exists():
            path.mkdir(parents=True)
            path.chmod(0o711 if root else 0o700)
        elif root and path.stat().st_uid == 0 and not any(path.iterdir()):
            path.chmod(path.stat().st_mode & 0o7777 | 0o011)  # new as mkdtemp leaves it: let the account pass through
        if not path.is_dir() or not os.access(path, os.R_OK | os.W_OK | os.X_OK):
            raise PermissionError(None, "not a directory that this user may write to")
    except OSError as error:
        raise EmbeddedPostgresError(
            f"{path} can't be the data directory: {error.strerror}. Choose another one, or run as its owner."
        ) from error
    return path


def _open_lock(path: Path) -> int:
    try:
        return open_private(path, os.O_RDWR | os.O_CREAT)
    except OSError as error:
        raise EmbeddedPostgresError(
            f"{path} can't be opened: {error.strerror}. Run as its owner, or choose another data directory."
        ) from error


@contextlib.contextmanager
def _locked(data_dir: Path) -> Iterator[int]:
    """Hold ``start.lock``; other starts and stops of the same data directory wait."""
    lock = _open_lock(data_dir / "start.lock")
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
