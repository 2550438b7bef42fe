"""Lists have no pages: up to 100,000 rows, with `page_limit` as a cap, and neither `paging` nor `summary`.

> Pagination added with page_limit, before, after, sort_by, order, the paging object and summary.estimate_count.
> decided: every older version caps a `page_limit` over the maximum
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from catenary_edge.surfaces import JSON_TYPE
from catenary_edge.surfaces.data import SURFACES_OF_V0
from catenary_edge.transcoding.schema import Schema
from catenary_edge.versions.change import Draft, Extras, VersionChange
from catenary_edge.versions.forms import drop_properties
from catenary_edge.versions.page_limits import FIELD, MOST_ROWS, described

_GONE = ("paging", "summary")
_QUERIES: Mapping[str, tuple[str, ...]] = {"before": (), "after": (), "sort_by": (), "order": ()}
_CAP = (
    f"Largest number of rows of the response, 1 to {MOST_ROWS}, which is the default; a larger number counts as that."
)
_describe_cap = described(_CAP, FIELD, "item_limit")


def _routes(drafts: list[Draft]) -> list[Draft]:
    return [_whole(draft) if draft.is_list else draft for draft in drafts]


def _whole(draft: Draft) -> Draft:
    return replace(
        draft,
        unpaginated=True,
        response_changes=(*draft.response_changes, _shown),
        describes=(*draft.describes, _describe),
    )


def _shown(body: dict[str, Any], _: Extras) -> dict[str, Any]:
    return {key: value for key, value in body.items() if key not in _GONE}


def _describe(operation: dict[str, Any], schemas: dict[str, Schema]) -> None:
    _describe_cap(operation, schemas)
    answer = operation["responses"]["200"]["content"][JSON_TYPE]["schema"]
    drop_properties(schemas[answer["$ref"].rpartition("/")[2]], *_GONE)


CHANGE = VersionChange(
    surfaces=SURFACES_OF_V0,
    routes=_routes,
    queries=lambda draft: _QUERIES if draft.is_list else {},
)
