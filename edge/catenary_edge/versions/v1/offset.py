"""Lists of parameters and item types take the query `offset`: the number of rows to skip.

> offset query removed

The requests have the field with the option `older_only`, which decoders of older routes accept. So only the description
of `offset` changes.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from catenary_edge.transcoding.schema import Schema
from catenary_edge.versions.change import PARAMETER, Draft, VersionChange

_TEXT = "Number of rows to skip before the first one."


def _routes(drafts: list[Draft]) -> list[Draft]:
    return [
        replace(draft, describes=(*draft.describes, _describe)) if "offset" in draft.rpc.input.fields_by_name else draft
        for draft in drafts
    ]


def _describe(operation: dict[str, Any], _: dict[str, Schema]) -> None:
    for told in operation["parameters"]:
        if told["name"] == "offset":
            told["description"] = _TEXT


CHANGE = VersionChange(surfaces=PARAMETER, routes=_routes)
