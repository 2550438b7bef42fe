"""Sources and source types: `show_deleted=true` gives active and deleted rows; `show_active` is unknown.

> Reference data: GET /source_types and GET /sources use the new show_deleted logic.
"""

from catenary.options.v1 import options_pb2
from catenary_edge.versions.change import VersionChange

CHANGE = VersionChange(
    surfaces=frozenset({options_pb2.SURFACE_REFERENCE}),
    queries=lambda _: {"show_active": ()},
)
