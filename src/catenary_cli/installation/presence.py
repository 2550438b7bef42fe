"""The servers that run on a data directory, by locks that the kernel frees when a process ends (flock)."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Self

from catenary_core.embedded_postgres.server import open_lock

SERVE_LOCK = "serve.lock"
"""Name of the lock file of the servers that run on a data directory."""
_DEMO_LOCK = "demo.lock"


@contextmanager
def of_server(data_dir: Path) -> Iterator[bool]:
    """Mark this process as a server of the data directory; yield whether another one runs there."""
    path = data_dir / SERVE_LOCK
    # Every server holds the shared lock, so the exclusive one is free only where none runs.
    alone = _locked(path, fcntl.LOCK_EX | fcntl.LOCK_NB)
    if alone is not None:
        os.close(alone)
    own = _locked(path, fcntl.LOCK_SH)
    try:
        yield alone is None
    finally:
        if own is not None:
            os.close(own)


class DemoFileOwner:
    """The right to write the demo's file, which one server of a data directory has at a time."""

    def __init__(self, data_dir: Path) -> None:
        self._path = data_dir / _DEMO_LOCK
        self._held: int | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._held is not None:
            os.close(self._held)

    def try_own(self) -> bool:
        """Return whether this process has the right, which it then keeps until the end of the block."""
        if self._held is None:
            self._held = _locked(self._path, fcntl.LOCK_EX | fcntl.LOCK_NB)
        return self._held is not None


def _locked(path: Path, kind: int) -> int | None:
    """Return the descriptor of a file with a lock on it; None if another process holds the lock."""
    descriptor = open_lock(path)
    try:
        fcntl.flock(descriptor, kind)
    except BlockingIOError:
        os.close(descriptor)
        return None
    return descriptor
