"""ClientService: programs that obtain tokens, managed by Admins."""

from __future__ import annotations

from typing import Any

from catenary.platform.v1 import client_service_pb2 as pb
from catenary.platform.v1 import client_service_shapes as shapes
from catenary.platform.v1.client_shapes import Client
from catenary_core.call import preconditions
from catenary_core.call.call import Call
from catenary_core.call.errors import not_found
from catenary_core.call.field_masks import changed_fields
from catenary_core.database.statements import Row, shaped
from catenary_core.database.transactions import Transaction
from catenary_core.frame import Frame
from catenary_core.resources.platform_pages import page_of
from catenary_core.services.identity import queries, scopes
from catenary_core.services.identity.clients import creation
from catenary_core.services.identity.people import demo_guest, rules

# Fields of a client that are stored in its user's row, with the column of each.
_COLUMNS = {"name": "staff_name", "admin": "admin", "disabled": "disabled"}


class ClientServicer:
    """`catenary.platform.v1.ClientService`."""

    def __init__(self, frame: Frame) -> None:
        self._db = frame.db
        self._secrets = frame.secrets

    async def list_clients(self, request: pb.ListClientsRequest, call: Call) -> shapes.ListClientsResponse:
        """List a page of all clients."""
        page = page_of(request)
        async with self._db.read() as tx:
            clients, next_cursor = await queries.CLIENTS.read(tx, page, search=request.search)
        return {"clients": [shaped(Client, row) for row in clients], "next_cursor": next_cursor}

    async def create_client(self, request: pb.CreateClientRequest, call: Call) -> shapes.CreateClientResponse:
        """Create a client. Its tokens may have every scope, so the caller's credential needs every scope too."""
        scopes.check_grantable(call.caller, scopes.ALL)
        async with self._db.transaction() as tx:
            row, secret = await creation.create_client(tx, self._secrets, request.name, request.admin)
        return {"client": _found(row), "client_secret": secret}

    async def get_client(self, request: pb.GetClientRequest, call: Call) -> shapes.GetClientResponse:
        """Return one client."""
        async with self._db.read() as tx:
            return {"client": _found(await tx.one_or_none(queries.CLIENT, client_id=request.client_id))}

    async def update_client(self, request: pb.UpdateClientRequest, call: Call) -> shapes.UpdateClientResponse:
        """Change a client."""
        changed = changed_fields(request)
        changes: dict[str, Any] = {_COLUMNS[name]: getattr(request, name) for name in changed}
        async with self._db.transaction() as tx:
            client = await _held(tx, call, request.client_id)
            demo_guest.keep_from_admin(client["user_id"], changes)
            if changes.get("admin") is False or changes.get("disabled"):
                await rules.keep_an_admin(tx, client["user_id"])
            if changes:
                await tx.one_or_none(queries.update_user(changes), user_id=client["user_id"], **changes)
            return {"client": _found(await tx.one_or_none(queries.CLIENT, client_id=request.client_id))}

    async def delete_client(self, request: pb.DeleteClientRequest, call: Call) -> shapes.DeleteClientResponse:
        """Delete a client and the user that it acts as."""
        async with self._db.transaction() as tx:
            client = await _held(tx, call, request.client_id)
            await rules.end_user(tx, client["user_id"])
            return {"client": _found(await tx.one_or_none(queries.ENDED_CLIENT, client_id=request.client_id))}

    async def rotate_client_secret(
        self, request: pb.RotateClientSecretRequest, call: Call
    ) -> shapes.RotateClientSecretResponse:
        """Give the client a new secret and end its tokens. The caller's credential needs every scope."""
        scopes.check_grantable(call.caller, scopes.ALL)
        async with self._db.transaction() as tx:
            row, secret = await creation.rotate_secret(tx, self._secrets, request.client_id)
            return {"client": _found(row), "client_secret": secret}

    async def revoke_client_tokens(
        self, request: pb.RevokeClientTokensRequest, call: Call
    ) -> shapes.RevokeClientTokensResponse:
        """End every token of the client; the secret stays."""
        async with self._db.transaction() as tx:
            return {"client": _found(await creation.end_tokens(tx, request.client_id))}


async def _held(tx: Transaction, call: Call, client_id: str) -> Client:
    """Return the client; lock the client and compare it with If-Match if the call has one.

    Raises NOT_FOUND: no such client. Raises PRECONDITION_FAILED: the client differs from If-Match.
    """
    client = _found(await tx.one_or_none(queries.CLIENT, client_id=client_id))
    if call.condition is not None:
        await rules.lock_user(tx, client["user_id"])
        await tx.execute(queries.LOCK_CLIENT, client_id=client_id)
        client = _found(await tx.one_or_none(queries.CLIENT, client_id=client_id))
        preconditions.check(call, client)
    return client


def _found(row: Row | None) -> Client:
    if row is None:
        raise not_found("client")
    return shaped(Client, row)
