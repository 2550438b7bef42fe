"""Events as share links get them."""

from __future__ import annotations

from typing import Any

import pytest

from catenary.platform.v1.event_shapes import Event
from catenary_core.access.linked_events import SHOWN, is_shown, without_people
from catenary_core.call.call import SharedPart
from catenary_core.event_log.event_types import PLATFORM

PROJECT = SharedPart("p", None, None)
VARIANT = SharedPart("p", "v", "e")


def _event(type_: str, project_id: str | None = "p", **data: Any) -> Event:
    return {
        "id": "1",
        "type": type_,
        "occurred_at": "2030-01-31T12:00:00.000000Z",
        "project_id": project_id,
        "actor_id": "u",
        "subject": "/v1/x",
        "data": data,
    }


def test_links_hear_types_of_the_platform_alone() -> None:
    assert SHOWN.keys() < PLATFORM
    assert not [name for name in SHOWN if name.startswith(("user.", "system.", "model.version.", "project.shared"))]


@pytest.mark.parametrize(
    ("type_", "data"),
    [
        ("project.shared", {"member": {"user_id": "u"}}),
        ("project.permission.changed", {"share": {"share_id": "s"}}),
        ("model.version.ready", {"model_version": {}}),
        ("model.deployment.changed", {"deployment": {}}),
        ("user.login", {"user": {"user_id": "u"}}),
        ("notification.created", {"notification": {"notification_id": "n"}}),
        ("system.maintenance", {"system_event": {}}),
        ("comments.comment.created", {"comment": {"id": "c"}}),
        ("project.updated", {"share": {"share_id": "s"}}),
        ("project.updated", {"project": {}, "member": {"user_id": "u"}}),
        ("project.updated", {}),
    ],
)
def test_any_other_type_or_resource_reaches_no_link(type_: str, data: dict[str, Any]) -> None:
    assert without_people(_event(type_, **data)) is None


def test_people_are_taken_out_of_a_copy() -> None:
    comment = {"comment_id": "c", "created_by": {"user_id": "u"}, "resolved_by": {"user_id": "u"}, "mentions": ["u"]}
    event = _event("comment.updated", comment=comment)
    shown = without_people(event)
    assert shown is not None
    assert shown["actor_id"] is None
    assert shown["data"] == {"comment": {"comment_id": "c", "created_by": None, "resolved_by": None, "mentions": []}}
    assert event["actor_id"] == "u"
    assert comment["mentions"] == ["u"]
    project = without_people(_event("project.updated", project={"project_id": "p", "owner_user_id": "u"}))
    assert project is not None
    assert project["data"] == {"project": {"project_id": "p", "owner_user_id": None}}


@pytest.mark.parametrize(
    ("event", "by_project", "by_variant"),
    [
        (_event("project.updated", project={}), True, False),
        (_event("project.updated", parameter={}), True, False),
        (_event("model.batch.completed", batch={}), True, False),
        (_event("project.variant.updated", variant={"variant_id": "v"}), True, True),
        (_event("project.variant.updated", variant={"variant_id": "w"}), True, False),
        (_event("project.view.updated", view={"view_id": "w"}), True, False),
        (_event("comment.created", comment={"variant_id": "v"}), True, True),
        (_event("comment.created", comment={"variant_id": None}), True, False),
        (_event("model.evaluation.completed", evaluation={"evaluation_id": "e"}), True, True),
        (_event("model.evaluation.completed", evaluation={"evaluation_id": "f"}), True, False),
        (_event("project.variant.updated", "q", variant={"variant_id": "v"}), False, False),
        (_event("project.updated", None, project={}), False, False),
    ],
)
def test_an_event_is_of_what_the_link_shows(event: Event, by_project: bool, by_variant: bool) -> None:
    assert (is_shown(PROJECT, event), is_shown(VARIANT, event)) == (by_project, by_variant)
