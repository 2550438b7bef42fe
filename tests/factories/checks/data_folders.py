"""Where the data directories of tests go: into memory, unless it is full."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

MEMORY = Path("/dev/shm")
ROOM = 4 << 30
"""Bytes that must be free in memory: more than all tests of a run have at once."""


def new(prefix: str) -> Path:
    """Make a folder that other users may enter but not list; on a disk if memory has less than ROOM."""
    is_roomy = MEMORY.is_dir() and shutil.disk_usage(MEMORY).free > ROOM
    folder = Path(tempfile.mkdtemp(prefix=prefix, dir=MEMORY if is_roomy else None))
    folder.chmod(0o711)
    return folder
