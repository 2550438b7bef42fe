"""Effects of jobs of the kind `points` on the points of their batches."""

from __future__ import annotations

import asyncio
import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from functools import partial
from typing import Any

import orjson
import uuid_utils

from catenary_core import metrics
from catenary_core.call.call import Call
from catenary_core.call.errors import DomainError, invalid
from catenary_core.database.statements import Row, json_value
from catenary_core.database.transactions import Transaction
from catenary_core.event_log import events
from catenary_core.jobs import queue
from catenary_core.jobs.queue import JobEnd
from catenary_core.limits import accounts, bulk
from catenary_core.limits.accounts import Tiers
from catenary_core.services.evaluations import keys, owner, rules
from catenary_core.services.evaluations import messages as evaluation_messages
from catenary_core.services.evaluations.batches import additions, messages, queries, standing
from catenary_core.services.evaluations.points import ids
from catenary_core.services.evaluations.points import queries as point_queries
from catenary_core.services.evaluations.studies import endings
from catenary_core.services.evaluations.tables import BATCHES, IDLE_BATCHES
from catenary_core.settings import CoreSettings
from catenary_core.storage import holdings

KIND = "points"
MOST_POINTS = 512
"""Largest number of points of a chunk."""
CHUNK_SECONDS = 1.0
"""Seconds that a chunk should take."""
LAST_SECONDS = 0.05
"""Seconds for which a slot may wait at the end for another's last chunk."""
LAST_SHARE = 64
"""The last chunks have at least the batch's points divided by this, if they take at most LAST_SECONDS."""
CHUNK_BYTES = 1024**2
"""Bytes of parameters that a chunk of several points has at most, since one message has them all."""
_LOST = {"code": "UNAVAILABLE", "message": "No worker finished the point; evaluate it again.", "line": None}


def chunk_size(left: int, slots: int, computed: int, seconds: float, total: int = 0) -> int:
    """Return the number of points of the next chunk.

    Args:
        left: points that wait.
        slots: slots that work now.
        computed: points that ended before.
        seconds: their seconds.
        total: points of the batch.
    """
    share = math.ceil(left / (2 * max(1, slots)))
    if not computed:
        return 1  # nothing is known of the model's time yet
    mean = max(seconds / computed, CHUNK_SECONDS / MOST_POINTS)
    least = min(total // LAST_SHARE, int(LAST_SECONDS / mean), left)
    return max(1, least, min(int(CHUNK_SECONDS / mean), MOST_POINTS, share))


def payload(
    version: Row, batch_id: str, project_id: str, settings: CoreSettings, *, geometry: bool = False
) -> dict[str, Any]:
    """Return the payload of the jobs of a batch, or of a study's.

    Args:
        version: the row of the model version.
        batch_id: id of the batch.
        project_id: its project.
        settings: settings of the core.
        geometry: whether the geometry of all points is kept; then each has a process of its own.
    """
    return {
        "batch_id": batch_id,
        "project_id": project_id,
        "geometry": geometry,
        "model_version_id": version["model_version_id"],
        "model_kind": version["kind"],
        "source_sha256": version["sha256"],
        "repeatable": version["repeatable"] and not geometry,
        "timeout_seconds": settings.evaluation_timeout,
        "memory_bytes": settings.evaluation_memory,
    }


async def new_job_id(tx: Transaction, payload: Mapping[str, Any]) -> str:
    """Return an id for the free job of a batch with queued points.

    Where geometry is kept it is the next point's id as an evaluation, since that holds the files of the job.
    """
    if not payload.get("geometry"):
        return str(uuid_utils.uuid7())
    row = await tx.one(queries.NEXT, batch_id=payload["batch_id"])
    return ids.evaluation_id(payload["batch_id"], row["index"])


class PointOwner:
    """The `jobs.Owner` of points. A point that has ended already stays as it is.

    With its geometry a point is told to workers, and completed by them, as one evaluation.
    """

    def __init__(self, tiers: Tiers) -> None:
        self._tiers = tiers

    async def started(self, tx: Transaction, job: Row) -> bool:
        """Put the points of its chunk into the payload of a job; add a job for the rest of the batch.

        A job that is leased again has the points that it had and that have not ended.
        """
        batch = await tx.one_or_none(queries.LOCK, batch_id=job["payload"]["batch_id"])
        if batch is None or batch["status"] in messages.FINAL:
            return False
        points = await tx.all(queries.OF_JOB, job_id=job["id"])
        if not points and not await self._goes_on(tx, batch):
            return False
        if not points:
            batch = await _recall(tx, batch)
        if not points and _waiting(batch):
            points = await _take(tx, job["id"], batch, CHUNK_BYTES)
            if _waiting(batch) > len(points):
                await queue.enqueue_like(tx, job, await new_job_id(tx, job["payload"]))
        if not points:
            await end(tx, batch["batch_id"])
        if batch["geometry"] and points:
            job["kind"] = owner.KIND
            job["payload"] = {**job["payload"], "parameters": points[0]["parameters"]}
        else:
            job["payload"] = {**job["payload"], "points": points}
        return bool(points)

    async def ended(self, tx: Transaction, job: Row, ended: JobEnd) -> None:
        """Store the result of a point with its geometry; refuse the end of a chunk as that of one evaluation."""
        if not job["payload"].get("geometry"):
            raise invalid(
                "job_id", "{field} is a chunk of points; complete its points.", value=job["id"], constraint="kind"
            )
        batch = await tx.one_or_none(queries.LOCK, batch_id=job["payload"]["batch_id"])
        points = await tx.all(queries.OF_JOB, job_id=job["id"])
        if batch is None or batch["status"] in messages.FINAL or not points:
            if size := sum(one.size for one in ended.stored):  # charged and held before, for nothing
                await accounts.release(tx, job["project_id"], size)
                await holdings.release(tx, [job["id"]])
            return
        (point,) = points
        await self._store(tx, job, batch, {point["index"]: ended}, gives_back=False)
        if ended.status == "completed":
            await _add_evaluation(tx, job, batch, point, ended)

    async def points_ended(self, tx: Transaction, job: Row, ends: Mapping[int, JobEnd], *, ends_chunk: bool) -> None:
        """Store the results of points of a chunk; at its end queue those without a result again."""
        if job["payload"].get("geometry"):
            raise invalid(
                "job_id", "{field} is a point with its geometry; complete it alone.", value=job["id"], constraint="kind"
            )
        batch = await tx.one_or_none(queries.LOCK, batch_id=job["payload"]["batch_id"])
        if batch is None or batch["status"] in messages.FINAL:
            return
        await self._store(tx, job, batch, ends, gives_back=ends_chunk)

    async def extended(self, tx: Transaction, job: Row, free: Row) -> Sequence[Row]:
        """Give a chunk the next points of its batch, if the free job is the batch's; drop that job with the last of them.

        Points that share no process gain nothing by it: they are leased as another chunk. The points of a chunk without
        results have about CHUNK_BYTES at most, since a job that is leased again has them in one message.
        """
        payload = job["payload"]
        if not payload["repeatable"] or free["kind"] != KIND or free["payload"]["batch_id"] != payload["batch_id"]:
            return ()
        batch = await tx.one_or_none(queries.LOCK, batch_id=payload["batch_id"])
        if batch is None or batch["status"] in messages.FINAL or not _waiting(batch):
            return ()
        try:
            await standing.check(tx, self._tiers, batch)
        except DomainError:
            return ()  # the lease of the free job ends the batch
        if (await tx.one(queries.HELD_POINTS, job_id=free["id"]))["bytes"]:
            return ()  # the free job has points already: those of a lease that has ended
        room = CHUNK_BYTES - (await tx.one(queries.HELD_POINTS, job_id=job["id"]))["bytes"]
        if room <= 0:
            return ()
        batch = await _recall(tx, batch)
        points = await _take(tx, job["id"], batch, room) if _waiting(batch) else []
        if _waiting(batch) == len(points):
            await queue.drop(tx, free["id"])
        return points

    async def lost(self, tx: Transaction, job: Row) -> None:
        """Give each point of a chunk that no worker finished a job of its own; fail a point that had one."""
        batch = await tx.one_or_none(queries.LOCK, batch_id=job["payload"]["batch_id"])
        if batch is None or batch["status"] in messages.FINAL:
            return
        points = await tx.all(queries.OF_JOB, job_id=job["id"])
        if len(points) > 1:
            job_ids = [str(uuid_utils.uuid7()) for _ in points]
            indexes = [point["index"] for point in points]
            await tx.execute(queries.REASSIGN, batch_id=batch["batch_id"], indexes=indexes, job_ids=job_ids)
            for job_id in job_ids:
                await queue.enqueue_like(tx, job, job_id)
            return
        failed = queue.failed_end(_LOST)
        await self._store(tx, job, batch, {point["index"]: failed for point in points}, gives_back=False)

    async def _goes_on(self, tx: Transaction, batch: Row) -> bool:
        """Return whether further points may be evaluated; if not, cancel the batch or study."""
        try:
            await standing.check(tx, self._tiers, batch)
        except DomainError as refusal:
            if batch["is_study"]:
                await endings.refuse(tx, batch["batch_id"], refusal)
            else:
                await cancel(tx, batch, None, refusal)
            return False
        return True

    async def _store(
        self, tx: Transaction, job: Row, batch: Row, ends: Mapping[int, JobEnd], *, gives_back: bool
    ) -> None:
        batch_id = batch["batch_id"]
        stored: list[Row] = []
        if ends:
            stored = await tx.all(
                queries.STORE,
                batch_id=batch_id,
                job_id=job["id"],
                ended=messages.ended(batch),
                **await _columns(tx, job, ends),
            )
        given_back = await tx.execute(queries.GIVE_BACK, job_id=job["id"]) if gives_back else 0
        changes = Counter(row["status"] for row in stored)
        changes.update(queued=given_back, running=-given_back - len(stored))
        changes.update(await _repeat(tx, batch, stored))
        if not _waiting(batch) and changes["queued"] > changes["repeated"]:
            await queue.enqueue_like(tx, job, await new_job_id(tx, job["payload"]))
        seconds = sum(row["duration_ms"] or 0.0 for row in stored) / 1e3
        await _count(tx, batch_id, changes, seconds)
        await end(tx, batch_id)
        await tx.notify(BATCHES)
        for row in stored:
            tx.after_commit(partial(metrics.evaluation_ended, row["status"]))


async def _take(tx: Transaction, job_id: str, batch: Row, most_bytes: int) -> list[Row]:
    """Give the next points of a locked batch to a chunk, at least one; return them in order."""
    of = {"batch_id": batch["batch_id"]}
    leased = await tx.one(queries.LEASED_JOBS, project_id=batch["project_id"], **of)
    size = chunk_size(_waiting(batch), leased["slots"], _computed(batch), batch["seconds"], batch["total"])
    wanted = {**of, "job_id": job_id, "points": 1 if batch["geometry"] else size, "most_bytes": most_bytes}
    points: list[Row] = []
    if leased["others"]:
        points = await tx.all(queries.TAKE_OTHERS, project_id=batch["project_id"], **wanted)
    points = points or await tx.all(queries.TAKE, **wanted)
    await tx.execute(queries.TAKEN, batch_id=batch["batch_id"], points=len(points))
    return sorted(points, key=lambda point: point["index"])


async def _recall(tx: Transaction, batch: Row) -> Row:
    """Complete a locked batch's next points that others have had computed since; return the batch's row.

    They cost nothing, as those that were stored when the batch was added. Points of a study are added just before their turn.
    """
    while not (batch["geometry"] or batch["is_study"]) and _waiting(batch):
        found = await tx.all(
            queries.RECALL,
            batch_id=batch["batch_id"],
            points=MOST_POINTS,
            ended=messages.ended(batch),
            most_cached=additions.MOST_CACHED,
        )
        if not found:
            break
        changes = Counter(completed=len(found), cached=len(found), queued=-len(found))
        changes.update(await _repeat(tx, batch, found))
        await _count(tx, batch["batch_id"], changes, 0.0)
        await accounts.count(tx, batch["project_id"], evaluations=-len(found))
        await tx.notify(BATCHES)
        batch = await tx.one(queries.LOCK, batch_id=batch["batch_id"])
    return batch


async def _repeat(tx: Transaction, batch: Row, stored: Sequence[Row]) -> Counter[str]:
    """Give the results of ended points to those that repeat them; return the changes of the batch's counts.

    Where tables are too large for copies, each point is computed, and counted, for itself.
    """
    if not batch["repeated"] or not stored:
        return Counter()
    of = {"batch_id": batch["batch_id"], "indexes": [row["index"] for row in stored]}
    ended = messages.ended(batch) + len(stored)
    repeated = await tx.all(queries.REPEAT, **of, ended=ended, most_cached=additions.MOST_CACHED)
    changes = Counter(row["status"] for row in repeated)
    if released := await tx.execute(queries.RELEASE_REPEATS, **of):
        await accounts.count(tx, batch["project_id"], evaluations=released)
    changes.update(cached=changes["completed"], queued=-len(repeated), repeated=-len(repeated) - released)
    return changes


def _waiting(batch: Row) -> int:
    """Return the number of queued points that repeat no other one."""
    return int(batch["queued"] - batch["repeated"])


async def _columns(tx: Transaction, job: Row, ends: Mapping[int, JobEnd]) -> dict[str, Sequence[Any]]:
    """Return the columns of ended points, whose texts and keys are made in a thread: a chunk has up to 3 MiB of them."""
    points = {row["index"]: row["parameters"] for row in await tx.all(queries.OF_JOB, job_id=job["id"])}
    return await asyncio.to_thread(lambda: _texts(ends, _keys(job["payload"], ends, points)))


def _keys(
    payload: Mapping[str, Any], ends: Mapping[int, JobEnd], points: Mapping[int, Mapping[str, Any]]
) -> dict[int, bytes]:
    """Return the cache keys of the completed points, of the runtime that computed them."""
    of = (payload["project_id"], payload["model_version_id"])
    return {
        index: rules.cache_key(*of, ended.runtime_digest, points[index])
        for index, ended in ends.items()
        if ended.status == "completed" and index in points
    }


async def _add_evaluation(tx: Transaction, job: Row, batch: Row, point: Row, ended: JobEnd) -> None:
    """Add the evaluation that a point with its geometry is; its files are held by the job's id, which is its own."""
    if job["id"] != ids.evaluation_id(batch["batch_id"], point["index"]):
        raise RuntimeError("the job of a point with geometry has the point's id")
    of = (batch["project_id"], batch["model_version_id"], ended.runtime_digest, point["parameters"])
    await tx.execute(
        point_queries.ADD,
        new_evaluation_id=job["id"],
        new_project_id=batch["project_id"],
        new_model_version_id=batch["model_version_id"],
        new_parameters=json_value(point["parameters"]),
        new_metrics=json_value(ended.metrics),
        new_constraints=json_value(ended.constraints),
        new_tables=json_value(ended.tables),
        new_charts=json_value(evaluation_messages.charts(ended)),
        new_geometry=json_value([asdict(artefact) for artefact in ended.artefacts]),
        new_files=json_value([asdict(file) for file in ended.files]),
        new_log=ended.log,
        new_duration_ms=ended.duration_ms,
        new_runtime_digest=ended.runtime_digest,
        new_cache_key=await keys.of_values(*of),
        new_created_by=batch["created_by"],
    )


def _texts(ends: Mapping[int, JobEnd], cache_keys: Mapping[int, bytes]) -> dict[str, Sequence[Any]]:
    return {
        "indexes": list(ends),
        "statuses": [ended.status for ended in ends.values()],
        "metrics": [_text(ended.metrics) for ended in ends.values()],
        "constraints": [_text(ended.constraints) for ended in ends.values()],
        "tables": [_text(ended.tables) for ended in ends.values()],
        "geometry": [orjson.dumps(_names(ended)).decode() for ended in ends.values()],
        "errors": [None if ended.error is None else _text(ended.error) for ended in ends.values()],
        "durations": [ended.duration_ms for ended in ends.values()],
        "keys": [cache_keys.get(index) for index in ends],
    }


def _names(ended: JobEnd) -> list[dict[str, str]]:
    """Return name and format of each geometry, made or not."""
    made = [{"name": one.name, "format": one.format} for one in ended.artefacts]
    return made or [dict(one) for one in ended.unmade]


def _text(value: Mapping[str, Any]) -> str:
    return orjson.dumps(value).decode()


def _computed(batch: Row) -> int:
    return int(batch["completed"] - batch["cached"] + batch["failed"] + batch["timed_out"])


async def _count(tx: Transaction, batch_id: str, changes: Counter[str], seconds: float) -> None:
    names = ("queued", "running", "completed", "failed", "timed_out", "cached", "repeated")
    more = {f"more_{name}": changes[name] for name in names}
    if not (await tx.one(queries.COUNT, batch_id=batch_id, more_seconds=seconds, **more))["left"]:
        await tx.notify(IDLE_BATCHES)


async def end(tx: Transaction, batch_id: str) -> None:
    """End a batch that has no unfinished points."""
    row = await tx.one_or_none(queries.END, batch_id=batch_id)
    if row is not None:
        await announce(tx, row, None)


async def cancel(tx: Transaction, batch: Row, call: Call | None, refusal: DomainError | None = None) -> Row:
    """Cancel a locked batch that has not ended; return its row.

    Its workers learn of this at the next renewal of their leases. A job that is locked at this moment goes when it is
    leased again or completed, since its batch has ended then.

    Args:
        tx: transaction of the end.
        batch: the row of the batch.
        call: call that cancels it; None for the platform itself.
        refusal: why the platform cancels it; None for a call.
    """
    error = None if refusal is None else {"code": refusal.reason, "message": refusal.message}
    await tx.execute(queries.CANCEL_POINTS, batch_id=batch["batch_id"], ended=messages.ended(batch))
    row = await tx.one(
        queries.CANCEL, batch_id=batch["batch_id"], new_error=None if error is None else json_value(error)
    )
    await queue.drop_unlocked(tx, "batch_id", batch["batch_id"])
    await announce(tx, row, call)
    return row


async def announce(tx: Transaction, row: Row, call: Call | None) -> None:
    """Write the event of an ended batch, and free its user's slot for bulk operations.

    The event's actor is the call's caller or, without a call, the user that requested the batch.
    """
    user_id = row["created_by"]["user_id"]
    await bulk.free(tx, user_id, row["batch_id"])
    await events.write(
        tx,
        call,
        "model.batch.completed",
        subject=messages.BATCH_PATH.format(row["batch_id"]),
        data=messages.event_data(row),
        project_id=row["project_id"],
        actor_id=user_id if call is None else None,
    )
    tx.record_notification(BATCHES)
