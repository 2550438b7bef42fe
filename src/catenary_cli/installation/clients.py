"""The creation of a client without a caller: an installation's first one, by the owner of its database."""

from __future__ import annotations

from catenary.platform.v1.client_service_pb2 import CreateClientRequest
from catenary_cli.installation.prepared import open_database
from catenary_core.call.errors import DomainError
from catenary_core.call.validation import check
from catenary_core.secrets import Secrets
from catenary_core.services.identity.clients.creation import create_client


async def create(dsn: str, secret: bytes, name: str, *, admin: bool) -> dict[str, str]:
    """Create a client; return its `client_id` and `client_secret`, which is shown only here.

    Raises:
        ValueError: The name is none that the API takes.
    """
    try:
        check(CreateClientRequest(name=name, admin=admin))
    except DomainError as error:
        raise ValueError(error.message) from None
    async with open_database(dsn) as database, database.transaction() as tx:
        client, client_secret = await create_client(tx, Secrets(secret), name, admin=admin)
    return {"client_id": str(client["client_id"]), "client_secret": client_secret}
