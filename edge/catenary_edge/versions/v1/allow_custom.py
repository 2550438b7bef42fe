"""A tag type has no `allow_custom`.

> allow_custom on tag_type
"""

from catenary_edge.versions.change import METADATA, VersionChange
from catenary_edge.versions.forms import dropped

CHANGE = VersionChange(
    surfaces=METADATA,
    answers=(dropped("catenary.metadata.v1.TagType", "allow_custom"),),
)
