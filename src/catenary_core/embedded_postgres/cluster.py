"""One PostgreSQL cluster in a data directory: created by initdb, launched, and observed through ``/proc``.

The caller of `Cluster.launch` holds ``start.lock`` (see `server`), so only one process at a time acts here.
"""

import contextlib
import hashlib
import os
import shutil
import signal
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from catenary_core.embedded_postgres.installation import (
    EmbeddedPostgresError,
    Installation,
    closed_to,
    installation,
    last_line,
    server_account,
)
from catenary_core.embedded_postgres.password import PASSWORD_FILE, RULES, USER, known, known_or_new, verifier

PORT = 5432
"""Port number, which is only part of the socket's name; always passed, since libpq would otherwise read PGPORT."""
_SOCKET_PATH_BYTES = 107  # sun_path of sockaddr_un has 108 bytes, including the final zero
_LAUNCHES = 3  # the launch is repeated if the shell is killed before it prints the server's process id
_LOG_BYTES = 10_000_000
_RULES_FILE = "pg_hba.conf"

# Passed on the command line at every start, so a new release changes old data directories too. Every commit is
# durable (fsync, synchronous_commit). The level "log" keeps refused statements out of the file, since they may contain
# personal data; the caller gets the error all the same.
_SETTINGS = {
    "listen_addresses": "",
    "port": str(PORT),
    "unix_socket_permissions": "0700",
    "fsync": "on",
    "synchronous_commit": "on",
    "full_page_writes": "on",
    "shared_buffers": "128MB",
    "max_connections": "200",
    "jit": "off",
    "log_destination": "stderr",
    "logging_collector": "off",
    "log_min_messages": "log",
    "log_error_verbosity": "terse",
    "log_line_prefix": "%m [%p] ",
    "log_timezone": "UTC",
}


@dataclass(frozen=True)
class Running:
    """The contents of a live server's pid file."""

    pid: int
    """Process id of the server."""
    socket_dir: Path
    """Folder of the socket."""
    state: str
    """``starting``, ``stopping``, ``ready`` or ``standby``."""


class Cluster:
    """The files of one embedded server in ``data_dir`` (absolute, links resolved) and its processes."""

    def __init__(self, data_dir: Path) -> None:
        self.data_dir = data_dir
        self.log = data_dir / "pg.log"
        self._files = data_dir / "pg"
        self.account = server_account(self._files)
        self.title = f"catenary-{hashlib.sha256(os.fsencode(data_dir)).hexdigest()[:16]}"
        """Name in the titles of the server's processes, by which they are distinguished from all others."""

    def running(self) -> Running | None:
        """Return the live server, or None; the pid file alone is no proof, since a killed server leaves it behind."""
        try:
            lines = (self._files / "postmaster.pid").read_text().splitlines()
            pid = int(lines[0])
            # The socket and the state are written a little later than the rest.
            running = Running(pid, Path(lines[4]), lines[7].strip() if len(lines) > 7 else "starting")
        except (FileNotFoundError, IndexError, ValueError):
            return None
        return running if _is_postgres(arguments(pid)) else None

    def launch(self, binaries: Path | None, start_lock: int) -> int:
        """Start the server, after initdb if needed, in a session of its own, to survive this process.

        Args:
            binaries: folder of ``initdb``; None: the packaged one.
            start_lock: descriptor of the held lock, which initdb inherits.

        Returns:
            The server's process id, at once; the caller watches whether the server comes up.

        Raises:
            EmbeddedPostgresError: the server can't be started.
        """
        chosen = self._checked(binaries, start_lock)
        socket_dir = self._socket_dir()
        self._clear_remains(socket_dir)
        self._require_password(chosen)
        settings = _SETTINGS | {"cluster_name": self.title, "unix_socket_directories": str(socket_dir)}
        command = [str(chosen.bin / "postgres"), "-D", str(self._files)]
        for name, value in settings.items():
            command += ["-c", f"{name}={value}"]
        if self.log.exists() and self.log.stat().st_size > _LOG_BYTES:
            self.log.rename(self.log.with_name("pg.log.1"))
        with os.fdopen(open_private(self.log, os.O_WRONLY | os.O_APPEND | os.O_CREAT), "a") as log:
            # The shell exits at once, so init becomes the server's parent and no zombie keeps the process id in use.
            shell = ["/bin/sh", "-c", '"$@" >&2 & echo $!', "sh", *command]
            for _ in range(_LAUNCHES):
                said = self.account.run(shell, self.data_dir, stderr=log).stdout.strip()
                if said:
                    return int(said)
        raise EmbeddedPostgresError(
            f"The server of {self.data_dir} can't be started: its shell ended {_LAUNCHES} times before the server ran. "
            f"{self.log} may say why; a system out of processes is one cause."
        )

    def password(self) -> str:
        """Return the password for the running server. The caller holds ``start.lock``.

        Raises:
            EmbeddedPostgresError: the password is lost.
        """
        if known(self.data_dir) is None and self._asks_for_password():
            raise EmbeddedPostgresError(
                f"{self.data_dir / PASSWORD_FILE} is gone, and the running server asks for its password: stop all "
                "servers of the data directory and start again; the start makes a new one."
            )
        # A server that an older release started takes any password until its next start.
        return known_or_new(self.data_dir)

    def last_fatal(self) -> str:
        """Return the last fatal line of the server's log, for an error message."""
        lines = self.log.read_text(errors="replace").splitlines()[-40:]
        fatal = [line for line in lines if "FATAL:" in line or "PANIC:" in line]
        return last_line("\n".join(fatal or lines))

    def _checked(self, binaries: Path | None, start_lock: int) -> Installation:
        """Return the binaries after comparing them with the cluster; create the cluster if there is none."""
        if closed := closed_to(self.account, self.data_dir):
            raise EmbeddedPostgresError(
                f"The data directory {self.data_dir} can't be reached by the account {self.account.name!r}, which runs "
                f"the server because PostgreSQL never runs as root: {closed} is closed to it. Choose another "
                "directory, for instance /var/lib/catenary, or open that one with chmod o+x."
            )
        chosen = installation(binaries, self.account, self.data_dir)
        if not self._files.exists():
            self._initdb(chosen, start_lock)
        try:
            major = (self._files / "PG_VERSION").read_text().strip()
        except FileNotFoundError:
            raise EmbeddedPostgresError(
                f"{self._files} is not a PostgreSQL cluster: it has no PG_VERSION. Move it away, or choose another "
                "data directory."
            ) from None
        if major != str(chosen.major):
            raise EmbeddedPostgresError(
                f"The data in {self._files} was written by PostgreSQL {major}, but the binaries in {chosen.bin} are "
                f"PostgreSQL {chosen.major}. Start with binaries of PostgreSQL {major}, or dump the data with them "
                "and load it into an empty data directory."
            )
        return chosen

    def _initdb(self, chosen: Installation, start_lock: int) -> None:
        """Create the cluster under another name, then rename the folder: a killed start leaves no partial cluster."""
        new = self.data_dir / "pg.new"
        shutil.rmtree(new, ignore_errors=True)
        self._make_private(new)
        locale = ["--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8"]  # sorts by code point
        if chosen.major < 17:  # the builtin provider came with 17
            locale = ["--locale=C.UTF-8"]
        command = [str(chosen.bin / "initdb"), "-D", str(new), "-U", USER, "-A", "scram-sha-256", "-E", "UTF8", *locale]
        with tempfile.NamedTemporaryFile("w", dir=self.data_dir, prefix="pg.verifier.") as file:
            file.write(verifier(known_or_new(self.data_dir)))
            file.flush()
            os.fchown(file.fileno(), self.account.uid, self.account.gid)
            command += ["--pwfile", file.name, "--data-checksums"]
            # initdb holds start.lock too: if this process is killed, the next start waits for the end of initdb.
            made = self.account.run(command, self.data_dir, keep_open=(start_lock,))
        if made.returncode:
            shutil.rmtree(new, ignore_errors=True)
            raise EmbeddedPostgresError(
                f"No database cluster could be made in {self.data_dir}: {reason_of(made.stderr)}. Remove the cause and"
                " start again."
            )
        self._write_rules(new)
        new.rename(self._files)
        folder = os.open(self.data_dir, os.O_RDONLY)
        os.fsync(folder)
        os.close(folder)

    def _require_password(self, chosen: Installation) -> None:
        """Change a cluster that trusts whoever reaches its socket, or whose password is lost; no server runs on it.

        A killed change begins anew at the next start: the rules are the last to be written.
        """
        if known(self.data_dir) is None:
            (self._files / _RULES_FILE).unlink(missing_ok=True)
        password = known_or_new(self.data_dir)
        if self._asks_for_password():
            return
        single = [
            str(chosen.bin / "postgres"),
            "--single",
            "-D",
            str(self._files),
            "-c",
            "exit_on_error=on",
            "postgres",
        ]
        statement = f"ALTER ROLE {USER} PASSWORD '{verifier(password)}'\n"  # one line, since each is a statement
        changed = self.account.run(single, self.data_dir, given=statement)
        if changed.returncode:
            raise EmbeddedPostgresError(
                f"The server of {self.data_dir} can't be given a password: {last_line(changed.stderr)}. "
                "Remove the cause and start again."
            )
        self._write_rules(self._files)

    def _asks_for_password(self) -> bool:
        try:
            return (self._files / _RULES_FILE).read_text(errors="replace") == RULES
        except FileNotFoundError:
            return False

    def _write_rules(self, files: Path) -> None:
        descriptor, draft = tempfile.mkstemp(dir=files, prefix=f"{_RULES_FILE}.")
        with os.fdopen(descriptor, "w") as file:
            file.write(RULES)
            file.flush()
            os.fsync(file.fileno())
            os.fchown(file.fileno(), self.account.uid, self.account.gid)
        Path(draft).replace(files / _RULES_FILE)

    def _clear_remains(self, socket_dir: Path) -> None:
        """Remove what a killed server leaves: busy backends that still hold its shared memory, and its lock files.

        PostgreSQL refuses to start if either exists. A lock file is removed only if its process id now belongs to
        another program (as after the restart of a container) or to a zombie; PostgreSQL handles all other cases.
        """
        for process in Path("/proc").iterdir():
            with contextlib.suppress(OSError):
                if process.name.isdecimal() and process.stat().st_uid == self.account.uid:
                    pid = int(process.name)
                    if " ".join(arguments(pid)).startswith(f"postgres: {self.title}: "):
                        os.kill(pid, signal.SIGKILL)
                        while arguments(pid):
                            time.sleep(0.005)
        for lock_file in (self._files / "postmaster.pid", socket_dir / f".s.PGSQL.{PORT}.lock"):
            with contextlib.suppress(OSError, ValueError, IndexError):
                pid = int(lock_file.read_text().splitlines()[0])
                os.kill(pid, 0)  # raises if the process has ended, which PostgreSQL handles
                if not _is_postgres(arguments(pid)):
                    lock_file.unlink()

    def _socket_dir(self) -> Path:
        """Return the private folder for the socket: in the data directory, else a runtime or temporary one."""
        runtime = "/run" if os.geteuid() == 0 else os.environ.get("XDG_RUNTIME_DIR", "")
        bases = [base for base in (runtime, tempfile.gettempdir()) if base]
        for folder in (self.data_dir / "run", *(Path(base, self.title) for base in bases)):
            path = str(folder)
            short = len(os.fsencode(folder)) + len(f"/.s.PGSQL.{PORT}") <= _SOCKET_PATH_BYTES
            if short and path.isprintable() and not set(path) & set(',"'):  # both separate folders and hosts in lists
                with contextlib.suppress(PermissionError, FileNotFoundError):
                    self._make_private(folder)
                    return folder
        raise EmbeddedPostgresError(
            f"No folder for the server's socket: its path in {self.data_dir} is over {_SOCKET_PATH_BYTES} bytes or has "
            f"a comma or quote, and none can be made in {' or '.join(bases)}. Choose a shorter path."
        )

    def _make_private(self, folder: Path) -> None:
        """Create ``folder`` for the server's account alone; refuse a folder that another user has created."""
        folder.mkdir(mode=0o700, exist_ok=True)
        status = folder.lstat()
        if folder.is_symlink() or status.st_uid not in (os.geteuid(), self.account.uid) or status.st_mode & 0o077:
            raise EmbeddedPostgresError(f"{folder} belongs to another user or is open to others: remove it.")
        if status.st_uid != self.account.uid:
            os.chown(folder, self.account.uid, self.account.gid, follow_symlinks=False)


def arguments(pid: int) -> list[str]:
    """Return the command line of a process, as titled by itself; empty for an ended process or a zombie."""
    try:
        text = Path(f"/proc/{pid}/cmdline").read_bytes().decode(errors="replace")
    except OSError:
        return []
    return text.rstrip("\0 ").split("\0") if text else []


def open_private(path: Path, flags: int) -> int:
    """Open a file of the data directory, created for its owner alone; refuse a link in its place."""
    return os.open(path, flags | os.O_NOFOLLOW, 0o600)


def _is_postgres(command: list[str]) -> bool:
    """Return whether a command line belongs to a PostgreSQL process."""
    return bool(command) and (Path(command[0]).name == "postgres" or command[0].startswith("postgres:"))


def reason_of(printed: str) -> str:
    """Return why initdb failed: its own error, since libraries print errors of theirs; else the last line."""
    return next((line for line in printed.splitlines() if line.startswith("initdb: error:")), last_line(printed))
