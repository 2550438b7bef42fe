"""The commands of the Studio."""

from __future__ import annotations

import subprocess
import time
from pathlib import Path

import typer

from catenary_cli import show

studio_app = typer.Typer(help="The Studio's page.", no_args_is_help=True, rich_markup_mode=None)


@studio_app.command("build")
def studio_build() -> None:
    """Build the Studio's page of its sources, where the installation could not reach the npm registry."""
    import catenary_edge.studio
    from catenary_edge.studio import bundle

    folder = Path(catenary_edge.studio.__path__[0])
    if bundle.is_current(folder):
        show.line("The Studio is built already.")
        return
    started = time.monotonic()
    try:
        bundle.build(folder)
    except (OSError, subprocess.SubprocessError) as error:
        show.problem(f"The Studio can't be built: {bundle.told(error)}")
        raise typer.Exit(1) from None
    show.line(f"Built in {time.monotonic() - started:.0f} s. A server that runs shows it after a restart.")
