"""A tag type doesn't tell whether it takes custom tags.

> allow_custom on tag_type
"""

from catenary.options.v1 import options_pb2
from catenary_edge.versions.change import Change
from catenary_edge.versions.forms import dropped

CHANGE = Change(
    surfaces=frozenset({options_pb2.SURFACE_METADATA}),
    answers=(dropped("catenary.metadata.v1.TagType", "allow_custom"),),
)
