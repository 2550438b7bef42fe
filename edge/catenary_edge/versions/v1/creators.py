"""A parameter's `created_by` is its creator's id; item types have `created_by` and `updated_by`.

> decided: a parameter's `created_by` is the creator's id; item types have `created_by`, `updated_by`
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from catenary_edge.transcoding.schema import Schema
from catenary_edge.versions.change import PARAMETER, CoreCalls, Extras, Supplement, VersionChange
from catenary_edge.versions.forms import added

_PACKAGE = "catenary.parameter.v1"
_PARAMETERS, _ITEM_TYPES = "parameter_makers", "item_type_makers"


async def _of_parameters(core: CoreCalls, ids: list[str]) -> Mapping[str, Any]:
    body = await core.ask(f"/{_PACKAGE}.OlderService/ReadParameterMakers", parameter_ids=ids)
    return {row["id"]: row for row in body["parameters"]}


async def _of_item_types(core: CoreCalls, ids: list[str]) -> Mapping[str, Any]:
    body = await core.ask(f"/{_PACKAGE}.OlderService/ReadItemTypeMakers", item_type_ids=ids)
    return {row["id"]: row for row in body["item_types"]}


def _maker(parameter: dict[str, Any], extras: Extras) -> dict[str, Any]:
    makers = extras[_PARAMETERS].get(parameter["id"])  # None when the caller lost access in between
    return {"created_by": makers and makers["created_by"]}


def _makers(item_type: dict[str, Any], extras: Extras) -> dict[str, Any]:
    makers = extras[_ITEM_TYPES][item_type["id"]]
    return {"created_by": makers["created_by"], "updated_by": makers["updated_by"]}


def _id(description: str) -> Schema:
    return {"type": ["string", "null"], "description": description}


CHANGE = VersionChange(
    surfaces=PARAMETER,
    answers=(
        added(
            f"{_PACKAGE}.Parameter",
            _maker,
            {"created_by": _id("Id of the user who created the row; null when unknown.")},
        ),
        added(
            f"{_PACKAGE}.ItemType",
            _makers,
            {
                "created_by": _id("Id of the user who created the row; null when not recorded."),
                "updated_by": _id("Id of the user who last changed the row; null when not recorded."),
            },
        ),
    ),
    supplements=(
        Supplement(_PARAMETERS, f"{_PACKAGE}.Parameter", "id", _of_parameters),
        Supplement(_ITEM_TYPES, f"{_PACKAGE}.ItemType", "id", _of_item_types),
    ),
)
