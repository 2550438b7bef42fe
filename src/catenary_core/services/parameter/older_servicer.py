"""What the older REST versions show beyond the current messages."""

from __future__ import annotations

from typing import Any

from catenary.parameter.v1 import older_service_pb2 as pb2
from catenary_core.access.visibility import viewer
from catenary_core.call.call import Call
from catenary_core.frame import Frame
from catenary_core.services.parameter import older_queries as queries


class OlderParameterServicer:
    """`catenary.parameter.v1.OlderService`."""

    def __init__(self, frame: Frame) -> None:
        self._db = frame.db

    async def read_revision_details(self, request: pb2.ReadRevisionDetailsRequest, call: Call) -> dict[str, Any]:
        """Source, texts and maker of revisions that the caller may see."""
        async with self._db.read() as tx:
            return {"revisions": await tx.all(queries.REVISIONS, ids=list(request.revision_ids), **viewer(call))}

    async def read_parameter_makers(self, request: pb2.ReadParameterMakersRequest, call: Call) -> dict[str, Any]:
        """Who made parameters that the caller may see."""
        async with self._db.read() as tx:
            return {"parameters": await tx.all(queries.PARAMETERS, ids=list(request.parameter_ids), **viewer(call))}

    async def read_item_type_makers(self, request: pb2.ReadItemTypeMakersRequest, call: Call) -> dict[str, Any]:
        """Who made and changed item types."""
        async with self._db.read() as tx:
            return {"item_types": await tx.all(queries.ITEM_TYPES, ids=list(request.item_type_ids))}
