"""How a client is made: by the servicer and, before anyone can call, by the command line."""

from __future__ import annotations

import uuid_utils

from catenary_core.call.call import Identity
from catenary_core.database.statements import Row
from catenary_core.database.transactions import Transaction
from catenary_core.secrets import Secrets, random_credential
from catenary_core.services.identity import queries, scopes


async def create_client(tx: Transaction, secrets: Secrets, name: str, admin: bool) -> tuple[Row, str]:
    """Adds a client and the user that it acts as: the client's row (the fields of `Client`) and its secret, shown only here."""
    client_id, user_id, secret = str(uuid_utils.uuid7()), str(uuid_utils.uuid7()), random_credential()
    await tx.execute(queries.ADD_CLIENT_USER, id=user_id, staff_name=name, admin=admin)
    await tx.execute(queries.ADD_CLIENT, id=client_id, user_id=user_id, secret_digest=secrets.digest(secret))
    return await tx.one(queries.CLIENT, client_id=client_id), secret


async def identity_of(tx: Transaction, client_id: str) -> Identity | None:
    """Who an active client is, for whoever has the database and so needs no secret; None for any other id."""
    row = await tx.one_or_none(queries.CLIENT, client_id=client_id)
    if row is None or row["disabled"]:
        return None
    return Identity(row["user_id"], "client", row["admin"], frozenset(scopes.ALL), client_id)
