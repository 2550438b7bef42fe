"""Evaluations for other services: held against removal, made, and shown."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from catenary.platform.v1 import evaluation_service_pb2 as pb
from catenary.platform.v1 import evaluation_shapes
from catenary_core.call.call import Call
from catenary_core.call.errors import DomainError
from catenary_core.database.transactions import Transaction
from catenary_core.frame import Frame
from catenary_core.jobs.submitter import Submitter
from catenary_core.limits import hourly
from catenary_core.services.evaluations import given_values, queries, reading, versions
from catenary_core.services.evaluations.files import known
from catenary_core.services.evaluations.pictures import Pictures
from catenary_core.services.evaluations.points import ids
from catenary_core.services.evaluations.points import queries as point_queries
from catenary_core.services.evaluations.submission import Submissions
from catenary_core.services.evaluations.wanted import read as read_wanted


class KeptEvaluations:
    """The `frame.Evaluations` of the core."""

    def __init__(self, frame: Frame, pictures: Pictures) -> None:
        self._submissions = Submissions(frame)
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
        submitted = await self._submissions.submit(tx, Submitter.of(call), wanted)
        hourly.report(call, submitted.standing)
        evaluation_id: str = submitted.row["evaluation_id"]
        return evaluation_id

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
