"""The geometry of points, made once by an evaluation that has the point's id, at the first request for it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from catenary.platform.v1 import role_pb2
from catenary_core.call import prefer
from catenary_core.call.call import Call
from catenary_core.call.errors import DomainError, not_found
from catenary_core.database.statements import Row, json_value
from catenary_core.database.transactions import Transaction
from catenary_core.frame import Frame
from catenary_core.jobs.submitter import Submitter
from catenary_core.limits import accounts, hourly
from catenary_core.services.evaluations import keys, queries
from catenary_core.services.evaluations.batches import queries as batch_queries
from catenary_core.services.evaluations.files import known
from catenary_core.services.evaluations.points import ids
from catenary_core.services.evaluations.points import queries as point_queries
from catenary_core.services.evaluations.submission import Submissions

_WRITE = "platform:write"
"""Scope without which a credential begins no evaluation."""


class PointGeometry:
    """Finds the geometry of points, and has it made."""

    def __init__(self, frame: Frame) -> None:
        self._submissions = Submissions(frame)
        self._settings = frame.settings
        self._db = frame.db
        self._space = frame.space

    async def find(self, evaluation_id: str, name: str, call: Call) -> Sequence[Mapping[str, Any]] | None:
        """Return the stored geometry of a point; None while it is being made, which then is begun by this call at the latest.

        The call's response metadata then says to ask again.

        Args:
            evaluation_id: the point's id as an evaluation.
            name: the wanted geometry, with or without the suffix of a format.
            call: the call that wants the geometry.

        Raises NOT_FOUND: there is no such point or no such geometry, or it was not made yet and the caller may not have it made.
        Raises CONFLICT: the model failed at it before, gave other metrics with it, or can't be run any more. Raises
        RATE_LIMIT_EXCEEDED, QUOTA_EXCEEDED or UNAVAILABLE: as an evaluation does, before its work.
        """
        async with self._db.read() as tx:
            point = await tx.one_or_none(point_queries.ONE, **ids.place(evaluation_id))
            if point is None:
                raise not_found("evaluation")
            run = await tx.one_or_none(point_queries.RUN, evaluation_id=evaluation_id)
            if point["status"] != "completed" or not _is_named(point, name.partition(".")[0]):
                raise not_found("geometry")
            if run is not None and run["status"] == "completed":
                return _items(run, point)
            version = await tx.one_or_none(
                queries.VERSION, project_id=point["project_id"], model_version_id=point["model_version_id"]
            )
            digest = (await tx.one(queries.RUNTIME))["digest"]
            of = point["project_id"], point["model_version_id"], digest, point["parameters"]
            key = await keys.of_values(*of)
            known = [key, *([] if point["cache_key"] is None else [point["cache_key"]])]  # of both runtimes
            equal = await tx.one_or_none(queries.EQUAL_OF_POINT, cache_keys=known)
            if equal is not None and equal["status"] == "completed":
                return _items(equal, point)
            if call.role < role_pb2.ROLE_EVALUATOR or _WRITE not in call.caller.scopes:
                raise not_found("geometry")
            _refuse_failed(run)
            if run is None and equal is None:
                await hourly.check_evaluations(tx, point["project_id"], self._settings.evaluations_per_hour)
                await accounts.check_room(tx, self._settings.tiers, point["project_id"], 1)
        if run is None and equal is None:
            if version is None:
                raise DomainError(
                    "CONFLICT", "The model version of this point was deleted, so its geometry can't be made any more."
                )
            self._space.require()
            async with self._db.transaction() as tx:
                await self._begin(tx, call, point, version, key)
        call.reply.update({"catenary-status": "202", "retry-after": prefer.RETRY_AFTER, "cache-control": "no-store"})
        return None

    async def _begin(self, tx: Transaction, call: Call, point: Row, version: Row, key: bytes) -> None:
        """Add the evaluation with its job, unless another call has done so or the batch was removed meanwhile.

        Raises NOT_FOUND: the batch was removed. Raises CONFLICT: a file that the values name was deleted.
        """
        if await tx.one_or_none(batch_queries.LOCK, batch_id=point["batch_id"]) is None:
            raise not_found("evaluation")
        files = known.digests(version["parameters"], [point["parameters"]])
        if not await known.are_held(tx, point["project_id"], files):
            raise DomainError(
                "CONFLICT",
                "A file that this point was computed with was deleted, so its geometry can't be made; upload the file again.",
            )
        row = await tx.one_or_none(
            queries.INSERT_POINT,
            evaluation_id=point["evaluation_id"],
            project_id=point["project_id"],
            model_version_id=point["model_version_id"],
            parameters=json_value(point["parameters"]),
            cache_keys=[key],
            created_by=call.caller.user_id,
        )
        if row is not None:
            submitter = Submitter.of(call)
            begun = await self._submissions.begin(tx, submitter, row, version, point["parameters"])
            hourly.report(call, begun.standing)


def _is_named(point: Row, name: str) -> bool:
    """Return whether a point has a geometry, as far as its result tells: one of an older release does not."""
    return point["named"] is None or any(one["name"] == name for one in point["named"])


def _items(run: Row, point: Row) -> Sequence[Mapping[str, Any]]:
    """Return the geometry that a run made for a point.

    Raises CONFLICT: its metrics are others than the point's, so that it is the geometry of another design.
    """
    if run["metrics"] != point["metrics"]:
        raise DomainError(
            "CONFLICT",
            "The model is not deterministic: it gave other metrics with this geometry than the point has. Evaluate the values"
            " anew to have both of one run.",
        )
    items: Sequence[Mapping[str, Any]] = run["geometry"]
    return items


def _refuse_failed(run: Row | None) -> None:
    """Refuse what failed before, with the model's error and the way to try again.

    Raises CONFLICT: the evaluation of the geometry ended without it.
    """
    if run is not None and run["status"] in ("failed", "timed_out"):
        error = run["error"] or {"message": "The evaluation ended without a result."}
        raise DomainError(
            "CONFLICT",
            "The geometry of this point could not be made. Delete the evaluation to try again. The reason was: "
            + str(error["message"]),
        )
