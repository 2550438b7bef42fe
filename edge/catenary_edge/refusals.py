"""Reports of refused requests to the core, for the audit trail: counts, each second and at the stop.

The edge reports every 401, 403 and 429 that it answers, since only it knows the route: the core sees a refused caller
first in a call that asks who it is. An edge that is killed loses the refusals of its last second.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import structlog

from catenary.audit.v1 import refusal_service_pb2 as pb
from catenary_edge.errors.problem import Problem
from catenary_edge.exchange import Exchange, new_request_id
from catenary_edge.http.origin import parse_address
from catenary_edge.transcoding.services import Rpc
from catenary_wire.addresses import party
from catenary_wire.refusals import FURTHER, MOST_COUNT, STATUSES
from catenary_wire.tally import Counted, Tally

REPORT = "/catenary.audit.v1.RefusalService/ReportRefusals"
REPORT_SECONDS = 1.0
"""Seconds between two reports."""
BEFORE_ROUTES = "http"
"""Action of a request that was refused before its route was found."""
MOST = 10_000
"""Largest number of different refusals between two reports; further ones are counted together by their reason."""
MOST_ITEMS = 1000
"""Refusals of one report."""

log = structlog.get_logger("catenary.edge")


@dataclass(frozen=True, slots=True)
class _Kind:
    """Common part of equal refusals."""

    user_id: str
    address: str
    action: str
    reason: str


class RefusalReports:
    """The refusals of one edge."""

    def __init__(self, ask: Callable[[Rpc, Any, Mapping[str, str]], Awaitable[object]], report: Rpc) -> None:
        """Begin without a refusal.

        Args:
            ask: Calls the core.
            report: The method that takes reports.
        """
        self._ask = ask
        self._report = report
        self._tally: Tally[_Kind] = Tally(MOST, lambda kind: replace(kind, user_id="", address="", action=FURTHER))
        self._reporter: asyncio.Task[None] | None = None
        self._closing = asyncio.Event()

    def note(self, exchange: Exchange, problem: Problem) -> None:
        """Count the refusal of a request, unless its status is none that is reported."""
        if problem.status not in STATUSES:
            return
        address = parse_address(exchange.origin.address)
        kind = _Kind(
            exchange.caller.user_id if exchange.caller is not None else "",
            "" if address is None else party(address).partition("/")[0],
            exchange.route.rpc.path if exchange.route is not None else BEFORE_ROUTES,
            problem.reason,
        )
        self._tally.add(kind, exchange.request_id)
        self._reporter = self._reporter or asyncio.create_task(self._run(), name="reporting refusals")

    async def close(self) -> None:
        """Report what is counted. A report under way is waited for: cancelled, it would be sent and counted twice."""
        self._closing.set()
        if self._reporter is not None:
            await self._reporter

    async def _run(self) -> None:
        is_last = False
        while not is_last:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._closing.wait(), REPORT_SECONDS)
            is_last = self._closing.is_set()  # what is noted after this, the next report tells
            await self._send()

    async def _send(self) -> None:
        taken = self._tally.take()
        try:
            while taken:
                part = dict(list(taken.items())[:MOST_ITEMS])
                await self._ask(self._report, _request(part), {"catenary-edge": "1", "x-request-id": new_request_id()})
                taken = {kind: counted for kind, counted in taken.items() if kind not in part}
        except Problem as problem:  # the core is away, or doesn't trust this edge: then it counts its refusals itself
            log.warning("refusals not reported to the audit trail", reason=problem.reason)
        finally:
            self._tally.put_back(taken)


def _request(counts: Mapping[_Kind, Counted]) -> pb.ReportRefusalsRequest:
    return pb.ReportRefusalsRequest(
        refusals=[
            pb.Refusal(
                user_id=kind.user_id,
                address=kind.address,
                action=kind.action,
                reason=kind.reason,
                request_id=counted.first,
                count=min(counted.count, MOST_COUNT),
            )
            for kind, counted in counts.items()
        ]
    )
