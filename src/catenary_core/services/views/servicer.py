"""ViewService: saved views of projects."""

from __future__ import annotations

import uuid_utils

from catenary.platform.v1 import view_service_pb2 as pb
from catenary.platform.v1 import view_service_shapes as shapes
from catenary_core.call import preconditions
from catenary_core.call.call import Call
from catenary_core.call.errors import DomainError, not_found
from catenary_core.database.statements import Row, json_value
from catenary_core.database.transactions import Transaction
from catenary_core.frame import Frame
from catenary_core.resources.platform_pages import page_of
from catenary_core.services.views import content, fitting, messages, queries

MOST = 100
"""Most views of a project."""


class ViewServicer:
    """`catenary.platform.v1.ViewService`."""

    def __init__(self, frame: Frame) -> None:
        self._db = frame.db

    async def project_of(self, view_id: str) -> str | None:
        """Return the active project of a view, for the policy."""
        async with self._db.read() as tx:
            row = await tx.one_or_none(queries.PROJECT_OF, view_id=view_id)
        return None if row is None else row["project_id"]

    async def list_views(self, request: pb.ListViewsRequest, call: Call) -> shapes.ListViewsResponse:
        """List the views of a project, newest first."""
        page = page_of(request)
        async with self._db.read() as tx:
            rows, cursor = await queries.LIST.read(tx, page, project_id=request.project_id)
            known = await _known(tx, request.project_id)
        return {"views": [messages.view(row, known) for row in rows], "next_cursor": cursor}

    async def create_view(self, request: pb.CreateViewRequest, call: Call) -> shapes.CreateViewResponse:
        """Save a view."""
        given = content.read(request)
        async with self._db.transaction() as tx:
            known = await _checked(tx, request.project_id, given)
            await tx.one(queries.LOCK_PROJECT, project_id=request.project_id)
            if (await tx.one(queries.COUNT, project_id=request.project_id))["count"] >= MOST:
                raise DomainError("CONFLICT", f"A project has at most {MOST} views; delete one first.")
            if request.is_default:
                await _end_default(tx, call, request.project_id)
            view_id = str(uuid_utils.uuid7())
            await tx.execute(
                queries.INSERT,
                view_id=view_id,
                project_id=request.project_id,
                name=request.name,
                is_default=request.is_default,
                content=json_value(given),
                created_by=call.caller.user_id,
            )
            row = await _one(tx, view_id)
            await messages.write_event(tx, call, "created", row)
        return {"view": messages.view(row, known)}

    async def get_view(self, request: pb.GetViewRequest, call: Call) -> shapes.GetViewResponse:
        """Return one view."""
        async with self._db.read() as tx:
            row = await _one(tx, request.view_id)
            return {"view": messages.view(row, await _known(tx, row["project_id"]))}

    async def replace_view(self, request: pb.ReplaceViewRequest, call: Call) -> shapes.ReplaceViewResponse:
        """Replace a view whole."""
        given = content.read(request)
        async with self._db.transaction() as tx:
            row, known = await _held(tx, request.view_id, call)
            await _checked(tx, row["project_id"], given)
            if request.is_default and not row["is_default"]:
                await _end_default(tx, call, row["project_id"])
            replaced = await tx.one(
                queries.REPLACE,
                view_id=request.view_id,
                name=request.name,
                is_default=request.is_default,
                content=json_value(given),
            )
            await messages.write_event(tx, call, "updated", replaced)
        return {"view": messages.view(replaced, known)}

    async def delete_view(self, request: pb.DeleteViewRequest, call: Call) -> shapes.DeleteViewResponse:
        """Delete a view."""
        async with self._db.transaction() as tx:
            _, known = await _held(tx, request.view_id, call)
            deleted = await tx.one(queries.DELETE, view_id=request.view_id)
            await messages.write_event(tx, call, "deleted", deleted)
        return {"view": messages.view(deleted, known)}


async def _end_default(tx: Transaction, call: Call, project_id: str) -> None:
    """Take the mark of the default from the project's view that has it, and tell of that view."""
    for former in await tx.all(queries.END_DEFAULT, project_id=project_id):
        await messages.write_event(tx, call, "updated", former)


async def _known(tx: Transaction, project_id: str) -> fitting.DeclaredNames | None:
    """Return the names of a project's deployed version; None without one."""
    row = await tx.one_or_none(queries.DECLARED, project_id=project_id)
    return None if row is None else fitting.names(row["parameters"], row["metrics"])


async def _checked(tx: Transaction, project_id: str, given: content.ViewContent) -> fitting.DeclaredNames | None:
    """Check a view against the deployed version; return the names of that.

    Raises MODEL_NOT_DEPLOYED: there is none, and the view names a parameter or a metric.
    Raises VALIDATION_ERROR: something of the view doesn't fit.
    """
    known = await _known(tx, project_id)
    if known is not None:
        fitting.check(given, known)
    elif fitting.is_bound(given):
        raise DomainError(
            "MODEL_NOT_DEPLOYED",
            "The project has no deployed model version, whose parameters and metrics a view names; deploy one first.",
        )
    return known


async def _one(tx: Transaction, view_id: str) -> Row:
    """Return an active view.

    Raises NOT_FOUND: there is none.
    """
    row = await tx.one_or_none(queries.ONE, view_id=view_id)
    if row is None:
        raise not_found("view")
    return row


async def _held(tx: Transaction, view_id: str, call: Call) -> tuple[Row, fitting.DeclaredNames | None]:
    """Lock a view and compare it with If-Match; return its row and the names of the deployed version.

    Raises NOT_FOUND: there is none. Raises PRECONDITION_FAILED: the view differs from If-Match.
    """
    project_id = (await _one(tx, view_id))["project_id"]
    await tx.one(queries.LOCK_PROJECT, project_id=project_id)
    if await tx.one_or_none(queries.LOCK, view_id=view_id) is None:
        raise not_found("view")
    row, known = await _one(tx, view_id), await _known(tx, project_id)
    preconditions.check(call, messages.view(row, known))
    return row, known
