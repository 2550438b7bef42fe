"""The commands of files for parameters, and their flags."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from catenary_cli import options
from catenary_cli.author_commands import AsJson, Project, ProjectArgument
from catenary_cli.running import run

if TYPE_CHECKING:
    from catenary_cli.remote.api import Access

FileId = Annotated[str, typer.Argument(metavar="FILE", help="Id of the file.")]
file_app = typer.Typer(
    help="Files of a project, for parameters that take one.", no_args_is_help=True, rich_markup_mode=None
)


@file_app.command("upload")
@options.with_access
def file_upload(
    access: Access,
    file: Annotated[Path, typer.Argument(metavar="PATH", exists=True, dir_okay=False, help="File of at most 16 MiB.")],
    project: Project,
    name: Annotated[str | None, typer.Option(help="Name of the file.", show_default="its own")] = None,
    as_json: AsJson = False,
) -> None:
    """Upload a file to a project and print its id, the value of a parameter."""
    from catenary_cli.remote import files

    run(files.upload(access, project, file, name, as_json=as_json))


@file_app.command("list")
@options.with_access
def file_list(
    access: Access,
    project: ProjectArgument,
    as_json: AsJson = False,
) -> None:
    """List the files of a project, newest first."""
    from catenary_cli.remote import files

    run(files.list_files(access, project, as_json=as_json))


@file_app.command("show")
@options.with_access
def file_show(
    access: Access,
    file: FileId,
    as_json: AsJson = False,
) -> None:
    """Show a file, without its content."""
    from catenary_cli.remote import files

    run(files.show_file(access, file, as_json=as_json))


@file_app.command("download")
@options.with_access
def file_download(
    access: Access,
    file: FileId,
    out: Annotated[
        Path | None,
        typer.Option(
            metavar="PATH",
            dir_okay=False,
            help="File to write.",
            show_default="the file's own name, in the current folder",
        ),
    ] = None,
) -> None:
    """Download the content of a file."""
    from catenary_cli.remote import files

    run(files.download(access, file, out))


@file_app.command("delete")
@options.with_access
def file_delete(
    access: Access,
    file: FileId,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Delete without a question.")] = False,
) -> None:
    """Delete a file that no work under way uses."""
    from catenary_cli import show
    from catenary_cli.remote import files

    name = run(files.name_of(access, file))
    if not yes and not show.confirmed(f"Delete {name}?"):
        raise typer.Abort
    run(files.delete(access, file, name))
