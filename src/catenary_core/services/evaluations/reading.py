"""Evaluations as a caller sees them: whole ones and points, with the log for those who may see it."""

from __future__ import annotations

from collections.abc import Sequence

from catenary.platform.v1 import evaluation_shapes, role_pb2
from catenary_core.call.call import Call
from catenary_core.call.errors import not_found
from catenary_core.database.statements import Row
from catenary_core.database.transactions import Transaction
from catenary_core.services.evaluations import messages, queries
from catenary_core.services.evaluations.points import ids
from catenary_core.services.evaluations.points import messages as point_messages
from catenary_core.services.evaluations.points import queries as point_queries


async def one(tx: Transaction, evaluation_id: str, call: Call) -> evaluation_shapes.Evaluation:
    """Return an evaluation, or the point that is one.

    Raises NOT_FOUND: there is none.
    """
    row = await tx.one_or_none(queries.ONE, evaluation_id=evaluation_id)
    if row is None or row["is_point"]:
        return await point(tx, evaluation_id, call)
    return messages.evaluation(row, with_log=await may_see_log(tx, row, call))


async def point(tx: Transaction, evaluation_id: str, call: Call) -> evaluation_shapes.Evaluation:
    """Return a point as an evaluation, with what the evaluation of its geometry has made.

    Raises NOT_FOUND: its batch or study was removed meanwhile.
    """
    row = await tx.one_or_none(point_queries.ONE, **ids.place(evaluation_id))
    if row is None:
        raise not_found("evaluation")
    run = await tx.one_or_none(point_queries.RUN, evaluation_id=evaluation_id)
    with_log = run is not None and await may_see_log(tx, {**run, "evaluation_id": evaluation_id}, call)
    return point_messages.evaluation(row, run, with_log=with_log)


async def listed(tx: Transaction, evaluation_ids: Sequence[str]) -> dict[str, evaluation_shapes.Evaluation]:
    """Map the ids of evaluations and points to them as lists show them: without tables, charts and logs."""
    found = await tx.all(queries.LISTED, ids=list(evaluation_ids))
    shown = {row["evaluation_id"]: messages.evaluation(row) for row in found}
    if left := [ids.place(one) for one in evaluation_ids if one not in shown]:
        columns = {name: [place[name] for place in left] for name in ("lowest", "highest", "index")}
        points = await tx.all(point_queries.LISTED, **columns)
        shown |= {row["evaluation_id"]: point_messages.evaluation(row) for row in points}
    return shown


async def may_see_log(tx: Transaction, row: Row, call: Call) -> bool:
    """Return whether the caller may see the log of an evaluation, and what its model prints while it runs.

    Editors may, and the users that requested the evaluation or an equal one.
    """
    if not (row["log"] or row.get("progress")) or call.role >= role_pb2.ROLE_EDITOR or call.caller.made(row):
        return True
    if not call.caller.is_user:
        return False
    key = {"evaluation_id": row["evaluation_id"], "user_id": call.caller.user_id}
    return await tx.one_or_none(queries.REQUESTED, **key) is not None
