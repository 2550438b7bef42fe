"""Holdings: which model versions, evaluations and files of projects hold each file of the object store.

A file is stored under its content's hash, so another writer may store the same one at the moment in which the collector
removes it. Both go by the file's row in `objects.object`:

- A writer claims the row before it stores the bytes: in a transaction of its own, or in the one that ends with the
  holding. A claimed file is not looked at for GRACE, which is longer than any call.
- The collector locks the row of a file that is due, looks again for holdings, removes the bytes and then the row. A
  writer who claims meanwhile waits for the row, and stores the bytes anew.

So bytes that somebody holds are never removed, and whoever stores never relies on bytes that are there already.
"""

from __future__ import annotations

from collections.abc import Iterable

import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import UUID

from catenary_core.call.errors import DomainError
from catenary_core.database.statements import Statement, metadata
from catenary_core.database.transactions import Transaction
from catenary_core.limits import accounts
from catenary_core.limits.accounts import Tiers

GRACE = "interval '1 day'"
"""The time for which a file stays that nobody holds any more, and for which a claim lasts."""

stored_object = sa.Table(
    "object",
    metadata,
    sa.Column("sha256", sa.Text, primary_key=True),
    # The file that this one was made of, and goes with unless somebody holds it.
    sa.Column("made_of", sa.Text, nullable=True),
    # When the collector looks at the file; NULL once it has found a holding.
    sa.Column("due_at", sa.DateTime(timezone=True), nullable=True),
    sa.Index("object_due_at_idx", "due_at", postgresql_where=sa.text("due_at IS NOT NULL")),
    sa.Index("object_made_of_idx", "made_of", postgresql_where=sa.text("made_of IS NOT NULL")),
    schema="objects",
)
"""Each file of the object store."""
holding = sa.Table(
    "holding",
    metadata,
    sa.Column("sha256", sa.Text, nullable=False),
    # A model version, an evaluation or a file of a project.
    sa.Column("holder_id", UUID(as_uuid=False), nullable=False),
    sa.Column("project_id", UUID(as_uuid=False), nullable=False),
    sa.PrimaryKeyConstraint("sha256", "holder_id"),
    sa.Index("holding_holder_id_idx", "holder_id"),
    sa.Index("holding_project_id_idx", "project_id"),
    schema="objects",
)
"""Each name of a file."""
leaving = sa.Table(
    "leaving",
    metadata,
    sa.Column("project_id", UUID(as_uuid=False), primary_key=True),
    schema="objects",
)
"""Deleted projects whose holdings the collector has yet to remove."""

# In the order of the hashes, so that two writers of the same files never wait for each other.
_CLAIM_ROWS = f"""
    INSERT INTO objects.object AS known (sha256, made_of, due_at)
    SELECT sha256, CAST(:made_of AS text), clock_timestamp() + {GRACE}
    FROM unnest(CAST(:hashes AS text[])) sha256 ORDER BY sha256
    ON CONFLICT (sha256) DO UPDATE SET due_at = excluded.due_at, made_of = coalesce(excluded.made_of, known.made_of)
"""  # noqa: S608 - the interval is a literal of this module
_CLAIM = Statement(sa.text(_CLAIM_ROWS))
_STORE = Statement(
    sa.text(
        f"""
        WITH {accounts.CHARGED_ROWS}, claimed AS ({_CLAIM_ROWS} RETURNING sha256), held AS (
            INSERT INTO objects.holding (sha256, holder_id, project_id)
            SELECT claimed.sha256, CAST(:holder_id AS uuid), paid.project_id FROM claimed, paid
            ON CONFLICT DO NOTHING
        )
        {accounts.STANDING_AFTER}
        """  # noqa: S608 - only literals of these modules
    )
)
"""Charge, claim and hold; the accounts' rows, which the result needs, are locked before those of the files."""
_RELEASE = Statement(
    sa.text(
        f"""
        WITH gone AS (
            DELETE FROM objects.holding WHERE holder_id = ANY(CAST(:holders AS uuid[])) RETURNING sha256
        ), locked AS (
            SELECT sha256 FROM objects.object WHERE sha256 IN (SELECT sha256 FROM gone) ORDER BY sha256 FOR UPDATE
        )
        UPDATE objects.object SET due_at = clock_timestamp() + {GRACE}
        FROM locked WHERE object.sha256 = locked.sha256
        """  # noqa: S608 - the interval is a literal of this module
    )
)
_LEAVE = Statement(
    sa.text("INSERT INTO objects.leaving (project_id) VALUES (CAST(:project_id AS uuid)) ON CONFLICT DO NOTHING")
)


async def claim(tx: Transaction, hashes: Iterable[str], *, made_of: str | None = None) -> None:
    """Claim files that are about to be stored; commit before storing their bytes.

    Args:
        tx: A transaction, or a connection in autocommit.
        hashes: SHA-256 of each file.
        made_of: The file that these are made of, and go with; None for files that will be held.
    """
    await tx.execute(_CLAIM, hashes=sorted(set(hashes)), made_of=made_of)


async def store(
    tx: Transaction, tiers: Tiers, project_id: str, holder_id: str, hashes: Iterable[str], size: int
) -> DomainError | None:
    """Charge bytes to a project's account, and claim and hold their files.

    Their bytes may be stored from then on. The files of a deleted project are only claimed.

    Args:
        tx: The transaction that names the files.
        tiers: The installation's tiers.
        project_id: The project.
        holder_id: What names the files.
        hashes: SHA-256 of each file.
        size: Bytes of all files.

    Returns:
        QUOTA_EXCEEDED if the storage of the user who pays has no room: then nothing is charged or held. Else None.
    """
    arguments = {"project_id": project_id, "holder_id": holder_id, "hashes": sorted(set(hashes)), "size": size}
    row = await tx.one_or_none(_STORE, made_of=None, **arguments)
    if row is None or (refusal := accounts.standing_of(tiers, row).refusal()) is None:
        return None
    await release(tx, [holder_id])
    await accounts.release(tx, project_id, size)
    return refusal


async def release(tx: Transaction, holders: Iterable[str]) -> None:
    """Release the files of deleted holders; those that nobody else holds go after GRACE."""
    await tx.execute(_RELEASE, holders=list(holders))


async def leave(tx: Transaction, project_id: str) -> None:
    """Release the files of a deleted project, in the background: there may be many."""
    await tx.execute(_LEAVE, project_id=project_id)
