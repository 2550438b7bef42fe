"""Units within other objects have `created_at`, `updated_at` and `deleted_at` too.

> decided: units everywhere have the three timestamps
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from catenary_edge.transcoding.schema import Schema
from catenary_edge.versions.change import PARAMETER, CoreCalls, Extras, Supplement, VersionChange
from catenary_edge.versions.forms import added

_UNIT = "catenary.parameter.v1.UnitReference"
_LIST = "/catenary.parameter.v1.UnitService/ListUnits"
_KNOWN = "units"
_TIMES: Schema = {
    "created_at": {"type": "string", "format": "date-time", "description": "Time of creation."},
    "updated_at": {"type": "string", "format": "date-time", "description": "Time of the last change."},
    "deleted_at": {
        "type": ["string", "null"],
        "format": "date-time",
        "description": "Time of deletion; null while active.",
        "examples": [None],
    },
}


async def _units(core: CoreCalls, ids: list[str]) -> Mapping[str, Any]:
    body = await core.ask(_LIST, unit_id=ids, page_limit=len(ids), show_deleted=True)
    return {row["id"]: row for row in body["units"]}


def _shown(unit: dict[str, Any], extras: Extras) -> dict[str, Any]:
    return {name: extras[_KNOWN][unit["id"]][name] for name in _TIMES}


CHANGE = VersionChange(
    surfaces=PARAMETER,
    answers=(added(_UNIT, _shown, _TIMES),),
    supplements=(Supplement(_KNOWN, _UNIT, "id", _units),),
)
