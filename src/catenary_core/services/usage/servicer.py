"""UsageService: what projects use, and the quotas of those who pay for them."""

from __future__ import annotations

from catenary.platform.v1 import usage_service_pb2 as pb
from catenary.platform.v1 import usage_service_shapes as shapes
from catenary_core.access.policy import RoleOf
from catenary_core.call.call import Call
from catenary_core.call.errors import not_found
from catenary_core.call.field_masks import optional_values
from catenary_core.frame import Frame
from catenary_core.limits import accounts
from catenary_core.services.usage import queries


class UsageServicer:
    """`catenary.platform.v1.UsageService`."""

    def __init__(self, frame: Frame, role_of: RoleOf) -> None:
        """Create the servicer; `role_of` finds the caller's role in a project."""
        self._db = frame.db
        self._tiers = frame.settings.tiers
        self._role_of = role_of

    async def get_usage(self, request: pb.GetUsageRequest, call: Call) -> shapes.GetUsageResponse:
        """Return what a project uses, or what the caller pays for."""
        given = optional_values(request, "project_id", "month")
        project_id = given["project_id"]
        if project_id is not None and await self._role_of(project_id, call.caller) is None:
            raise not_found("project")
        statement = queries.OF_USER if project_id is None else queries.OF_PROJECT
        async with self._db.read() as tx:
            row = await tx.one(statement, subject=project_id or call.caller.user_id, month=given["month"])
        name, tier = accounts.tier_of(self._tiers, row["tier"])
        return {
            "usage": {
                "project_id": project_id,
                "user_id": row["user_id"],
                "month": row["month"],
                "evaluations": row["evaluations"],
                "compute_seconds": row["compute_seconds"],
                "storage": row["storage"],
                "quota": {
                    "tier": name,
                    "evaluations": tier.evaluations,
                    "compute_seconds": tier.compute_seconds,
                    "storage": tier.storage_bytes,
                },
            }
        }
