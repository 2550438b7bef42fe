"""Making a client without a caller: the first one of an installation, by whoever has its database."""

from __future__ import annotations

from catenary_cli.installation.prepared import opened
from catenary_core.secrets import Secrets
from catenary_core.services.identity.clients.creation import create_client


async def create(dsn: str, secret: bytes, name: str, *, admin: bool) -> dict[str, str]:
    """Makes a client: its `client_id` and `client_secret`, which nothing shows again."""
    async with opened(dsn) as database, database.transaction() as tx:
        client, client_secret = await create_client(tx, Secrets(secret), name, admin=admin)
    return {"client_id": str(client["client_id"]), "client_secret": client_secret}
