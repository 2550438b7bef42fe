"""The rare report of refused connections."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping

import pytest

from catenary_wire.connections import RefusalReport


async def test_the_first_refusal_is_told_at_once_and_the_next_ones_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("catenary_wire.connections.REPORT_SECONDS", 0.2)
    told: list[Mapping[str, int]] = []
    report = RefusalReport(told.append)
    for _ in range(500):
        report.add("full")
    report.add("address")
    assert told == [{"full": 1}]
    await asyncio.sleep(0.5)
    assert told == [{"full": 1}, {"full": 499, "address": 1}]
    report.add("full")
    report.add("full")
    report.close()
    assert told[2:] == [{"full": 1}, {"full": 1}]


async def test_without_a_refusal_nothing_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("catenary_wire.connections.REPORT_SECONDS", 0.01)
    told: list[Mapping[str, int]] = []
    report = RefusalReport(told.append)
    report.add("full")
    await asyncio.sleep(0.1)
    report.close()
    assert told == [{"full": 1}]
