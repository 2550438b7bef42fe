"""`show_deleted=true` gives active and deleted rows; `show_active` is unknown.

> show_active and show_deleted queries as in Endpoints.
"""

from catenary.options.v1 import options_pb2
from catenary_edge.versions.change import VersionChange

CHANGE = VersionChange(
    surfaces=frozenset({options_pb2.SURFACE_COMMENTS, options_pb2.SURFACE_QA, options_pb2.SURFACE_ENVIRONMENT}),
    queries=lambda _: {"show_active": ()},
)
