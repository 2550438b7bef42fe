"""The file system that holds the data directories of tests."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path
from types import SimpleNamespace

import pytest

from factories.checks import data_folders


@pytest.mark.parametrize(("free", "is_in_memory"), [(data_folders.ROOM, False), (data_folders.ROOM + 1, True)])
def test_data_goes_to_the_disk_where_memory_is_full(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, free: int, is_in_memory: bool
) -> None:
    memory, disk = tmp_path / "memory", tmp_path / "disk"
    memory.mkdir()
    disk.mkdir()
    monkeypatch.setattr(data_folders, "MEMORY", memory)
    monkeypatch.setattr(tempfile, "tempdir", str(disk))
    monkeypatch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(free=free))
    folder = data_folders.new("catenary-")
    assert folder.parent == (memory if is_in_memory else disk)
    assert folder.stat().st_mode & 0o777 == 0o711
