"""The secret's file in the data directory while the secret changes: new ones beside it, put in its place at once."""

from __future__ import annotations

import os
from pathlib import Path

from catenary_core.secrets import KEY_FILE, read_secret, secret_text, sync_folder, write_draft

_COMING = f"{KEY_FILE}.new"
_FORMER = f"{KEY_FILE}.old"


def read_given(path: Path) -> bytes:
    """Return the secret in a file of the operator's.

    Raises:
        ValueError: The file doesn't hold 32 bytes in base64.
    """
    return read_secret(path.read_bytes().decode("ascii", "replace").strip(), str(path))


def write_coming(data_dir: Path, secret: bytes) -> None:
    """Write a new secret beside the one in use, for its owner alone; it outlasts a power cut."""
    write_draft(data_dir / KEY_FILE, secret_text(secret)).replace(data_dir / _COMING)
    sync_folder(data_dir)


def coming(data_dir: Path) -> bytes | None:
    """Return the new secret beside the one in use; None if there is none."""
    path = data_dir / _COMING
    return read_given(path) if path.exists() else None


def put_in_place(data_dir: Path) -> None:
    """Put the new secret in the place of the one in use, which is kept as the former one."""
    current, former = data_dir / KEY_FILE, data_dir / _FORMER
    former.unlink(missing_ok=True)
    os.link(current, former)
    (data_dir / _COMING).replace(current)
    sync_folder(data_dir)


def former(data_dir: Path) -> bytes | None:
    """Return the former secret; None if there is none."""
    path = data_dir / _FORMER
    return read_given(path) if path.exists() else None


def put_back(data_dir: Path) -> None:
    """Put the former secret in the place of the one in use."""
    (data_dir / _FORMER).replace(data_dir / KEY_FILE)
    sync_folder(data_dir)


def remove_former(data_dir: Path) -> None:
    """Remove the former secret, and a new one that was never put in place."""
    for name in (_FORMER, _COMING):
        (data_dir / name).unlink(missing_ok=True)
    sync_folder(data_dir)
