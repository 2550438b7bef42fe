"""Slots of operations at once."""

from __future__ import annotations

from catenary_core.limits.slots import SLOT_SECONDS, Slots

NOW = 1_800_000_000.0


def test_slots_are_taken_to_the_limit_and_free_after_release() -> None:
    slots = Slots({}, 2, NOW)
    assert [slots.take("a"), slots.take("b"), slots.take("c")] == [True, True, False]
    assert (slots.standing().remaining, slots.standing().reset_at) == (0, NOW + 1)
    slots.release("a")
    assert slots.take("c")
    slots.release("c")
    assert (slots.standing().remaining, slots.standing().reset_at) == (1, NOW)


def test_a_dead_processes_slot_ends_by_itself_and_a_renewed_one_does_not() -> None:
    slots = Slots({}, 2, NOW)
    assert slots.take("dead")
    assert slots.take("alive")
    later = Slots(slots.state(), 2, NOW + SLOT_SECONDS / 2)
    later.renew("alive")
    ended = Slots(later.state(), 2, NOW + SLOT_SECONDS)
    assert ended.standing().remaining == 1
