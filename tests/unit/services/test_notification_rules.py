"""The people notified of each event: the rules, on events of their decided shapes."""

from __future__ import annotations

from typing import Any

import pytest

from catenary.platform.v1 import notification_pb2
from catenary_core.event_log import notifications
from catenary_core.event_log.event_types import PLATFORM
from catenary_core.services.notifications.rules import RULES, TITLES, Notice, Recipient
from catenary_wire.json_form import enum_numbers

ACTOR, OTHER, TEAM, PROJECT, THING = "actor", "other", "team", "project", "thing"


def _all(type_: str, data: dict[str, Any], actor: str | None = ACTOR) -> list[Notice]:
    return list(RULES[type_]({"type": type_, "project_id": PROJECT, "actor_id": actor, "data": data}))


def _told(type_: str, data: dict[str, Any], actor: str | None = ACTOR) -> Notice | None:
    return next(iter(_all(type_, data, actor)), None)


def test_every_kind_has_a_title_and_every_rule_a_known_kind_and_type() -> None:
    descriptor = notification_pb2.NotificationKind.DESCRIPTOR
    kinds = enum_numbers(descriptor).keys()
    assert TITLES.keys() == kinds
    assert RULES.keys() <= PLATFORM - {notifications.CREATED}


@pytest.mark.parametrize(
    ("type_", "name"),
    [("project.permission.changed", "member"), ("project.shared", "member"), ("project.shared", "share")],
)
def test_a_role_tells_the_user_or_the_team_that_got_it(type_: str, name: str) -> None:
    user = {"kind": "user", "user_id": OTHER, "team_id": None, "role": "viewer"}
    team = {"kind": "team", "user_id": None, "team_id": TEAM, "role": "viewer"}
    assert _told(type_, {name: user}) == Notice("share", Recipient.USER, OTHER, ACTOR)
    assert _told(type_, {name: team}) == Notice("share", Recipient.TEAM, TEAM, ACTOR)


def test_a_role_that_was_taken_and_a_link_tell_nobody() -> None:
    assert _told("project.permission.changed", {"member": {"user_id": OTHER, "team_id": None, "role": None}}) is None
    link = {"kind": "link", "user_id": None, "team_id": None, "role": "viewer"}
    assert _told("project.shared", {"share": link}) is None


def test_a_comment_tells_each_person_once_by_the_nearest_reason() -> None:
    comment = {"mentions": [OTHER, ACTOR], "parent_id": THING, "variant_id": "variant"}
    assert _all("comment.created", {"comment": comment}) == [
        Notice("mention", Recipient.USER, OTHER, ACTOR),
        Notice("mention", Recipient.USER, ACTOR, ACTOR),
        Notice("reply", Recipient.AUTHOR, THING, ACTOR),
        Notice("comment", Recipient.VARIANT_AUTHOR, "variant", ACTOR),
    ]
    assert _all("comment.created", {"comment": {"mentions": [], "parent_id": None, "variant_id": None}}) == []


@pytest.mark.parametrize("end", ["completed", "failed"])
def test_an_evaluation_tells_who_asked_for_it_though_the_event_names_them(end: str) -> None:
    evaluation = {"evaluation_id": THING, "status": end, "created_by": {"user_id": ACTOR}}
    told = _told(f"model.evaluation.{end}", {"evaluation": evaluation})
    assert told == Notice(f"evaluation_{end}", Recipient.ASKER, THING, None)


@pytest.mark.parametrize("name", ["batch", "study"])
def test_a_batch_and_a_study_tell_who_asked_for_them(name: str) -> None:
    told = _told(f"model.{name}.completed", {name: {"status": "completed", "created_by": {"user_id": OTHER}}})
    assert told == Notice(f"{name}_completed", Recipient.USER, OTHER, None)


def test_who_cancels_is_not_told() -> None:
    evaluation = {"evaluation_id": THING, "status": "cancelled", "created_by": {"user_id": OTHER}}
    told = _told("model.evaluation.failed", {"evaluation": evaluation})
    assert told == Notice("evaluation_failed", Recipient.ASKER, THING, ACTOR)
    told = _told("model.study.completed", {"study": {"status": "cancelled", "created_by": {"user_id": ACTOR}}})
    assert told == Notice("study_completed", Recipient.USER, ACTOR, ACTOR)
