"""`catenary comment`: the comments of a project on a running server."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from urllib.parse import quote, urlencode

from catenary_cli import show
from catenary_cli.remote.api import Access, Api


async def add(
    access: Access,
    project_id: str,
    text: str,
    variant_id: str | None,
    parent_id: str | None,
    mentions: Sequence[str],
    *,
    as_json: bool,
) -> None:
    """Write a comment and print its id."""
    places = {"variant_id": variant_id, "parent_id": parent_id}
    given = {name: value for name, value in places.items() if value is not None}
    body = {"content": text, **given, "mentions": list(mentions)}
    async with Api(access) as api:
        made = (await api.post(f"projects/{quote(project_id, safe='')}/comments", body))["comment"]
    if as_json:
        show.json({"comment": made})
    else:
        show.line(f"Comment {made['comment_id']}")


async def list_comments(
    access: Access, project_id: str, variant_id: str | None, resolved: bool | None, *, as_json: bool
) -> None:
    """Print the comments of a project, newest first."""
    query = {} if variant_id is None else {"variant_id": variant_id}
    if resolved is not None:
        query["resolved"] = str(resolved).lower()
    path = f"projects/{quote(project_id, safe='')}/comments"
    async with Api(access) as api:
        comments = await api.pages(f"{path}?{urlencode(query)}" if query else path, "comments")
    if as_json:
        show.json({"comments": comments})
        return
    columns = ("Id", "Written (UTC)", "By", "Thread", "Text")
    show.rows(columns, [_row(comment) for comment in comments], "There are no such comments.")


async def resolve(access: Access, comment_id: str, *, resolved: bool, as_json: bool) -> None:
    """Resolve or reopen the thread of a comment."""
    async with Api(access) as api:
        comment = (await api.patch(f"comments/{quote(comment_id, safe='')}", {"resolved": resolved}))["comment"]
    if as_json:
        show.json({"comment": comment})
    else:
        show.line(f"The thread of {comment['comment_id']} is {'resolved' if resolved else 'open'}")


def _row(comment: dict[str, Any]) -> list[str]:
    """Return the cells of a comment; a reply has an arrow before its text."""
    author = (comment["created_by"] or {}).get("staff_name", "")
    text = str(comment["content"])
    return [
        comment["comment_id"],
        str(comment["created_at"])[:16].replace("T", " "),
        author,
        "resolved" if comment["resolved"] else "open",
        text if comment["parent_id"] is None else f"↳ {text}",
    ]
