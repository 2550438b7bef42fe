"""A request creates one QA record.

> QA: POST /records takes an array.
"""

from catenary.options.v1 import options_pb2
from catenary_edge.versions.change import VersionChange
from catenary_edge.versions.created_singly import created_singly

CHANGE = created_singly(
    VersionChange(surfaces=frozenset({options_pb2.SURFACE_QA})), "CreateRecords", "records", "record"
)
