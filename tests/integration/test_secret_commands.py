"""The commands that change the secret: a power cut at any step leaves a secret that starts, and a way on and back."""

from __future__ import annotations

import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from pydantic import SecretStr

from catenary_cli.installation import secret_commands, secret_files
from catenary_cli.installation.prepared import home
from catenary_core.database.transactions import Database
from catenary_core.keyring import rotation
from catenary_core.keyring.ring import SecretRefusedError, secrets_of
from catenary_core.keyring.rotation import RotationError
from catenary_core.secrets import KEY_FILE, read_secret, secret_text
from catenary_core.settings import CoreSettings

pytestmark = pytest.mark.sampled


@pytest.fixture
async def settings(dsn: str, db: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> CoreSettings:
    """Return the settings of an installation whose secret is in its data directory."""
    monkeypatch.delenv("CATENARY_SECRET_KEY", raising=False)
    (tmp_path / "data").mkdir()
    made = CoreSettings(database_url=SecretStr(dsn), data_dir=tmp_path / "data")
    await secrets_of(db, home(made).secret)
    return made


def _kept(settings: CoreSettings) -> bytes:
    assert settings.data_dir is not None
    return read_secret((settings.data_dir / KEY_FILE).read_text())


def _names(settings: CoreSettings) -> list[str]:
    assert settings.data_dir is not None
    return sorted(path.name for path in settings.data_dir.glob(f"{KEY_FILE}*"))


@contextmanager
def _power_cut_before(name: str) -> Iterator[None]:
    """Let the power go in the block before a step with the files."""

    def cut(*_: object) -> None:
        raise OSError("power")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(secret_files, name, cut)
        with pytest.raises(OSError, match="power"):
            yield


async def test_the_new_secret_takes_the_old_one_s_place_for_its_owner_alone(
    settings: CoreSettings, db: Database
) -> None:
    old = _kept(settings)
    await secret_commands.rotate(settings, None)
    assert _kept(settings) != old
    assert _names(settings) == [KEY_FILE, f"{KEY_FILE}.old"]
    assert settings.data_dir is not None
    assert {stat.S_IMODE((settings.data_dir / name).stat().st_mode) for name in _names(settings)} == {0o600}
    await secrets_of(db, old)
    await secret_commands.retire(settings)
    assert _names(settings) == [KEY_FILE]
    with pytest.raises(SecretRefusedError, match="retired"):
        await secrets_of(db, old)


async def test_a_rotation_is_taken_back_with_its_file(settings: CoreSettings, db: Database) -> None:
    old = _kept(settings)
    await secret_commands.rotate(settings, None)
    new = _kept(settings)
    await secret_commands.cancel(settings)
    assert (_kept(settings), _names(settings)) == (old, [KEY_FILE])
    with pytest.raises(SecretRefusedError, match="retired"):
        await secrets_of(db, new)


async def test_a_power_cut_before_the_commit_leaves_no_rotation(settings: CoreSettings, db: Database) -> None:
    old = _kept(settings)
    with _power_cut_before("write_coming"):
        await secret_commands.rotate(settings, None)
    assert (await rotation.standing(db)).of_state("new") is None
    assert _kept(settings) == old
    await secret_commands.rotate(settings, None)


async def test_a_power_cut_between_database_and_file_is_made_good_by_the_next_rotate(
    settings: CoreSettings, tmp_path: Path
) -> None:
    old = _kept(settings)
    with _power_cut_before("put_in_place"):
        await secret_commands.rotate(settings, None)
    assert _kept(settings) == old
    with pytest.raises(RotationError, match="still has the old secret"):
        await secret_commands.retire(settings)
    other = tmp_path / "other"
    other.write_text(secret_text(bytes(32)))
    with pytest.raises(RotationError, match="under way"):
        await secret_commands.rotate(settings, other)
    await secret_commands.rotate(settings, None)
    assert _kept(settings) != old
    await secret_commands.retire(settings)
    assert _names(settings) == [KEY_FILE]


async def test_a_power_cut_between_database_and_file_can_be_taken_back(settings: CoreSettings) -> None:
    old = _kept(settings)
    with _power_cut_before("put_in_place"):
        await secret_commands.rotate(settings, None)
    await secret_commands.cancel(settings)
    assert (_kept(settings), _names(settings)) == (old, [KEY_FILE])


async def test_a_power_cut_while_a_rotation_is_taken_back_leaves_the_old_secret_valid(
    settings: CoreSettings, db: Database
) -> None:
    old = _kept(settings)
    await secret_commands.rotate(settings, None)
    with _power_cut_before("remove_former"):
        await secret_commands.cancel(settings)
    assert _kept(settings) == old
    await secrets_of(db, old)
    await secret_commands.rotate(settings, None)
    await secret_commands.retire(settings)


async def test_without_the_old_file_the_variable_takes_a_rotation_back(settings: CoreSettings) -> None:
    old = _kept(settings)
    await secret_commands.rotate(settings, None)
    assert settings.data_dir is not None
    (settings.data_dir / f"{KEY_FILE}.old").unlink()
    with pytest.raises(RotationError, match="give it in CATENARY_SECRET_KEY"):
        await secret_commands.cancel(settings)
    await secret_commands.cancel(settings.model_copy(update={"secret_key": SecretStr(secret_text(old))}))


async def test_a_given_secret_is_taken_and_a_damaged_one_refused(settings: CoreSettings, tmp_path: Path) -> None:
    file = tmp_path / "given"
    for text in (b"", b"\xff\xfe", b"c2hvcnQ="):
        file.write_bytes(text)
        with pytest.raises(ValueError, match=r"given must be 32 bytes in base64; `openssl rand -base64 32`"):
            await secret_commands.rotate(settings, file)
    file.write_text(secret_text(bytes(32)) + "\n")
    await secret_commands.rotate(settings, file)
    assert _kept(settings) == bytes(32)


async def test_the_status_shows_no_secret(settings: CoreSettings, capsys: pytest.CaptureFixture[str]) -> None:
    old = _kept(settings)
    await secret_commands.rotate(settings, None)
    await secret_commands.status(settings)
    printed = capsys.readouterr()
    for secret in (old, _kept(settings)):
        assert secret_text(secret) not in printed.out + printed.err
        assert secret.hex() not in printed.out + printed.err
    assert "this command" in printed.out
