"""Files that nobody holds any more are removed, and none that somebody stores at the same moment."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any

import psycopg
import pytest
import sqlalchemy as sa

from catenary_core.database.statements import Statement
from catenary_core.database.transactions import Database
from catenary_core.frame import Frame
from catenary_core.objects import Objects
from catenary_core.services.evaluations import conversions, queries
from catenary_core.storage import collector, holdings
from catenary_core.storage.collector import Collector
from factories.services.evaluations import MadeGeometry, Node, deploy, open_node, run_sql
from factories.services.models import SOURCE, World

pytestmark = pytest.mark.sampled

GLB = b"glTF" * 1000
_SOURCES = "SELECT sha256 FROM models.model_version"
_OVERDUE = "UPDATE objects.object SET due_at = clock_timestamp() - interval '1 s' WHERE due_at IS NOT NULL"
_BLOCKED = """
    SELECT count(*) AS n FROM pg_stat_activity
    WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%objects.object%'
"""


@pytest.fixture
async def world(frame: Frame) -> World:
    made = World(frame)
    await made.add("olga", "otto")
    return made


@pytest.fixture
async def node(dsn: str, tmp_path: Path) -> AsyncIterator[Node]:
    async with open_node(dsn, tmp_path) as opened:
        yield opened


async def _collect(db: Database, objects: Objects) -> None:
    """Collect all that is due."""
    async with db.session() as session:
        while await Collector(db, objects).collect(session):
            pass


async def _a_day_passes(db: Database) -> None:
    await run_sql(db, _OVERDUE)


async def _left(objects: Objects) -> set[str]:
    return {sha256 async for sha256, _ in objects.sizes()}


async def test_a_deleted_version_s_file_goes_after_a_day_unless_another_holds_it(world: World, frame: Frame) -> None:
    project = await world.project("olga")
    model = await world.model("olga", project)
    alone = await world.upload("olga", project, model, SOURCE + b"# alone\n")
    twice = [await world.upload("olga", project, model) for _ in range(2)]
    assert await _left(frame.objects) == {alone["sha256"], twice[0]["sha256"]}
    key = {"project_id": project, "model_id": model}
    for version in (alone, twice[0]):
        await world.as_("olga").call("DeleteModelVersion", **key, model_version_id=version["model_version_id"])
    await _collect(frame.db, frame.objects)
    assert len(await _left(frame.objects)) == 2  # its day is not over
    await _a_day_passes(frame.db)
    await _collect(frame.db, frame.objects)
    assert await _left(frame.objects) == {twice[1]["sha256"]}
    await world.as_("olga").call("DeleteModel", **key)
    await _collect(frame.db, frame.objects)
    assert len(await _left(frame.objects)) == 1
    await _a_day_passes(frame.db)
    await _collect(frame.db, frame.objects)
    assert await _left(frame.objects) == set()
    assert await run_sql(frame.db, "SELECT * FROM objects.object") == []


async def test_what_a_deleted_project_stored_goes_in_batches(
    world: World, frame: Frame, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(collector, "RELEASED", 2)
    monkeypatch.setattr(collector, "BATCH", 2)
    deleted, kept = [await world.project("olga", name) for name in ("Bridge", "Tower")]
    for project, number in ((deleted, 5), (kept, 1)):
        model = await world.model("olga", project)
        for each in range(number):
            await world.upload("olga", project, model, SOURCE + b"# %d\n" % each)
    await world.as_("olga").call("DeleteProject", project_id=deleted)
    for _ in range(2):
        await _collect(frame.db, frame.objects)
        assert len(await _left(frame.objects)) == (5 if _ == 0 else 1)
        await _a_day_passes(frame.db)
    assert await run_sql(frame.db, "SELECT * FROM objects.leaving") == []


async def test_an_upload_that_was_not_finished_leaves_nothing_for_long(
    world: World, frame: Frame, monkeypatch: pytest.MonkeyPatch
) -> None:
    project = await world.project("olga")
    model = await world.model("olga", project)

    async def fails(*_: object, **__: object) -> None:
        raise RuntimeError

    with monkeypatch.context() as patched:
        patched.setattr(holdings, "store", fails)
        with pytest.raises(Exception, match="server failed"):
            await world.upload("olga", project, model)
    assert len(await _left(frame.objects)) == 1
    await _a_day_passes(frame.db)
    await _collect(frame.db, frame.objects)
    assert await _left(frame.objects) == set()


Write = Callable[[], Awaitable[object]]


async def _race(frame: Frame, write: Write, monkeypatch: pytest.MonkeyPatch) -> bool:
    """Store content again while the collector, which has found that nobody holds it, is about to remove its bytes.

    The writer goes on until it has committed, or waits for the collector's lock; then the bytes are removed. Returns
    whether the writer waited.
    """
    await _a_day_passes(frame.db)
    chosen, original = asyncio.Event(), Objects.delete
    waited = False

    async def slowly(self: Objects, sha256: str) -> None:
        nonlocal waited
        chosen.set()
        async with asyncio.timeout(30):
            while not writing.done() and not waited:
                waited = bool((await run_sql(frame.db, _BLOCKED))[0]["n"])
        await original(self, sha256)

    async def once_chosen() -> None:
        await chosen.wait()
        await write()

    with monkeypatch.context() as patched:
        patched.setattr(Objects, "delete", slowly)
        writing = asyncio.create_task(once_chosen())
        await _collect(frame.db, frame.objects)
        await writing
    return waited


async def _uploads_again(world: World, more: bytes = b"") -> tuple[Write, str]:
    """Return an upload of content whose one version was deleted, and its hash."""
    project = await world.project("olga")
    model = await world.model("olga", project)
    version = await world.upload("olga", project, model, SOURCE + more)
    await world.as_("olga").call(
        "DeleteModelVersion", project_id=project, model_id=model, model_version_id=version["model_version_id"]
    )
    return lambda: world.upload("olga", project, model, SOURCE + more), version["sha256"]


async def test_content_that_is_uploaded_while_it_is_collected_stays(
    world: World, frame: Frame, monkeypatch: pytest.MonkeyPatch
) -> None:
    write, sha256 = await _uploads_again(world)
    assert await _race(frame, write, monkeypatch)
    assert await frame.objects.get(sha256) == SOURCE
    await _a_day_passes(frame.db)
    await _collect(frame.db, frame.objects)
    assert await frame.objects.get(sha256) == SOURCE


async def test_without_the_claims_a_version_would_be_left_without_its_file(
    world: World, frame: Frame, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Shows that the test above tests the claims: the bytes that were stored again are removed."""
    write, sha256 = await _uploads_again(world)

    async def nothing(*_: object, **__: object) -> None:
        return None

    monkeypatch.setattr(holdings, "claim", nothing)
    monkeypatch.setattr(holdings, "store", nothing)
    assert not await _race(frame, write, monkeypatch)
    versions = await run_sql(frame.db, f"{_SOURCES} WHERE deleted_at IS NULL")
    assert versions == [{"sha256": sha256}]
    with pytest.raises(FileNotFoundError):
        await frame.objects.get(sha256)


async def test_content_that_is_claimed_first_is_passed_over(world: World, frame: Frame) -> None:
    """The other order: the writer holds the row when the collector comes, and the bytes are stored before its commit."""
    write, sha256 = await _uploads_again(world)
    await _a_day_passes(frame.db)
    async with frame.db.transaction() as tx:
        await holdings.claim(tx, [sha256])
        await _collect(frame.db, frame.objects)
        await frame.objects.put(SOURCE, durable=True)
    await _collect(frame.db, frame.objects)
    await write()
    assert await frame.objects.get(sha256) == SOURCE


@pytest.mark.parametrize("in_head", [True, False], ids=["in one message", "in many"])
@pytest.mark.parametrize("guarded", [True, False], ids=["guarded", "without the claims"])
async def test_an_artefact_that_is_stored_while_it_is_collected_stays(
    node: Node, monkeypatch: pytest.MonkeyPatch, in_head: bool, guarded: bool
) -> None:
    frame = node.frame
    old, new = [(await deploy(frame.db, frame.objects))[0] for _ in range(2)]
    worker = node.worker()
    geometry = [MadeGeometry("tower", "glb", GLB)]

    async def evaluate(project: str) -> dict[str, Any]:
        evaluating = asyncio.create_task(node.evaluate(project, prefer="wait=60"))
        await worker.complete(await worker.must_lease(), geometry=geometry, in_head=in_head)
        return dict((await evaluating).body["evaluation"])

    (artefact,) = (await evaluate(old))["geometry"]
    await run_sql(frame.db, "DELETE FROM objects.holding")
    if not guarded:

        async def nothing(*_: object, **__: object) -> None:
            return None

        monkeypatch.setattr(holdings, "claim", nothing)
        monkeypatch.setattr(holdings, "store", nothing)
    assert await _race(frame, lambda: evaluate(new), monkeypatch) is guarded
    if guarded:
        assert await frame.objects.get(artefact["sha256"]) == GLB
    else:
        with pytest.raises(FileNotFoundError):
            await frame.objects.get(artefact["sha256"])


async def test_a_conversion_goes_with_its_source_and_is_made_again_when_the_source_comes_back(
    frame: Frame, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def converted(glb: AsyncIterator[bytes], form: str, unit: str, out: Any) -> None:
        out.write(b"solid of " + b"".join([chunk async for chunk in glb]))

    monkeypatch.setattr(conversions, "_run", converted)
    made = conversions.Conversions(frame.db, frame.objects, frame.space)

    async def stored() -> str:
        async with frame.db.read() as tx:
            await holdings.claim(tx, [source])
        return await frame.objects.put(GLB, durable=True)

    source = await frame.objects.put(GLB, durable=True)
    await stored()
    await run_sql(
        frame.db,
        "INSERT INTO objects.holding (sha256, holder_id, project_id) VALUES (:sha, CAST(:id AS uuid), CAST(:id AS uuid))",
        sha=source,
        id="0199aaaa-0000-7000-8000-000000000001",
    )
    target, _ = await made.converted(source, len(GLB), "stl", "m", "olga")
    await _a_day_passes(frame.db)
    await _collect(frame.db, frame.objects)
    assert await _left(frame.objects) == {source, target}
    async with frame.db.transaction() as tx:
        await holdings.release(tx, ["0199aaaa-0000-7000-8000-000000000001"])
    await _a_day_passes(frame.db)
    await _collect(frame.db, frame.objects)
    assert await _left(frame.objects) == {target}  # due now that its source has gone
    await _collect(frame.db, frame.objects)
    assert await _left(frame.objects) == set()
    async with frame.db.read() as tx:
        assert await tx.one_or_none(queries.CONVERSION, source_sha256=source, format="stl m") is None
    await stored()
    assert await made.converted(source, len(GLB), "stl", "m", "olga") == (target, len(GLB) + 9)
    assert await frame.objects.get(target) == b"solid of " + GLB


async def test_one_process_of_several_collects(frame: Frame) -> None:
    several = [Collector(frame.db, frame.objects) for _ in range(3)]
    for one in several:
        await one.start()
    try:
        async with asyncio.timeout(60):
            while not any(one.holds for one in several):  # noqa: ASYNC110 (it has no event)
                await asyncio.sleep(0.01)
        assert sum(one.holds for one in several) == 1
    finally:
        for one in several:
            await one.stop()


async def test_a_file_that_can_not_be_removed_now_keeps_no_other_and_is_removed_later(
    world: World, frame: Frame, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, stuck = await _uploads_again(world)
    _, other = await _uploads_again(world, b"# other\n")
    await _a_day_passes(frame.db)
    delete = Objects.delete

    async def fails(self: Objects, sha256: str) -> None:
        if sha256 == stuck:
            raise OSError("the disk")
        await delete(self, sha256)

    with monkeypatch.context() as patched:
        patched.setattr(Objects, "delete", fails)
        await _collect(frame.db, frame.objects)
    assert (await frame.objects.is_stored(stuck), await frame.objects.is_stored(other)) == (True, False)
    await _collect(frame.db, frame.objects)
    assert await frame.objects.is_stored(stuck), "it waits for some minutes"
    await _a_day_passes(frame.db)
    await _collect(frame.db, frame.objects)
    assert not await frame.objects.is_stored(stuck)


@pytest.mark.parametrize("guarded", [True, False])
async def test_the_rows_of_files_stay_locked_however_long_their_removal_takes(
    world: World, frame: Frame, monkeypatch: pytest.MonkeyPatch, *, guarded: bool
) -> None:
    _, sha256 = await _uploads_again(world)
    await _a_day_passes(frame.db)
    claimed = asyncio.Event()

    async def claim() -> None:
        async with frame.db.read() as tx:
            await holdings.claim(tx, [sha256])
        claimed.set()

    async def slow(self: Objects, sha256: str) -> None:
        writer.append(asyncio.create_task(claim()))
        await asyncio.sleep(1)  # longer than the session of a leader may be idle
        assert claimed.is_set() is not guarded

    writer: list[asyncio.Task[None]] = []
    monkeypatch.setattr(Objects, "delete", slow)
    if not guarded:
        monkeypatch.setattr(collector, "_NO_TIMEOUT", Statement(sa.text("SELECT 1")))
    with contextlib.nullcontext() if guarded else pytest.raises(psycopg.Error):
        async with frame.db.session("-c idle_in_transaction_session_timeout=300ms") as session:
            await Collector(frame.db, frame.objects).collect(session)
    await asyncio.wait_for(claimed.wait(), 60)
    await asyncio.gather(*writer)


async def test_a_conversion_whose_file_is_not_there_again_is_not_found(
    frame: Frame, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def converted(glb: AsyncIterator[bytes], form: str, unit: str, out: Any) -> None:
        out.write(b"solid of " + b"".join([chunk async for chunk in glb]))

    async def lost(*_: object, **__: object) -> None:
        raise OSError("the store")

    monkeypatch.setattr(conversions, "_run", converted)
    made = conversions.Conversions(frame.db, frame.objects, frame.space)
    source = await frame.objects.put(GLB, durable=True)
    target, _ = await made.converted(source, len(GLB), "stl", "m", "olga")
    await frame.objects.delete(target)  # collected
    await run_sql(frame.db, "DELETE FROM objects.object")
    with monkeypatch.context() as patched:
        patched.setattr(Objects, "put_hashed", lost)
        with pytest.raises(OSError, match="the store"):
            await made.converted(source, len(GLB), "stl", "m", "olga")
    assert await made.converted(source, len(GLB), "stl", "m", "olga") == (target, len(GLB) + 9)
    assert await frame.objects.is_stored(target)
