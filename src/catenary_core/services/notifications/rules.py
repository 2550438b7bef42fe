"""Rules for the recipients of each event's notifications: the table `RULES`.

- A role that was given or changed, and a share, notify the user, or the users of the team, that got it. A link notifies
  nobody.
- A comment notifies the users that it mentions, the author of the comment that it replies to, and the author of the variant
  that it is on: each of them once, with the first of these reasons.
- An evaluation notifies the user that requested it, but only if that call didn't wait for the end (`Prefer:
  respond-async`) or stopped waiting (`wait`), so that quick evaluations notify nobody. Evaluations of a batch or a
  study have no such call; only the end of the whole batch or study notifies its user.
- Users aren't notified of their own actions, such as their own comments or cancellations. The end of work isn't an
  action of the user that requested it, though the event names that user.

A change that another event reports too has no rule for its own event, so that nobody is notified twice.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum

from catenary.platform.v1 import variant_service_pb2
from catenary_core.call.resource_paths import resource_path
from catenary_core.database.statements import Row

_VARIANT = resource_path(variant_service_pb2, "GetVariant")
_SHARED_VARIANT = "A variant was shared with you."


class Recipient(Enum):
    """The kind of recipient that a notice's id stands for."""

    USER = "user"
    """The user with the id."""
    TEAM = "team"
    """The users of the team."""
    AUTHOR = "author"
    """The author of the comment."""
    VARIANT_AUTHOR = "variant_author"
    """The user that saved the variant."""
    ASKER = "asker"
    """The user that requested the evaluation and didn't get its end as the response."""


@dataclass(frozen=True, slots=True)
class Notice:
    """The notification that an event causes."""

    kind: str
    """A key of `TITLES`."""
    to: Recipient
    """The kind of recipient."""
    id: str
    """The id of the user, team, comment, variant or evaluation that determines the recipients."""
    excluded_user_id: str | None
    """The user that isn't notified, because the event is that user's own action."""


Rule = Callable[[Row], Sequence[Notice]]
"""Returns the notices of an event (a row of `event_log.read`); a user gets the first of those that are to the user."""


def _role(row: Row) -> Sequence[Notice]:
    member = row["data"].get("member")  # else a share has ended
    return () if member is None or member["role"] is None else (_given(row, member),)


def _share(row: Row) -> Sequence[Notice]:
    if "member" in row["data"]:
        return _role(row)
    share = row["data"]["share"]
    return () if share["kind"] == "link" else (_given(row, share),)


def _given(row: Row, given: Mapping[str, str | None]) -> Notice:
    """Build the notice of a role given to a user or a team, whose id `given` has."""
    user_id, team_id = given["user_id"], given["team_id"]
    if user_id is not None:
        return Notice("share", Recipient.USER, user_id, row["actor_id"])
    if team_id is not None:
        return Notice("share", Recipient.TEAM, team_id, row["actor_id"])
    raise ValueError("a role is given to a user or a team")


def subject_of(row: Row) -> str:
    """Return the path of what an event's notifications are about: of a shared variant itself, since its share is hidden."""
    variant_id = row["data"].get("share", {}).get("variant_id")  # none in a share of the whole project
    if row["type"] == "project.shared" and variant_id is not None:
        return _VARIANT.format(variant_id)
    return str(row["subject"])


def title_of(kind: str, subject: str) -> str:
    """Return the sentence of a notification, by its kind and what it is about."""
    return _SHARED_VARIANT if kind == "share" and subject.startswith(_VARIANT.format("")) else TITLES[kind]


def _comment(row: Row) -> Sequence[Notice]:
    comment, author = row["data"]["comment"], row["actor_id"]
    notices = [Notice("mention", Recipient.USER, user_id, author) for user_id in comment["mentions"]]
    if comment["parent_id"] is not None:
        notices.append(Notice("reply", Recipient.AUTHOR, comment["parent_id"], author))
    if comment["variant_id"] is not None:
        notices.append(Notice("comment", Recipient.VARIANT_AUTHOR, comment["variant_id"], author))
    return notices


def _evaluation(kind: str) -> Rule:
    def rule(row: Row) -> Sequence[Notice]:
        evaluation = row["data"]["evaluation"]
        return (Notice(kind, Recipient.ASKER, evaluation["evaluation_id"], _canceller(row, evaluation["status"])),)

    return rule


def _work(kind: str, name: str) -> Rule:
    def rule(row: Row) -> Sequence[Notice]:
        work = row["data"][name]
        return (Notice(kind, Recipient.USER, work["created_by"]["user_id"], _canceller(row, work["status"])),)

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
"""The rule of each type of event that causes notifications."""

TITLES: Mapping[str, str] = {
    "share": "You were given a role in the project.",
    "mention": "You were mentioned in a comment.",
    "comment": "There is a comment on your variant.",
    "reply": "Your comment was answered.",
    "evaluation_completed": "Your evaluation is completed.",
    "evaluation_failed": "Your evaluation ended without a result.",
    "batch_completed": "Your batch has ended.",
    "study_completed": "Your study has ended.",
    "sign_in_link": "An Admin made a link by which you can sign in.",
    "webhook_disabled": "Your webhook was disabled, since its deliveries failed.",
}
"""The text of each kind of notification; the name of its project comes before it."""
