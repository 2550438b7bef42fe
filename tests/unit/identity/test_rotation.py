"""What follows from the use of a refresh token."""

from __future__ import annotations

import pytest

from catenary_core.services.identity.sessions.rotation import SessionState, Use, ends_at, use_of

NOW = 1_800_000_000.0
DAY = 86400.0


def _state(generation: int = 5, **changes: float) -> SessionState:
    given = {"rotated_at": NOW, "used_at": NOW, "ends_at": NOW + 180 * DAY} | changes
    return SessionState(generation, **given, has_ended=False)


def test_the_newest_token_begins_the_next_generation() -> None:
    assert use_of(_state(), 5, NOW + 20 * DAY) is Use.NEXT


@pytest.mark.parametrize(("seconds", "use"), [(0, Use.AGAIN), (59.9, Use.AGAIN), (60, Use.COPIED), (3600, Use.COPIED)])
def test_the_one_before_stays_good_for_a_minute(seconds: float, use: Use) -> None:
    assert use_of(_state(), 4, NOW + seconds) is use


@pytest.mark.parametrize("generation", [1, 2, 3])
def test_an_older_token_ends_the_session_at_once(generation: int) -> None:
    assert use_of(_state(), generation, NOW) is Use.COPIED


@pytest.mark.parametrize(
    ("used", "end", "now"), [(0.0, 180 * DAY, 30 * DAY), (170 * DAY, 180 * DAY, 180 * DAY), (0.0, DAY, DAY)]
)
def test_a_session_ends_idle_or_old(used: float, end: float, now: float) -> None:
    state = _state(used_at=NOW + used, ends_at=NOW + end)
    assert use_of(state, 5, NOW + now - 1) is Use.NEXT
    assert use_of(state, 5, NOW + now) is Use.ENDED
    assert ends_at(state) == NOW + now


def test_a_session_that_has_ended_gives_nothing() -> None:
    ended = SessionState(5, NOW, NOW, NOW + DAY, has_ended=True)
    assert {use_of(ended, generation, NOW) for generation in range(1, 6)} == {Use.ENDED}
