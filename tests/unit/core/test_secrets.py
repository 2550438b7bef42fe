from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest
from cryptography.fernet import InvalidToken

from catenary_core.secrets import KEY_FILE, Roots, Secrets, load_or_create_secret, random_credential, read_secret


def test_a_kept_secret_is_made_once_and_for_its_owner_alone(tmp_path: Path) -> None:
    first = load_or_create_secret(tmp_path)
    assert load_or_create_secret(tmp_path) == first
    assert len(first) == 32
    assert stat.S_IMODE((tmp_path / KEY_FILE).stat().st_mode) == 0o600
    assert [path.name for path in tmp_path.iterdir()] == [KEY_FILE]


@pytest.mark.parametrize("text", ["", "x", "AAAA", "A" * 44 + "!", "QUFB" * 20])
def test_a_secret_that_is_not_32_bytes_is_refused_with_the_way_out(text: str) -> None:
    with pytest.raises(ValueError, match="openssl rand"):
        read_secret(text)


def test_a_draft_that_a_crash_left_behind_stands_in_nobody_s_way(tmp_path: Path) -> None:
    """In a container every start has the same process id, which once named the draft."""
    (tmp_path / f"{KEY_FILE}.{os.getpid()}").touch()
    (tmp_path / KEY_FILE).with_suffix(f".{os.getpid()}").touch()
    assert load_or_create_secret(tmp_path) == load_or_create_secret(tmp_path)
    assert (tmp_path / KEY_FILE).stat().st_mode & 0o777 == 0o600


def test_the_secret_s_name_is_on_the_disk_before_it_is_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    synced: list[str] = []
    fsync = os.fsync

    def noted(descriptor: int) -> None:
        synced.append(str(Path(f"/proc/self/fd/{descriptor}").readlink()))
        fsync(descriptor)

    monkeypatch.setattr(os, "fsync", noted)
    load_or_create_secret(tmp_path)
    assert synced[-1] == str(tmp_path.resolve())


def test_each_use_has_a_key_of_its_own_and_another_secret_reads_nothing() -> None:
    ours, theirs = Secrets(Roots.derived(bytes(32))), Secrets(Roots.derived(bytes(31) + b"\x01"))
    token = ours.encrypt(b"signing key")
    assert ours.decrypt(token) == b"signing key"
    assert b"signing key" not in token
    with pytest.raises(InvalidToken):
        theirs.decrypt(token)
    assert ours.digest("x") != theirs.digest("x")
    assert ours.digest("x") == Secrets(Roots.derived(bytes(32))).digest("x")


def test_credentials_have_256_bits_and_differ() -> None:
    made = {random_credential() for _ in range(100)}
    assert len(made) == 100
    assert {len(text) for text in made} == {43}
