"""The query `item_limit` caps the number of tags in the response; `page_limit` does the same.

> On GET /tags the `item_limit` query is replaced by `page_limit`.
"""

from catenary_edge.versions.change import METADATA, VersionChange
from catenary_edge.versions.page_limits import FIELD

CHANGE = VersionChange(
    surfaces=METADATA,
    queries=lambda draft: {FIELD: ("item_limit", FIELD)} if draft.name == "ListTags" else {},
)
