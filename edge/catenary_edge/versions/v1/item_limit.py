"""The query `item_limit` caps the number of tags in the response; `page_limit` does the same.

> On GET /tags the `item_limit` query is replaced by `page_limit`.
"""

from catenary_edge.errors.problem import Problem
from catenary_edge.versions.change import METADATA, Draft, VersionChange


def _refuse(draft: Draft, problem: Problem) -> None:
    if draft.name == "ListTags":
        problem.message = problem.message.replace("page_limit", "item_limit (or page_limit)")


CHANGE = VersionChange(
    surfaces=METADATA,
    queries=lambda draft: {"page_limit": ("item_limit", "page_limit")} if draft.name == "ListTags" else {},
    refuse=_refuse,
)
