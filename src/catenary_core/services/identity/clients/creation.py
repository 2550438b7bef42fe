"""Clients' rows and secrets, for the servicer and for the command line, which creates the first client."""

from __future__ import annotations

import uuid_utils

from catenary_core.call.call import Identity
from catenary_core.database.statements import Row, Statement
from catenary_core.database.transactions import Transaction
from catenary_core.secrets import Secrets, random_credential
from catenary_core.services.identity import queries, scopes
from catenary_core.services.identity.tokens.client_authentication import CHANNEL


async def create_client(tx: Transaction, secrets: Secrets, name: str, admin: bool) -> tuple[Row, str]:
    """Add a client and the user that it acts as; return the client's row and secret.

    The row has the fields of `Client`. Nothing else ever returns the secret.
    """
    client_id, user_id, secret = str(uuid_utils.uuid7()), str(uuid_utils.uuid7()), random_credential()
    await tx.execute(queries.ADD_CLIENT_USER, id=user_id, staff_name=name, admin=admin)
    await tx.execute(queries.ADD_CLIENT, id=client_id, user_id=user_id, secret_digest=secrets.digest(secret))
    return await tx.one(queries.CLIENT, client_id=client_id), secret


async def rotate_secret(tx: Transaction, secrets: Secrets, client_id: str) -> tuple[Row | None, str]:
    """Replace the secret of an active client and end its tokens; return its row, or None if absent, and the secret."""
    secret = random_credential()
    digest = secrets.digest(secret)
    return await _changed(tx, queries.SET_CLIENT_SECRET, client_id, secret_digest=digest), secret


async def end_tokens(tx: Transaction, client_id: str) -> Row | None:
    """End all tokens of an active client; return its row, or None if absent."""
    return await _changed(tx, queries.END_CLIENT_TOKENS, client_id)


async def _changed(tx: Transaction, change: Statement, client_id: str, **values: bytes) -> Row | None:
    if await tx.one_or_none(queries.CLIENT, client_id=client_id) is None:
        return None
    await tx.execute(change, client_id=client_id, **values)
    await tx.notify(CHANNEL)
    return await tx.one_or_none(queries.CLIENT, client_id=client_id)


async def identity_of(tx: Transaction, client_id: str) -> Identity | None:
    """Return the identity of an active client, or None for any other id.

    Checks no secret: the caller already has access to the database.
    """
    row = await tx.one_or_none(queries.CLIENT, client_id=client_id)
    if row is None or row["disabled"]:
        return None
    return Identity(row["user_id"], "client", row["admin"], frozenset(scopes.ALL), client_id)
