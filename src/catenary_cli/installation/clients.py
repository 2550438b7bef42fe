"""Work on clients without a caller, such as an installation's first one, by the owner of its database."""

from __future__ import annotations

from catenary.platform.v1 import client_service_pb2
from catenary_cli.installation.prepared import open_database
from catenary_core.audit.entries import write_of_operator
from catenary_core.call.errors import DomainError
from catenary_core.call.resource_paths import resource_path
from catenary_core.call.validation import check
from catenary_core.database.statements import Row
from catenary_core.database.transactions import Transaction
from catenary_core.keyring.ring import secrets_of
from catenary_core.services.identity.clients import creation
from catenary_core.services.identity.people import demo_guest

_SERVICE = client_service_pb2.DESCRIPTOR.services_by_name["ClientService"]
_CLIENT = resource_path(client_service_pb2, "GetClient")


async def create(dsn: str, secret: bytes, name: str, *, admin: bool) -> dict[str, str]:
    """Create a client; return its `client_id` and `client_secret`, which is shown only here.

    Raises:
        ValueError: The name is none that the API takes.
    """
    try:
        check(client_service_pb2.CreateClientRequest(name=name, admin=admin))
    except DomainError as error:
        raise ValueError(error.message) from None
    async with open_database(dsn) as database:
        secrets = await secrets_of(database, secret)
        async with database.transaction() as tx:
            client, client_secret = await creation.create_client(tx, secrets, name, admin=admin)
            await _record(tx, "CreateClient", client)
    return {"client_id": str(client["client_id"]), "client_secret": client_secret}


async def ensure_guest(dsn: str, secret: bytes) -> str:
    """Make the demo guest unless there is one; return the guest's user id."""
    async with open_database(dsn) as database:
        secrets = await secrets_of(database, secret)
        async with database.transaction() as tx:
            if await demo_guest.ensure(tx, secrets):
                await write_of_operator(tx, _SERVICE, "CreateClient", _CLIENT.format(demo_guest.CLIENT_ID))
    return demo_guest.USER_ID


async def rotate_secret(dsn: str, secret: bytes, client_id: str) -> dict[str, str]:
    """Replace the secret of a client and end its tokens; return its `client_id` and new `client_secret`.

    Raises:
        ValueError: There is no such client.
    """
    async with open_database(dsn) as database:
        secrets = await secrets_of(database, secret)
        async with database.transaction() as tx:
            client, client_secret = await creation.rotate_secret(tx, secrets, client_id)
            await _record(tx, "RotateClientSecret", client)
    return {"client_id": _id_of(client, client_id), "client_secret": client_secret}


async def revoke_tokens(dsn: str, client_id: str) -> None:
    """End the tokens of a client.

    Raises:
        ValueError: There is no such client.
    """
    async with open_database(dsn) as database, database.transaction() as tx:
        client = await creation.end_tokens(tx, client_id)
        await _record(tx, "RevokeClientTokens", client)
        _id_of(client, client_id)


async def _record(tx: Transaction, method: str, client: Row | None) -> None:
    if client is not None:
        await write_of_operator(tx, _SERVICE, method, _CLIENT.format(client["client_id"]))


def _id_of(client: Row | None, client_id: str) -> str:
    if client is None:
        raise ValueError(f"there is no client with the id {client_id}; GET /v1/clients lists the clients")
    return str(client["client_id"])
