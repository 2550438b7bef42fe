"""One study on its way: asks its engine for points, has workers evaluate these, and tells the engine."""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

import orjson
import uuid_utils
from psycopg.errors import QueryCanceled

from catenary_core.background.failures import DATABASE_LOST
from catenary_core.call.errors import DomainError
from catenary_core.database.statements import Row, json_value
from catenary_core.database.transactions import Transaction
from catenary_core.database.wakeups import POLL_SECONDS
from catenary_core.frame import Frame
from catenary_core.jobs import queue
from catenary_core.jobs.submitter import Submitter
from catenary_core.limits import accounts
from catenary_core.services.evaluations import queries as evaluation_queries
from catenary_core.services.evaluations.batches import encoding, points, standing
from catenary_core.services.evaluations.batches import messages as batch_messages
from catenary_core.services.evaluations.batches.additions import AT_ONCE, Additions
from catenary_core.services.evaluations.studies import endings, messages, queries
from catenary_core.services.evaluations.tables import IDLE_BATCHES
from catenary_core.studies import definition
from catenary_core.studies.definition import Definition
from catenary_core.studies.engine_process import EngineFailedError, EngineProcess
from catenary_core.studies.prepared_engine import PreparedEngine
from catenary_core.studies.searches import SampleChangedError

EVENT_SECONDS = 0.5
"""Shortest time between two events of a study's progress."""
GROWTH = 1e-3
"""Part by which the hypervolume has to grow in a generation that doesn't count as stalled."""
MOST_VOLUMES = 100
"""Generations whose hypervolume is kept; of more, evenly chosen ones."""
_RANKED = 5_000
"""Ranks that one statement stores."""
_SAMPLE = "The sample of the study was drawn by another release of the platform; begin a new study."


class Course:
    """One study on its way, from its first generation; those that are stored already are told again."""

    def __init__(self, frame: Frame, study_id: str, prepared: PreparedEngine) -> None:
        self._prepared = prepared
        self._db = frame.db
        self._wakeups = frame.wakeups
        self._study_id = study_id
        self._tiers = frame.settings.tiers
        self._told_at = -math.inf
        self._budget: int | None = None
        """Budget of the engine; None before the study was read."""
        self._stopped_by: str | None = None
        """Rule of the study's `stop` that is met."""
        self._is_timed = False
        """True if the study ends after some time."""
        self._is_new = False
        """True if the last generation was none that an earlier course had stored."""
        self.engine_failed = False
        """True after a failure of the engine, which another try may not help."""
        self.has_advanced = False
        """True once a generation was stored that no course had stored before."""
        self.lost_database = False
        """True after a failure of the database that ends by itself."""

    async def run(self) -> None:
        """Drive the study to its end.

        Raises:
            EngineFailedError: the engine gave no answer.
            psycopg.OperationalError, PoolTimeout: the database was lost.
        """
        try:
            await self._run()
        except DATABASE_LOST as error:
            self.lost_database = not isinstance(error, QueryCanceled)  # a slow statement may be slow for ever
            raise

    async def _run(self) -> None:
        if await self._state() is None:
            return
        async with self._db.read() as tx:
            row = await tx.one_or_none(queries.DEFINITION, study_id=self._study_id)
        if row is None:
            return
        definition_ = await asyncio.to_thread(definition.from_json, {**row["definition"], "start": row["start"]})
        self._budget = definition_.budget
        try:
            async with EngineProcess(definition_, self._prepared.take()) as engine:
                await self._generations(definition_, engine)
        except EngineFailedError:
            self.engine_failed = True
            raise
        except SampleChangedError:
            await self.fail(_SAMPLE)

    async def fail(self, reason: str) -> None:
        """End the study as failed, unless it has ended."""
        await self._end("failed", reason)

    async def _generations(self, definition_: Definition, engine: EngineProcess) -> None:
        """Have one generation after the other evaluated and tell the engine, to the end of the study."""
        asked = await engine.ask()
        while asked["points"] and self._stopped_by is None:
            rows = await self._evaluated(asked, definition_)
            if rows is None:
                break
            told = await engine.tell([_outcome(row, definition_) for row in rows])
            following = await engine.ask()
            if not await self._store(asked, told, following, definition_):
                return
            asked = following
        if not asked["points"] or self._stopped_by is not None:
            await self._complete(definition_, engine)

    async def _state(self) -> Row | None:
        """Return the study while the course may go on."""
        async with self._db.read() as tx:
            row = await tx.one_or_none(queries.STATE, study_id=self._study_id)
        return None if row is None or self._is_over(row) else row

    def _is_over(self, study: Row) -> bool:
        """Return whether the study has ended, or was resumed meanwhile with another budget, which takes a new course."""
        return study["status"] in messages.FINAL or self._budget not in (None, study["budget"])

    async def _evaluated(self, asked: Mapping[str, Any], definition_: Definition) -> list[Row] | None:
        """Return the ended points of a generation; None when the course is over, or the study's time."""
        first, behind = asked["first"], asked["first"] + len(asked["points"])
        wanted = {"first": first, "behind": behind, "names": [one.name for one in definition_.variables]}
        is_complete = False
        while True:
            ticket = self._wakeups.ticket(IDLE_BATCHES)
            state = await self._state()
            if state is None:
                return None
            wait = POLL_SECONDS
            self._is_timed = state["seconds_left"] is not None
            if state["seconds_left"] is not None and behind > state["told"]:
                if state["seconds_left"] <= 0:
                    self._stopped_by = "seconds"
                    return None
                wait = min(wait, state["seconds_left"])
            if is_complete and state["left"]:
                await self._wakeups.wait(ticket, wait)
                continue
            async with self._db.read() as tx:
                rows = await tx.all(queries.FINISHED, study_id=self._study_id, **wanted)
            missing = sorted(set(range(first, behind)) - {row["index"] for row in rows})
            is_complete = not missing
            if missing:
                if not await self._paid({index: asked["points"][index - first] for index in missing}, definition_):
                    return None
            elif all(row["status"] not in ("queued", "running") for row in rows):
                if behind <= state["told"] or not await self._treat_failures(state, asked, rows):
                    return rows
            elif not state["left"]:
                await self._wakeups.wait(ticket, wait)

    async def _treat_failures(self, state: Row, asked: Mapping[str, Any], rows: Sequence[Row]) -> bool:
        """Treat failed points of a new generation as the study wants; return True if the generation is not over yet."""
        failed = [row["index"] for row in rows if row["status"] in ("failed", "timed_out")]
        if not failed:
            return False
        if state["on_failure"] == "stop":
            await self.fail(f"Point {failed[0]} failed, and the study stops at failures; resume it to try again.")
            return True  # the next look at the study finds the end
        if state["on_failure"] == "infeasible" or state["retried"] >= asked["generation"]:
            return False
        async with self._db.transaction() as tx:
            if await self._locked(tx) is None:
                return True
            await tx.execute(queries.DROP_FAILED, study_id=self._study_id)
            await tx.execute(queries.RETRIED, study_id=self._study_id, generation=asked["generation"])
        return True

    async def _locked(self, tx: Transaction) -> tuple[Row, Row] | None:
        """Lock the study and its batch; return both, or None when the course is over."""
        locked = await endings.lock(tx, self._study_id)
        return None if locked is None or self._is_over(locked[0]) else locked

    async def _paid(self, new: Mapping[int, Mapping[str, Any]], definition_: Definition) -> bool:
        """Add points, as `_add`; cancel the study if these may not be evaluated, as `standing.check` says."""
        try:
            return await self._add(new, definition_)
        except DomainError as refusal:
            if refusal.reason not in ("NOT_FOUND", "PERMISSION_DENIED", "QUOTA_EXCEEDED"):
                raise
            await self._end("cancelled", refusal.message, code=refusal.reason)
            return False

    async def _add(self, new: Mapping[int, Mapping[str, Any]], definition_: Definition) -> bool:
        """Add points and a job for them; return False when the course is over."""
        async with self._db.transaction() as tx:
            locked = await self._locked(tx)
            if locked is None:
                return False
            study, batch = locked
            await standing.check(tx, self._tiers, batch)
            if not await endings.has_files(tx, study):
                await endings.end(tx, self._study_id, "failed", None, reason=endings.FILE_DELETED)
                return False
            digest = (await tx.one(evaluation_queries.RUNTIME))["digest"]
            whole = {index: {**definition_.fixed, **point} for index, point in new.items()}
            left = await _insert(tx, study, batch, digest, whole)
            await tx.execute(queries.BEGUN, study_id=self._study_id)
            if left:
                await accounts.spend(tx, self._tiers, study["project_id"], left)
                submitter = Submitter(batch["created_by"], study["project_id"], study["request_id"])
                await queue.enqueue(tx, submitter, points.KIND, str(uuid_utils.uuid7()), study["payload"])
        return True

    async def _store(
        self, asked: Mapping[str, Any], told: Mapping[str, Any], following: Mapping[str, Any], definition_: Definition
    ) -> bool:
        """Store what the engine told of a generation, and begin the next; return False when the course is over.

        Both are one transaction, so that no slot waits for two commits and the look at a generation that can't be there.
        """
        self._is_new = False
        async with self._db.as_one():
            if not await self._advance(asked, told):
                return False
            if self._is_new and following["points"] and self._stopped_by is None and not self._is_timed:
                with suppress(DomainError):  # raised and treated again when the course finds the points missing
                    await self._add(dict(enumerate(following["points"], following["first"])), definition_)
        self.has_advanced = self.has_advanced or self._is_new
        return True

    async def _advance(self, asked: Mapping[str, Any], told: Mapping[str, Any]) -> bool:
        """Store what the engine told of a generation; return False when the course is over."""
        behind = asked["first"] + len(asked["points"])
        async with self._db.transaction() as tx:
            locked = await self._locked(tx)
            if locked is None:
                return False
            study, _ = locked
            if behind <= study["told"]:  # told again after a pause
                if behind == study["told"] and _has_stalled(study["request"], study["stalled"]):
                    self._stopped_by = "stalled_generations"
                return True
            stalled, grown_to = _growth(study, told)
            await tx.execute(
                queries.ADD_SCORES,
                study_id=self._study_id,
                generation=asked["generation"],
                indexes=list(range(asked["first"], behind)),
                objectives=[orjson.dumps(score["objectives"]).decode() for score in told["scores"]],
                feasible=[score["feasible"] for score in told["scores"]],
            )
            await tx.execute(
                queries.ADVANCE,
                study_id=self._study_id,
                generation=asked["generation"],
                told=behind,
                stalled=stalled,
                grown_to=grown_to,
                new_hypervolume=json_value(_volumes(study["hypervolume"], asked["generation"], told)),
                new_reference=json_value(told["reference"] or []),
                new_front=json_value(told["front"]),
            )
            if time.monotonic() - self._told_at >= EVENT_SECONDS:
                row = await tx.one(queries.ONE, study_id=self._study_id)
                await endings.announce(tx, row, "model.study.progressed", messages.progress_data(row), None)
                self._told_at = time.monotonic()
        self._is_new = True
        if _has_stalled(study["request"], stalled):
            self._stopped_by = "stalled_generations"
        return True

    async def _complete(self, definition_: Definition, engine: EngineProcess) -> None:
        """End a study whose engine has no more points, or whose `stop` is met."""
        indices = await engine.indices() if definition_.is_sensitivity else []
        if not definition_.is_sensitivity:
            indexes, ranks = await engine.ranks()
            for at in range(0, len(indexes), _RANKED):
                part = slice(at, at + _RANKED)
                async with self._db.transaction() as tx:
                    if await self._locked(tx) is None:
                        return
                    await tx.execute(queries.RANK, study_id=self._study_id, indexes=indexes[part], ranks=ranks[part])
        await self._end("completed", None, stopped_by=self._stopped_by, indices=indices)

    async def _end(
        self,
        status: str,
        reason: str | None,
        *,
        code: str | None = None,
        stopped_by: str | None = None,
        indices: Sequence[Mapping[str, Any]] = (),
    ) -> None:
        async with self._db.transaction() as tx:
            if await self._locked(tx) is not None:
                await endings.end(
                    tx,
                    self._study_id,
                    status,
                    None,
                    reason=reason,
                    code=code,
                    stopped_by=stopped_by,
                    indices=indices,
                )


async def _insert(tx: Transaction, study: Row, batch: Row, digest: str, new: Mapping[int, Mapping[str, Any]]) -> int:
    """Add points to a locked batch; return the number of those that are computed."""
    project_id, version = study["project_id"], batch["model_version_id"]
    additions = Additions(study["study_id"], batch_messages.ended(batch))
    indexes = sorted(new)
    for at in range(0, len(indexes), AT_ONCE):
        part = indexes[at : at + AT_ONCE]
        values = [dict(sorted(new[index].items())) for index in part]
        await additions.add(tx, part, await asyncio.to_thread(encoding.encode, project_id, version, digest, values))
    await tx.execute(
        queries.ADDED,
        study_id=study["study_id"],
        points=additions.added,
        more_cached=additions.cached,
        more_repeated=additions.repeated,
    )
    return additions.computed


def _outcome(row: Row, definition_: Definition) -> dict[str, Any]:
    """Return a point as its engine is told: what varies, declared metrics and own limits of a completed one."""
    declared = {metric["name"] for metric in definition_.metrics}
    metrics = {name: metric["value"] for name, metric in row["metrics"].items() if name in declared}
    varied = {one.name: row["parameters"][one.name] for one in definition_.variables}
    limited = {one.name for one in definition_.constraints if one.is_limited_by_evaluation}
    limits = {name: one["limit"] for name, one in row["constraints"].items() if name in limited}
    return {"parameters": varied, "metrics": metrics if row["status"] == "completed" else None, "limits": limits}


def _growth(study: Row, told: Mapping[str, Any]) -> tuple[int, float | None]:
    """Return the stalled generations after one more, and the hypervolume to which it last grew by GROWTH.

    Before the first feasible point none counts.
    """
    before, volume = study["grown_to"], told["hypervolume"]
    if volume is None or not told["front"]:
        return 0, None
    if before is None or volume > before * (1 + GROWTH):
        return 0, volume
    return study["stalled"] + 1, before


def _has_stalled(request: Mapping[str, Any], stalled: int) -> bool:
    most = (request.get("stop") or {}).get("stalled_generations")
    return most is not None and stalled >= most


def _volumes(before: Sequence[Any], generation: int, told: Mapping[str, Any]) -> list[Any]:
    """Return the kept hypervolumes with that of a generation; every second one goes where there are too many."""
    if told["reference"] is None:
        return list(before)
    kept = [one for one in before if one["generation"] < generation]
    kept.append({"generation": generation, "hypervolume": told["hypervolume"]})
    return kept if len(kept) <= MOST_VOLUMES else kept[len(kept) % 2 ^ 1 :: 2]
