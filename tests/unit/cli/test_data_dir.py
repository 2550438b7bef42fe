"""What a data directory is, and which servers run on it."""

from __future__ import annotations

import asyncio
import re
import subprocess
import sys
from pathlib import Path

import pytest

from catenary_cli.installation import commands, presence
from catenary_cli.installation.prepared import ForeignDataDirError, check_is_there, home
from catenary_core.settings import CoreSettings
from factories.installations.installation import environment


@pytest.mark.parametrize("name", ["notes.txt", ".git", "src", "demo.json", "secret.txt"])
def test_a_folder_with_files_of_others_is_refused_and_left_as_it_is(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text("mine")
    with pytest.raises(ForeignDataDirError) as caught:
        home(CoreSettings(data_dir=tmp_path))
    assert str(caught.value) == (
        f"{tmp_path} can't be the data directory: it holds files that are not Catenary's, such as {name};"
        " choose an empty or a new folder"
    )
    assert [entry.name for entry in tmp_path.iterdir()] == [name]


@pytest.mark.parametrize("file", ["objects/pack/index", "pg/PG_VERSION", "objects"])
def test_a_folder_of_a_name_of_ours_with_content_of_others_is_refused(tmp_path: Path, file: str) -> None:
    (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
    (tmp_path / file).write_text("theirs")
    with pytest.raises(ForeignDataDirError, match="can't be the data directory"):
        home(CoreSettings(data_dir=tmp_path))


@pytest.mark.parametrize("folder", ["objects", "objects/sha256/ab"])
def test_an_object_store_alone_is_a_data_directory(tmp_path: Path, folder: str) -> None:
    (tmp_path / folder).mkdir(parents=True)
    home(CoreSettings(data_dir=tmp_path))


@pytest.mark.parametrize("name", [None, "lost+found", "secret.key.abc123", "start.lock", "use.lock", "serve.lock"])
def test_an_empty_folder_and_one_that_a_start_has_begun_are_taken(tmp_path: Path, name: str | None) -> None:
    if name is not None:
        (tmp_path / name).touch()
    secret = home(CoreSettings(data_dir=tmp_path)).secret
    (tmp_path / "notes.txt").write_text("A note beside the data does not end an installation.")
    assert home(CoreSettings(data_dir=tmp_path)).secret == secret


_OTHER = """
import sys
from pathlib import Path
from catenary_cli.installation import presence
data_dir = Path(sys.argv[1])
with presence.of_server(data_dir) as joins, presence.DemoFileOwner(data_dir) as owner:
    print(joins, owner.try_own(), flush=True)
    sys.stdin.read()
"""


class Other:
    """Another server of a data directory, as far as its locks go."""

    def __init__(self, data_dir: Path) -> None:
        line = [sys.executable, "-c", _OTHER, str(data_dir)]
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(line, stdin=pipe, stdout=pipe, text=True, env=environment())
        assert self.process.stdout is not None
        self.said = self.process.stdout.readline().split()

    def kill(self) -> None:
        self.process.kill()
        self.process.communicate()


def test_a_second_server_joins_and_the_first_alone_may_write_the_demos_file(tmp_path: Path) -> None:
    first = Other(tmp_path)
    assert first.said == ["False", "True"]
    second = Other(tmp_path)
    assert second.said == ["True", "False"]
    with presence.of_server(tmp_path) as joins, presence.DemoFileOwner(tmp_path) as owner:
        assert joins
        assert not owner.try_own()
        first.kill()
        assert owner.try_own(), "the file of a server that is gone may be written"
        assert owner.try_own()
    third = Other(tmp_path)
    assert third.said == ["True", "True"], "the second one still runs"
    second.kill()
    third.kill()
    with presence.of_server(tmp_path) as joins:
        assert not joins


@pytest.mark.parametrize("there", [(), ("pg",), ("secret.key",)])
def test_a_command_that_must_not_make_an_installation_refuses_a_folder_that_holds_none(
    tmp_path: Path, there: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("CATENARY_DATABASE_URL", "CATENARY_SECRET_KEY"):
        monkeypatch.delenv(name, raising=False)
    for name in there:
        (tmp_path / name).touch()
    wanted = f"{tmp_path} holds no installation; give the --data-dir of one"
    with pytest.raises(ValueError, match=re.escape(wanted)):
        check_is_there(CoreSettings(data_dir=tmp_path))
    with pytest.raises(ValueError, match=re.escape(wanted)):
        asyncio.run(commands.client_create(CoreSettings(data_dir=tmp_path), "Typo", admin=False, as_json=False))
    assert {entry.name for entry in tmp_path.iterdir()} == set(there), "nothing was made"
    for name in ("pg", "secret.key"):
        (tmp_path / name).touch()
    check_is_there(CoreSettings(data_dir=tmp_path))


def test_without_the_check_a_secret_is_made_in_a_folder_of_a_wrong_name(tmp_path: Path) -> None:
    home(CoreSettings(data_dir=tmp_path / "typo"))
    assert (tmp_path / "typo" / "secret.key").exists()
