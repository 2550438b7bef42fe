"""Evaluations and compute seconds of a month are limited by the tier of who pays, before any work begins."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import AsyncExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from catenary_core.call.errors import CallError
from catenary_core.database.statements import Statement
from catenary_core.frame import Frame
from catenary_core.limits import accounts, month_accounts
from catenary_core.limits.month_accounts import MonthAccount
from catenary_core.services.evaluations import queries
from catenary_core.services.usage.servicer import UsageServicer
from catenary_core.settings import Tier
from factories.database.lock_waits import until_waiting
from factories.services.evaluations import USER, Node, Refusal, deploy, open_node, refusal, run_sql
from factories.services.models import PLATFORM, World, upload_messages

pytestmark = pytest.mark.sampled


async def _refused(node: Node, project: str, given: dict[str, Any], **fields: Any) -> Refusal:
    with pytest.raises(CallError) as caught:
        await node.evaluate(project, given, **fields)
    return refusal(caught.value)


async def _months(node: Node) -> list[tuple[int, bool]]:
    """Return the evaluations of each project's month, then those of who pays, and whether seconds were counted."""
    rows = await run_sql(
        node.frame.db,
        "SELECT evaluations, seconds > 0 AS ran FROM (SELECT project_id, evaluations, seconds FROM quotas.month UNION ALL"
        " SELECT NULL, evaluations, seconds FROM quotas.user_month) use ORDER BY project_id",
    )
    return [(row["evaluations"], row["ran"]) for row in rows]


async def test_a_months_evaluations_are_refused_before_work_begins_and_stored_answers_are_free(
    dsn: str, tmp_path: Path
) -> None:
    async with open_node(dsn, tmp_path, tiers={"standard": Tier(evaluations=2)}) as node:
        project, _ = await deploy(node.frame.db, node.frame.objects)
        async with node.worker().running() as worker:
            for span in (10, 10, 11, 10):
                assert (await node.evaluate(project, {"span": span})).body["evaluation"]["status"] == "completed"
            for given, force in (({"span": 12}, False), ({"span": 10}, True)):
                found = await _refused(node, project, given, force=force)
                assert found.reason == "QUOTA_EXCEEDED"
                month = found.message.partition(" evaluations of ")[2][:7]
                assert found.message.startswith(
                    f"The user who pays for this project has used 2 of the 2 evaluations of {month} (tier standard)."
                )
                assert "an Admin can give another tier" in found.message
                renews_at = found.details.pop("renews_at")
                assert renews_at > month
                assert renews_at.endswith("-01T00:00:00.000000Z")
                assert found.details == {"quota": "evaluations", "tier": "standard", "limit": 2, "used": 2}
            assert (await node.evaluate(project, {"span": 11})).body["evaluation"]["cached"]
            assert len(worker.ran) == 2
        rows = await run_sql(node.frame.db, "SELECT (SELECT count(*) FROM evaluations.evaluation) AS n,"
                                            " (SELECT count(*) FROM jobs.job) AS jobs")  # fmt: skip
        assert rows == [{"n": 2, "jobs": 0}]
        assert await _months(node) == [(2, True), (2, True)]


async def test_without_the_check_work_would_begin(dsn: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(accounts, "_check_month", lambda *_: None)
    async with open_node(dsn, tmp_path, tiers={"standard": Tier(evaluations=0, compute_seconds=0)}) as node:
        project, _ = await deploy(node.frame.db, node.frame.objects)
        async with node.worker().running():
            assert (await node.evaluate(project, {"span": 10})).body["evaluation"]["status"] == "completed"


async def test_without_compute_seconds_nothing_begins(dsn: str, tmp_path: Path) -> None:
    async with open_node(dsn, tmp_path, tiers={"standard": Tier(compute_seconds=90)}) as node:
        project, _ = await deploy(node.frame.db, node.frame.objects)
        async with node.frame.db.transaction() as tx:
            await accounts.count(tx, project, seconds=89.5)
        async with node.worker().running():
            await node.evaluate(project, {"span": 10})
            async with node.frame.db.transaction() as tx:
                await accounts.count(tx, project, seconds=1)
            found = await _refused(node, project, {"span": 11})
            assert (found.reason, found.details["quota"]) == ("QUOTA_EXCEEDED", "compute_seconds")
            assert (found.details["limit"], found.details["used"]) == (90, 90)
            assert "90 of the 90 compute seconds of" in found.message
            assert (await node.evaluate(project, {"span": 10})).body["evaluation"]["cached"]


async def _race(dsn: str, tmp_path: Path) -> list[str]:
    """Evaluate in two projects of one payer at two nodes at once, with one evaluation left."""
    async with AsyncExitStack() as stack:
        opened = [open_node(dsn, tmp_path, tiers={"standard": Tier(evaluations=3)}) for _ in range(2)]
        nodes = [await stack.enter_async_context(node) for node in opened]
        projects = [(await deploy(node.frame.db, node.frame.objects))[0] for node in nodes]
        db = nodes[0].frame.db
        async with db.transaction() as tx:
            await accounts.count(tx, projects[0], evaluations=2)
        async with db.transaction() as tx:
            await tx.one(Statement(sa.text("SELECT user_id FROM quotas.user_month FOR UPDATE")))
            both = [
                asyncio.create_task(node.evaluate(project, prefer="respond-async"))
                for node, project in zip(nodes, projects, strict=True)
            ]
            await until_waiting(tx, 2)
        answers = await asyncio.gather(*both, return_exceptions=True)
        used = (await run_sql(db, "SELECT evaluations FROM quotas.user_month"))[0]["evaluations"]
    outcomes = ["begun" if not isinstance(one, BaseException) else refusal(one).reason for one in answers]
    return [*sorted(outcomes), str(used)]


async def test_two_who_evaluate_at_once_at_two_nodes_do_not_exceed_the_quota_together(dsn: str, tmp_path: Path) -> None:
    assert await _race(dsn, tmp_path) == ["QUOTA_EXCEEDED", "begun", "3"]


async def test_without_the_lock_both_would(dsn: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Shows that the test above tests the lock: a look at what is used lets both begin."""
    use, payer = month_accounts.user_month_account, month_accounts._payer

    def seen(added: sa.CTE, locked_before: sa.CTE) -> sa.Subquery:
        rows = added.join(locked_before, sa.true()).join(payer, payer.c.project_id == added.c.project_id)
        looked = sa.select(use).select_from(rows.join(use, use.c.user_id == payer.c.user_id)).subquery("use")
        return month_accounts._account(looked).subquery("account")

    monkeypatch.setattr(month_accounts, "locked_for", seen)
    monkeypatch.setattr(queries, "INSERT", queries._insert(queries._NEW, queries._stored))
    assert await _race(dsn, tmp_path) == ["begun", "begun", "4"]


async def test_an_evaluation_counts_once_though_its_node_and_its_workers_die(dsn: str, tmp_path: Path) -> None:
    async with open_node(dsn, tmp_path) as node:
        project, _ = await deploy(node.frame.db, node.frame.objects)
        await node.evaluate(project, {"span": 10}, prefer="respond-async")
        await node.worker("first").must_lease()
    async with open_node(dsn, tmp_path) as node:
        past = "UPDATE jobs.job SET lease_until = clock_timestamp() - interval '1 s'"
        await run_sql(node.frame.db, past)
        assert await node.worker("second").must_lease()
        await run_sql(node.frame.db, past)
        third = node.worker("third")
        await third.complete(await third.must_lease())
        assert await _months(node) == [(1, True), (1, True)]
        await node.evaluate(project, {"span": 11}, prefer="respond-async")
        for name in ("first", "second", "third"):
            await node.worker(name).must_lease()
            await run_sql(node.frame.db, past)
        assert await node.reaper.look() == 1
        assert await _months(node) == [(2, True), (2, True)]


async def test_new_evaluations_and_ends_of_others_never_wait_for_each_other_in_a_circle(
    dsn: str, tmp_path: Path
) -> None:
    """Each takes the month of who pays and the turn of the user: in one order, or PostgreSQL ends one of them."""
    async with open_node(dsn, tmp_path) as node:
        projects = [(await deploy(node.frame.db, node.frame.objects))[0] for _ in range(3)]
        async with AsyncExitStack() as stack:
            for number in range(2):
                await stack.enter_async_context(node.worker(f"w{number}").running())
            answers = await asyncio.gather(
                *(node.evaluate(project, {"span": 5 + n}) for n in range(20) for project in projects)
            )
        assert {answer.body["evaluation"]["status"] for answer in answers} == {"completed"}
        assert await _months(node) == [(20, True)] * 3 + [(60, True)]


@pytest.fixture
async def world(frame: Frame) -> World:
    tiers = {"standard": Tier(evaluations=1)}
    made = World(replace(frame, settings=frame.settings.model_copy(update={"tiers": tiers})))
    made.servicers[f"{PLATFORM}.UsageService"] = UsageServicer(frame, made.projects.role_of)
    await made.add("olga", "otto", "ed", "eva", "vic")
    return made


def _unread(project: str, model: str) -> Iterator[dict[str, Any]]:
    yield {"project_id": project, "model_id": model, "content_type": "text/x-python"}
    pytest.fail("a byte was read")


async def test_a_check_counts_as_an_evaluation_and_without_one_left_no_byte_is_read(world: World) -> None:
    project = await world.project_with_roles()
    model = await world.model("olga", project)
    await world.upload("ed", project, model)
    assert (await world.as_("olga").call("GetUsage"))["usage"]["evaluations"] == 1
    found = await world.as_("ed").send_refused("UploadModelVersion", _unread(project, model))
    assert (found.reason, found.details["quota"]) == ("QUOTA_EXCEEDED", "evaluations")


async def test_an_upload_is_counted_in_its_transaction_too(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """Others may use the quota up while the bytes come; without the check before them the transaction refuses."""

    async def passed(*_: object) -> None:
        return None

    monkeypatch.setattr(accounts, "check_use", passed)
    project = await world.project_with_roles()
    model = await world.model("olga", project)
    await world.upload("ed", project, model)
    found = await world.as_("ed").send_refused("UploadModelVersion", upload_messages(project, model, b"x = 1\n"))
    assert found.reason == "QUOTA_EXCEEDED"
    assert (await run_sql(world.db, "SELECT count(*) AS n FROM models.model_version"))[0]["n"] == 1


async def test_what_was_used_stays_with_who_paid_when_a_project_is_handed_on(world: World) -> None:
    project = await world.project_with_roles()
    model = await world.model("olga", project)
    await world.upload("ed", project, model)
    await world.put("olga", project, world.id("otto"), 4)
    await world.as_("otto").call("UpdateProject", project_id=project, owner_user_id=world.id("otto"))
    await world.upload("ed", project, model)
    for name in ("olga", "otto"):
        assert (await world.as_(name).call("GetUsage"))["usage"]["evaluations"] == 1


async def test_a_month_gives_back_no_more_than_it_has(dsn: str, tmp_path: Path) -> None:
    """Points are given back that an earlier month, or an earlier payer, has counted."""
    async with open_node(dsn, tmp_path) as node:
        project, _ = await deploy(node.frame.db, node.frame.objects)
        found = []
        for evaluations in (-2, 5, -3, -3):
            async with node.frame.db.transaction() as tx:
                await accounts.count(tx, project, evaluations=evaluations)
            found.append(await _months(node))
        assert found == [[(count, False)] * 2 for count in (0, 5, 2, 0)]


async def test_several_are_taken_together_or_not_at_all(dsn: str, tmp_path: Path) -> None:
    tiers = {"standard": Tier(evaluations=100)}
    async with open_node(dsn, tmp_path) as node:
        project, _ = await deploy(node.frame.db, node.frame.objects)
        async with node.frame.db.transaction() as tx:
            await accounts.spend(tx, tiers, project, 60)
        with pytest.raises(Exception, match=r"used 60 of the 100 .* and this needs 41") as caught:
            async with node.frame.db.transaction() as tx:
                await accounts.spend(tx, tiers, project, 41)
        assert caught.value.reason == "QUOTA_EXCEEDED"  # type: ignore[attr-defined]
        async with node.frame.db.read() as tx:
            await accounts.check_use(tx, tiers, project, 40)
            with pytest.raises(Exception, match="used 60 of the 100"):
                await accounts.check_use(tx, tiers, project, 41)
        assert await _months(node) == [(60, False), (60, False)]


@pytest.mark.parametrize(
    ("month", "renews"), [("2030-01", "2030-02-01"), ("2030-11", "2030-12-01"), ("2030-12", "2031-01-01")]
)
def test_a_refusal_tells_the_first_day_of_the_next_month(month: str, renews: str) -> None:
    found = MonthAccount(USER, month, 5, 0.0, None, 60.0).refusal("standard", Tier(evaluations=5), 1)
    assert found is not None
    assert f"begins again on {renews} at 00:00 UTC" in found.message
    assert (found.details["renews_at"], found.retry_after) == (f"{renews}T00:00:00.000000Z", 60.0)


@pytest.mark.parametrize(
    ("tier", "fits"),
    [(Tier(), True), (Tier(evaluations=6), True), (Tier(evaluations=0), False), (Tier(compute_seconds=0), False)],
)
def test_a_tier_without_a_number_has_no_limit(tier: Tier, fits: bool) -> None:
    assert (MonthAccount(USER, "2030-01", 5, 0.0, None, 60.0).refusal("own", tier, 1) is None) == fits
