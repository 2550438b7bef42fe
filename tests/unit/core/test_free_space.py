"""The floor of free disk space, over every method."""

from __future__ import annotations

from pathlib import Path

import pytest

from catenary_core.call.errors import DomainError
from catenary_core.call.methods import Binding, bindings_of, service_descriptors
from catenary_core.limits import free_space
from catenary_core.limits.free_space import FreeSpace

MIB = 1024 * 1024
BINDINGS = bindings_of(service_descriptors())


def _refused(space: FreeSpace, binding: Binding) -> bool:
    try:
        space.check(binding)
    except DomainError as refusal:
        return (refusal.reason, refusal.retry_after) == ("UNAVAILABLE", free_space.RETRY_SECONDS)
    return False


def test_below_the_floor_every_write_is_refused_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(free_space, "_free", lambda folder: 511 * MIB)
    space = FreeSpace(tmp_path, 512 * MIB)
    refused = {path.rpartition("/")[2] for path, binding in BINDINGS.items() if _refused(space, binding)}
    assert {"CreateProject", "Evaluate", "UploadModelVersion", "CreateComments", "UpdateProject"} <= refused
    taken = {path.rpartition("/")[2] for path in BINDINGS} - refused - {"CreateSession"}  # a token, as IssueToken
    assert {"ListProjects", "IssueToken", "DeleteProject", "Subscribe", "Complete", "TakeCalls", "Identify"} <= taken
    assert not {name for name in taken if name.startswith(("Create", "Put", "Update", "Upload", "Add"))}


def test_at_the_floor_and_without_a_folder_nothing_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(free_space, "_free", lambda folder: 512 * MIB)
    for space in (FreeSpace(tmp_path, 512 * MIB), FreeSpace(None, 2**60), FreeSpace(tmp_path, 0)):
        assert not [path for path, binding in BINDINGS.items() if _refused(space, binding)]
        assert space.notes() == {}


def test_the_note_says_how_much_is_free_and_needed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(free_space, "_free", lambda folder: 100 * MIB + 1)
    told = FreeSpace(tmp_path, 512 * MIB).notes()["disk"]
    assert told == "100 MiB are free of the 512 MiB needed (CATENARY_FREE_SPACE)"


def test_the_space_is_that_of_the_folder(tmp_path: Path) -> None:
    assert FreeSpace(tmp_path, 1).problem is None
    assert FreeSpace(tmp_path, 2**60).problem is not None
