"""The commands of users, and their flags."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from catenary_cli import options
from catenary_cli.author_commands import AsJson
from catenary_cli.running import run

if TYPE_CHECKING:
    from catenary_cli.remote.api import Access

user_app = typer.Typer(
    help="People and clients of an installation, for its Admins.", no_args_is_help=True, rich_markup_mode=None
)


@user_app.command("list")
@options.with_access
def user_list(
    access: Access,
    search: Annotated[
        str | None,
        typer.Option(help="Part of a name or of a verified e-mail address.", show_default="all users"),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """List the users, oldest first."""
    from catenary_cli.remote import users

    run(users.list_users(access, search, as_json=as_json))


@user_app.command("link")
@options.with_access
def user_link(
    access: Access,
    user: Annotated[str, typer.Argument(metavar="USER", help="Id of the user.")],
    as_json: AsJson = False,
) -> None:
    """Make a link by which a person without an identity provider signs in again."""
    from catenary_cli.remote import users

    run(users.link(access, user, as_json=as_json))
