"""The commands for an installation's database and secret, without a running server."""

from __future__ import annotations

from catenary_cli import show
from catenary_cli.installation import clients, worker_tokens
from catenary_cli.installation.prepared import check_is_there, open_database, prepare
from catenary_core.audit import verification
from catenary_core.keyring.ring import secrets_of
from catenary_core.settings import CoreSettings


async def worker_token_create(settings: CoreSettings, name: str) -> None:
    """Create a worker token and print it.

    Raises:
        ValueError: The data directory holds no installation, or the name is none that the API takes.
    """
    check_is_there(settings)
    async with prepare(settings) as ready:
        show.line(await worker_tokens.create(ready.dsn, name))


async def worker_token_list(settings: CoreSettings, *, as_json: bool) -> None:
    """Print the valid worker tokens."""
    check_is_there(settings)
    async with prepare(settings) as ready:
        found = await worker_tokens.valid(ready.dsn)
    columns = ("worker_token_id", "name", "prefix", "created_at", "last_used_at")
    if as_json:
        show.json({"worker_tokens": [{name: row[name] for name in columns} for row in found]}, indent=False)
        return
    shown = [(row["worker_token_id"], row["name"], row["prefix"], row["last_used_at"]) for row in found]
    show.rows(("Id", "Name", "Begins with", "Last used"), shown, "There are no worker tokens.")


async def worker_token_revoke(settings: CoreSettings, worker_token_id: str) -> None:
    """Revoke a worker token."""
    check_is_there(settings)
    async with prepare(settings) as ready:
        await worker_tokens.revoke(ready.dsn, worker_token_id)
    show.line("The worker token is revoked; its workers stop within seconds.")


async def audit_verify(settings: CoreSettings) -> None:
    """Verify the chain of the audit trail and print what was found.

    Raises:
        BrokenTrailError: The chain is broken; the text names the first break.
    """
    check_is_there(settings)
    with show.progress("Verifying the audit trail"):
        async with prepare(settings) as ready, open_database(ready.dsn) as database:
            secrets = await secrets_of(database, ready.secret)
            async with database.snapshot() as tx:
                found = await verification.verify(tx, secrets)
    if found.break_ is not None:
        raise BrokenTrailError(
            f"The audit trail is broken: {found.break_}. The {found.entries} entries before that are whole."
        )
    show.line(
        f"The audit trail is whole: {found.entries} entries, signed last at {found.anchored_at or 'no time yet'}."
    )
    if found.waiting:
        show.line(f"Not in the chain yet: {found.waiting} newer entries.")


class BrokenTrailError(ValueError):
    """The audit trail is not as it was written."""


async def upgrade(settings: CoreSettings) -> None:
    """Migrate the database."""
    with show.progress("Bringing the database to this release's schema"):
        async with prepare(settings) as ready:
            pass
    show.line(f"The database is at this release's schema ({'embedded' if ready.keeper else 'given'}).")


async def catalogue_load(settings: CoreSettings) -> None:
    """Add the missing rows of the catalogues and print the counts of each kind."""
    from catenary_core import bootstrap_data

    with show.progress("Loading the catalogues"):
        async with prepare(settings) as ready, open_database(ready.dsn) as database:
            loaded = await bootstrap_data.load_catalogues(database)
    rows = [(item.kind.replace("_", " "), (item.added, item.kept, item.deleted)) for item in loaded]
    show.counts("Catalogues", ("Kind", "Added", "Kept", "Left deleted"), rows)


async def client_create(settings: CoreSettings, name: str, *, admin: bool, as_json: bool) -> None:
    """Create a client and print its id and secret.

    Raises:
        ValueError: The data directory holds no installation, or the name is none that the API takes.
    """
    check_is_there(settings)
    async with prepare(settings) as ready:
        made = await clients.create(ready.dsn, ready.secret, name, admin=admin)
    _show_secret(made, as_json=as_json)


async def client_rotate_secret(settings: CoreSettings, client_id: str, *, as_json: bool) -> None:
    """Replace the secret of a client and print the new one."""
    check_is_there(settings)
    async with prepare(settings) as ready:
        made = await clients.rotate_secret(ready.dsn, ready.secret, client_id)
    _show_secret(made, as_json=as_json)


async def client_revoke_tokens(settings: CoreSettings, client_id: str) -> None:
    """End the tokens of a client."""
    check_is_there(settings)
    async with prepare(settings) as ready:
        await clients.revoke_tokens(ready.dsn, client_id)
    show.line("The client's tokens are revoked; they end within 5 s.")


def _show_secret(made: dict[str, str], *, as_json: bool) -> None:
    if as_json:
        show.json(made, indent=False)
    else:
        show.pairs({"client_id": made["client_id"], "client_secret": made["client_secret"]})
