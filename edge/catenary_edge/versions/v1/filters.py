"""Lists with the filter `asset_type_id` take it as `asset_type` too; parameters have filters by the use of tags.

These are `category_id`, `report_id` and `discipline_id`: ids of tags that are linked to the parameter. The request has
them with the option `older_only`.

> decided: Filters `category_id`, `report_id`, `discipline_id` (tags), `asset_type`
"""

from __future__ import annotations

from collections.abc import Mapping

from catenary_edge.versions.change import PARAMETER, Draft, VersionChange

_NEWER, _OLDER = "asset_type_id", "asset_type"


def _queries(draft: Draft) -> Mapping[str, tuple[str, ...]]:
    return {_NEWER: (_NEWER, _OLDER)} if draft.is_list else {}


CHANGE = VersionChange(surfaces=PARAMETER, queries=_queries)
