"""A parameter's `created_by` is its creator's id; item types have the people `created_by` and `updated_by`.

> decided: a parameter's `created_by` is the creator's id; item types have `created_by`, `updated_by`
> decided: `created_by`/`updated_by` of item types are staff objects as in `revision`
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from catenary_edge.versions import staff
from catenary_edge.versions.change import PARAMETER, CoreCalls, Extras, Supplement, VersionChange
from catenary_edge.versions.forms import added

_PACKAGE = "catenary.parameter.v1"
_PARAMETERS, _ITEM_TYPES = "parameter_makers", "item_type_makers"
_ID = {"type": ["string", "null"], "description": "Id of the user who created the row; null when unknown."}


async def _of_parameters(core: CoreCalls, ids: list[str]) -> Mapping[str, Any]:
    body = await core.ask(f"/{_PACKAGE}.OlderService/ReadParameterMakers", parameter_ids=ids)
    return {row["id"]: row for row in body["parameters"]}


async def _of_item_types(core: CoreCalls, ids: list[str]) -> Mapping[str, Any]:
    body = await core.ask(f"/{_PACKAGE}.OlderService/ReadItemTypeMakers", item_type_ids=ids)
    return {row["id"]: row for row in body["item_types"]}


def _maker(parameter: dict[str, Any], extras: Extras) -> dict[str, Any]:
    makers = extras[_PARAMETERS].get(parameter["id"])  # None when the caller lost access in between
    return {"created_by": makers and makers["created_by"]}


def _of_company(org: str) -> VersionChange:
    """Make the change for the company's slug."""

    def makers(item_type: dict[str, Any], extras: Extras) -> dict[str, Any]:
        found = extras[_ITEM_TYPES][item_type["id"]]
        return {
            "created_by": staff.shown(org, found["creator"]),
            "updated_by": staff.shown(org, found["updater"]),
        }

    people = {
        "created_by": staff.schema(org, "User who created the row; null when not recorded or no longer known."),
        "updated_by": staff.schema(org, "User who last changed the row; null when not recorded or no longer known."),
    }
    return VersionChange(
        surfaces=PARAMETER,
        answers=(
            added(f"{_PACKAGE}.Parameter", _maker, {"created_by": _ID}),
            added(f"{_PACKAGE}.ItemType", makers, people),
        ),
        supplements=(
            Supplement(_PARAMETERS, f"{_PACKAGE}.Parameter", "id", _of_parameters),
            Supplement(_ITEM_TYPES, f"{_PACKAGE}.ItemType", "id", _of_item_types),
        ),
    )


CHANGE = _of_company
