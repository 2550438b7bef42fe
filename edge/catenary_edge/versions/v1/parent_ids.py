"""`parent_ids` of a new parameter may be one id instead of a list.

> decided: `parent_ids` may be one string
"""

from __future__ import annotations

from typing import Any

from catenary_edge.transcoding.schema import Schema
from catenary_edge.versions.change import PARAMETER, RequestChange, VersionChange


def _taken(parameter: dict[str, Any]) -> dict[str, Any]:
    given = parameter.get("parent_ids")
    return {**parameter, "parent_ids": [given]} if type(given) is str else parameter


def _describe(schema: Schema) -> None:
    told = schema["properties"]["parent_ids"]
    schema["properties"]["parent_ids"] = {
        "anyOf": [told, {"type": "string", "format": "uuid"}],
        "description": f"{told['description']} One id may stand without the list.",
    }


CHANGE = VersionChange(
    surfaces=PARAMETER, requests=(RequestChange("catenary.parameter.v1.NewParameter", _taken, _describe),)
)
