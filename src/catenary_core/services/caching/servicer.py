"""VersionService: the versions of the surfaces, from the change counters."""

from __future__ import annotations

from catenary.caching.v1 import version_service_pb2 as pb
from catenary.caching.v1 import version_service_shapes as shapes
from catenary_core.call.call import Call
from catenary_core.database.change_counts import READ_BY
from catenary_core.frame import Frame
from catenary_core.services.caching import queries

_FOLD_OVER = 200
"""Number of rows of one schema above which the rows of ended connections are summed into one."""


class VersionServicer:
    """`catenary.caching.v1.VersionService`."""

    def __init__(self, frame: Frame) -> None:
        self._db = frame.db

    async def get_versions(self, request: pb.GetVersionsRequest, call: Call) -> shapes.GetVersionsResponse:
        """Return the version of each surface: the change counts of the schemas that its responses read."""
        async with self._db.read() as tx:
            rows = await tx.all(queries.COUNTS)
            if any(row["backends"] > _FOLD_OVER for row in rows):
                await tx.execute(queries.FOLD)
        counts = {row["schema_name"]: row["changes"] for row in rows}
        started = rows[0]["started"] if rows else ""
        return {
            "versions": [
                {
                    "surface": surface,
                    "version": ".".join((started, *(str(counts.get(schema, 0)) for schema in schemas))),
                }
                for surface, schemas in READ_BY.items()
            ]
        }
