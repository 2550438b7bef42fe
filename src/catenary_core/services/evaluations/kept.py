"""Evaluations for other services: held against removal, made, and shown."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import uuid_utils

from catenary.platform.v1 import evaluation_service_pb2 as pb
from catenary.platform.v1 import evaluation_shapes
from catenary_core.call.call import Call
from catenary_core.call.errors import DomainError
from catenary_core.database.statements import json_value
from catenary_core.database.transactions import Transaction
from catenary_core.frame import Frame
from catenary_core.jobs import queue
from catenary_core.limits import accounts, hourly
from catenary_core.services.evaluations import given_values, owner, queries, reading, versions
from catenary_core.services.evaluations.files import known
from catenary_core.services.evaluations.pictures import Pictures
from catenary_core.services.evaluations.points import ids
from catenary_core.services.evaluations.points import queries as point_queries
from catenary_core.services.evaluations.wanted import WantedEvaluation
from catenary_core.services.evaluations.wanted import read as read_wanted


class KeptEvaluations:
    """The `frame.Evaluations` of the core."""

    def __init__(self, frame: Frame, pictures: Pictures) -> None:
        self._settings = frame.settings
        self._space = frame.space
        self._pictures = pictures

    async def hold(self, tx: Transaction, project_id: str, evaluation_id: str) -> str | None:
        """Hold an evaluation and its version against removal until the end of the transaction.

        Returns:
            The id of the model version; None if the project has no such evaluation.
        """
        # In the order of a removal: the batch, then the evaluations of its points.
        point = await tx.one_or_none(point_queries.HOLD, **ids.place(evaluation_id))
        row = await tx.one_or_none(queries.HOLD, evaluation_id=evaluation_id)
        found = point if row is None or row["is_point"] else row
        if found is None or found["project_id"] != project_id:
            return None
        version: str = found["model_version_id"]
        await tx.one_or_none(queries.HOLD_VERSION, model_version_id=version)  # a deleted one needs no hold
        return version

    async def submit(self, tx: Transaction, call: Call, request: pb.EvaluateRequest) -> str:
        """Add an evaluation with its job, or find a stored or unfinished equal one; return its id.

        The transaction holds the evaluation and its version against removal.

        Raises what Evaluate raises.
        """
        version = await known.with_files(tx, request.project_id, await versions.wanted(tx, request, call))
        wanted = await read_wanted(request, version, given_values.read(request))
        # Before the accounts, which the deletion of a version locks after it.
        if await tx.one_or_none(queries.HOLD_VERSION, model_version_id=version["model_version_id"]) is None:
            raise DomainError("CONFLICT", "The model version was deleted meanwhile; give another one.")
        while True:
            if (found := await self._equal(tx, call, wanted)) is not None:
                return found
            if (added := await self._added(tx, call, wanted)) is not None:
                return added
            # An equal evaluation was added, or ended without a result, between the two statements: look again.

    async def one(self, tx: Transaction, call: Call, evaluation_id: str) -> evaluation_shapes.Evaluation:
        """Return an evaluation whole, as GetEvaluation shows it to the caller.

        Raises NOT_FOUND: there is none.
        """
        return await reading.one(tx, evaluation_id, call)

    async def listed(
        self, tx: Transaction, evaluation_ids: Sequence[str]
    ) -> Mapping[str, evaluation_shapes.Evaluation]:
        """Map ids to evaluations as lists show them: without tables, charts and logs."""
        return await reading.listed(tx, evaluation_ids)

    async def pictures(
        self, tx: Transaction, evaluations: Iterable[evaluation_shapes.Evaluation]
    ) -> Mapping[str, int | None]:
        """Map the ids of evaluations that a picture can show to its bytes; None where none was drawn yet."""
        return await self._pictures.sizes(tx, evaluations)

    async def picture(self, call: Call, evaluation: evaluation_shapes.Evaluation) -> tuple[str, int] | None:
        """Return SHA-256 and size of an evaluation's picture, a PNG; None while a point's geometry is being made for it."""
        return await self._pictures.file(call, evaluation)

    async def _equal(self, tx: Transaction, call: Call, wanted: WantedEvaluation) -> str | None:
        """Hold and return a stored or unfinished equal evaluation; None without one."""
        equal = await tx.one_or_none(queries.EQUAL, cache_keys=wanted.keys)
        if equal is None or await tx.one_or_none(queries.HOLD, evaluation_id=equal["evaluation_id"]) is None:
            return None
        found: str = equal["evaluation_id"]
        if equal["created_by"]["user_id"] != call.caller.user_id:
            await tx.execute(queries.ADD_REQUEST, evaluation_id=found, user_id=call.caller.user_id)
        await hourly.report_evaluations(tx, call, self._settings.evaluations_per_hour)
        return found

    async def _added(self, tx: Transaction, call: Call, wanted: WantedEvaluation) -> str | None:
        """Add the evaluation with its job and its charges; None if an equal one has come meanwhile."""
        self._space.require()
        evaluation_id, project_id = str(uuid_utils.uuid7()), str(call.project_id)
        await known.hold(tx, project_id, wanted.files)
        row = await tx.one_or_none(
            queries.INSERT,
            evaluation_id=evaluation_id,
            project_id=project_id,
            model_version_id=wanted.version["model_version_id"],
            parameters=json_value(wanted.values),
            cache_key=wanted.keys[0],
            cache_keys=wanted.keys,
            created_by=call.caller.user_id,
            awaited_seconds=0.0,
        )
        if row is None:
            return None
        counted, account = queries.counted(row), queries.account(row)
        if (await tx.one(queries.STORED, cache_keys=wanted.keys))["found"]:
            await tx.execute(queries.REMOVE, evaluation_id=evaluation_id)
            return None
        payload = owner.payload(wanted.version, project_id, wanted.values, self._settings, geometry=wanted.geometry)
        await queue.enqueue(tx, call, owner.KIND, evaluation_id, payload)
        await hourly.charge_evaluation(tx, call, self._settings.evaluations_per_hour, counted)
        await accounts.spend_locked(tx, self._settings.tiers, project_id, account, 1)
        return evaluation_id
