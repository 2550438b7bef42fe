"""`catenary share`: the shares of a project on a running server."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

from catenary_cli import show
from catenary_cli.remote.api import Access, Api


async def add(
    access: Access,
    project_id: str,
    *,
    user: str | None,
    team: str | None,
    link: bool,
    role: str,
    variant: str | None,
    until: str | None,
    as_json: bool,
) -> None:
    """Make a share; print its id, and the address of a link.

    Raises:
        ValueError: Not exactly one of a user, a team and a link is given, or nobody has the e-mail address.
    """
    if (user is not None) + (team is not None) + link != 1:
        raise ValueError("give exactly one of --user, --team and --link")
    async with Api(access) as api:
        body: dict[str, Any] = {"kind": "link", "role": role}
        if user is not None:
            body |= {"kind": "user", "user_id": await _user_id(api, user)}
        elif team is not None:
            body |= {"kind": "team", "team_id": team}
        given = {"variant_id": variant, "expires_at": until}
        body |= {name: value for name, value in given.items() if value is not None}
        made = await api.post(f"projects/{project_id}/shares", body)
    if as_json:
        show.json(made)
        return
    share = made["share"]
    show.line(f"{_name(share)}: share {share['share_id']}, {share['role']}, {_end(share)}")
    if made["url"] is not None:
        show.line(made["url"])


async def list_shares(access: Access, project_id: str, *, as_json: bool) -> None:
    """Print the shares of a project, oldest first."""
    async with Api(access) as api:
        shares = await api.pages(f"projects/{project_id}/shares", "shares")
    if as_json:
        show.json({"shares": shares})
        return
    rows = [[_name(one), one["share_id"], one["role"], one["variant_id"] or "", _end(one)] for one in shares]
    show.rows(("With", "Id", "Role", "Variant", "End (UTC)"), rows, "The project has no shares.")


async def remove(access: Access, project_id: str, share_id: str) -> None:
    """End a share."""
    async with Api(access) as api:
        await api.delete(f"projects/{project_id}/shares/{share_id}")
    show.line(f"{share_id}: removed")


async def _user_id(api: Api, named: str) -> str:
    """Return the id of a user who is named by id or e-mail address."""
    if "@" not in named:
        return named
    found = await api.pages(f"users?search={quote(named, safe='')}", "users")
    ids = [one["user_id"] for one in found if str(one["email"]).lower() == named.lower()]
    if len(ids) != 1:
        raise ValueError(f"{'several users have' if ids else 'no user has'} the e-mail address {named}; give an id")
    return str(ids[0])


def _name(share: dict[str, Any]) -> str:
    return "link" if share["kind"] == "link" else f"{share['kind']} {share['name']}"


def _end(share: dict[str, Any]) -> str:
    ends = share["expires_at"]
    return "no end" if ends is None else str(ends)[:16].replace("T", " ")
