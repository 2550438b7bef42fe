"""The selection of a reader, and the people who may be told."""

from __future__ import annotations

import pytest

from catenary_core.access.addressees import NO_ADDRESSEE, Addressee
from catenary_core.access.audience import Viewers, may_see
from catenary_core.call.call import Identity
from catenary_core.call.errors import DomainError
from catenary_core.event_log.event_types import PLATFORM, Selection, covered, surface_of
from catenary_core.services.events.offered import OfferedEvent
from catenary_core.services.events.subscription import MAX_TAKEN, MAX_WAITING, Subscription

KNOWN = PLATFORM | {"parameter.entry.updated", "parameter.entry.deleted", "comments.comment.created"}


def test_names_categories_and_a_star_cover_types() -> None:
    assert covered([], KNOWN) is None
    assert covered(["project.created", "*"], KNOWN) is None
    assert covered(["project.created"], KNOWN) == {"project.created"}
    assert covered(["parameter.entry.*", "user.login"], KNOWN) == {
        "parameter.entry.updated",
        "parameter.entry.deleted",
        "user.login",
    }
    assert covered(["comment.*"], KNOWN) == {"comment.created", "comment.updated", "comment.deleted"}


@pytest.mark.parametrize(
    "name", ["", "project", "project.", ".*", "*.*", "**", "project.create", "PROJECT.*", "model.**"]
)
def test_a_name_that_covers_nothing_is_refused_by_its_place(name: str) -> None:
    with pytest.raises(DomainError) as refused:
        covered(["user.login", name], KNOWN)
    assert refused.value.details["parameter"] == "types[1]"
    said = refused.value.message
    assert said.startswith("types[1] is no type of event; give a category such as model.*, or *, or one of: ")
    assert all(type_ in said for type_ in PLATFORM), "the way out is a list of those that there are"
    assert "comments.comment.created, parameter.entry.deleted|updated." in said


def test_a_types_surface_is_that_of_its_scope() -> None:
    assert surface_of("comments.comment.created") == "comments"
    assert surface_of("comment.created") == "platform"
    assert surface_of("notification.created") == "platform"
    assert surface_of("model.evaluation.completed") == "platform"
    assert surface_of("parameter.entry.updated") == "parameter"


@pytest.mark.parametrize(
    ("viewers", "seeing"),
    [
        (Addressee("u", has_role=True), {"person u", "admin u"}),
        (Addressee("u", has_role=False), {"admin u"}),
        (NO_ADDRESSEE, set()),
        (frozenset({"u"}), {"person u", "admin u", "admin v"}),
    ],
)
def test_what_is_to_one_user_hides_from_admins(viewers: Viewers, seeing: set[str]) -> None:
    found = {
        f"{'admin' if admin else 'person'} {user}"
        for user in ("u", "v")
        for admin in (False, True)
        if may_see(Identity(user, "person", admin=admin), "notification.created", viewers)
    }
    assert found == seeing


def _offered(sequence: int, viewers: Viewers = None) -> OfferedEvent:
    row = {**dict.fromkeys(("occurred_at", "project_id", "actor_id", "subject", "data")), "id": str(sequence)}
    return OfferedEvent({**row, "sequence": sequence, "type": "system.maintenance"}, viewers)


async def test_a_reader_may_be_a_thousand_events_behind_and_not_one_more() -> None:
    subscription = Subscription(Identity("u", "person"), Selection(), 0)
    for sequence in range(1, MAX_WAITING + 1):
        subscription.offer(_offered(sequence))
    taken = await subscription.taken()
    assert [event["id"] for event in taken] == [str(sequence) for sequence in range(1, MAX_TAKEN + 1)]
    for sequence in range(MAX_WAITING + 1, MAX_WAITING + MAX_TAKEN + 1):
        subscription.offer(_offered(sequence))
    subscription.check()
    subscription.offer(_offered(MAX_WAITING + MAX_TAKEN + 1))
    with pytest.raises(DomainError) as ended:
        await subscription.taken()
    assert ended.value.reason == "RATE_LIMIT_EXCEEDED"
    assert not subscription._waiting


def test_what_was_offered_before_and_what_is_for_others_is_left_out() -> None:
    subscription = Subscription(Identity("u", "person"), Selection(), 5)
    subscription.offer(_offered(5))
    subscription.offer(_offered(6, frozenset({"other"})))
    assert not subscription._waiting
    subscription.offer(_offered(7, frozenset({"u"})))
    assert [event["id"] for event in subscription._waiting] == ["7"]
