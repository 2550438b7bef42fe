"""The sliding window of an hour: never over the limit, whatever the times, and against a list of every call."""

from __future__ import annotations

from typing import Any

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from catenary_core.limits.window import HOUR, LEASE_SECONDS, MINUTE, Window, unchanging

NOW = 1_800_000_000.0
COUNTED = HOUR + MINUTE + LEASE_SECONDS
"""A call counts for at least an hour, and for no longer than this."""


class Store:
    """A window as the database keeps it: as text, opened anew at each time."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self._text = b"{}"

    def at(self, now: float) -> Window:
        return Window(orjson.loads(self._text), self.limit, now)

    def keep(self, window: Window) -> None:
        self._text = orjson.dumps(window.state())


@given(
    limit=st.integers(1, 12),
    pauses=st.lists(
        st.sampled_from([0.0, 0.5, 59.9, 60.0, 600.0, 1799.0, 3539.0, 3599.9, 3600.0, 3662.0]), max_size=80
    ),
    start=st.floats(0, 60),
)
def test_no_hour_has_more_than_the_limit_and_no_call_is_refused_while_there_are_fewer(
    limit: int, pauses: list[float], start: float
) -> None:
    store, passed, now = Store(limit), [], NOW + start
    for pause in pauses:
        now += pause
        window = store.at(now)
        expected = len([when for when in passed if now - when < HOUR])
        longest = len([when for when in passed if now - when <= COUNTED])
        free = window.standing().reset_at
        if window.charge():
            assert expected < limit, "an hour has more calls than the limit"
            passed.append(now)
            store.keep(window)
        else:
            assert longest >= limit, "a call is refused that the limit allows"
            assert now < free <= now + COUNTED
            assert store.at(free).charge(), "the time that was told is too early"
            assert not store.at(free - 0.001).charge(), "the time that was told is too late"


@given(
    limit=st.integers(1, 200),
    steps=st.lists(
        st.one_of(
            st.tuples(st.just("take"), st.integers(0, 3), st.integers(1, 50)),
            st.tuples(st.just("use"), st.integers(0, 3), st.integers(1, 50)),
            st.tuples(st.just("back"), st.integers(0, 3), st.integers(0, 50)),
            st.tuples(st.just("kill"), st.integers(0, 3), st.just(0)),
            st.tuples(st.just("wait"), st.just(0), st.sampled_from([1, 3, 30, 61, 1200, 3599, 3601])),
        ),
        max_size=60,
    ),
)
def test_holders_of_leases_never_use_more_than_the_limit_in_an_hour(
    limit: int, steps: list[tuple[str, int, int]]
) -> None:
    """Four holders that lease, use, give back and die, against a list of every call that was used."""
    store, used, now = Store(limit), [], NOW
    held: dict[int, tuple[str, int, float]] = {}
    for number, (what, holder, amount) in enumerate(steps):
        lease_id, left, until = held.get(holder, ("", 0, 0.0))
        window = store.at(now)
        if what == "take":
            window.give_back(lease_id, left)
            calls = window.lease(f"lease-{number}", amount)
            held[holder] = (f"lease-{number}", calls, now + LEASE_SECONDS)
            assert calls <= amount
        elif what == "use" and now < until:
            spent = min(left, amount)
            used += [now] * spent
            held[holder] = (lease_id, left - spent, until)
        elif what == "back":
            # More than is left is a lie, which frees no more than the lease took.
            window.give_back(lease_id, left)
            held.pop(holder, None)
        elif what == "kill":
            held.pop(holder, None)
        elif what == "wait":
            now += amount
        store.keep(window)
        assert 0 <= window.used <= limit
        assert len([when for when in used if now - when < HOUR]) <= limit


def test_without_the_buckets_twice_the_limit_would_pass_around_the_hour() -> None:
    """The guard off: a counter that starts anew each hour, as the easy way is, lets both bursts through."""
    store, fixed = Store(100), {"hour": 0, "calls": 0}
    passed = {"sliding": 0, "fixed": 0}
    for now in (NOW + HOUR - 1, NOW + HOUR + 1):
        for _ in range(100):
            window = store.at(now)
            passed["sliding"] += window.charge()
            store.keep(window)
            if fixed["hour"] != now // HOUR:
                fixed = {"hour": now // HOUR, "calls": 0}
            fixed["calls"] += 1
            passed["fixed"] += fixed["calls"] <= 100
    assert passed == {"sliding": 100, "fixed": 200}


def test_a_lease_gets_smaller_where_calls_get_few() -> None:
    window = Window({}, 1000, NOW)
    sizes = []
    while taken := window.lease(f"lease-{len(sizes)}", 1000):
        sizes.append(taken)
    assert sizes[0] == 125
    assert sizes == sorted(sizes, reverse=True)
    assert sum(sizes) == 1000
    assert sizes[-15:] == [1] * 15


@pytest.mark.parametrize(("unused", "back"), [(0, 0), (3, 3), (10, 10), (11, 10), (1000, 10)])
def test_a_lease_gives_back_no_more_than_it_took_and_only_once(unused: int, back: int) -> None:
    store = Store(1000)
    window = store.at(NOW)
    assert window.lease("mine", 10) == 10
    assert window.charge(5)
    store.keep(window)
    window = store.at(NOW + 1)
    assert window.give_back("mine", unused) == back
    assert window.give_back("mine", unused) == min(unused, 10 - back)
    assert window.give_back("another", 5) == 0
    assert window.used >= 5


def test_a_dead_holders_calls_stay_counted_until_their_minute_is_an_hour_ago() -> None:
    store = Store(320)
    window = store.at(NOW)
    assert window.lease("of a killed edge", 10) == 10
    store.keep(window)
    last = NOW - NOW % MINUTE + MINUTE + HOUR + LEASE_SECONDS
    assert store.at(last - 0.001).standing().remaining == 310
    assert store.at(last).standing().remaining == 320


def test_when_none_is_left_but_another_holds_some_the_wait_is_short() -> None:
    window = Window({}, 64, NOW)
    window.lease("another", 2)
    assert window.charge(62)
    assert window.standing().reset_at == NOW + LEASE_SECONDS
    assert window.standing("another").reset_at > NOW + HOUR - MINUTE


def test_a_limit_that_was_lowered_refuses_until_it_holds() -> None:
    store = Store(10)
    for minute in range(5):
        window = store.at(NOW + minute * MINUTE)
        assert window.charge(2)
        store.keep(window)
    store.limit = 3
    now = NOW + 5 * MINUTE
    standing = store.at(now).standing()
    assert standing.remaining == 0
    assert not store.at(standing.reset_at - 0.001).charge()
    assert store.at(standing.reset_at).charge()


@given(now=st.floats(NOW, NOW + 200), then=st.floats(-70, 70))
def test_a_window_counts_alike_in_the_whole_of_an_unchanging_span(now: float, then: float) -> None:
    since, until = unchanging(now)
    assert since <= now < until
    when = now + then
    if since <= when < until:
        store = Store(10**6)
        for minute in range(-62, 1):
            window = store.at(now + minute * MINUTE)
            window.charge(1 + minute % 7)
            store.keep(window)
        here, there = store.at(now), store.at(when)
        assert here.charge()
        assert there.charge()
        assert here.state()["minutes"] == there.state()["minutes"]


def test_the_state_stays_small() -> None:
    store = Store(10**6)
    for step in range(3 * 3600 // 20):
        window = store.at(NOW + 20 * step)
        window.lease(f"lease-{step}", 3)
        store.keep(window)
    state: dict[str, Any] = store.at(NOW + 3 * 3600).state()
    assert len(state["minutes"]) <= 62
    assert len(state["leases"]) <= 2
