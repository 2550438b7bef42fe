"""The check of an installation's object store, without a running server."""

from __future__ import annotations

from dataclasses import asdict

from catenary_cli import show
from catenary_cli.installation.prepared import check_is_there, open_database, prepare
from catenary_core.objects import Objects
from catenary_core.settings import CoreSettings
from catenary_core.storage.check import compare
from catenary_wire.limit_sentences import counted


async def check(settings: CoreSettings, *, dry_run: bool, as_json: bool) -> None:
    """Compare the object store with the database and print the differences.

    Raises:
        ValueError: The data directory holds no installation, or files are missing in the store.
    """
    check_is_there(settings)
    with show.progress("Comparing the object store with the database"):
        async with prepare(settings) as ready, open_database(ready.dsn) as database:
            found = await compare(database, Objects(settings.object_store, ready.data_dir), dry_run=dry_run)
    if as_json:
        show.json(asdict(found), indent=False)
    else:
        unheld = [("nobody holds it", one.sha256, one.size, one.due_at) for one in found.unheld]
        going = [("goes now", one.sha256, one.size, one.due_at) for one in found.going]
        missing = [("missing", one.sha256, "", f"held by {one.holder_id}") for one in found.missing]
        rows = [*missing, *unheld, *going]
        show.rows(("State", "SHA-256", "Bytes", "May go at"), rows, "Every file is there, and is held.")
    if found.missing:
        raise ValueError(
            f"{counted(len(found.missing), 'file')} missing in the object store, though model versions or evaluations hold"
            " what was there; restore from a backup"
        )
