"""The commands of shares, and their flags."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

import typer

from catenary_cli import options
from catenary_cli.author_commands import AsJson, Project, ProjectArgument
from catenary_cli.running import run

if TYPE_CHECKING:
    from catenary_cli.remote.api import Access

share_app = typer.Typer(
    help="Shares of a project or a variant, with people, teams and by links.",
    no_args_is_help=True,
    rich_markup_mode=None,
)


@share_app.command("add")
@options.with_access
def share_add(
    access: Access,
    project: Project,
    user: Annotated[str | None, typer.Option(help="Id or e-mail address of a user.", show_default=False)] = None,
    team: Annotated[str | None, typer.Option(help="Id of a team.", show_default=False)] = None,
    link: Annotated[bool, typer.Option("--link", help="Make a link, whose address is shown only now.")] = False,
    role: Annotated[
        Literal["viewer", "evaluator", "editor"], typer.Option(help="Role that the share gives.")
    ] = "viewer",
    variant: Annotated[
        str | None, typer.Option(help="Id of the only variant to share.", show_default="the whole project")
    ] = None,
    until: Annotated[
        str | None, typer.Option(metavar="TIME", help="End, such as 2099-01-31T12:00:00Z.", show_default="no end")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Share a project or a variant with a user or a team, or by a link."""
    from catenary_cli.remote import shares

    run(
        shares.add(
            access, project, user=user, team=team, link=link, role=role, variant=variant, until=until, as_json=as_json
        )
    )


@share_app.command("list")
@options.with_access
def share_list(
    access: Access,
    project: ProjectArgument,
    as_json: AsJson = False,
) -> None:
    """List the shares of a project, oldest first."""
    from catenary_cli.remote import shares

    run(shares.list_shares(access, project, as_json=as_json))


@share_app.command("remove")
@options.with_access
def share_remove(
    access: Access,
    share: Annotated[str, typer.Argument(metavar="SHARE", help="Id of the share.")],
    project: Project,
) -> None:
    """End a share."""
    from catenary_cli.remote import shares

    run(shares.remove(access, project, share))
