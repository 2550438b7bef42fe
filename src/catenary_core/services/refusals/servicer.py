"""`catenary.audit.v1.RefusalService`."""

from __future__ import annotations

from catenary.audit.v1 import refusal_service_pb2 as pb
from catenary.audit.v1 import refusal_service_shapes as shapes
from catenary_core.audit.entries import AuditEntry
from catenary_core.audit.minute_counts import MinuteCounts
from catenary_core.call.call import Call


class RefusalServicer:
    """Takes the refusals of edges."""

    def __init__(self, counts: MinuteCounts) -> None:
        self._counts = counts

    async def report_refusals(self, request: pb.ReportRefusalsRequest, call: Call) -> shapes.ReportRefusalsResponse:
        """Count the refusals, which are written within a second."""
        for one in request.refusals:
            entry = AuditEntry(
                one.action,
                one.reason,
                actor_id=one.user_id or None,
                address=one.address or None,
                request_id=one.request_id,
            )
            self._counts.add(entry, one.count)
        return {}
