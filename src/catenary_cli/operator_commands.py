"""The commands of those who run an installation, on its machine, and their flags."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated
from uuid import UUID

import typer

from catenary_cli import options
from catenary_cli.running import run_privately as run

db_app = typer.Typer(help="The database.", no_args_is_help=True, rich_markup_mode=None)
catalogue_app = typer.Typer(
    help="Rows of every installation: countries, regions, units, types of sources and records.",
    no_args_is_help=True,
    rich_markup_mode=None,
)
client_app = typer.Typer(help="Clients: programs that call the platform.", no_args_is_help=True, rich_markup_mode=None)
store_app = typer.Typer(help="The object store.", no_args_is_help=True, rich_markup_mode=None)
worker_token_app = typer.Typer(
    help="Worker tokens: the credentials of workers on other machines.", no_args_is_help=True, rich_markup_mode=None
)
secret_app = typer.Typer(
    help="The installation's secret, which locks up its keys.", no_args_is_help=True, rich_markup_mode=None
)
audit_app = typer.Typer(help="The audit trail.", no_args_is_help=True, rich_markup_mode=None)


@worker_token_app.command("create")
def worker_token_create(
    name: Annotated[str, typer.Argument(help="Name by which lists show the token.")], data_dir: options.DataDir = None
) -> None:
    """Create a worker token and print it; it is not shown again."""
    from catenary_cli.installation import commands

    run(commands.worker_token_create(options.core_settings(data_dir), name))


@worker_token_app.command("list")
def worker_token_list(
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False, data_dir: options.DataDir = None
) -> None:
    """List the valid worker tokens with their last use."""
    from catenary_cli.installation import commands

    run(commands.worker_token_list(options.core_settings(data_dir), as_json=as_json))


@worker_token_app.command("revoke")
def worker_token_revoke(
    worker_token: Annotated[UUID, typer.Argument(metavar="WORKER_TOKEN_ID", help="Id of the token.")],
    data_dir: options.DataDir = None,
) -> None:
    """Revoke a worker token: its workers stop within seconds, and other workers get their jobs."""
    from catenary_cli.installation import commands

    run(commands.worker_token_revoke(options.core_settings(data_dir), str(worker_token)))


@secret_app.command("rotate")
def secret_rotate(
    new_file: Annotated[
        Path | None,
        typer.Option(
            "--new-file",
            exists=True,
            dir_okay=False,
            help="File with the new secret; without it one is made.",
            show_default=False,
        ),
    ] = None,
    data_dir: options.DataDir = None,
) -> None:
    """Make a new secret, valid beside the old one while nodes are started again.

    Where the secret is kept in the data directory, the new one takes its place there. Where CATENARY_SECRET_KEY gives it,
    the new one is printed once, at a terminal only.
    """
    from catenary_cli.installation import secret_commands

    run(secret_commands.rotate(options.core_settings(data_dir), new_file))


@secret_app.command("retire")
def secret_retire(data_dir: options.DataDir = None) -> None:
    """End the old secret once no running node uses it, and encrypt everything anew."""
    from catenary_cli.installation import secret_commands

    run(secret_commands.retire(options.core_settings(data_dir)))


@secret_app.command("cancel")
def secret_cancel(data_dir: options.DataDir = None) -> None:
    """Take a rotation back: end the new secret while no running node uses it."""
    from catenary_cli.installation import secret_commands

    run(secret_commands.cancel(options.core_settings(data_dir)))


@secret_app.command("status")
def secret_status(data_dir: options.DataDir = None) -> None:
    """Show which secrets are valid and which nodes use them; the secrets themselves are not shown."""
    from catenary_cli.installation import secret_commands

    run(secret_commands.status(options.core_settings(data_dir)))


@audit_app.command("list")
def audit_list(
    actor: Annotated[UUID | None, typer.Option(help="Only what this user did, by id.")] = None,
    action: Annotated[str | None, typer.Option(help="Only this action, exactly as --json shows it.")] = None,
    subject: Annotated[
        str | None, typer.Option(help="Only this REST path; of a whole project, client and so on, all below it too.")
    ] = None,
    outcome: Annotated[str | None, typer.Option(help="Only this outcome: ok, or the code of an error.")] = None,
    since: Annotated[
        str | None, typer.Option("--from", help="Only from this time on, such as 2030-01-31T12:00:00Z.")
    ] = None,
    until: Annotated[str | None, typer.Option("--to", help="Only before this time.")] = None,
    limit: Annotated[int, typer.Option(min=1, max=1_000_000, help="Largest number of entries.")] = 50,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON, one entry a line.")] = False,
    data_dir: options.DataDir = None,
) -> None:
    """List the entries of the audit trail, newest first."""
    from catenary_cli.installation import audit_entries

    actor_id = None if actor is None else str(actor)
    given = {"actor_id": actor_id, "action": action, "subject": subject, "outcome": outcome, "from": since, "to": until}
    filters = {name: value for name, value in given.items() if value is not None}
    run(audit_entries.show_entries(options.core_settings(data_dir), filters, limit, as_json=as_json))


@audit_app.command("verify")
def audit_verify(data_dir: options.DataDir = None) -> None:
    """Verify that no entry of the audit trail was changed or removed; name the first break."""
    from catenary_cli.installation import commands

    run(commands.audit_verify(options.core_settings(data_dir)))


@db_app.command()
def upgrade(data_dir: options.DataDir = None) -> None:
    """Bring the database to this release's schema."""
    from catenary_cli.installation import commands

    run(commands.upgrade(options.core_settings(data_dir)))


@catalogue_app.command("load")
def catalogue_load(data_dir: options.DataDir = None) -> None:
    """Load countries, regions, unit systems, unit types, units, source types and record types again.

    The first start has loaded them. This adds the new rows of a newer release, without duplicates: a row that a user
    changed or deleted stays as it is.
    """
    from catenary_cli.installation import commands

    run(commands.catalogue_load(options.core_settings(data_dir)))


@store_app.command("check")
def store_check(
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only list, and note nothing in the database.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
    data_dir: options.DataDir = None,
) -> None:
    """Compare the files of the object store with those that model versions and evaluations hold.

    Lists the files that are missing, those that nobody holds, and those among them that a running server removes now.
    Files that the database does not know are noted, and removed a day later.
    """
    from catenary_cli.installation import store

    run(store.check(options.core_settings(data_dir), dry_run=dry_run, as_json=as_json))


ClientToChange = Annotated[UUID, typer.Argument(metavar="CLIENT_ID", help="Id of the client.")]


@client_app.command("create")
def client_create(
    name: Annotated[str, typer.Argument(help="Name of the client.")],
    admin: Annotated[bool, typer.Option("--admin", help="Make the client a platform-wide Admin.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
    data_dir: options.DataDir = None,
) -> None:
    """Create a client and print its id and secret, which is not shown again."""
    from catenary_cli.installation import commands

    run(commands.client_create(options.core_settings(data_dir), name, admin=admin, as_json=as_json))


@client_app.command("rotate-secret")
def client_rotate_secret(
    client: ClientToChange,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
    data_dir: options.DataDir = None,
) -> None:
    """Replace the secret of a client, print the new one, and revoke the client's tokens within 5 s."""
    from catenary_cli.installation import commands

    run(commands.client_rotate_secret(options.core_settings(data_dir), str(client), as_json=as_json))


@client_app.command("revoke-tokens")
def client_revoke_tokens(client: ClientToChange, data_dir: options.DataDir = None) -> None:
    """Revoke the tokens of a client within 5 s; the client's secret stays."""
    from catenary_cli.installation import commands

    run(commands.client_revoke_tokens(options.core_settings(data_dir), str(client)))
