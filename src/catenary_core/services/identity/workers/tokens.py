"""Worker tokens' text and rows, for the servicer, the command line and the authenticator."""

from __future__ import annotations

import hashlib
import re

import uuid_utils

from catenary_core.database.statements import Row
from catenary_core.database.transactions import Transaction
from catenary_core.secrets import random_credential
from catenary_core.services.identity.workers import queries

PREFIX = "catw_"
_TOKEN = re.compile(rf"{PREFIX}[A-Za-z0-9_-]{{43}}", re.ASCII)
_SHOWN = len(PREFIX) + 6
"""Number of characters of a token that lists show."""


def is_worker_token(text: str) -> bool:
    """Return whether a text has the form of a worker token, valid or not."""
    return _TOKEN.fullmatch(text) is not None


def digest(token: str) -> bytes:
    """Return what is stored of a token; guessing 256 random bits needs no pepper against it."""
    return hashlib.sha256(token.encode()).digest()


def random_token() -> str:
    """Return a new token, of which no row exists yet."""
    return PREFIX + random_credential()


async def create(tx: Transaction, name: str) -> tuple[Row, str]:
    """Add a worker token; return its row, with the fields of `WorkerToken`, and the token."""
    token = random_token()
    return await tx.one(queries.ADD_WORKER_TOKEN, **_values(name, token)), token


async def add_known(tx: Transaction, name: str, token: str) -> None:
    """Add a token that a worker has already; a known token stays as it is, valid or revoked."""
    await tx.execute(queries.ADD_WORKER_TOKEN, **_values(name, token))


async def revoke(tx: Transaction, worker_token_id: str) -> Row | None:
    """Revoke a valid token; return its row, or None if there is none."""
    return await tx.one_or_none(queries.DELETE_WORKER_TOKEN, worker_token_id=worker_token_id)


def _values(name: str, token: str) -> dict[str, str | bytes]:
    return {"id": str(uuid_utils.uuid7()), "name": name, "prefix": token[:_SHOWN], "digest": digest(token)}
