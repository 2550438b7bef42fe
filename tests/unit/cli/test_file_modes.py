"""The modes of the files in a data directory: mended in older trees, and never beyond the tree."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from catenary_cli.installation import file_modes
from catenary_cli.installation.file_modes import mend
from catenary_core.embedded_postgres.installation import Account
from catenary_core.embedded_postgres.server import open_data_dir
from catenary_core.objects import Objects

STRANGER = 54_321
as_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root gives files to others (run pytest as root)")


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """Return a data directory as an older release, or a copy of its files, left it."""
    data_dir = tmp_path / "data"
    for name in ("objects/sha256/ab/cd", "secret.key", "demo.json", "pg.log", "use.lock", "pg/base/1/2", "pg/run.sh"):
        (data_dir / name).parent.mkdir(parents=True, exist_ok=True)
        (data_dir / name).write_text("a secret")
    for path in (data_dir, *data_dir.rglob("*")):
        path.chmod(0o755 if path.is_dir() or path.suffix == ".sh" else 0o644)
    return data_dir


@pytest.fixture
def umask() -> Iterator[None]:
    before = os.umask(0o022)
    yield
    os.umask(before)


def mode(path: Path) -> int:
    return stat.S_IMODE(path.lstat().st_mode)


def open_to_others(data_dir: Path) -> list[Path]:
    return [path for path in (data_dir, *data_dir.rglob("*")) if mode(path) & 0o077 and not path.is_symlink()]


def test_an_older_tree_is_closed_to_others_and_the_operator_is_told(tree: Path) -> None:
    assert len(open_to_others(tree)) == 14
    done = mend(tree, None)
    assert open_to_others(tree) == []
    assert (mode(tree), mode(tree / "secret.key"), mode(tree / "pg/run.sh")) == (0o700, 0o600, 0o700)
    (told,) = done.warnings(tree)
    assert told.startswith("Other users of this machine could reach ")
    assert told.endswith(
        " and 8 more; from now on only the owner can. If a key or a password is among them, other users may know it."
    )
    assert mend(tree, None).warnings(tree) == []


def test_a_link_is_never_followed(tree: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    outside.chmod(0o755)
    (outside / "file").touch(0o644)
    (outside / "file").chmod(0o644)
    (tree / "objects" / "file").symlink_to(outside / "file")
    (tree / "folder").symlink_to(outside)
    mend(tree, None)
    assert (mode(outside), mode(outside / "file")) == (0o755, 0o644)
    monkeypatch.setattr(os, "O_NOFOLLOW", 0)  # without the guard
    mend(tree, None)
    assert (mode(outside), mode(outside / "file")) == (0o700, 0o600)


@as_root
def test_files_of_another_owner_are_told_and_left_as_they_are(tree: Path) -> None:
    for name in ("objects", "secret.key", "pg/base/1"):
        os.chown(tree / name, STRANGER, STRANGER)
    done = mend(tree, None)
    assert {path.relative_to(tree).as_posix() for path in done.foreign} == {"objects", "secret.key", "pg/base/1"}
    assert {mode(tree / name) for name in ("objects", "objects/sha256", "pg/base/1")} == {0o755}
    assert mode(tree / "secret.key") == 0o644
    assert mode(tree) == 0o700
    told = done.warnings(tree)[1]
    assert str(tree / "secret.key") in told
    assert told.endswith(
        ": another user owns this in the data directory, so its mode stays as it is; change the owner, or remove it."
    )


@as_root
def test_a_data_directory_of_another_owner_is_told_and_left_as_it_is(tree: Path) -> None:
    os.chown(tree, STRANGER, STRANGER)
    assert tree in mend(tree, None).foreign
    assert mode(tree) == 0o755


@as_root
def test_the_account_of_postgresql_passes_through_and_its_own_files_are_mended(tree: Path) -> None:
    account = Account("stranger", STRANGER, STRANGER)
    for path in (tree / "pg", *(tree / "pg").rglob("*")):
        os.chown(path, STRANGER, STRANGER)
    os.chown(tree / "pg/base/1/2", 0, 0)  # a hard link to a file of root would look like this
    done = mend(tree, account)
    assert done.foreign == [tree / "pg/base/1/2"]
    assert (mode(tree), tree.stat().st_gid) == (0o710, STRANGER)
    assert mode(tree / "pg") == mode(tree / "pg/base") == 0o700
    assert mode(tree / "secret.key") == 0o600


def test_a_start_looks_at_so_many_files_and_tells_how_to_close_the_rest(
    tree: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(file_modes, "MOST_ENTRIES", 7)
    done = mend(tree, None)
    assert len(done.opened) == 7
    assert mode(tree) == 0o700, "nothing below is in reach of others"
    assert done.warnings(tree)[-1] == (
        f"{tree} has more than 7 files, so the modes of some were not checked;"
        " `chmod -R go= objects` in that folder closes them all."
    )


def test_a_file_that_goes_meanwhile_ends_nothing(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    close = file_modes._close

    def close_late(folder: int, name: str, *rest: object) -> bool:
        if name == "secret.key":
            os.unlink(name, dir_fd=folder)
        return close(folder, name, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(file_modes, "_close", close_late)
    mend(tree, None)
    assert open_to_others(tree) == []


def test_programs_that_an_older_release_copied_stay_open_to_the_account_that_runs_them(tree: Path) -> None:
    (tree / "binaries").mkdir()
    (tree / "binaries").chmod(0o755)
    mend(tree, None)
    assert mode(tree / "binaries") == 0o755


@pytest.mark.usefixtures("umask")
async def test_objects_follow_the_umask_that_the_commands_set(tmp_path: Path) -> None:
    await Objects(None, tmp_path / "before").put(b"a model", durable=False)
    assert len(open_to_others(tmp_path / "before")) == 5, "without the umask other users read every model"
    os.umask(0o077)
    await Objects(None, tmp_path / "after").put(b"a model", durable=True)
    assert open_to_others(tmp_path / "after") == []


@pytest.mark.usefixtures("umask")
def test_a_closed_umask_leaves_the_way_to_a_new_data_directory_open_for_its_server(tmp_path: Path) -> None:
    os.umask(0o077)
    data_dir = open_data_dir(tmp_path / "new" / "folder" / "data")
    assert {mode(path) for path in (data_dir, *data_dir.parents[:2])} == {0o711 if os.geteuid() == 0 else 0o700}
