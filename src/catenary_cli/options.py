"""Flags that several commands share. Each may also be given as the `CATENARY_*` variable of its name."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Concatenate, ParamSpec

import typer

from catenary_edge.settings import EdgeSettings

if TYPE_CHECKING:
    from catenary_cli.remote.api import Access
    from catenary_cli.show import Form
    from catenary_core.settings import CoreSettings

Host = Annotated[str, typer.Option(envvar="CATENARY_HOST", help="Address to listen on.")]
Port = Annotated[int, typer.Option(envvar="CATENARY_PORT", min=0, max=65535, help="HTTP port; 0 takes a free one.")]
GrpcPort = Annotated[
    int, typer.Option(envvar="CATENARY_GRPC_PORT", min=0, max=65535, help="gRPC port; 0 takes a free one.")
]
AdminHost = Annotated[
    str, typer.Option(envvar="CATENARY_ADMIN_HOST", help="Address of the admin port, which needs no credentials.")
]
AdminPort = Annotated[
    int,
    typer.Option(
        envvar="CATENARY_ADMIN_PORT",
        min=0,
        max=65535,
        help="Port of /healthz, /readyz and /metrics; 0 takes a free one.",
    ),
]
DataDir = Annotated[
    Path | None,
    typer.Option(
        envvar="CATENARY_DATA_DIR", help="Folder of the embedded database, objects and keys.", show_default=False
    ),
]
TlsCert = Annotated[
    Path | None,
    typer.Option(
        envvar="CATENARY_TLS_CERT", exists=True, dir_okay=False, help="Certificate chain (PEM) for HTTPS and gRPC."
    ),
]
TlsKey = Annotated[
    Path | None,
    typer.Option(envvar="CATENARY_TLS_KEY", exists=True, dir_okay=False, help="Private key (PEM) of the certificate."),
]
TrustedProxy = Annotated[
    list[str] | None,
    typer.Option(
        envvar="CATENARY_TRUSTED_PROXY",
        help="Network (CIDR) of proxies whose X-Forwarded-* headers are trusted; repeatable.",
    ),
]
Dev = Annotated[
    bool,
    typer.Option(
        "--dev",
        envvar="CATENARY_DEV",
        help="Accept plain HTTP on loopback; `serve` then begins with high hourly limits, and no quotas.",
    ),
]
CorsOrigin = Annotated[
    list[str] | None,
    typer.Option(envvar="CATENARY_CORS_ORIGIN", help="Origin whose scripts may call the API; repeatable."),
]
PublicUrl = Annotated[
    str | None,
    typer.Option(
        envvar="CATENARY_PUBLIC_URL",
        help="Address of the edge for callers, such as https://catenary.example; required off loopback.",
        show_default="on loopback from the Host header",
    ),
]
OrgSlug = Annotated[
    str,
    typer.Option(
        envvar="CATENARY_ORG_SLUG", help="The company's slug in the names of some fields of older REST versions."
    ),
]
GoneAfterSunset = Annotated[
    bool,
    typer.Option(
        "--gone-after-sunset",
        envvar="CATENARY_GONE_AFTER_SUNSET",
        help="Answer 410 on older REST versions from the day of their sunset on.",
    ),
]
HttpConnections = Annotated[
    int | None,
    typer.Option(
        envvar="CATENARY_HTTP_CONNECTIONS",
        min=16,
        max=1_000_000,
        help="Open connections to the HTTP port of a process.",
        show_default="by the limit of open files",
    ),
]
GrpcConnections = Annotated[
    int | None,
    typer.Option(
        envvar="CATENARY_GRPC_CONNECTIONS",
        min=16,
        max=1_000_000,
        help="Open connections to the gRPC port of a process.",
        show_default="by the limit of open files",
    ),
]
ConnectionsPerAddress = Annotated[
    int | None,
    typer.Option(
        envvar="CATENARY_CONNECTIONS_PER_ADDRESS",
        min=1,
        max=1_000_000,
        help="Open connections of one address to each port; those of trusted proxies and edges do not count.",
        show_default="a quarter of the port's",
    ),
]
WebhookAllowPrivate = Annotated[
    bool,
    typer.Option(
        "--webhook-allow-private",
        envvar="CATENARY_WEBHOOK_ALLOW_PRIVATE",
        help="Allow webhooks to private addresses, to this machine and over plain http; --dev does not imply it.",
    ),
]
Verbose = Annotated[bool, typer.Option("--verbose", "-v", envvar="CATENARY_VERBOSE", help="Log every request and job.")]
Url = Annotated[str | None, typer.Option(envvar="CATENARY_URL", help="Base address of the server, ending in /v1/.")]
ClientId = Annotated[str | None, typer.Option(envvar="CATENARY_CLIENT_ID", help="Client to call as.")]
ClientSecret = Annotated[str | None, typer.Option(envvar="CATENARY_CLIENT_SECRET", help="Secret of the client.")]
CoreCa = Annotated[
    Path | None,
    typer.Option(
        envvar="CATENARY_CORE_CA",
        exists=True,
        dir_okay=False,
        help="CA (PEM) of the core's certificate; unset: no TLS.",
    ),
]


def edge_settings(
    tls_cert: Path | None,
    tls_key: Path | None,
    trusted_proxy: list[str] | None,
    cors_origin: list[str] | None,
    public_url: str | None,
    *,
    dev: bool,
    org_slug: str = "org",
    gone_after_sunset: bool = False,
) -> EdgeSettings:
    """Build the edge's settings from flags.

    Raises:
        typer.BadParameter: Flags contradict each other; ends the program with the reason.
    """
    try:
        return EdgeSettings(
            public_url=public_url or "",
            tls_cert=tls_cert,
            tls_key=tls_key,
            trusted_proxies=tuple(trusted_proxy or ()),
            cors_origins=tuple(cors_origin or ()),
            dev=dev,
            org_slug=org_slug,
            gone_after_sunset=gone_after_sunset,
        )
    except ValueError as error:
        raise typer.BadParameter(str(error)) from None


def edge_arguments(settings: EdgeSettings) -> list[str]:
    """Return the flags from which a child process builds the same settings."""
    given: list[tuple[str, object]] = [
        ("--tls-cert", settings.tls_cert),
        ("--tls-key", settings.tls_key),
        ("--public-url", settings.public_url),
        ("--org-slug", settings.org_slug),
        *(("--trusted-proxy", network) for network in settings.trusted_proxies),
        *(("--cors-origin", origin) for origin in settings.cors_origins),
    ]
    flags = [text for name, value in given if value for text in (name, str(value))]
    switches = {"--dev": settings.dev, "--gone-after-sunset": settings.gone_after_sunset}
    return [*flags, *(name for name, on in switches.items() if on)]


DEV_LIMITS = {"requests_per_hour": 100_000, "evaluations_per_hour": 10_000}
"""Hourly limits of `--dev` and `--demo`, where no variable sets them: whoever tries things out is not locked out."""


def core_settings(
    data_dir: Path | None = None,
    public_url: str | None = None,
    *,
    webhook_allow_private: bool = False,
    dev: bool = False,
) -> CoreSettings:
    """Build the core's settings from `CATENARY_*` variables and flags.

    Raises:
        typer.BadParameter: A variable is invalid; ends the program with its name and the reason.
    """
    from pydantic import ValidationError
    from pydantic_settings import SettingsError

    from catenary_core.settings import DEFAULT_TIER, CoreSettings, Tier

    try:
        settings = CoreSettings()
    except ValidationError as error:
        wrong = "; ".join(
            f"CATENARY_{str(first).upper()}{''.join(f'.{part}' for part in rest)}: {fault['msg']}"
            for fault in error.errors()
            for first, *rest in [fault["loc"]]
        )
        raise typer.BadParameter(wrong) from None
    except SettingsError as error:
        raise typer.BadParameter(f"{error}; a list is written in JSON") from None
    if dev:
        limits = {**DEV_LIMITS, "tiers": {DEFAULT_TIER: Tier()}}
        unset = {name: value for name, value in limits.items() if name not in settings.model_fields_set}
        settings = settings.model_copy(update=unset)
    given = {
        "data_dir": data_dir,
        "public_url": public_url,
        "webhook_allow_private": webhook_allow_private or None,
    }
    return settings.model_copy(update={name: value for name, value in given.items() if value is not None})


def acting_client(client_id: str | None, data_dir: Path | None) -> str:
    """Return the id of the client as which a command works on the database.

    Raises:
        typer.BadParameter: No client is known; ends the program with the ways to name one.
    """
    from catenary_cli.remote.api import demo_of
    from catenary_core.embedded_postgres.server import default_data_dir

    try:
        found = client_id or demo_of(data_dir or default_data_dir()).get("client_id")
    except ValueError as error:
        raise typer.BadParameter(str(error)) from None
    if not found:
        raise typer.BadParameter(
            "no client is known: give --client-id (`catenary client create` makes one), or --data-dir of a server that"
            " was started with --demo"
        )
    return found


def access(url: str | None, client_id: str | None, client_secret: str | None, data_dir: Path | None) -> Access:
    """Return the access to a server that the flags give.

    Raises:
        typer.BadParameter: A part is not known; ends the program with the ways to give it.
    """
    from catenary_cli.remote.api import Access
    from catenary_core.embedded_postgres.server import default_data_dir

    try:
        return Access.find(url, client_id, client_secret, data_dir or default_data_dir())
    except (LookupError, ValueError) as error:
        raise typer.BadParameter(str(error)) from None


P = ParamSpec("P")


def with_access(command: Callable[Concatenate[Access, P], None]) -> Callable[..., None]:
    """Give a command the four flags of access; the command gets them as its first argument.

    Raises:
        typer.BadParameter: At the call: one of them is not known; ends the program with the ways to give it.
    """

    @wraps(command)
    def run(
        *,
        url: str | None,
        client_id: str | None,
        client_secret: str | None,
        data_dir: Path | None,
        **given: Any,
    ) -> None:
        found = access(url, client_id, client_secret, data_dir)
        command(found, **given)  # type: ignore[call-arg]  # typer gives what the signature names

    # typer reads the flags from the signature: those of the command after its first argument, then those of access.
    flags = {"url": Url, "client_id": ClientId, "client_secret": ClientSecret, "data_dir": DataDir}
    del command.__annotations__["access"]  # imported for type checkers alone, so that it cannot be evaluated
    _, *own = inspect.signature(command, eval_str=True).parameters.values()
    added = [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=flag)
        for name, flag in flags.items()
    ]
    run.__signature__ = inspect.Signature([*own, *added])  # type: ignore[attr-defined]  # inspect.signature() reads it
    run.__annotations__ = {one.name: one.annotation for one in (*own, *added)}
    return run


def form(*, as_json: bool, as_csv: bool) -> Form:
    """Return the form of a command's output that two flags ask for.

    Raises:
        typer.BadParameter: Both are given.
    """
    if as_json and as_csv:
        raise typer.BadParameter("one of --json and --csv only", param_hint="--csv")
    return "json" if as_json else "csv" if as_csv else "table"
