"""When a delivery is tried again (guide/webhooks.md, "Attempts")."""

from __future__ import annotations

import pytest

from catenary_core.services.webhooks.deliveries import schedule

_MINUTE, _HOUR = 60, 3600


def test_the_pauses_are_those_of_the_contract() -> None:
    pauses = [schedule.pause(attempts, None, jitter=0) for attempts in range(1, schedule.ATTEMPTS)]
    assert pauses == [5, 5 * _MINUTE, 30 * _MINUTE, 2 * _HOUR, 5 * _HOUR, 10 * _HOUR, 10 * _HOUR]
    assert schedule.pause(schedule.ATTEMPTS, None) is None
    # A process that died took an attempt with it.
    assert schedule.pause(schedule.ATTEMPTS + 1, None) is None


@pytest.mark.parametrize("attempts", range(1, schedule.ATTEMPTS))
def test_a_pause_is_never_shorter_and_a_fifth_longer_at_most(attempts: int) -> None:
    least = schedule.RETRIES[attempts - 1]
    assert schedule.pause(attempts, None, jitter=1) == least * 1.2
    found = {schedule.pause(attempts, None) for _ in range(100)}
    assert len(found) > 50, "they differ"
    assert all(pause is not None and least <= pause <= least * 1.2 for pause in found)


@pytest.mark.parametrize(
    ("retry_after", "pause"),
    [(None, 5), (0.0, 5), (4.0, 5), (100.0, 100), (86_400.0, 86_400), (86_401.0, 86_400), (1e300, 86_400)],
)
def test_a_longer_retry_after_holds_for_a_day_at_most(retry_after: float | None, pause: float) -> None:
    assert schedule.pause(1, retry_after, jitter=0) == pause


def test_a_retry_after_makes_no_further_attempt() -> None:
    assert schedule.pause(schedule.ATTEMPTS, 10.0) is None
