"""Work on worker tokens without a caller, by the owner of the database."""

from __future__ import annotations

import platform

from catenary.platform.v1 import worker_token_service_pb2
from catenary_cli.installation.prepared import Prepared, open_database
from catenary_core.audit.entries import write_of_operator
from catenary_core.call.errors import DomainError
from catenary_core.call.resource_paths import resource_path
from catenary_core.call.validation import check
from catenary_core.database.statements import Row
from catenary_core.database.transactions import Transaction
from catenary_core.services.identity.workers import queries, tokens

_SERVICE = worker_token_service_pb2.DESCRIPTOR.services_by_name["WorkerTokenService"]
_TOKEN = resource_path(worker_token_service_pb2, "GetWorkerToken")


async def add_own(ready: Prepared) -> None:
    """Register the token with which `serve` starts its own workers, unless it is known, valid or revoked."""
    async with open_database(ready.dsn) as database, database.transaction() as tx:
        await tokens.add_known(tx, f"serve on {platform.node()}"[:200], ready.worker_token)


async def create(dsn: str, name: str) -> str:
    """Create a worker token and return it.

    Raises:
        ValueError: The name is none that the API takes.
    """
    try:
        check(worker_token_service_pb2.CreateWorkerTokenRequest(name=name))
    except DomainError as error:
        raise ValueError(error.message) from None
    async with open_database(dsn) as database, database.transaction() as tx:
        row, token = await tokens.create(tx, name)
        await _record(tx, "CreateWorkerToken", row)
    return token


async def valid(dsn: str) -> list[Row]:
    """Return the rows of all valid worker tokens, with the fields of `WorkerToken`."""
    async with open_database(dsn) as database, database.read() as tx:
        return list(await tx.all(queries.ALL_WORKER_TOKENS))


async def revoke(dsn: str, worker_token_id: str) -> None:
    """Revoke a worker token.

    Raises:
        ValueError: There is no valid token of this id.
    """
    async with open_database(dsn) as database, database.transaction() as tx:
        row = await tokens.revoke(tx, worker_token_id)
        if row is not None:
            await _record(tx, "DeleteWorkerToken", row)
    if row is None:
        raise ValueError(
            f"there is no valid worker token with the id {worker_token_id}; `catenary worker-token list` shows the tokens"
        )


async def _record(tx: Transaction, method: str, row: Row) -> None:
    await write_of_operator(tx, _SERVICE, method, _TOKEN.format(row["worker_token_id"]))
