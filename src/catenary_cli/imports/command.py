"""The command `import`: a file into the database, in one transaction."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from catenary_cli import show
from catenary_cli.error_sentences import ManyFaultsError
from catenary_cli.imports import files
from catenary_cli.imports.counts import print_counts
from catenary_cli.installation.prepared import dispatch_of, open_database, prepare
from catenary_core.call.call import Identity
from catenary_core.database.transactions import Transaction
from catenary_core.services.identity.clients import creation
from catenary_core.services.parameter.imports.faults import MOST, Faults, Row, TooManyFaultsError
from catenary_core.services.parameter.imports.importing import import_rows
from catenary_core.services.parameter.imports.writing import Count
from catenary_core.settings import CoreSettings

_ID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.ASCII)


class ImportRefusedError(ManyFaultsError):
    """The file has faults, and nothing of it was imported; the text lists them."""


async def import_file(settings: CoreSettings, file: Path, kind: str | None, client_id: str, *, dry_run: bool) -> None:
    """Import a file as a client and print the counts of its rows; `dry_run` changes nothing.

    Raises:
        ImportRefusedError: The file has faults.
        FileError: The file has a wrong type or size, or its kind is unknown.
    """
    faults = Faults()
    rows: Mapping[str, Sequence[Row]] = {}
    with contextlib.suppress(TooManyFaultsError):
        rows = files.read(file, kind, faults)
    counts: list[Count] = []
    total = sum(map(len, rows.values()))
    if total and len(faults.found) < MOST:
        async with prepare(settings) as ready, open_database(ready.dsn) as database:
            async with database.transaction() as tx:
                identity = await _client(tx, client_id)
            dispatch = await dispatch_of(ready, database, identity)
            with show.counting(f"Importing {file.name}", total) as advance:
                counts = await import_rows(database, dispatch, rows, faults, {}, advance, dry_run=dry_run)
    if faults:
        raise _refusal(file.name, faults)
    print_counts(file.name, [(one.kind, one.added, one.revised, one.kept) for one in counts], dry_run=dry_run)


async def _client(tx: Transaction, client_id: str) -> Identity:
    identity = await creation.identity_of(tx, client_id.lower()) if _ID.fullmatch(client_id.lower()) else None
    if identity is None:
        raise ValueError(
            f"--client-id {client_id[:100]} names no active client of this installation; `catenary client create` makes one"
        )
    return identity


def _refusal(name: str, faults: Faults) -> ImportRefusedError:
    found = sorted(faults.found, key=lambda fault: fault.line or 0)
    many = len(found) >= MOST
    head = (
        f"{name} has {f'{MOST} faults or more' if many else '1 fault' if len(found) == 1 else f'{len(found)} faults'}"
    )
    rest = ["There may be more; correct these first."] if many else []
    return ImportRefusedError(f"{head}, and nothing of it was imported.", [*map(str, found), *rest])
