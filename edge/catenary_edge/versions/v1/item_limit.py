"""The query `item_limit` caps the number of tags in the response; `page_limit` does the same.

> On GET /tags the `item_limit` query is replaced by `page_limit`.
"""

from dataclasses import replace

from catenary_edge.versions.change import METADATA, Draft, VersionChange

_LIST = "ListTags"
_NAMES = {"page_limit": ("item_limit (or page_limit)",)}


def _routes(drafts: list[Draft]) -> list[Draft]:
    return [replace(draft, fields={**draft.fields, **_NAMES}) if draft.name == _LIST else draft for draft in drafts]


CHANGE = VersionChange(
    surfaces=METADATA,
    queries=lambda draft: {"page_limit": ("item_limit", "page_limit")} if draft.name == _LIST else {},
    routes=_routes,
)
