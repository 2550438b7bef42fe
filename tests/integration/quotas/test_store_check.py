"""`catenary store check` finds what is missing in the object store, what nobody holds and what is to go."""

from __future__ import annotations

from pathlib import Path

import orjson
import pytest
from pydantic import SecretStr

from catenary_cli.installation import store
from catenary_core.database.transactions import Database
from catenary_core.frame import Frame
from catenary_core.objects import Objects
from catenary_core.settings import CoreSettings
from catenary_core.storage.check import compare
from catenary_core.storage.collector import Collector
from factories.services.evaluations import run_sql
from factories.services.models import SOURCE, World

_OVERDUE = "UPDATE objects.object SET due_at = clock_timestamp() - interval '1 s' WHERE due_at IS NOT NULL"


@pytest.fixture
async def versions(frame: Frame) -> list[str]:
    """Make two versions and one that is deleted; return their hashes."""
    world = World(frame)
    await world.add("olga")
    project = await world.project("olga")
    model = await world.model("olga", project)
    made = [await world.upload("olga", project, model, SOURCE + b"# %d\n" % number) for number in range(3)]
    await world.as_("olga").call(
        "DeleteModelVersion", project_id=project, model_id=model, model_version_id=made[2]["model_version_id"]
    )
    return [version["sha256"] for version in made]


async def _known(db: Database) -> set[str]:
    return {row["sha256"] for row in await run_sql(db, "SELECT sha256 FROM objects.object")}


async def test_each_difference_is_found_and_only_without_dry_run_noted(frame: Frame, versions: list[str]) -> None:
    db, objects = frame.db, frame.objects
    stray = await objects.put(b"from nowhere", durable=True)
    await objects.delete(versions[0])
    for dry_run in (True, True, False):
        found = await compare(db, objects, dry_run=dry_run)
        assert [missing.sha256 for missing in found.missing] == [versions[0]]
        assert {(one.sha256, one.size) for one in found.unheld} == {
            (versions[2], len(SOURCE) + 4),
            (stray, len(b"from nowhere")),
        }
        assert found.going == []
        assert await _known(db) == {*versions, *(() if dry_run else (stray,))}
    await run_sql(db, _OVERDUE)
    found = await compare(db, objects, dry_run=True)
    assert (found.unheld, {one.sha256 for one in found.going}) == ([], {versions[2], stray})
    async with db.session() as session:
        while await Collector(db, objects).collect(session):
            pass
    found = await compare(db, objects, dry_run=True)
    assert (found.unheld, found.going, len(found.missing)) == ([], [], 1)


async def test_what_a_process_of_an_older_release_stored_is_held_again(frame: Frame, versions: list[str]) -> None:
    """Such a process wrote a version without a holding: noting its file without one would remove it a day later."""
    await run_sql(frame.db, "DELETE FROM objects.holding")
    await run_sql(frame.db, "DELETE FROM objects.object")
    found = await compare(frame.db, frame.objects, dry_run=False)
    assert ([one.sha256 for one in found.unheld], found.missing) == ([versions[2]], [])
    await run_sql(frame.db, _OVERDUE)
    async with frame.db.session() as session:
        while await Collector(frame.db, frame.objects).collect(session):
            pass
    assert {sha256 async for sha256, _ in frame.objects.sizes()} == set(versions[:2])


@pytest.mark.parametrize("as_json", [True, False])
async def test_the_command_prints_them_and_fails_for_what_is_missing(
    frame: Frame, dsn: str, tmp_path: Path, versions: list[str], capsys: pytest.CaptureFixture[str], as_json: bool
) -> None:
    settings = CoreSettings(
        data_dir=tmp_path, database_url=SecretStr(dsn), secret_key=SecretStr("A" * 43 + "="), object_store=None
    )
    capsys.readouterr()
    await store.check(settings, dry_run=True, as_json=as_json)
    shown = capsys.readouterr().out
    assert versions[2] in shown
    assert versions[0] not in shown
    await frame.objects.delete(versions[0])
    with pytest.raises(ValueError, match="1 file missing in the object store"):
        await store.check(settings, dry_run=True, as_json=as_json)
    shown = capsys.readouterr().out
    if as_json:
        assert [one["sha256"] for one in orjson.loads(shown)["missing"]] == [versions[0]]
    else:
        assert "missing" in shown


async def test_other_files_of_the_store_are_left_alone(frame: Frame, tmp_path: Path) -> None:
    for name in ("sha256/ab/short", f"sha256/zz/{'0' * 62}", "notes.txt"):
        path = tmp_path / "objects" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"mine")
    assert [one async for one in Objects(None, tmp_path).sizes()] == []
    found = await compare(frame.db, frame.objects, dry_run=False)
    assert (found.missing, found.unheld, found.going) == ([], [], [])
