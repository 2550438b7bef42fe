"""Conditions that a change of users and teams must preserve: an enabled Admin, and an owner of every project."""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import urlsplit

from catenary_core.call.errors import DomainError, invalid, not_found
from catenary_core.database.statements import Row
from catenary_core.database.transactions import Transaction
from catenary_core.services.identity import queries


async def keep_an_admin(tx: Transaction, user_id: str) -> None:
    """Refuse a change that would leave no enabled Admin; lock all Admins until the transaction ends.

    Must come before any other lock on a user, so that two such changes can't deadlock.

    Raises CONFLICT: the user is the last enabled Admin.
    """
    admins = await tx.all(queries.LOCK_ADMINS)
    if [row["id"] for row in admins] == [user_id]:
        raise DomainError("CONFLICT", "This is the last enabled Admin; make another one first.")


async def lock_owned_projects(tx: Transaction, user_ids: Sequence[str]) -> list[str]:
    """Lock the projects that the users own, directly or through a team; return their ids.

    No other transaction can change the owners until `tx` ends. The caller has locked the row of the user or team that
    changes, so that it can't get another project meanwhile.
    """
    return [row["project_id"] for row in await tx.all(queries.LOCK_OWNED_PROJECTS, user_ids=list(user_ids))]


async def keep_an_owner(tx: Transaction, project_ids: Sequence[str], *, named: bool = False) -> None:
    """Check that each locked project still has an owner after the change in `tx`.

    Args:
        tx: transaction of the change.
        project_ids: the locked projects.
        named: whether the refusal names the projects, which the caller must be allowed to see.

    Raises CONFLICT: a project has none; the transaction rolls back.
    """
    if not project_ids:
        return
    kept = await tx.all(queries.PROJECTS_WITH_OWNER, project_ids=list(project_ids))
    if left := sorted(set(project_ids) - {row["project_id"] for row in kept}):
        raise DomainError(
            "CONFLICT",
            "A project would be left without an owner; give it another one first.",
            details={"project_ids": left} if named else None,
        )


async def paid_by_owner(tx: Transaction, project_ids: Sequence[str]) -> list[str]:
    """Return those of the locked projects whose payer is an owner."""
    rows = await tx.all(queries.PROJECTS_PAID_BY_OWNER, project_ids=list(project_ids))
    return sorted(row["project_id"] for row in rows)


async def keep_payers(tx: Transaction, paid: Sequence[str], *, named: bool) -> None:
    """Check that the payers of locked projects are still owners after the change in `tx`.

    Args:
        tx: transaction of the change.
        paid: what `paid_by_owner` returned before the change.
        named: whether the refusal names the projects, which the caller must be allowed to see.

    Raises CONFLICT: one is not; the transaction rolls back.
    """
    if lost := sorted(set(paid) - set(await paid_by_owner(tx, paid))):
        raise DomainError(
            "CONFLICT",
            "A project would lose the owner who pays for it; let another owner take over the payment first, by naming themself"
            " as payer in a change of the project, or let an Admin give it to one.",
            details={"project_ids": lost} if named else None,
        )


async def lock_user(tx: Transaction, user_id: str) -> None:
    """Lock all Admins and then an active user, in the order that every change of an Admin uses.

    Raises NOT_FOUND: no such active user.
    """
    await tx.all(queries.LOCK_ADMINS)
    if await tx.one_or_none(queries.LOCK_USER, user_id=user_id) is None:
        raise not_found("user")


async def end_user(tx: Transaction, user_id: str) -> Row:
    """Delete a user for an Admin; return the deleted row.

    The user stays the payer of projects until an owner takes over the payment, or an Admin gives it on: an erasure must
    not wait for others, nor make anybody pay who was not asked.

    Raises NOT_FOUND: no such active user. Raises CONFLICT: the user is the last enabled Admin or a project's only
    owner; the details have the projects' ids.
    """
    await keep_an_admin(tx, user_id)
    if await tx.one_or_none(queries.LOCK_USER, user_id=user_id) is None:
        raise not_found("user")
    owned = await lock_owned_projects(tx, [user_id])
    row = await tx.one(queries.DELETE_USER, user_id=user_id)
    await keep_an_owner(tx, owned, named=True)
    return row


def check_page_url(field: str, url: str) -> None:
    """Refuse a text that is neither empty nor an absolute http or https URL without credentials.

    Raises VALIDATION_ERROR, without the text, which may contain a password.
    """
    if url and not _is_web_address(url):
        raise invalid(
            field,
            "{field} must be an absolute http or https URL without a user name or password, or empty.",
            value=None,
            constraint="url",
        )


def _is_web_address(url: str) -> bool:
    if not url.isprintable() or any(character.isspace() for character in url):
        return False
    try:
        parts = urlsplit(url)
        port_is_good = parts.port is None or parts.port > 0
    except ValueError:
        return False
    return parts.scheme in {"http", "https"} and bool(parts.hostname) and "@" not in parts.netloc and port_is_good
