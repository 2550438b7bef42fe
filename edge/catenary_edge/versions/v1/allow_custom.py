"""A tag type doesn't tell whether it takes custom tags.

> allow_custom on tag_type
"""

from catenary_edge.versions.change import METADATA, VersionChange
from catenary_edge.versions.forms import dropped

CHANGE = VersionChange(
    surfaces=METADATA,
    answers=(dropped("catenary.metadata.v1.TagType", "allow_custom"),),
)
