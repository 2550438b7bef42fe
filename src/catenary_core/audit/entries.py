"""One entry of the audit trail, and its writing in the transaction of a change."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from google.protobuf.descriptor import ServiceDescriptor

from catenary_core.audit import queries
from catenary_core.call.call import Identity
from catenary_core.call.client_address import client_address
from catenary_core.database.statements import Row, json_value
from catenary_core.database.transactions import Transaction

OK = "ok"
"""Outcome of what was done."""
LOGIN = "login"
"""Action of a caller who got a token, or of a person whose newer token is seen first."""
SESSION_COPIED = "session.copied"
"""Action of whoever came with a refresh token that was used before, by which the session has ended."""
NODE_STARTED = "node.started"
"""Action of a process that has started; its details have the names of the settings that are set."""
CATALOGUES_LOADED = "catalogues.loaded"
"""Action of the command that loads the catalogues again."""
ROTATED = "secret.rotated"
"""Action of the command that makes a new secret of the installation valid; its details have the secret's name."""
RETIRED = "secret.retired"
"""Action of the command that ends the old secret; its details have the ended secret's name."""
TAKEN_BACK = "secret.taken_back"
"""Action of the command that ends a new secret again; its details have the secret's name."""
OPERATOR = "operator"
"""Credential of the commands that work on the database without a caller."""


@dataclass(frozen=True, slots=True)
class AuditEntry:
    """One action of somebody: ids and names, never a secret or another field of a person."""

    action: str
    """RPC's path, or one of the names above."""
    outcome: str = OK
    """`ok`, or the reason of the refusal."""
    actor_id: str | None = None
    """User or client that acted."""
    credential_id: str | None = None
    """Id of the token, key, client or session."""
    subject: str | None = None
    """REST path of the resource."""
    request_id: str = ""
    """Id of the request."""
    address: str | None = None
    """Address of the caller."""
    details: Mapping[str, Sequence[str]] | None = None
    """Ids of the items of a list, or names of settings."""

    def values(self) -> Row:
        """Return the parameters of `queries.WRITE`."""
        return {
            "action": self.action,
            "outcome": self.outcome,
            "actor_id": self.actor_id,
            "credential_id": self.credential_id,
            "subject": self.subject,
            "request_id": self.request_id,
            "details": None if self.details is None else json_value(dict(self.details)),
            "address": self.address,
        }


def caller_of(identity: Identity | None, metadata: Mapping[str, str]) -> dict[str, Any]:
    """Return the fields of an entry that say who called."""
    address = client_address(metadata)
    found: dict[str, Any] = {"address": None if address is None else str(address)}
    if identity is not None:
        found |= {
            "actor_id": identity.user_id if identity.is_user else None,
            "credential_id": identity.credential_id or None,
        }
    return found


async def write_of_operator(tx: Transaction, service: ServiceDescriptor, method: str, subject: str) -> None:
    """Write the entry of a change by a command, as of the method that makes the same change.

    Args:
        tx: transaction of the change.
        service: the method's service.
        method: the method's name.
        subject: REST path of the resource.
    """
    await write(tx, AuditEntry(f"/{service.full_name}/{method}", credential_id=OPERATOR, subject=subject))


async def forget_addresses(tx: Transaction, user_id: str) -> None:
    """Delete the addresses of a user's calls; the chain does not cover them."""
    await tx.execute(queries.FORGET_ADDRESSES, actor_id=user_id)
    await tx.execute(queries.FORGET_WAITING_ADDRESSES, actor_id=user_id)


async def write(tx: Transaction, entry: AuditEntry) -> None:
    """Write an entry at the end of the transaction, in one round trip with its commit."""
    await tx.execute_at_commit(queries.WRITE, **entry.values())
