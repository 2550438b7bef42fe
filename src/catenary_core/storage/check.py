"""Compares the object store with the database: files that are missing, that nobody holds, and that are to go now."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import psycopg
import sqlalchemy as sa

from catenary_core.database.statements import Statement
from catenary_core.database.transactions import Database, Transaction
from catenary_core.objects import Objects
from catenary_core.storage.holdings import GRACE

_PAGE = 10_000
"""Files that one statement looks up."""

# Of what a process of an older release stored, which knew nothing of holdings.
_REPAIR = Statement(
    sa.text(
        f"""
        WITH added AS (
            INSERT INTO objects.holding (sha256, holder_id, project_id)
            SELECT sha256, holder_id, project_id FROM models.kept_file
            UNION SELECT sha256, holder_id, project_id FROM evaluations.kept_file
            ON CONFLICT DO NOTHING RETURNING sha256
        ), locked AS (
            SELECT sha256 FROM objects.object WHERE sha256 IN (SELECT sha256 FROM added) ORDER BY sha256 FOR UPDATE
        )
        UPDATE objects.object SET due_at = clock_timestamp() + {GRACE} FROM locked WHERE object.sha256 = locked.sha256
        """  # noqa: S608 - the interval is a literal of `holdings`
    )
)
_ADOPT = Statement(
    sa.text(
        f"""
        INSERT INTO objects.object (sha256, due_at)
        SELECT sha256, clock_timestamp() + {GRACE} FROM unnest(CAST(:hashes AS text[])) sha256 ORDER BY sha256
        ON CONFLICT DO NOTHING
        """  # noqa: S608 - the interval is a literal of `holdings`
    )
)
"""Note the files that the database doesn't know, to be collected a day from now."""
_UNHELD = Statement(
    sa.text(
        """
        SELECT sha256, due_at, due_at < clock_timestamp() AS due FROM objects.object known
        WHERE sha256 = ANY(CAST(:hashes AS text[]))
          AND NOT EXISTS (SELECT FROM objects.holding WHERE holding.sha256 = known.sha256)
          AND NOT EXISTS (SELECT FROM objects.object source WHERE source.sha256 = known.made_of)
        ORDER BY sha256
        """
    )
)
_HELD = Statement(
    sa.text(
        """
        SELECT sha256, min(holder_id::text) AS holder_id, min(project_id::text) AS project_id
        FROM objects.holding GROUP BY sha256 ORDER BY sha256
        """
    )
)


@dataclass(frozen=True, slots=True)
class MissingFile:
    """A file that is held and not in the object store."""

    sha256: str
    """Hash of the content."""
    holder_id: str
    """A model version, an evaluation or a file of a project that holds the file."""
    project_id: str
    """The holder's project."""


@dataclass(frozen=True, slots=True)
class UnheldFile:
    """A file that nobody holds."""

    sha256: str
    """Hash of the content."""
    size: int
    """Size in bytes."""
    due_at: str
    """Time from which the file may go."""


@dataclass(slots=True)
class Findings:
    """The differences between object store and database."""

    missing: list[MissingFile] = field(default_factory=list)
    """Files that are held and not there."""
    unheld: list[UnheldFile] = field(default_factory=list)
    """Files that nobody holds, and whose day is not over."""
    going: list[UnheldFile] = field(default_factory=list)
    """Files that nobody holds, and that a running server removes now."""


async def compare(db: Database, objects: Objects, *, dry_run: bool) -> Findings:
    """Compare the store with the database; without `dry_run` note what the database doesn't know, to be collected later.

    Nothing is removed here: the collector of a running server does it.
    """
    # The files first: whoever stores one later has a row by then.
    stored = {sha256: size async for sha256, size in objects.sizes()}
    findings = Findings()
    async with db.transaction() as tx:
        await tx.execute(_REPAIR)
        hashes = sorted(stored)
        for start in range(0, len(hashes), _PAGE):
            await _look(tx, hashes[start : start + _PAGE], stored, findings)
        held = await tx.all(_HELD)
        if dry_run:
            raise psycopg.Rollback
    for row in held:
        # Again, since a file may have come after the list.
        if row["sha256"] not in stored and not await objects.is_stored(row["sha256"]):
            findings.missing.append(MissingFile(**row))
    return findings


async def _look(tx: Transaction, hashes: Sequence[str], stored: dict[str, int], findings: Findings) -> None:
    """Add those of some stored files that nobody holds."""
    await tx.execute(_ADOPT, hashes=hashes)
    for row in await tx.all(_UNHELD, hashes=hashes):
        found = UnheldFile(row["sha256"], stored[row["sha256"]], row["due_at"])
        (findings.going if row["due"] else findings.unheld).append(found)
