"""In responses about parameter sets, a parameter type also has `unit_type_id` and its times.

> parameter_type | id, name, data_type, global_parameter (in parameter-set responses; v1 omits unit_type_id, created_at,
> deleted_at, updated_at there)
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from catenary_edge.versions.change import PARAMETER, CoreCalls, Extras, Supplement, VersionChange
from catenary_edge.versions.forms import added

_REFERENCE = "catenary.parameter.v1.ParameterTypeReference"
_LIST = "/catenary.parameter.v1.ParameterTypeService/ListParameterTypes"
_KNOWN = "parameter_types"
_TIMES = ("created_at", "updated_at", "deleted_at")
_MOMENT = {"type": "string", "format": "date-time"}


async def _types(core: CoreCalls, ids: list[str]) -> Mapping[str, Any]:
    body = await core.ask(_LIST, parameter_type_id=ids, page_limit=len(ids), show_deleted=True)
    return {row["id"]: row for row in body["parameter_types"]}


def _shown(reference: dict[str, Any], extras: Extras) -> dict[str, Any]:
    whole = extras[_KNOWN][reference["id"]]
    unit_type = whole["unit_type"]
    return {"unit_type_id": unit_type and unit_type["id"], **{name: whole[name] for name in _TIMES}}


CHANGE = VersionChange(
    surfaces=PARAMETER,
    answers=(
        added(
            _REFERENCE,
            _shown,
            {
                "unit_type_id": {
                    "type": ["string", "null"],
                    "description": "Id of the unit type of the values; null for values without a unit.",
                },
                "created_at": {**_MOMENT, "description": "Time of creation."},
                "updated_at": {**_MOMENT, "description": "Time of the last change."},
                "deleted_at": {
                    "type": ["string", "null"],
                    "format": "date-time",
                    "description": "Time of deletion; null while active.",
                    "examples": [None],
                },
            },
        ),
    ),
    supplements=(Supplement(_KNOWN, _REFERENCE, "id", _types),),
)
