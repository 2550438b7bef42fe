"""A new parameter type may have a `default_unit_id` alone: its unit type is that of the unit.

> decided: POST /parameter_types takes `default_unit_id` alone
"""

from __future__ import annotations

from typing import Any

from google.protobuf.message import Message

from catenary_edge.errors.problem import Problem
from catenary_edge.versions.change import MOST_IDS, PARAMETER, CoreCalls, VersionChange
from catenary_edge.versions.forms import prepared, request_told

_PACKAGE = "catenary.parameter.v1"
_TEXT = "When absent, the unit type is that of `default_unit_id`."


async def _set_unit_types(request: Message, core: CoreCalls) -> None:
    """Set the unit type of each item with only a default unit; the creation refuses an unknown unit."""
    asked: Any = request
    items = [
        item for item in asked.parameter_types if item.HasField("default_unit_id") and not item.HasField("unit_type_id")
    ]
    ids = sorted({item.default_unit_id for item in items})
    if not 1 <= len(ids) <= MOST_IDS:
        return
    try:
        body = await core.ask(f"/{_PACKAGE}.UnitService/ListUnits", unit_id=ids, page_limit=len(ids))
    except Problem as problem:
        if problem.status == 400:  # an id is malformed, which the creation refuses by the name of its field
            return
        raise
    unit_types = {row["id"]: row["unit_type_id"] for row in body["units"]}
    for item in items:
        if item.default_unit_id in unit_types:
            item.unit_type_id = unit_types[item.default_unit_id]


CHANGE = VersionChange(
    surfaces=PARAMETER,
    routes=lambda drafts: prepared(drafts, ("CreateParameterTypes",), _set_unit_types),
    requests=(request_told(f"{_PACKAGE}.NewParameterType", "unit_type_id", _TEXT),),
)
