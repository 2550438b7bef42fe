"""The commands of saved views, and their flags."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from catenary_cli import options
from catenary_cli.author_commands import AsJson, ProjectArgument
from catenary_cli.running import run

if TYPE_CHECKING:
    from catenary_cli.remote.api import Access

ViewId = Annotated[str, typer.Argument(metavar="VIEW", help="Id of the view.")]
Content = Annotated[
    Path,
    typer.Argument(
        metavar="PATH",
        exists=True,
        dir_okay=False,
        allow_dash=True,
        help="JSON file of the view; - for standard input.",
    ),
]
Yes = Annotated[bool, typer.Option("--yes", "-y", help="Go on without a question.")]
view_app = typer.Typer(
    help="Views: what a page shows of a project, saved under a name.", no_args_is_help=True, rich_markup_mode=None
)


@view_app.command("list")
@options.with_access
def view_list(
    access: Access,
    project: ProjectArgument,
    as_json: AsJson = False,
) -> None:
    """List the views of a project, newest first."""
    from catenary_cli.remote import views

    run(views.list_views(access, project, as_json=as_json))


@view_app.command("show")
@options.with_access
def view_show(
    access: Access,
    view: ViewId,
    as_json: AsJson = False,
) -> None:
    """Show a view; with --json as `create` and `replace` take it."""
    from catenary_cli.remote import views

    run(views.show_view(access, view, as_json=as_json))


@view_app.command("create")
@options.with_access
def view_create(
    access: Access,
    project: ProjectArgument,
    content: Content,
    as_json: AsJson = False,
) -> None:
    """Save a view of a project from a file and print its id."""
    from catenary_cli.remote import views

    run(views.create(access, project, content, as_json=as_json))


@view_app.command("replace")
@options.with_access
def view_replace(
    access: Access,
    view: ViewId,
    content: Content,
    as_json: AsJson = False,
) -> None:
    """Replace a view by a file; one of `show` only if nobody changed it since."""
    from catenary_cli.remote import views

    run(views.replace(access, view, content, as_json=as_json))


@view_app.command("default")
@options.with_access
def view_default(
    access: Access,
    view: ViewId,
    off: Annotated[bool, typer.Option("--off", help="Make it the default no longer.")] = False,
    yes: Yes = False,
) -> None:
    """Make a view the one that a page opens first."""
    from catenary_cli import show
    from catenary_cli.remote import views

    found = run(views.read(access, view))
    if (lost := views.lost_text(found)) is not None and not yes and not show.confirmed(f"{lost} Go on?"):
        raise typer.Abort
    run(views.set_default(access, found, is_default=not off))


@view_app.command("delete")
@options.with_access
def view_delete(
    access: Access,
    view: ViewId,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Delete without a question.")] = False,
) -> None:
    """Delete a view."""
    from catenary_cli import show
    from catenary_cli.remote import views

    found = run(views.read(access, view))
    if not yes and not show.confirmed(f"Delete {found.view['name']}?"):
        raise typer.Abort
    run(views.delete(access, found))
