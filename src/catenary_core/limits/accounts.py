"""The accounts of quotas: the storage and the monthly use of each project, and the user who pays for them.

A project's row names the user who pays, and is locked before that user's row; so a project that is handed on while
something is stored is never charged to both. The user's row is the sum over the projects that the user pays for, kept
up in the transaction of each change: of two who store at once, the second waits for the row and sees the first.

What a month used has rows of its own (`month_accounts`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import UUID

from catenary_core.call.errors import DomainError
from catenary_core.database.statements import Row, Statement, metadata
from catenary_core.database.transactions import Transaction
from catenary_core.limits import month_accounts
from catenary_core.limits.month_accounts import MonthAccount
from catenary_core.settings import DEFAULT_TIER, Tier

Tiers = Mapping[str, Tier]
"""The tiers of an installation by name."""
_GIB = 1024**3
_MIB = 1024**2

project_account = sa.Table(
    "project",
    metadata,
    sa.Column("project_id", UUID(as_uuid=False), primary_key=True),
    # Who pays: the project's owner_user_id.
    sa.Column("user_id", UUID(as_uuid=False), nullable=False),
    # Bytes of what the project names.
    sa.Column("storage", sa.BigInteger, nullable=False),
    # False once the project is deleted: nothing is charged any more.
    sa.Column("is_open", sa.Boolean, nullable=False, server_default=sa.text("true")),
    schema="quotas",
)
"""The storage of each project."""
user_account = sa.Table(
    "user",
    metadata,
    sa.Column("user_id", UUID(as_uuid=False), primary_key=True),
    # Bytes of what the open projects of the user name.
    sa.Column("storage", sa.BigInteger, nullable=False),
    schema="quotas",
)
"""The storage of each user who pays."""

CHARGED_ROWS = """
    paid AS (
        INSERT INTO quotas.project AS kept (project_id, user_id, storage)
        SELECT project_id, user_id, CAST(:size AS bigint) FROM projects.payer
        WHERE project_id = CAST(:project_id AS uuid)
        ON CONFLICT (project_id) DO UPDATE SET storage = kept.storage + excluded.storage WHERE kept.is_open
        RETURNING project_id, user_id
    ), charged AS (
        INSERT INTO quotas."user" AS kept (user_id, storage) SELECT user_id, CAST(:size AS bigint) FROM paid
        ON CONFLICT (user_id) DO UPDATE SET storage = kept.storage + excluded.storage
        RETURNING user_id, storage
    )
"""
"""CTEs that add bytes to a project's account and its payer's, both locked; no row for a project that is deleted or unknown."""
STANDING_AFTER = """
    SELECT charged.storage, tiers.tier FROM charged
    LEFT JOIN identity.user_tier tiers ON tiers.user_id = charged.user_id
"""
"""The standing after `CHARGED_ROWS`, as `standing_of` reads it."""
_ADD = Statement(sa.text(f"WITH {CHARGED_ROWS} {STANDING_AFTER}"))
_STANDING = Statement(
    sa.text(
        """
        SELECT coalesce(account.storage, 0) AS storage, tiers.tier FROM projects.payer payer
        LEFT JOIN quotas."user" account ON account.user_id = payer.user_id
        LEFT JOIN identity.user_tier tiers ON tiers.user_id = payer.user_id
        WHERE payer.project_id = CAST(:project_id AS uuid)
        """
    )
)
_HOLD = Statement(
    sa.text(
        """
        INSERT INTO quotas.project AS kept (project_id, user_id, storage)
        SELECT project_id, user_id, 0 FROM projects.payer WHERE project_id = CAST(:project_id AS uuid)
        ON CONFLICT (project_id) DO UPDATE SET storage = kept.storage
        RETURNING user_id, storage
        """
    )
)
_MOVE = Statement(
    sa.text(
        """
        INSERT INTO quotas."user" AS kept (user_id, storage)
        SELECT user_id, change FROM (
            VALUES (CAST(:payer AS uuid), - CAST(:storage AS bigint)), (CAST(:user_id AS uuid), CAST(:storage AS bigint))
        ) moved (user_id, change)
        ORDER BY user_id
        ON CONFLICT (user_id) DO UPDATE SET storage = kept.storage + excluded.storage
        """
    )
)
"""Move bytes from `payer` to `user_id`; in the order of their ids, so that two moves never wait for each other."""
_PAY = Statement(
    sa.text("UPDATE quotas.project SET user_id = CAST(:user_id AS uuid) WHERE project_id = CAST(:project_id AS uuid)")
)
_STANDING_OF_USER = Statement(
    sa.text(
        """
        SELECT account.storage, tiers.tier FROM quotas."user" account
        LEFT JOIN identity.user_tier tiers ON tiers.user_id = account.user_id
        WHERE account.user_id = CAST(:user_id AS uuid)
        """
    )
)
_CLOSE = Statement(
    sa.text(
        """
        WITH closed AS (
            INSERT INTO quotas.project AS kept (project_id, user_id, storage, is_open)
            SELECT project_id, user_id, 0, false FROM projects.payer WHERE project_id = CAST(:project_id AS uuid)
            ON CONFLICT (project_id) DO UPDATE SET is_open = false WHERE kept.is_open
            RETURNING user_id, storage
        )
        UPDATE quotas."user" account SET storage = account.storage - closed.storage
        FROM closed WHERE account.user_id = closed.user_id
        """
    )
)


@dataclass(frozen=True, slots=True)
class StorageStanding:
    """The storage of the user who pays for a project, beside the user's tier."""

    name: str
    """Name of the tier."""
    storage: int
    """Bytes that count."""
    tier: Tier
    """The tier."""

    def refusal(self, more: int = 0) -> DomainError | None:
        """Return QUOTA_EXCEEDED if the storage with `more` bytes is over the tier's; None if it is within."""
        limit = self.tier.storage_bytes
        if limit is None or self.storage + more <= limit:
            return None
        return DomainError(
            "QUOTA_EXCEEDED",
            f"The user who pays for this project has {_size(limit)} of storage (tier {self.name}), which this would"
            " exceed. Delete evaluations, files, model versions, models or projects, or ask an Admin for another tier.",
            details={"tier": self.name, "limit": limit},  # what is used elsewhere is the payer's own affair
        )


def tier_of(tiers: Tiers, name: str | None) -> tuple[str, Tier]:
    """Return the name and the limits of a user's tier; of `standard` for one that is no longer configured."""
    known = name if name is not None and name in tiers else DEFAULT_TIER
    return known, tiers[known]


def standing_of(tiers: Tiers, row: Row) -> StorageStanding:
    """Return the standing in a row of `STANDING_AFTER`."""
    name, tier = tier_of(tiers, row["tier"])
    return StorageStanding(name, row["storage"], tier)


async def check_room(tx: Transaction, tiers: Tiers, project_id: str, size: int) -> None:
    """Check that a project may store more bytes now, without charging them.

    Raises QUOTA_EXCEEDED: the storage of the user who pays has no room for them.
    """
    if (refusal := await lacking_room(tx, tiers, project_id, size)) is not None:
        raise refusal


async def lacking_room(tx: Transaction, tiers: Tiers, project_id: str, size: int) -> DomainError | None:
    """Return the refusal that `check_room` would raise, or None."""
    row = await tx.one_or_none(_STANDING, project_id=project_id)
    return None if row is None else standing_of(tiers, row).refusal(size)


async def release(tx: Transaction, project_id: str, size: int) -> None:
    """Take off bytes that a project names no longer."""
    await tx.one_or_none(_ADD, project_id=project_id, size=-size)


async def hand_on(tx: Transaction, tiers: Tiers, project_id: str, user_id: str) -> None:
    """Move what a project stores to another user's account; the caller has locked the project.

    Raises QUOTA_EXCEEDED: that user's storage has no room for it; the transaction rolls back.
    """
    held = await tx.one(_HOLD, project_id=project_id)
    if held["user_id"] == user_id:
        return
    await tx.execute(_PAY, project_id=project_id, user_id=user_id)
    await tx.execute(_MOVE, payer=held["user_id"], user_id=user_id, storage=held["storage"])
    refusal = standing_of(tiers, await tx.one(_STANDING_OF_USER, user_id=user_id)).refusal()
    if held["storage"] and refusal is not None:
        raise refusal


async def close(tx: Transaction, project_id: str) -> None:
    """Take what a deleted project stores off its payer's account, and charge nothing to the project any more."""
    await tx.execute(_CLOSE, project_id=project_id)


async def check_use(tx: Transaction, tiers: Tiers, project_id: str, evaluations: int = 0) -> None:
    """Check that a project may evaluate now, without counting: before work that spends nothing yet, or none at all.

    Raises QUOTA_EXCEEDED: the user who pays has fewer evaluations left, or no compute seconds.
    """
    row = await tx.one_or_none(month_accounts.STANDING, project_id=project_id)
    if row is not None:
        _check_month(tiers, MonthAccount(**row), evaluations)


async def check_seconds(tx: Transaction, tiers: Tiers, project_id: str) -> None:
    """Check that a project has compute seconds left, for evaluations that were counted before.

    Raises QUOTA_EXCEEDED: the user who pays has no compute seconds.
    """
    row = await tx.one_or_none(month_accounts.STANDING, project_id=project_id)
    if row is not None:
        account = MonthAccount(**row)
        name, tier = tier_of(tiers, account.tier)
        if (refusal := account.refusal(name, tier.model_copy(update={"evaluations": None}), 0)) is not None:
            raise refusal


async def spend(tx: Transaction, tiers: Tiers, project_id: str, evaluations: int) -> None:
    """Count evaluations that begin by this transaction, which holds the payer's month from here to its end.

    Raises QUOTA_EXCEEDED: the user who pays has fewer evaluations left, or no compute seconds.
    """
    row = await tx.one_or_none(month_accounts.LOCK, project_id=project_id)
    await spend_locked(tx, tiers, project_id, None if row is None else MonthAccount(**row), evaluations)


async def spend_locked(
    tx: Transaction, tiers: Tiers, project_id: str, locked: MonthAccount | None, evaluations: int
) -> None:
    """Count evaluations as `spend` does, for a payer's month that an earlier statement locked (`locked_for`).

    Raises QUOTA_EXCEEDED: as `spend` does.
    """
    if locked is None:
        return
    _check_month(tiers, locked, evaluations)
    await count(tx, project_id, evaluations=evaluations, user_id=locked.user_id)


def _check_month(tiers: Tiers, account: MonthAccount, evaluations: int) -> None:
    if (refusal := account.refusal(*tier_of(tiers, account.tier), evaluations)) is not None:
        raise refusal


async def count(
    tx: Transaction,
    project_id: str,
    *,
    evaluations: int = 0,
    seconds: float = 0.0,
    leased_at: str | None = None,
    user_id: str | None = None,
) -> None:
    """Count use at the end of the transaction, whatever the quotas are.

    Args:
        tx: the transaction.
        project_id: the project.
        evaluations: evaluations and checks of versions; below 0 they are given back.
        seconds: compute seconds.
        leased_at: time of a job's lease, from which compute seconds count to now.
        user_id: who pays; None for who pays for the project now.
    """
    await tx.execute_at_commit(
        month_accounts.COUNT,
        project_id=project_id,
        user_id=user_id,
        evaluations=evaluations,
        seconds=seconds,
        leased_at=leased_at,
    )


def _size(limit: int) -> str:
    """Return bytes in the largest unit that holds them whole."""
    for unit, factor in (("GiB", _GIB), ("MiB", _MIB)):
        if limit % factor == 0:
            return f"{limit // factor} {unit}"
    return f"{limit} bytes"
