"""Who is told of which event: the one table of the rules (`RULES`).

- A role that was given or changed, and a share, tell the user, or the users of the team, who got it. A link tells nobody.
- A comment tells everyone with a role in its project; an answer only the author of what it answers, so that a talk of two doesn't
  call everybody.
- An evaluation tells who asked for it, but only when that call didn't wait for the end (`Prefer: respond-async`) or no longer did
  (`wait`), so that quick evaluations tell nobody. Points of batches and studies have no such call; of these only the end of the
  whole tells who asked for it.
- Nobody is told of what they did themselves: neither a commenter of the comment, nor who cancelled of the end. The end of work
  isn't the doing of who asked for it, though its event names them.

An event of a change that is told by another event too has no rule here, so that nobody is told twice.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum

from catenary_core.database.statements import Row


class Recipient(Enum):
    """Whom the id of a notice stands for."""

    USER = "user"
    """The user itself."""
    TEAM = "team"
    """The users of the team."""
    MEMBERS = "members"
    """Those who have a role in the project, themselves or by a team."""
    AUTHOR = "author"
    """The author of the comment."""
    ASKER = "asker"
    """Who asked for the evaluation and got its end not as the answer."""


@dataclass(frozen=True, slots=True)
class Notice:
    """What an event tells, and to whom; `besides` is the user who isn't told, since it is their doing."""

    kind: str
    to: Recipient
    id: str
    besides: str | None


Rule = Callable[[Row], Notice | None]
"""What an event (a row of `event_log.read`) tells; None: nothing."""


def _role(row: Row) -> Notice | None:
    member = row["data"]["member"]
    return None if member["role"] is None else _given(row, member)


def _share(row: Row) -> Notice | None:
    share = row["data"]["share"]
    return None if share["kind"] == "link" else _given(row, share)


def _given(row: Row, given: Mapping[str, str | None]) -> Notice:
    """`given` has the id of a user or of a team."""
    user_id, team_id = given["user_id"], given["team_id"]
    if user_id is not None:
        return Notice("share", Recipient.USER, user_id, row["actor_id"])
    if team_id is not None:
        return Notice("share", Recipient.TEAM, team_id, row["actor_id"])
    raise ValueError("a role is given to a user or a team")


def _comment(row: Row) -> Notice:
    parent_id = row["data"]["comment"]["parent_id"]
    if parent_id is not None:
        return Notice("reply", Recipient.AUTHOR, parent_id, row["actor_id"])
    return Notice("comment", Recipient.MEMBERS, row["project_id"], row["actor_id"])


def _evaluation(kind: str) -> Rule:
    def rule(row: Row) -> Notice:
        evaluation = row["data"]["evaluation"]
        return Notice(kind, Recipient.ASKER, evaluation["evaluation_id"], _canceller(row, evaluation["status"]))

    return rule


def _work(kind: str, name: str) -> Rule:
    def rule(row: Row) -> Notice:
        work = row["data"][name]
        return Notice(kind, Recipient.USER, work["created_by"], _canceller(row, work["status"]))

    return rule


def _canceller(row: Row, status: str) -> str | None:
    actor_id: str | None = row["actor_id"]
    return actor_id if status == "cancelled" else None


RULES: Mapping[str, Rule] = {
    "project.permission.changed": _role,
    "project.shared": _share,
    "comment.created": _comment,
    "model.evaluation.completed": _evaluation("evaluation_completed"),
    "model.evaluation.failed": _evaluation("evaluation_failed"),
    "model.batch.completed": _work("batch_completed", "batch"),
    "model.study.completed": _work("study_completed", "study"),
}
"""The rule of each type of event that tells somebody something."""

TITLES: Mapping[str, str] = {
    "share": "You were given a role in the project.",
    "comment": "There is a new comment.",
    "reply": "Your comment was answered.",
    "evaluation_completed": "Your evaluation is completed.",
    "evaluation_failed": "Your evaluation ended without a result.",
    "batch_completed": "Your batch has ended.",
    "study_completed": "Your study has ended.",
    "webhook_disabled": "Your webhook was disabled, since its deliveries failed.",
}
"""What a notification of each kind says; the name of its project stands before it."""
