"""The commands of the Studio."""

from __future__ import annotations

import subprocess
import time
from pathlib import Path

import typer

studio_app = typer.Typer(help="The Studio's page.", no_args_is_help=True, rich_markup_mode=None)


@studio_app.command("build")
def studio_build() -> None:
    """Build the Studio's page of its sources, where the installation could not reach the npm registry."""
    import catenary_edge.studio
    from catenary_edge.studio import bundle

    folder = Path(catenary_edge.studio.__path__[0])
    if bundle.is_current(folder):
        typer.echo("The Studio is built already.")
        return
    started = time.monotonic()
    try:
        bundle.build(folder)
    except (OSError, subprocess.SubprocessError) as error:
        typer.echo(f"The Studio can't be built: {bundle.told(error)}", err=True)
        raise typer.Exit(1) from None
    typer.echo(f"Built in {time.monotonic() - started:.0f} s. A server that runs shows it after a restart.")
