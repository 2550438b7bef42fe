"""Reports of refusals to the core: each is counted once, also by an edge that stops while one is under way."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any, cast

import pytest

from catenary_edge import refusals
from catenary_edge.errors.problem import refusal
from catenary_edge.exchange import Exchange
from catenary_edge.refusals import RefusalReports
from catenary_edge.transcoding import services


class Core:
    """A core that counts at once and answers when it is told to."""

    def __init__(self) -> None:
        self.counted = 0
        self.answers = asyncio.Event()
        self.asked = asyncio.Event()

    async def ask(self, rpc: Any, request: Any, metadata: Mapping[str, str]) -> object:
        self.counted += sum(one.count for one in request.refusals)
        self.asked.set()
        await self.answers.wait()
        return {}


def _exchange() -> Exchange:
    given = {"origin": SimpleNamespace(address="127.0.0.1"), "caller": None, "route": None, "request_id": "r"}
    return cast("Exchange", SimpleNamespace(**given))


def _reports(core: Core) -> RefusalReports:
    (report,) = (one for one in services.load() if one.path == refusals.REPORT)
    return RefusalReports(core.ask, report)


async def test_a_report_under_way_at_the_stop_is_counted_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(refusals, "REPORT_SECONDS", 0.01)
    core = Core()
    reports = _reports(core)
    for _ in range(3):
        reports.note(_exchange(), refusal("AUTHENTICATION_REQUIRED", "Who are you?"))
    await core.asked.wait()
    stop = asyncio.create_task(reports.close())
    await asyncio.sleep(0)
    core.answers.set()
    await stop
    assert core.counted == 3


async def test_what_no_report_has_told_is_told_at_the_stop() -> None:
    core = Core()
    core.answers.set()
    reports = _reports(core)
    reports.note(_exchange(), refusal("AUTHENTICATION_REQUIRED", "Who are you?"))
    await reports.close()
    assert core.counted == 1
    await _reports(core).close()  # of an edge that has refused nobody
