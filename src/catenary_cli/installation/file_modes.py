"""The modes of the files in a data directory: each is for its owner alone, in trees of older releases too.

New files get such modes from the umask (`running.run_privately`). Here those of an older tree are mended, and of files
that somebody copied into it. PostgreSQL's account owns a part of the tree and may put links into it while root reads it,
so every step goes by the descriptor of a folder, and no link is followed.
"""

from __future__ import annotations

import os
import stat
from dataclasses import dataclass, field
from pathlib import Path

from catenary_core.embedded_postgres.installation import COPIES, Account

MOST_ENTRIES = 100_000
"""Files and folders that one start looks at: about half a second. The data directory itself is closed in any case."""
_OTHERS = 0o077
_PASSED_OVER = frozenset({COPIES, "lost+found"})
"""Names in the data directory.

An older release's copies of programs belong to root, while PostgreSQL's account runs them; its next start makes new ones.
"""
_SHOWN = 5


@dataclass(slots=True)
class Mended:
    """The outcome of `mend`."""

    opened: list[Path] = field(default_factory=list)
    """Files and folders that were open to others."""
    foreign: list[Path] = field(default_factory=list)
    """Files and folders of other owners, left as they are."""
    refused: list[Path] = field(default_factory=list)
    """Files and folders whose mode can't be changed."""
    is_whole: bool = True
    """False if there are more than MOST_ENTRIES."""

    def warnings(self, data_dir: Path) -> list[str]:
        """Return the sentences for the operator."""
        found = []
        if self.opened:
            found.append(
                f"Other users of this machine could reach {_some(self.opened)}; from now on only the owner can."
                " If a key or a password is among them, other users may know it."
            )
        if self.foreign:
            found.append(
                f"{_some(self.foreign)}: another user owns this in the data directory, so its mode stays as it is;"
                " change the owner, or remove it."
            )
        if self.refused:
            found.append(
                f"{_some(self.refused)}: the mode can't be changed; choose a file system with modes of files for the"
                " data directory."
            )
        if not self.is_whole:
            found.append(
                f"{data_dir} has more than {MOST_ENTRIES:,} files, so the modes of some were not checked;"
                " `chmod -R go= objects` in that folder closes them all."
            )
        return found


def mend(data_dir: Path, account: Account | None) -> Mended:
    """Close a data directory and what is in it to all users but its owners; tell what was open or isn't ours.

    Args:
        data_dir: The data directory.
        account: The account that runs PostgreSQL, which must be able to enter the directory; None without one.
    """
    done = Mended()
    top = os.open(data_dir, os.O_RDONLY | os.O_DIRECTORY)
    try:
        _close_top(top, data_dir, account, done)
    finally:
        os.close(top)
    owners = {os.geteuid()} if account is None else {os.geteuid(), account.uid}
    count = 0
    for root, folders, files, folder in os.fwalk(data_dir, follow_symlinks=False):
        at_top = Path(root) == data_dir
        if not at_top:
            owners = {os.fstat(folder).st_uid}
        for name in [*folders, *files]:
            count += 1
            if count > MOST_ENTRIES:
                done.is_whole = False
                return done
            passed_over = at_top and name in _PASSED_OVER
            if (passed_over or not _close(folder, name, Path(root, name), owners, done)) and name in folders:
                folders.remove(name)
    return done


def _close_top(top: int, path: Path, account: Account | None, done: Mended) -> None:
    """Close the data directory itself; PostgreSQL's account, if it is another than this one, may pass through."""
    status = os.fstat(top)
    if status.st_uid != os.geteuid():
        done.foreign.append(path)
        return
    passing = account is not None and account.uid != os.geteuid()
    try:
        if passing and account is not None:
            os.fchown(top, -1, account.gid)
        os.fchmod(top, 0o710 if passing else 0o700)
    except OSError:
        done.refused.append(path)


def _close(folder: int, name: str, path: Path, owners: set[int], done: Mended) -> bool:
    """Close one entry of a folder; return whether it is ours."""
    try:
        entry = os.open(name, os.O_PATH | os.O_NOFOLLOW, dir_fd=folder)
    except FileNotFoundError:  # removed meanwhile
        return False
    try:
        status = os.fstat(entry)
        if status.st_uid not in owners:
            done.foreign.append(path)
            return False
        if stat.S_ISLNK(status.st_mode) or not status.st_mode & _OTHERS:
            return True
        # The mode of a descriptor of O_PATH can only be changed by this path, which leads to exactly that file.
        Path(f"/proc/self/fd/{entry}").chmod(stat.S_IMODE(status.st_mode) & ~_OTHERS)
        done.opened.append(path)
    except OSError:
        done.refused.append(path)
    finally:
        os.close(entry)
    return True


def _some(paths: list[Path]) -> str:
    shown = ", ".join(map(str, paths[:_SHOWN]))
    return shown if len(paths) <= _SHOWN else f"{shown} and {len(paths) - _SHOWN:,} more"
