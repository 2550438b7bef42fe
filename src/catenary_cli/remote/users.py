"""`catenary user`: the people and clients of a running server, for its Admins."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

from catenary_cli import show
from catenary_cli.remote.api import Access, Api


async def list_users(access: Access, search: str | None, *, as_json: bool) -> None:
    """Print the users, oldest first."""
    async with Api(access) as api:
        query = "" if search is None else f"?search={quote(search, safe='')}"
        users = await api.pages(f"users{query}", "users")
    if as_json:
        show.json({"users": users})
        return
    rows = [[one["staff_name"], one["user_id"], one["email"], _notes(one)] for one in users]
    show.rows(("Name", "Id", "E-mail", "Notes"), rows, "There is no such user.")


async def link(access: Access, user_id: str, *, as_json: bool) -> None:
    """Make a sign-in link for a person without an identity provider, and print its address and its end."""
    async with Api(access) as api:
        made = await api.post(f"users/{quote(user_id, safe='')}/sign_in_links", {})
    if as_json:
        show.json(made)
        return
    show.line(made["url"])
    show.line(f"It works once, until {str(made['expires_at'])[:16].replace('T', ' ')} UTC.")


def _notes(user: dict[str, Any]) -> str:
    notes = [name for name in ("admin", "disabled") if user[name]]
    if user["email"] and not user["email_verified"]:
        notes.append("e-mail not verified")
    return ", ".join(notes)
