"""`catenary.limits.v1.LimitService`."""

from __future__ import annotations

from catenary.limits.v1 import limit_service_pb2 as pb
from catenary.limits.v1 import limit_service_shapes as shapes
from catenary_core.call.call import Call
from catenary_core.frame import Frame
from catenary_core.limits.hourly import UserRequests


class LimitServicer:
    """Leases callers' requests to edges."""

    def __init__(self, frame: Frame) -> None:
        self._requests = UserRequests(frame.db, frame.settings.requests_per_hour)

    async def take_calls(self, request: pb.TakeCallsRequest, call: Call) -> shapes.TakeCallsResponse:
        """Lease requests of the caller to an edge and end the edge's previous lease."""
        grant = await self._requests.lease(
            call.caller.principal_id, request.wanted, request.ended_lease_id, request.unused
        )
        return {
            "lease_id": grant.lease_id,
            "calls": grant.calls,
            "seconds": grant.seconds,
            "limit": grant.standing.limit,
            "remaining": grant.standing.remaining,
            "reset": grant.standing.reset,
        }

    async def give_back_calls(self, request: pb.GiveBackCallsRequest, call: Call) -> shapes.GiveBackCallsResponse:
        """Return a lease's unused requests."""
        await self._requests.give_back(call.caller.principal_id, request.lease_id, request.unused)
        return {}
