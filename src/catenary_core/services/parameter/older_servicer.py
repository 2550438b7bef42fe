"""OlderService: the fields that only the older REST versions show."""

from __future__ import annotations

from catenary.parameter.v1 import older_service_pb2 as pb2
from catenary.parameter.v1 import older_service_shapes as shapes
from catenary_core.access.visibility import viewer
from catenary_core.call.call import Call
from catenary_core.database.statements import shaped
from catenary_core.frame import Frame
from catenary_core.services.parameter import older_queries as queries


class OlderParameterServicer:
    """`catenary.parameter.v1.OlderService`."""

    def __init__(self, frame: Frame) -> None:
        self._db = frame.db

    async def read_revision_details(
        self, request: pb2.ReadRevisionDetailsRequest, call: Call
    ) -> shapes.ReadRevisionDetailsResponse:
        """Return source, texts and creator of revisions that the caller may see."""
        async with self._db.read() as tx:
            rows = await tx.all(queries.REVISIONS, ids=list(request.revision_ids), **viewer(call))
        return {"revisions": [shaped(shapes.RevisionDetails, row) for row in rows]}

    async def read_parameter_makers(
        self, request: pb2.ReadParameterMakersRequest, call: Call
    ) -> shapes.ReadParameterMakersResponse:
        """Return the creators of parameters that the caller may see."""
        async with self._db.read() as tx:
            rows = await tx.all(queries.PARAMETERS, ids=list(request.parameter_ids), **viewer(call))
        return {"parameters": [shaped(shapes.Makers, row) for row in rows]}

    async def read_item_type_makers(
        self, request: pb2.ReadItemTypeMakersRequest, call: Call
    ) -> shapes.ReadItemTypeMakersResponse:
        """Return the users that created and last changed item types."""
        async with self._db.read() as tx:
            rows = await tx.all(queries.ITEM_TYPES, ids=list(request.item_type_ids))
        return {"item_types": [shaped(shapes.Makers, row) for row in rows]}
