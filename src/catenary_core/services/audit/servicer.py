"""AuditService: lists of the entries of the audit trail."""

from __future__ import annotations

from catenary.platform.v1 import audit_service_pb2 as pb
from catenary.platform.v1 import audit_service_shapes as shapes
from catenary_core.call.call import Call
from catenary_core.frame import Frame
from catenary_core.services.audit.lists import listed


class AuditServicer:
    """`catenary.platform.v1.AuditService`."""

    def __init__(self, frame: Frame) -> None:
        self._db = frame.db

    async def list_audit_entries(
        self, request: pb.ListAuditEntriesRequest, call: Call
    ) -> shapes.ListAuditEntriesResponse:
        """List a page of the entries, newest first."""
        async with self._db.read() as tx:
            return await listed(tx, request)
