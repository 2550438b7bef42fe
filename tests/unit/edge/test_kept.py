"""The answers that the edge keeps, and the questions for versions."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

import pytest

from catenary_edge.errors.problem import refusal
from catenary_edge.response_cache.store import KEEP_SECONDS, CachedContent, ResponseStore, Versions
from catenary_edge.transcoding import services
from catenary_edge.transcoding.routes import GET_VERSIONS


def content(size: int = 100) -> CachedContent:
    return CachedContent(b"x" * size, None, {})


def test_an_answer_is_found_at_its_version_only_and_for_five_minutes() -> None:
    clock = [100.0]
    kept = ResponseStore(10**6, lambda: clock[0])
    one = content()
    kept.store(("a",), "1", one)
    assert kept.find(("a",), "1") is one
    assert kept.find(("b",), "1") is None
    clock[0] += KEEP_SECONDS - 0.1
    assert kept.find(("a",), "1") is one
    clock[0] += 0.2
    assert kept.find(("a",), "1") is None
    kept.store(("a",), "1", one)
    assert kept.find(("a",), "2") is None
    assert kept.find(("a",), "1") is None, "an older version never comes back"
    assert kept.bytes == 0


def test_what_is_kept_is_bounded_in_bytes_and_the_oldest_use_goes_first() -> None:
    kept = ResponseStore(100_000)
    for name in "abcdefg":
        kept.store((name,), "1", content(5_000))
        kept.find(("a",), "1")
    kept.store(("h",), "1", content(5_000))
    kept.store(("i",), "1", content(5_000))
    kept.store(("j",), "1", content(5_000))
    assert kept.bytes <= 100_000
    assert kept.find(("a",), "1") is not None
    assert kept.find(("b",), "1") is None
    kept.store(("large",), "1", content(50_000))
    assert kept.find(("large",), "1") is None, "one answer never takes the room of all"


def test_a_long_address_takes_room_too() -> None:
    kept = ResponseStore(1_000_000)
    for number in range(50):
        kept.store(("user", f"{number:060000}"), "1", content(10))
    assert kept.find(("user", f"{0:060000}"), "1") is None
    assert kept.find(("user", f"{49:060000}"), "1") is not None


async def test_equal_requests_at_one_time_are_one_call_and_share_its_failure() -> None:
    kept, calls = ResponseStore(10**6), 0
    go = asyncio.Event()

    async def make() -> CachedContent:
        nonlocal calls
        calls += 1
        await go.wait()
        if calls > 1:
            raise refusal("NOT_FOUND", "x")
        return content()

    some = [asyncio.create_task(kept.shared(("a",), "1", make)) for _ in range(10)]
    await asyncio.sleep(0)
    go.set()
    assert len({id(found) for found in await asyncio.gather(*some)}) == 1
    assert calls == 1
    failed = await asyncio.gather(*(kept.shared(("a",), "1", make) for _ in range(10)), return_exceptions=True)
    assert calls == 2
    assert {type(one).__name__ for one in failed} == {"Problem"}


async def test_a_request_after_a_change_never_shares_a_call_from_before_it() -> None:
    kept, calls = ResponseStore(10**6), 0
    go = asyncio.Event()

    async def make() -> CachedContent:
        nonlocal calls
        calls += 1
        await go.wait()
        return content()

    before = asyncio.create_task(kept.shared(("a",), "1", make))
    await asyncio.sleep(0)
    after = asyncio.create_task(kept.shared(("a",), "2", make))
    await asyncio.sleep(0)
    go.set()
    assert await before is not await after
    assert calls == 2


async def test_a_call_ends_when_everyone_who_waits_for_it_has_gone_and_not_before() -> None:
    kept, ended = ResponseStore(10**6), []

    async def make() -> CachedContent:
        try:
            await asyncio.sleep(3600)
        except asyncio.CancelledError:
            ended.append(True)
            raise
        raise AssertionError

    some = [asyncio.create_task(kept.shared(("a",), "1", make)) for _ in range(2)]
    await asyncio.sleep(0)
    some[0].cancel()
    await asyncio.sleep(0.01)
    assert not ended
    some[1].cancel()
    await asyncio.sleep(0.01)
    assert ended
    assert not kept._making


RPC = next(rpc for rpc in services.load() if rpc.path == GET_VERSIONS)


class Core:
    """Answers after `go`; the version is the number of the question's beginning."""

    def __init__(self) -> None:
        self.asked = 0
        self.go = asyncio.Event()
        self.problem: Exception | None = None

    async def ask(self, rpc: Any, request: Any, metadata: Any, timeout: float) -> Mapping[str, Any]:  # noqa: ASYNC109
        self.asked += 1
        version = str(self.asked)
        await self.go.wait()
        if self.problem is not None:
            raise self.problem
        return {"versions": [{"surface": "platform", "version": version}]}


async def test_nobody_is_answered_by_a_question_that_began_before_he_came() -> None:
    core = Core()
    versions = Versions(core, RPC, 1.0)  # type: ignore[arg-type]
    first = asyncio.create_task(versions.current("platform", {}))
    await asyncio.sleep(0.01)
    later = [asyncio.create_task(versions.current("platform", {})) for _ in range(20)]
    await asyncio.sleep(0.01)
    assert core.asked == 1, "one question at a time"
    core.go.set()
    assert await first == "1"
    assert set(await asyncio.gather(*later)) == {"2"}
    assert core.asked == 2, "one question for all who wait"


@pytest.mark.parametrize(("reason", "asked_again"), [("UNAVAILABLE", True), ("PERMISSION_DENIED", False)])
async def test_without_an_answer_nothing_is_kept_and_who_is_not_trusted_does_not_go_on_asking(
    reason: str, asked_again: bool
) -> None:
    core = Core()
    core.go.set()
    core.problem = refusal(reason, "x")
    versions = Versions(core, RPC, 1.0)  # type: ignore[arg-type]
    assert await versions.current("platform", {}) is None
    assert await versions.current("platform", {}) is None
    assert core.asked == 1 + asked_again


async def test_a_surface_that_the_core_does_not_name_has_no_version() -> None:
    core = Core()
    core.go.set()
    assert await Versions(core, RPC, 1.0).current("qa", {}) is None  # type: ignore[arg-type]
