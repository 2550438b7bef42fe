"""Credentials and the short memory of who was let in."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any

import pytest
from multidict import CIMultiDict, CIMultiDictProxy

from catenary_edge.errors.problem import Problem, refusal
from catenary_edge.http import credentials as subject
from catenary_edge.http.credentials import Identities, challenge, credentials

Headers = list[tuple[str, str]]


def of(*headers: tuple[str, str]) -> dict[str, str]:
    return credentials(CIMultiDictProxy(CIMultiDict(headers)))


class Core:
    def __init__(self, ends: float | None = None, problem: Problem | None = None) -> None:
        self.asked = 0
        self.ends = ends
        self.trusted = 60.0
        self.problem = problem

    async def ask(self, rpc: Any, request: Any, metadata: Mapping[str, str], timeout: float) -> Mapping[str, Any]:  # noqa: ASYNC109
        self.asked += 1
        await asyncio.sleep(0)
        if self.problem is not None:
            raise self.problem
        return {
            "user_id": "u",
            "admin": False,
            "scopes": [],
            "expires_at": self.ends,
            "trusted_seconds": self.trusted,
            "share_id": "",
        }


def identities(core: Core, clock: list[float]) -> Identities:
    identify = SimpleNamespace(request=lambda: None)
    return Identities(core, identify, 1.0, lambda: clock[0])  # type: ignore[arg-type]


def test_the_headers_travel_as_they_were_sent() -> None:
    assert of(("AUTHORIZATION", "bearer x.y.z"), ("X-Share-Token", "s")) == {
        "authorization": "bearer x.y.z",
        "x-share-token": "s",
    }
    assert of(("Cookie", "token=x")) == {}


@pytest.mark.parametrize(
    "headers",
    [
        [("Authorization", "Bearer a"), ("Authorization", "Bearer a")],
        [("X-API-Key", "a"), ("x-api-key", "b")],
        [("Authorization", "Bearer " + "a" * 8192)],
        [("Authorization", "Bearer \u00e4")],
        [("Authorization", "Bearer a\tb")],
        [("Authorization", "")],
        [("X-API-Key", "a\udcff")],
    ],
)  # fmt: skip
def test_a_credential_that_cannot_be_one_is_401(headers: Headers) -> None:
    with pytest.raises(Problem) as caught:
        of(*headers)
    assert (caught.value.status, caught.value.reason) == (401, "INVALID_TOKEN")
    assert "aaaa" not in caught.value.message


def test_a_challenge_names_an_error_only_to_who_sent_a_token() -> None:
    assert challenge(refusal("AUTHENTICATION_REQUIRED", "x"), sent=False) == "Bearer"
    assert challenge(refusal("TOKEN_EXPIRED", "x"), sent=True) == 'Bearer error="invalid_token"'
    assert challenge(refusal("INVALID_CLIENT", "x"), sent=True).startswith("Basic ")


async def test_a_yes_is_kept_for_five_seconds_and_no_longer() -> None:
    core, clock = Core(), [100.0]
    known = identities(core, clock)
    for moment, asked in ((100.0, 1), (104.9, 1), (105.0, 2), (109.9, 2), (110.1, 3)):
        clock[0] = moment
        await known.check({"authorization": "a"}, {})
        assert core.asked == asked


async def test_a_credential_that_ends_sooner_is_forgotten_sooner() -> None:
    core, clock = Core(ends=102.0), [100.0]
    known = identities(core, clock)
    await known.check({"authorization": "a"}, {})
    clock[0] = 102.5
    await known.check({"authorization": "a"}, {})
    assert core.asked == 2


async def test_what_the_core_has_known_for_a_while_is_kept_for_the_rest_of_the_five_seconds() -> None:
    core, clock = Core(), [100.0]
    core.trusted = 1.5
    known = identities(core, clock)
    for moment, asked in ((100.0, 1), (101.4, 1), (101.6, 2)):
        clock[0] = moment
        await known.check({"authorization": "a"}, {})
        assert core.asked == asked


async def test_a_no_is_never_kept() -> None:
    core = Core(problem=refusal("INVALID_TOKEN", "x"))
    known = identities(core, [100.0])
    for asked in (1, 2):
        with pytest.raises(Problem):
            await known.check({"authorization": "a"}, {})
        assert core.asked == asked
    core.problem = None
    await known.check({"authorization": "a"}, {})
    assert core.asked == 3


async def test_equal_questions_at_one_time_are_one_and_others_are_not() -> None:
    core = Core()
    known = identities(core, [100.0])
    await asyncio.gather(*(known.check({"authorization": "a"}, {}) for _ in range(20)))
    assert core.asked == 1
    await known.check({"x-api-key": "a"}, {})
    await known.check({"authorization": "a", "x-api-key": "a"}, {})
    assert core.asked == 3


async def test_who_leaves_does_not_take_the_answer_from_the_others() -> None:
    core = Core()
    known = identities(core, [100.0])
    first = asyncio.create_task(known.check({"authorization": "a"}, {}))
    second = asyncio.create_task(known.check({"authorization": "a"}, {}))
    await asyncio.sleep(0)
    first.cancel()
    await second
    assert core.asked == 1


async def test_the_memory_has_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(subject, "KEEP_ENTRIES", 10)
    known = identities(Core(), [100.0])
    for number in range(50):
        await known.check({"authorization": str(number)}, {})
    assert len(known._known) == 10
