"""The short memory of what was found out."""

from __future__ import annotations

from catenary_core.services.identity.tokens.ttl_cache import TtlCache


def test_an_entry_lasts_from_before_its_look_up() -> None:
    now = [100.0]
    recent: TtlCache[str, int] = TtlCache(5, 10, lambda: now[0])
    since = now[0]
    now[0] += 3  # the look-up took 3 s
    recent.put("a", 1, since=since)
    assert recent.get("a") == 1
    now[0] += 2
    assert recent.get("a") is None
    assert len(recent) == 0


def test_the_oldest_goes_first_when_it_is_full() -> None:
    recent: TtlCache[int, int] = TtlCache(5, 3, lambda: 0.0)
    for number in range(4):
        recent.put(number, number, since=0)
    recent.put(1, 10, since=0)
    recent.put(5, 5, since=0)
    assert [recent.get(number) for number in range(6)] == [None, 10, None, 3, None, 5]
