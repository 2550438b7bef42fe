"""The commands of comments, and their flags."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from catenary_cli import options
from catenary_cli.author_commands import AsJson, ProjectArgument
from catenary_cli.running import run

if TYPE_CHECKING:
    from catenary_cli.remote.api import Access

Variant = Annotated[str | None, typer.Option(metavar="ID", help="Id of a variant.", show_default="the project")]
comment_app = typer.Typer(help="Comments on a project and its variants.", no_args_is_help=True, rich_markup_mode=None)


@comment_app.command("add")
@options.with_access
def comment_add(
    access: Access,
    project: ProjectArgument,
    text: Annotated[str, typer.Argument(metavar="TEXT", help="Text of the comment.")],
    variant: Variant = None,
    reply_to: Annotated[str | None, typer.Option("--reply-to", metavar="ID", help="Comment to reply to.")] = None,
    mention: Annotated[
        list[str] | None, typer.Option("--mention", metavar="USER", help="User id of a member to tell; repeatable.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Write a comment on a project or a variant, or a reply, and print its id."""
    from catenary_cli.remote import comments

    run(comments.add(access, project, text, variant, reply_to, mention or [], as_json=as_json))


@comment_app.command("list")
@options.with_access
def comment_list(
    access: Access,
    project: ProjectArgument,
    variant: Annotated[
        str | None, typer.Option(metavar="ID", help="Id of the variant.", show_default="all comments")
    ] = None,
    resolved: Annotated[
        bool | None, typer.Option("--resolved/--open", help="Only resolved or only open threads.", show_default="both")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """List the comments of a project, newest first."""
    from catenary_cli.remote import comments

    run(comments.list_comments(access, project, variant, resolved, as_json=as_json))


@comment_app.command("resolve")
@options.with_access
def comment_resolve(
    access: Access,
    comment: Annotated[str, typer.Argument(metavar="COMMENT", help="Id of any comment of the thread.")],
    reopen: Annotated[bool, typer.Option("--reopen", help="Open the thread again.")] = False,
    as_json: AsJson = False,
) -> None:
    """Resolve the thread of a comment, or open it again."""
    from catenary_cli.remote import comments

    run(comments.resolve(access, comment, resolved=not reopen, as_json=as_json))
