"""`catenary`: the commands and their flags. Imports of a command happen when it runs, so that `--help` is quick."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Literal, cast
from uuid import UUID

import typer

from catenary_cli import author_commands, logs, options
from catenary_cli.imports import columns
from catenary_cli.running import run_privately as run
from catenary_cli.server import processes

Kind = Literal["assets", "parameters", "entries"]

app = typer.Typer(
    name="catenary",
    help="A parametric design platform: upload a parametric model, evaluate it, get geometry and metrics back.",
    epilog="Settings without a flag are CATENARY_* variables, such as CATENARY_DATABASE_URL; see /docs/guide/settings.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    # Plain text: columns of boxes leave the explanations 25 characters of a terminal's 80.
    rich_markup_mode=None,
)
db_app = typer.Typer(help="The database.", no_args_is_help=True, rich_markup_mode=None)
catalogue_app = typer.Typer(
    help="Rows of every installation: countries, regions, units, types of sources and records.",
    no_args_is_help=True,
    rich_markup_mode=None,
)
client_app = typer.Typer(help="Clients: programs that call the platform.", no_args_is_help=True, rich_markup_mode=None)
worker_token_app = typer.Typer(
    help="Worker tokens: the credentials of workers on other machines.", no_args_is_help=True, rich_markup_mode=None
)
app.add_typer(db_app, name="db")
app.add_typer(catalogue_app, name="catalogue")
app.add_typer(client_app, name="client")
app.add_typer(worker_token_app, name="worker-token")
app.add_typer(author_commands.project_app, name="project")
app.add_typer(author_commands.model_app, name="model")
app.add_typer(author_commands.app)
events_app = typer.Typer(help="Events of the platform.", no_args_is_help=True, rich_markup_mode=None)
app.add_typer(events_app, name="events")
webhook_app = typer.Typer(help="Webhooks, for their receivers.", no_args_is_help=True, rich_markup_mode=None)
app.add_typer(webhook_app, name="webhook")


def _print_version(wanted: bool) -> None:
    if wanted:
        from importlib import metadata

        typer.echo(f"catenary {metadata.version('catenary')}")
        raise typer.Exit


@app.callback()
def root(
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Take the options before a command."""


@app.command()
def serve(
    host: options.Host = "127.0.0.1",
    port: options.Port = 8080,
    grpc_port: options.GrpcPort = 50051,
    admin_host: options.AdminHost = "127.0.0.1",
    admin_port: options.AdminPort = 9090,
    nodes: Annotated[
        int, typer.Option(envvar="CATENARY_NODES", min=1, max=64, help="Processes that serve requests.")
    ] = 1,
    workers: Annotated[
        int | None,
        typer.Option(
            envvar="CATENARY_WORKERS", min=0, max=256, help="Processes that run models.", show_default="one per core"
        ),
    ] = None,
    data_dir: options.DataDir = None,
    tls_cert: options.TlsCert = None,
    tls_key: options.TlsKey = None,
    trusted_proxy: options.TrustedProxy = None,
    cors_origin: options.CorsOrigin = None,
    org_slug: options.OrgSlug = "org",
    gone_after_sunset: options.GoneAfterSunset = False,
    public_url: options.PublicUrl = None,
    webhook_allow_private: options.WebhookAllowPrivate = False,
    dev: options.Dev = False,
    demo: Annotated[
        bool, typer.Option("--demo", help="Make a demo client and project, evaluate once; implies --dev.")
    ] = False,
    once: Annotated[bool, typer.Option("--once", help="Stop when everything is ready and the demo is made.")] = False,
    verbose: options.Verbose = False,
) -> None:
    """Run everything on this machine: database, API, workers."""
    logs.configure("serve", verbose=verbose)
    from catenary_cli.server import admin
    from catenary_cli.server import serve as serving

    edge = options.edge_settings(
        tls_cert,
        tls_key,
        trusted_proxy,
        cors_origin,
        public_url,
        dev=dev or demo,
        org_slug=org_slug,
        gone_after_sunset=gone_after_sunset,
    )
    run(
        serving.serve(
            options.core_settings(data_dir, public_url, webhook_allow_private=webhook_allow_private, dev=dev or demo),
            edge,
            serving.ServeFlags(
                host=host,
                port=port,
                grpc_port=grpc_port,
                admin=admin.AdminAddress(admin_host, admin_port),
                nodes=nodes,
                workers=workers,
                demo=demo,
                once=once,
                verbose=verbose,
            ),
        )
    )


@app.command(hidden=True)
def node(
    port: options.Port,
    grpc_port: options.GrpcPort,
    socket: Annotated[Path, typer.Option(help="Unix socket for this machine's workers.")],
    host: options.Host = "127.0.0.1",
    grpc_host: Annotated[str, typer.Option(help="Address of the gRPC port.")] = "127.0.0.1",
    tls_cert: options.TlsCert = None,
    tls_key: options.TlsKey = None,
    trusted_proxy: options.TrustedProxy = None,
    cors_origin: options.CorsOrigin = None,
    org_slug: options.OrgSlug = "org",
    gone_after_sunset: options.GoneAfterSunset = False,
    public_url: options.PublicUrl = None,
    dev: options.Dev = False,
    verbose: options.Verbose = False,
) -> None:
    """Run one node of `serve`: core and edge in one process, on ports that the nodes share."""
    logs.configure("node", verbose=verbose)
    from catenary_cli.server import node as one

    processes.die_with_parent()
    edge = options.edge_settings(
        tls_cert,
        tls_key,
        trusted_proxy,
        cors_origin,
        public_url,
        dev=dev,
        org_slug=org_slug,
        gone_after_sunset=gone_after_sunset,
    )
    run(one.run(options.core_settings(None, public_url, dev=dev), edge, host, port, grpc_host, grpc_port, socket))


@app.command()
def core(
    host: options.Host = "127.0.0.1",
    grpc_port: options.GrpcPort = 50051,
    admin_host: options.AdminHost = "127.0.0.1",
    admin_port: options.AdminPort = 9091,
    data_dir: options.DataDir = None,
    tls_cert: options.TlsCert = None,
    tls_key: options.TlsKey = None,
    public_url: options.PublicUrl = None,
    webhook_allow_private: options.WebhookAllowPrivate = False,
    verbose: options.Verbose = False,
) -> None:
    """Run the gRPC core alone."""
    logs.configure("core", verbose=verbose)
    from catenary_cli.server import admin, parts

    edge = options.edge_settings(tls_cert, tls_key, None, None, public_url, dev=False)
    settings = options.core_settings(data_dir, public_url, webhook_allow_private=webhook_allow_private)
    run(parts.core(settings, edge, host, grpc_port, admin.AdminAddress(admin_host, admin_port)))


@app.command()
def edge(
    core: Annotated[str, typer.Option(envvar="CATENARY_CORE", help="gRPC address of the core, HOST:PORT.")],
    host: options.Host = "127.0.0.1",
    port: options.Port = 8080,
    admin_host: options.AdminHost = "127.0.0.1",
    admin_port: options.AdminPort = 9092,
    tls_cert: options.TlsCert = None,
    tls_key: options.TlsKey = None,
    trusted_proxy: options.TrustedProxy = None,
    cors_origin: options.CorsOrigin = None,
    org_slug: options.OrgSlug = "org",
    gone_after_sunset: options.GoneAfterSunset = False,
    public_url: options.PublicUrl = None,
    core_ca: options.CoreCa = None,
    dev: options.Dev = False,
    verbose: options.Verbose = False,
) -> None:
    """Run the HTTP/JSON edge alone, in front of a core."""
    logs.configure("edge", verbose=verbose)
    from catenary_cli.server import admin, parts

    settings = options.edge_settings(
        tls_cert,
        tls_key,
        trusted_proxy,
        cors_origin,
        public_url,
        dev=dev,
        org_slug=org_slug,
        gone_after_sunset=gone_after_sunset,
    )
    run(parts.edge(settings, host, port, core, core_ca, admin.AdminAddress(admin_host, admin_port)))


@app.command()
def worker(
    core: Annotated[
        str, typer.Option(envvar="CATENARY_CORE", help="gRPC address of the core: HOST:PORT or unix:PATH.")
    ],
    token: Annotated[
        str,
        typer.Option(
            envvar="CATENARY_WORKER_TOKEN", help="A worker token; `catenary worker-token create NAME` makes one."
        ),
    ],
    name: Annotated[
        str | None, typer.Option(envvar="CATENARY_WORKER_NAME", help="Name in logs.", show_default="host and process")
    ] = None,
    core_ca: options.CoreCa = None,
    unsafe_no_sandbox: Annotated[
        bool,
        typer.Option(
            "--unsafe-no-sandbox",
            envvar="CATENARY_WORKER_ALLOW_UNSANDBOXED",
            help="Run models without a sandbox where the kernel forbids namespaces.",
        ),
    ] = False,
    verbose: options.Verbose = False,
) -> None:
    """Run one worker, which evaluates models in a sandbox."""
    logs.configure("worker", verbose=verbose)
    from catenary_cli.server import parts

    run(parts.worker(core, token, name, core_ca, allow_unsandboxed=unsafe_no_sandbox))


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


@app.command("import", help=columns.help_text())
def import_(
    file: Annotated[Path, typer.Argument(exists=True, dir_okay=False, help="A .csv or .json file in UTF-8.")],
    kind: Annotated[
        Kind | None,
        typer.Option(
            help="Kind of the rows of a CSV file or JSON list.", show_default="from the end of the file's name"
        ),
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Check everything and import nothing.")] = False,
    client_id: options.ClientId = None,
    data_dir: options.DataDir = None,
) -> None:
    """Import assets, parameters and entries."""
    from catenary_cli.imports import command

    logs.configure_quietly()
    settings, client = options.core_settings(data_dir), options.acting_client(client_id, data_dir)
    run(command.import_file(settings, file, kind, client, dry_run=dry_run))


@app.command()
def token(
    url: options.Url = None,
    client_id: options.ClientId = None,
    client_secret: options.ClientSecret = None,
    data_dir: options.DataDir = None,
) -> None:
    """Print an access token."""
    from catenary_cli.remote import use

    run(use.token(options.access(url, client_id, client_secret, data_dir)))


@events_app.command("tail")
def events_tail(
    project: Annotated[
        str | None, typer.Option("--project", "-p", help="Only events of this project.", show_default="all")
    ] = None,
    types: Annotated[
        list[str] | None,
        typer.Option("--type", "-t", help="Only this type, such as project.created or model.*; repeatable."),
    ] = None,
    after: Annotated[str | None, typer.Option(help="Id of the last known event.", show_default="from now on")] = None,
    raw: Annotated[bool, typer.Option("--json", help="Print JSON, one event per line.")] = False,
    url: options.Url = None,
    client_id: options.ClientId = None,
    client_secret: options.ClientSecret = None,
    data_dir: options.DataDir = None,
) -> None:
    """Print events as they happen, until interrupted."""
    from catenary_cli.remote import tail

    access = options.access(url, client_id, client_secret, data_dir)
    run(tail.tail(access, project, types or [], after, raw=raw))


@webhook_app.command("listen")
def webhook_listen(
    port: Annotated[int, typer.Option(min=0, max=65535, help="Port on 127.0.0.1; 0 takes a free one.")] = 8090,
    secret: Annotated[
        str | None,
        typer.Option(
            envvar="CATENARY_WEBHOOK_SECRET",
            help="Secret of the webhook, whsec_… or your own; without it no signature is verified.",
            show_default=False,
        ),
    ] = None,
    raw: Annotated[bool, typer.Option("--json", help="Print JSON, one message per line.")] = False,
) -> None:
    """Receive webhooks on this machine, verify and print them.

    Create a webhook with the url http://127.0.0.1:8090/ (any path works) on a server that was started with
    --webhook-allow-private, and give its secret here. Each message is a line: the time of the event, whether the
    signature is valid, the event's type and subject, the message's id, and a problem or that it was sent again.

    The response is 204; 401 if the signature is missing, wrong or over five minutes old; 400 if the body is not an event.
    """
    from catenary_cli.remote import listen

    run(listen.listen(port, secret, raw=raw))


def main() -> None:
    """Run the `catenary` script; every text that it prints of an error passes `show` or the log."""
    logs.configure_quietly()
    try:
        code = app(prog_name="catenary", standalone_mode=False)
    except typer.Abort:
        from catenary_cli import show

        show.note("Aborted!")
        code = 1
    except Exception as error:  # noqa: BLE001 - a traceback may hold texts of strangers
        code = _end(error)
    sys.exit(code if isinstance(code, int) else 0)


def _end(error: Exception) -> int:
    """Print an error that ends the command; return its exit code."""
    from catenary_cli import show

    if hasattr(error, "exit_code") and hasattr(error, "show"):  # of the parser, whose class typer doesn't export
        show.usage(cast("show.UsageFault", error))
        return int(error.exit_code)
    if logs.configured():
        logs.uncaught(error)
    else:
        show.uncaught(error)
    return 1


if __name__ == "__main__":
    main()
