"""Storage is charged to the user who pays for a project, and nobody stores more than the tier has."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from catenary_core.database.transactions import Database, Transaction
from catenary_core.frame import Frame
from catenary_core.limits import accounts
from catenary_core.limits.accounts import Tiers
from catenary_core.objects import Objects
from catenary_core.services.identity.people.user_servicer import UserServicer
from catenary_core.services.usage.servicer import UsageServicer
from catenary_core.settings import Tier
from catenary_core.storage import holdings
from factories.services.calls import Refusal, refusal_of
from factories.services.evaluations import MadeGeometry, Node, deploy, open_node, run_sql
from factories.services.models import OWNER, PLATFORM, SOURCE, World, upload_messages

pytestmark = pytest.mark.sampled

SIZE = len(SOURCE)
TIERS = {
    "standard": Tier(storage_bytes=2 * SIZE),
    "large": Tier(evaluations=5, compute_seconds=6, storage_bytes=10 * SIZE),
}
GLB = b"glTF" * 1000
HOLDER = "0192f0a0-0000-7000-8000-000000000001"


@pytest.fixture
async def world(frame: Frame) -> World:
    frame = replace(frame, settings=frame.settings.model_copy(update={"tiers": TIERS}))
    made = World(frame)
    made.servicers[f"{PLATFORM}.UserService"] = UserServicer(frame)
    made.servicers[f"{PLATFORM}.UsageService"] = UsageServicer(frame, made.projects.role_of)
    await made.add("olga", "otto", "ed", "eva", "vic", "stranger")
    await made.add("ada", admin=True)
    return made


async def _stored(world: World, person: str) -> int:
    return int((await world.as_(person).call("GetUsage"))["usage"]["storage"])


async def _of_project(world: World, project_id: str) -> int:
    return int((await world.as_("ada").call("GetUsage", project_id=project_id))["usage"]["storage"])


async def test_each_version_counts_until_it_its_model_or_its_project_is_deleted(world: World) -> None:
    await world.as_("ada").call("UpdateUser", user_id=world.id("olga"), tier="large")
    bridge, tower = [await world.project("olga", name) for name in ("Bridge", "Tower")]
    arch, truss, slab = [
        await world.model("olga", project, name)
        for project, name in ((bridge, "Arch"), (bridge, "Truss"), (tower, "Slab"))
    ]
    version = await world.ready("olga", bridge, arch)
    for project, model in ((bridge, arch), (bridge, truss), (tower, slab)):
        await world.ready("olga", project, model)
    assert [await _of_project(world, project) for project in (bridge, tower)] == [3 * SIZE, SIZE]
    assert await _stored(world, "olga") == 4 * SIZE
    key = {"project_id": bridge, "model_id": arch}
    await world.as_("olga").call("DeleteModelVersion", **key, model_version_id=version)
    assert await _stored(world, "olga") == 3 * SIZE
    await world.as_("olga").call("DeleteModel", **key)
    assert [await _of_project(world, project) for project in (bridge, tower)] == [SIZE, SIZE]
    await world.as_("olga").call("DeleteProject", project_id=tower)
    assert await _stored(world, "olga") == SIZE


async def _full(world: World) -> tuple[str, str]:
    """Return a project and a model of `olga`, who has no storage left."""
    project = await world.project_with_roles()
    model = await world.model("olga", project)
    for _ in range(2):
        await world.upload("ed", project, model)
    return project, model


def _is_quota(refusal: Refusal) -> None:
    assert refusal.reason == "QUOTA_EXCEEDED"
    assert refusal.details == {"tier": "standard", "limit": 2 * SIZE}
    assert "tier standard" in refusal.message
    assert "Delete evaluations, files, model versions" in refusal.message


def _unread(project: str, model: str) -> Iterator[dict[str, Any]]:
    yield {"project_id": project, "model_id": model, "content_type": "text/x-python"}
    pytest.fail("a byte was read")


async def test_an_upload_without_room_is_refused_before_its_first_byte(world: World) -> None:
    project, model = await _full(world)
    _is_quota(await world.as_("ed").send_refused("UploadModelVersion", _unread(project, model)))
    await world.as_("ada").call("UpdateUser", user_id=world.id("olga"), tier="large")
    await world.upload("ed", project, model)


async def test_an_upload_that_is_larger_than_the_room_is_not_stored(
    world: World, frame: Frame, monkeypatch: pytest.MonkeyPatch
) -> None:
    project = await world.project("olga")
    model = await world.model("olga", project)
    monkeypatch.setattr(Objects, "put_hashed", lambda *_, **__: pytest.fail("it was stored"))
    large = SOURCE + b"#" * 2 * SIZE
    _is_quota(await world.as_("olga").send_refused("UploadModelVersion", upload_messages(project, model, large)))
    assert await _stored(world, "olga") == 0


async def _race(world: World, monkeypatch: pytest.MonkeyPatch) -> tuple[list[str], int]:
    """Upload in two projects of one payer at once, with room for one; both have passed the checks before the bytes."""
    projects = [await world.project("olga", name) for name in ("Bridge", "Tower")]
    models = [await world.model("olga", project) for project in projects]
    await world.upload("olga", projects[0], models[0])
    barrier = asyncio.Barrier(2)
    original = Objects.put_hashed

    async def together(self: Objects, *given: Any, **named: Any) -> None:
        await original(self, *given, **named)
        await barrier.wait()

    monkeypatch.setattr(Objects, "put_hashed", together)

    async def outcome(project: str, model: str) -> str:
        try:
            await world.upload("olga", project, model)
        except Exception as error:  # noqa: BLE001 (its reason is compared)
            return refusal_of(error).reason  # type: ignore[arg-type]
        return "done"

    outcomes = await asyncio.gather(*map(outcome, projects, models))
    rows = await run_sql(world.db, "SELECT count(*) AS n FROM models.model_version")
    return sorted(outcomes), rows[0]["n"]


async def test_two_who_upload_at_once_do_not_exceed_the_quota_together(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert await _race(world, monkeypatch) == (["QUOTA_EXCEEDED", "done"], 2)
    assert await _stored(world, "olga") == 2 * SIZE


async def test_without_the_charge_in_their_transactions_both_would(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Shows that the test above tests the charge: a check of what is stored lets both pass."""

    async def checked(tx: Transaction, tiers: Tiers, project: str, _holder: str, _hashes: object, size: int) -> object:
        return await accounts.lacking_room(tx, tiers, project, size)

    monkeypatch.setattr(holdings, "store", checked)
    assert await _race(world, monkeypatch) == (["done", "done"], 3)


async def test_an_owner_takes_over_the_payment_with_what_the_project_stores(world: World) -> None:
    project, _ = await _full(world)
    key = {"project_id": project}
    assert (await world.as_("vic").call("GetProject", **key))["project"]["owner_user_id"] == world.id("olga")
    refusal = await world.as_("ed").refused("UpdateProject", **key, owner_user_id=world.id("ed"))
    assert (refusal.reason, refusal.message) == (
        "PERMISSION_DENIED", "Only an owner of the project may take over its payment."
    )  # fmt: skip
    await world.put("olga", project, world.id("otto"), OWNER)
    for _ in range(2):  # the second time it changes nothing
        answer = await world.as_("otto").call("UpdateProject", **key, owner_user_id=world.id("otto"))
        assert answer["project"]["owner_user_id"] == world.id("otto")
        assert [await _stored(world, person) for person in ("olga", "otto")] == [0, 2 * SIZE]


async def test_an_owner_makes_nobody_else_pay(world: World) -> None:
    project, _ = await _full(world)
    await world.put("olga", project, world.id("otto"), OWNER)
    for other in ("otto", "ed", "stranger"):
        refusal = await world.as_("olga").refused("UpdateProject", project_id=project, owner_user_id=world.id(other))
        assert refusal.reason == "PERMISSION_DENIED"
        assert "ask the other owner to do so, or an Admin to give it on" in refusal.message
    assert [await _stored(world, person) for person in ("olga", "otto")] == [2 * SIZE, 0]


async def test_an_admin_gives_the_payment_to_any_owner_and_to_nobody_else(world: World) -> None:
    project, _ = await _full(world)
    key = {"project_id": project}
    for other in ("ed", "stranger", "ada"):
        refusal = await world.as_("ada").refused("UpdateProject", **key, owner_user_id=world.id(other))
        assert (refusal.reason, refusal.fields) == ("VALIDATION_ERROR", ["owner_user_id"])
    await world.put("olga", project, world.id("otto"), OWNER)
    answer = await world.as_("ada").call("UpdateProject", **key, owner_user_id=world.id("otto"))
    assert answer["project"]["owner_user_id"] == world.id("otto")
    assert [await _stored(world, person) for person in ("olga", "otto")] == [0, 2 * SIZE]


async def test_nobody_takes_over_a_project_for_which_there_is_no_room(world: World) -> None:
    project, _ = await _full(world)
    await world.put("olga", project, world.id("otto"), OWNER)
    other = await world.project("otto", "Own")
    await world.upload("otto", other, await world.model("otto", other))
    for caller in ("otto", "ada"):
        _is_quota(await world.as_(caller).refused("UpdateProject", project_id=project, owner_user_id=world.id("otto")))
    assert [await _stored(world, person) for person in ("olga", "otto")] == [2 * SIZE, SIZE]


async def test_a_tier_is_given_by_admins_and_is_one_of_the_installation(world: World) -> None:
    user = {"user_id": world.id("olga")}
    assert (await world.as_("olga").call("GetMe"))["user"]["tier"] == "standard"
    refusal = await world.as_("ada").refused("UpdateUser", **user, tier="golden")
    assert (refusal.reason, refusal.fields) == ("VALIDATION_ERROR", ["tier"])
    assert "large, standard" in refusal.message
    assert (await world.as_("olga").refused("UpdateUser", **user, tier="large")).reason == "PERMISSION_DENIED"
    assert (await world.as_("ada").call("UpdateUser", **user, tier="large"))["user"]["tier"] == "large"
    quota = (await world.as_("olga").call("GetUsage"))["usage"]["quota"]
    assert quota == {"tier": "large", "evaluations": 5, "compute_seconds": 6, "storage": 10 * SIZE}


async def test_a_tier_that_is_no_longer_configured_counts_as_the_standard_one(world: World) -> None:
    await run_sql(world.db, "UPDATE identity.\"user\" SET tier = 'gone' WHERE id = :id", id=world.id("olga"))
    assert (await world.as_("olga").call("GetUsage"))["usage"]["quota"]["tier"] == "standard"
    project, model = await _full(world)
    _is_quota(await world.as_("ed").send_refused("UploadModelVersion", _unread(project, model)))


async def test_usage_is_shown_to_members_admins_and_who_pays(world: World) -> None:
    project, _ = await _full(world)
    for name in ("olga", "vic", "ada"):
        usage = (await world.as_(name).call("GetUsage", project_id=project))["usage"]
        assert (usage["project_id"], usage["user_id"]) == (project, world.id("olga"))
        assert (usage["evaluations"], usage["storage"]) == (2, 2 * SIZE)  # the checks of both versions
        assert usage["quota"] == {
            "tier": "standard", "evaluations": None, "compute_seconds": None, "storage": 2 * SIZE
        }  # fmt: skip
        later = (await world.as_(name).call("GetUsage", project_id=project, month="2030-01"))["usage"]
        assert (later["month"], later["evaluations"], later["storage"]) == ("2030-01", 0, 2 * SIZE)
    refusal = await world.as_("stranger").refused("GetUsage", project_id=project)
    assert refusal == await world.as_("stranger").refused("GetUsage", project_id=world.id("olga"))
    assert refusal.reason == "NOT_FOUND"
    own = (await world.as_("stranger").call("GetUsage"))["usage"]
    assert (own["project_id"], own["user_id"], own["evaluations"]) == (None, world.id("stranger"), 0)
    for month in ("2026-13", "2026-1", "november"):
        assert (await world.as_("olga").refused("GetUsage", month=month)).fields == ["month"]


async def test_the_seconds_of_workers_count_in_the_month_of_who_pays(world: World) -> None:
    project, _ = await _full(world)
    await run_sql(world.db, "UPDATE jobs.job SET leased_at = clock_timestamp() - interval '90 s'")
    job = await world.start_check()
    await world.end_check(job, status="failed", error={"code": "MODEL_FAILED", "message": "no", "line": None})
    usage = (await world.as_("olga").call("GetUsage"))["usage"]
    assert 90 <= usage["compute_seconds"] < 200
    assert (
        usage["compute_seconds"]
        == (await world.as_("vic").call("GetUsage", project_id=project))["usage"]["compute_seconds"]
    )


async def test_who_is_charged_while_a_project_is_handed_on_is_one_user(world: World) -> None:
    """Twenty versions are deleted and uploaded while the project goes to and fro: both accounts end exact."""
    await world.as_("ada").call("UpdateUser", user_id=world.id("olga"), tier="large")
    await world.as_("ada").call("UpdateUser", user_id=world.id("otto"), tier="large")
    project = await world.project("olga")
    await world.put("olga", project, world.id("otto"), OWNER)
    model = await world.model("olga", project)

    async def upload() -> None:
        for _ in range(5):
            await world.upload("olga", project, model)

    async def hand_on() -> None:
        for number in range(20):
            to = "otto" if number % 2 == 0 else "olga"
            await world.as_(to).call("UpdateProject", project_id=project, owner_user_id=world.id(to))

    await asyncio.gather(upload(), hand_on())
    assert [await _stored(world, person) for person in ("olga", "otto")] == [5 * SIZE, 0]
    assert await _of_project(world, project) == 5 * SIZE


@pytest.fixture
async def node(dsn: str, tmp_path: Path) -> AsyncIterator[Node]:
    tiers = {"standard": Tier(storage_bytes=len(GLB) * 3 // 2)}
    async with open_node(dsn, tmp_path, tiers=tiers) as opened:
        yield opened


def _objects(node: Node) -> int:
    folder = node.frame.settings.data_dir
    assert folder is not None
    return sum(path.is_file() for path in (folder / "objects").rglob("*"))


async def _storage(db: Database) -> list[int]:
    return [row["storage"] for row in await run_sql(db, 'SELECT storage FROM quotas."user"')]


@pytest.mark.parametrize("in_head", [True, False], ids=["in one message", "in many"])
async def test_an_evaluation_whose_artefacts_have_no_room_fails_and_leaves_none(node: Node, in_head: bool) -> None:
    project, _ = await deploy(node.frame.db, node.frame.objects)
    before = _objects(node)

    async with node.worker().running(_different(in_head=in_head)):
        first = (await node.evaluate(project, prefer="wait=60")).body["evaluation"]
        second = (await node.evaluate(project, {"span": 30}, prefer="wait=60")).body["evaluation"]
    assert (first["status"], len(first["geometry"])) == ("completed", 1)
    assert (second["status"], second["geometry"], second["metrics"]) == ("failed", [], {})
    assert second["error"]["code"] == "QUOTA_EXCEEDED"
    assert "tier standard" in second["error"]["message"]
    assert _objects(node) == before + 1
    assert await _storage(node.frame.db) == [len(GLB)]
    usage = await run_sql(node.frame.db, "SELECT evaluations, seconds > 0 AS ran FROM quotas.month")
    assert usage == [{"evaluations": 2, "ran": True}]


async def test_without_the_guard_the_second_one_would_be_stored(node: Node, monkeypatch: pytest.MonkeyPatch) -> None:
    async def passed(*_: object) -> None:
        return None

    monkeypatch.setattr(holdings, "store", passed)
    project, _ = await deploy(node.frame.db, node.frame.objects)
    before = _objects(node)
    async with node.worker().running(_different(in_head=True)):
        for span in (20, 30):
            found = (await node.evaluate(project, {"span": span}, prefer="wait=60")).body["evaluation"]
            assert found["status"] == "completed"
    assert _objects(node) == before + 2


def _different(*, in_head: bool) -> Any:
    """Return a script whose evaluations all have a geometry of their own."""
    made = iter(range(1, 200))

    async def script(_: object) -> dict[str, Any]:
        return {
            "geometry": [MadeGeometry("tower", "glb", GLB[:-1] + bytes([next(made)]))],
            "in_head": in_head,
        }

    return script


async def test_what_ends_after_its_project_is_deleted_is_charged_to_nobody(node: Node) -> None:
    project, _ = await deploy(node.frame.db, node.frame.objects)
    async with node.frame.db.transaction() as tx:
        assert await holdings.store(tx, node.frame.settings.tiers, project, HOLDER, ["a" * 64], 10) is None
        await accounts.close(tx, project)
    assert await _storage(node.frame.db) == [0]
    async with node.frame.db.transaction() as tx:
        assert await holdings.store(tx, node.frame.settings.tiers, project, HOLDER, ["a" * 64], 10) is None
    assert await _storage(node.frame.db) == [0]
