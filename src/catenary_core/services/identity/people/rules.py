"""What a change of users and teams must leave behind: an Admin, and an owner of every project."""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import urlsplit

from catenary_core.call.errors import DomainError, invalid, not_found
from catenary_core.database.statements import Row
from catenary_core.database.transactions import Transaction
from catenary_core.services.identity import queries


async def keep_an_admin(tx: Transaction, user_id: str) -> None:
    """CONFLICT when the user is the last enabled Admin. The Admins stay locked until the transaction ends.

    It comes before any other lock on a user, so that two such changes never wait for each other.
    """
    admins = await tx.all(queries.LOCK_ADMINS)
    if [row["id"] for row in admins] == [user_id]:
        raise DomainError("CONFLICT", "This is the last enabled Admin; make another one first.")


async def lock_owned_projects(tx: Transaction, user_ids: Sequence[str]) -> list[str]:
    """The projects that the users own, by themselves or by a team, locked: nobody else changes who owns them until `tx` ends.

    The row of the user or team that is to change is locked before, so that it gets no further project.
    """
    return [row["project_id"] for row in await tx.all(queries.LOCK_OWNED_PROJECTS, user_ids=list(user_ids))]


async def keep_an_owner(tx: Transaction, project_ids: Sequence[str]) -> None:
    """CONFLICT when the change in `tx` leaves one of the locked projects without an owner; the transaction then rolls back."""
    if not project_ids:
        return
    kept = await tx.all(queries.PROJECTS_WITH_OWNER, project_ids=list(project_ids))
    if len(kept) < len(project_ids):
        raise DomainError("CONFLICT", "A project would be left without an owner; give it another one first.")


async def lock_user(tx: Transaction, user_id: str) -> None:
    """Locks an active user, and before it the Admins, as whoever changes an Admin does. NOT_FOUND."""
    await tx.all(queries.LOCK_ADMINS)
    if await tx.one_or_none(queries.LOCK_USER, user_id=user_id) is None:
        raise not_found("user")


async def end_user(tx: Transaction, user_id: str) -> Row:
    """Deletes a user: its row as it is then. NOT_FOUND, or CONFLICT for the last Admin and the only owner of a project."""
    await keep_an_admin(tx, user_id)
    if await tx.one_or_none(queries.LOCK_USER, user_id=user_id) is None:
        raise not_found("user")
    owned = await lock_owned_projects(tx, [user_id])
    row = await tx.one(queries.DELETE_USER, user_id=user_id)
    await keep_an_owner(tx, owned)
    return row


def check_page_url(field: str, url: str) -> None:
    """VALIDATION_ERROR unless it is empty or an absolute http or https URL without credentials. It is not repeated."""
    if url and not _is_web_address(url):
        message = f"{field} must be an absolute http or https URL without a user name or password, or empty."
        raise invalid(field, message, constraint="url")


def _is_web_address(url: str) -> bool:
    if not url.isprintable() or any(character.isspace() for character in url):
        return False
    try:
        parts = urlsplit(url)
        port_is_good = parts.port is None or parts.port > 0
    except ValueError:
        return False
    return parts.scheme in {"http", "https"} and bool(parts.hostname) and "@" not in parts.netloc and port_is_good
