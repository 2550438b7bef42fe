"""WorkerTokenService: the credentials of workers, managed by Admins."""

from __future__ import annotations

from catenary.platform.v1 import worker_token_service_pb2 as pb
from catenary.platform.v1 import worker_token_service_shapes as shapes
from catenary.platform.v1.worker_token_shapes import WorkerToken
from catenary_core.call import preconditions
from catenary_core.call.call import Call
from catenary_core.call.errors import not_found
from catenary_core.database.statements import Row, shaped
from catenary_core.frame import Frame
from catenary_core.resources.platform_pages import page_of
from catenary_core.services.identity import scopes
from catenary_core.services.identity.workers import queries, tokens


class WorkerTokenServicer:
    """`catenary.platform.v1.WorkerTokenService`."""

    def __init__(self, frame: Frame) -> None:
        self._db = frame.db

    async def list_worker_tokens(
        self, request: pb.ListWorkerTokensRequest, call: Call
    ) -> shapes.ListWorkerTokensResponse:
        """List a page of the valid worker tokens."""
        page = page_of(request)
        async with self._db.read() as tx:
            found, next_cursor = await queries.WORKER_TOKENS.read(tx, page, search=request.search)
        return {"worker_tokens": [shaped(WorkerToken, row) for row in found], "next_cursor": next_cursor}

    async def create_worker_token(
        self, request: pb.CreateWorkerTokenRequest, call: Call
    ) -> shapes.CreateWorkerTokenResponse:
        """Create a worker token. Its workers read models of all projects, so the caller needs every scope."""
        scopes.check_grantable(call.caller, scopes.ALL)
        async with self._db.transaction() as tx:
            row, token = await tokens.create(tx, request.name)
        return {"worker_token": shaped(WorkerToken, row), "token": token}

    async def get_worker_token(self, request: pb.GetWorkerTokenRequest, call: Call) -> shapes.GetWorkerTokenResponse:
        """Return one worker token."""
        async with self._db.read() as tx:
            row = await tx.one_or_none(queries.WORKER_TOKEN, worker_token_id=request.worker_token_id)
        return {"worker_token": _found(row)}

    async def delete_worker_token(
        self, request: pb.DeleteWorkerTokenRequest, call: Call
    ) -> shapes.DeleteWorkerTokenResponse:
        """Revoke a worker token."""
        given = {"worker_token_id": request.worker_token_id}
        async with self._db.transaction() as tx:
            await tx.execute(queries.LOCK_WORKER_TOKEN, **given)
            preconditions.check(call, _found(await tx.one_or_none(queries.WORKER_TOKEN, **given)))
            return {"worker_token": _found(await tokens.revoke(tx, request.worker_token_id))}


def _found(row: Row | None) -> WorkerToken:
    if row is None:
        raise not_found("worker token")
    return shaped(WorkerToken, row)
