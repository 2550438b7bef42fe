"""Events of comments of projects, whichever of the two surfaces changes them."""

from __future__ import annotations

from typing import Any, Literal

from catenary.platform.v1 import comment_service_pb2
from catenary.platform.v1.comment_shapes import Comment
from catenary_core.call.call import Call
from catenary_core.call.resource_paths import resource_path
from catenary_core.database.statements import shaped
from catenary_core.database.transactions import Transaction
from catenary_core.event_log import events
from catenary_core.services.comments.discussion import queries

COMMENT_PATH = resource_path(comment_service_pb2, "GetComment")


async def shown(tx: Transaction, comment_id: str) -> Comment | None:
    """Return a comment of a project, also a deleted one; None for a comment of the comments service alone."""
    row = await tx.one_or_none(queries.ONE, comment_id=comment_id)
    return None if row is None else shaped(Comment, row)


async def write_event(
    tx: Transaction, call: Call, what: Literal["created", "updated", "deleted"], comment: Comment
) -> None:
    """Write the event `comment.<what>`."""
    await events.write(
        tx,
        call,
        f"comment.{what}",
        subject=COMMENT_PATH.format(comment["comment_id"]),
        data=event_data(comment),
        project_id=comment["project_id"],
    )


async def write_event_of_row(tx: Transaction, call: Call, what: Literal["updated", "deleted"], comment_id: str) -> None:
    """Write the event of a row that the comments service changed, if it is a comment of a project."""
    comment = await shown(tx, comment_id)
    if comment is not None:
        await write_event(tx, call, what, comment)


def event_data(comment: Comment) -> dict[str, Any]:
    """Build the `data` of an event: the comment without its text, and of people the ids."""
    data = events.without_names({name: value for name, value in comment.items() if name != "content"})
    if comment["resolved_by"] is not None:
        data["resolved_by"] = {"user_id": comment["resolved_by"]["user_id"]}
    return {"comment": data}
