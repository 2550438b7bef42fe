"""A `page_limit` above 1000 counts as 1000.

> decided: every older version caps a `page_limit` over the maximum
"""

from __future__ import annotations

from dataclasses import replace

from catenary.options.v1 import options_pb2
from catenary_edge.versions.change import Draft, VersionChange
from catenary_edge.versions.page_limits import FIELD, PAGE, described

_TEXT = f"Number of rows of a page, 1 or more; a number above {PAGE} counts as {PAGE}."
_describe = described(_TEXT, FIELD)


def _routes(drafts: list[Draft]) -> list[Draft]:
    return [
        replace(draft, describes=(*draft.describes, _describe)) if FIELD in draft.rpc.input.fields_by_name else draft
        for draft in drafts
    ]


CHANGE = VersionChange(
    surfaces=frozenset(
        {
            options_pb2.SURFACE_COMMENTS,
            options_pb2.SURFACE_REFERENCE,
            options_pb2.SURFACE_QA,
            options_pb2.SURFACE_ENVIRONMENT,
        }
    ),
    routes=_routes,
)
