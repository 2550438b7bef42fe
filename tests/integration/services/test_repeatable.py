"""The core keeps the finding of a version's check, and takes it back when a worker finds a difference."""

from __future__ import annotations

from typing import Any

from factories.services.evaluations import CALLERS, ROLES, Node, deploy, refusal, run_sql

REASON = "The metric m was once 1 and once 2, when a process that had run other points before ran the same point."
FINDING = "SELECT repeatable, repeatable_reason, updated_at FROM models.model_version WHERE model_version_id = :v"
IN_VIEW = "SELECT repeatable FROM models.deployed WHERE model_version_id = :v"


async def _version(node: Node) -> tuple[str, str]:
    """Return the ids of a project and its deployed version, which is repeatable."""
    project, version = await deploy(node.frame.db, node.frame.objects)
    await run_sql(
        node.frame.db, "UPDATE models.model_version SET repeatable = true WHERE model_version_id = :v", v=version
    )
    return project, version


async def _finding(node: Node, version: str) -> tuple[Any, Any]:
    (row,) = await run_sql(node.frame.db, FINDING, v=version)
    (seen,) = await run_sql(node.frame.db, IN_VIEW, v=version)
    assert seen["repeatable"] is bool(row["repeatable"])
    return row["repeatable"], row["repeatable_reason"]


async def test_a_worker_that_finds_a_difference_ends_the_reuse_of_the_version_and_the_first_reason_stays(
    node: Node,
) -> None:
    project, version = await _version(node)
    worker = node.worker()
    for said, expected in (("", (True, None)), (REASON, (False, REASON)), ("Another.", (False, REASON))):
        await node.evaluate(project, force=True, prefer="respond-async")
        await worker.complete(await worker.must_lease(), not_repeatable=said)
        assert await _finding(node, version) == expected


async def test_a_version_from_before_is_not_taken_for_repeatable_and_gets_no_reason(node: Node) -> None:
    project, version = await deploy(node.frame.db, node.frame.objects)
    await node.evaluate(project, force=True, prefer="respond-async")
    worker = node.worker()
    await worker.complete(await worker.must_lease(), not_repeatable=REASON)
    assert await _finding(node, version) == (None, None)


async def test_the_reason_of_a_worker_without_the_lease_is_not_believed(node: Node) -> None:
    project, version = await _version(node)
    await node.evaluate(project, force=True, prefer="respond-async")
    worker = node.worker()
    job = await worker.must_lease()
    stale = await _refused(worker.complete(job, not_repeatable=REASON, lease_token=version))
    assert stale == "CONFLICT"
    assert await _finding(node, version) == (True, None)
    await worker.complete(job)


async def _refused(call: Any) -> str:
    try:
        await call
    except Exception as error:  # noqa: BLE001 - read below
        return refusal(error).reason
    return ""


async def test_jobs_of_one_user_project_and_version_have_the_same_sharers_and_no_others(
    node: Node, monkeypatch: Any
) -> None:
    monkeypatch.setitem(ROLES, "viewer", ROLES["evaluator"])
    worker = node.worker()

    async def sharers(project: str, caller: str) -> str:
        await node.evaluate(project, caller=caller, force=True, prefer="respond-async")
        job = await worker.must_lease()
        await worker.complete(job)
        assert not any(known in job.sharers for known in (project, job.model_version_id, CALLERS[caller].user_id))
        return job.sharers

    (one, _), (other, _) = await _version(node), await _version(node)
    first = await sharers(one, "evaluator")
    assert await sharers(one, "evaluator") == first
    assert len({first, await sharers(one, "viewer"), await sharers(other, "evaluator")}) == 3
    await deploy(node.frame.db, node.frame.objects, project_id=one)
    assert await sharers(one, "evaluator") != first, "of another version"


async def test_a_job_from_before_a_difference_was_found_is_leased_without_the_reuse(node: Node) -> None:
    project, version = await _version(node)
    worker = node.worker()
    set_payload = (
        "UPDATE jobs.job SET payload = CAST(jsonb_set(CAST(payload AS jsonb), '{repeatable}', 'true') AS json)"
    )
    for finding in (True, False):
        await run_sql(
            node.frame.db,
            "UPDATE models.model_version SET repeatable = :r WHERE model_version_id = :v",
            r=finding,
            v=version,
        )
        await node.evaluate(project, force=True, prefer="respond-async")
        await run_sql(node.frame.db, set_payload)
        job = await worker.must_lease()
        assert job.repeatable is finding
        await worker.complete(job)
