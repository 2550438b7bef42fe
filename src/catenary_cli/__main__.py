"""`catenary`: the commands and their flags. Imports of a command happen when it runs, so that `--help` is quick."""

from __future__ import annotations

import gc
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal, cast

import typer

from catenary_cli import (
    author_commands,
    comment_commands,
    file_commands,
    logs,
    operator_commands,
    options,
    share_commands,
    studio_commands,
    user_commands,
    variant_commands,
    view_commands,
)
from catenary_cli.exploration import commands as exploration
from catenary_cli.exploration import study_commands
from catenary_cli.imports import help as import_help
from catenary_cli.running import run_privately as run
from catenary_cli.server import processes

if TYPE_CHECKING:
    from catenary_cli.remote.api import Access
    from catenary_cli.server.descriptors import ConnectionFlags

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
app.add_typer(operator_commands.db_app, name="db")
app.add_typer(operator_commands.audit_app, name="audit")
app.add_typer(operator_commands.catalogue_app, name="catalogue")
app.add_typer(operator_commands.client_app, name="client")
app.add_typer(operator_commands.store_app, name="store")
app.add_typer(operator_commands.worker_token_app, name="worker-token")
app.add_typer(operator_commands.secret_app, name="secret")
app.add_typer(author_commands.project_app, name="project")
app.add_typer(author_commands.model_app, name="model")
app.add_typer(file_commands.file_app, name="file")
app.add_typer(comment_commands.comment_app, name="comment")
app.add_typer(share_commands.share_app, name="share")
app.add_typer(studio_commands.studio_app, name="studio")
app.add_typer(user_commands.user_app, name="user")
app.add_typer(author_commands.app)
app.add_typer(exploration.app)
app.add_typer(exploration.batch_app, name="batch")
app.add_typer(study_commands.study_app, name="study")
app.add_typer(variant_commands.variant_app, name="variant")
app.add_typer(view_commands.view_app, name="view")
events_app = typer.Typer(help="Events of the platform.", no_args_is_help=True, rich_markup_mode=None)
app.add_typer(events_app, name="events")
webhook_app = typer.Typer(help="Webhooks, for their receivers.", no_args_is_help=True, rich_markup_mode=None)
app.add_typer(webhook_app, name="webhook")


def _connections(http: int | None, grpc: int | None, per_address: int | None) -> ConnectionFlags:
    from catenary_cli.server.descriptors import ConnectionFlags

    return ConnectionFlags(http=http, grpc=grpc, per_address=per_address)


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
    http_connections: options.HttpConnections = None,
    grpc_connections: options.GrpcConnections = None,
    connections_per_address: options.ConnectionsPerAddress = None,
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
                connections=_connections(http_connections, grpc_connections, connections_per_address),
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
    http_connections: options.HttpConnections = None,
    grpc_connections: options.GrpcConnections = None,
    connections_per_address: options.ConnectionsPerAddress = None,
    dev: options.Dev = False,
    demo: Annotated[bool, typer.Option("--demo", help="Let the demo guest sign in.")] = False,
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
    settings = options.core_settings(None, public_url, dev=dev)
    connections = _connections(http_connections, grpc_connections, connections_per_address)
    run(one.run(settings, edge, host, port, grpc_host, grpc_port, socket, connections, demo=demo))


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
    grpc_connections: options.GrpcConnections = None,
    connections_per_address: options.ConnectionsPerAddress = None,
    verbose: options.Verbose = False,
) -> None:
    """Run the gRPC core alone."""
    logs.configure("core", verbose=verbose)
    from catenary_cli.server import admin, parts

    edge = options.edge_settings(tls_cert, tls_key, None, None, public_url, dev=False)
    settings = options.core_settings(data_dir, public_url, webhook_allow_private=webhook_allow_private)
    connections = _connections(None, grpc_connections, connections_per_address)
    run(parts.core(settings, edge, host, grpc_port, admin.AdminAddress(admin_host, admin_port), connections))


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
    http_connections: options.HttpConnections = None,
    connections_per_address: options.ConnectionsPerAddress = None,
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
    connections = _connections(http_connections, None, connections_per_address)
    address = admin.AdminAddress(admin_host, admin_port)
    run(parts.edge(settings, host, port, core, core_ca, address, connections))


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


@app.command("import", help=import_help.help_text())
def import_(
    file: Annotated[Path, typer.Argument(exists=True, dir_okay=False, help="A .csv or .json file in UTF-8.")],
    kind: Annotated[
        Kind | None,
        typer.Option(
            help="Kind of the rows of a CSV file or JSON list.", show_default="from the end of the file's name"
        ),
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Check everything and import nothing.")] = False,
    url: options.Url = None,
    client_id: options.ClientId = None,
    client_secret: options.ClientSecret = None,
    data_dir: options.DataDir = None,
) -> None:
    """Import assets, parameters and entries."""
    from catenary_cli.imports import command, over_http

    if url is not None:
        run(over_http.send_file(options.access(url, client_id, client_secret, data_dir), file, kind, dry_run=dry_run))
        return
    logs.configure_quietly()
    settings, client = options.core_settings(data_dir), options.acting_client(client_id, data_dir)
    run(command.import_file(settings, file, kind, client, dry_run=dry_run))


@app.command()
@options.with_access
def token(
    access: Access,
) -> None:
    """Print an access token."""
    from catenary_cli.remote import use

    run(use.token(access))


@events_app.command("tail")
@options.with_access
def events_tail(
    access: Access,
    project: Annotated[
        str | None, typer.Option("--project", "-p", help="Only events of this project.", show_default="all")
    ] = None,
    types: Annotated[
        list[str] | None,
        typer.Option("--type", "-t", help="Only this type, such as project.created or model.*; repeatable."),
    ] = None,
    after: Annotated[str | None, typer.Option(help="Id of the last known event.", show_default="from now on")] = None,
    raw: Annotated[bool, typer.Option("--json", help="Print JSON, one event per line.")] = False,
) -> None:
    """Print events as they happen, until interrupted."""
    from catenary_cli.remote import tail

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
    gc.disable()  # while a command's modules are imported, of which nothing is garbage; `running.run` enables it
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
