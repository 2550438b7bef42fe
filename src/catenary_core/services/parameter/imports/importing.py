"""The import of a file's rows in one transaction, by the calls of one caller."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress

from catenary_core.database.transactions import Database
from catenary_core.server.dispatch import Dispatch, Metadata
from catenary_core.services.parameter.imports.calls import Calls
from catenary_core.services.parameter.imports.faults import Faults, Row, TooManyFaultsError
from catenary_core.services.parameter.imports.writing import Advance, Count, Writer


class _UndoneError(Exception):
    """Rolls the transaction back."""


async def import_rows(
    db: Database,
    dispatch: Dispatch,
    rows: Mapping[str, Sequence[Row]],
    faults: Faults,
    metadata: Metadata,
    advance: Advance,
    *,
    dry_run: bool,
) -> list[Count]:
    """Write the rows of each kind in one transaction; return their counts. With any fault nothing is written.

    Args:
        db: The database of `dispatch`.
        dispatch: Calls the data services as the caller.
        rows: The rows by kind, in the order of their import.
        faults: Collects the faults of rows.
        metadata: Goes with each call of a service.
        advance: Called with the number of rows that were done.
        dry_run: Writes nothing; the counts say what would be written.

    Raises:
        RefusedError: A service refuses a request that is no row's, as for want of a scope.
        FailedError: A service failed.
    """
    counts: list[Count] = []
    with suppress(_UndoneError):
        # A dry run has a transaction of its own, so that its call has none in which it would enter a change in the audit trail.
        async with db.as_one(savepoints=False) if dry_run else db.within_one(), db.transaction() as tx:
            writer = Writer(Calls(dispatch, tx, faults, metadata))
            with suppress(TooManyFaultsError):
                for kind, some in rows.items():
                    counts.append(await writer.write(kind, some, advance))
            if faults or dry_run:
                raise _UndoneError
    return counts
