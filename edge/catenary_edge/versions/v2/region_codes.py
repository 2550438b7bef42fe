"""A region has `company_code`, and its level in a key with the company's slug; both exist in this version only.

> | region | <org>_region_level, company_code | removed |
"""

from collections.abc import Mapping
from typing import Any

from catenary_edge.versions.change import ENVIRONMENT, CoreCalls, Extras, Supplement, VersionChange
from catenary_edge.versions.forms import added, request_renamed

_PACKAGE = "catenary.environment.v2"
_CODES = "region_codes"
_LEVEL = "Level in UN M49: 1 for a region, 2 for a sub-region; null when not given."
_CODE = "Code of the company; null when not given."


async def _codes(core: CoreCalls, ids: list[str]) -> Mapping[str, Any]:
    body = await core.ask(f"/{_PACKAGE}.OlderService/ReadRegionCodes", region_ids=ids)
    return {codes["region_id"]: codes for codes in body["regions"]}


def _of_company(org: str) -> VersionChange:
    """Make the change for the company's slug."""
    level = f"{org}_region_level"

    def shown(region: dict[str, Any], extras: Extras) -> dict[str, Any]:
        codes = extras[_CODES][region["region_id"]]
        return {level: codes["region_level"], "company_code": codes["company_code"]}

    schemas = {
        level: {"type": ["integer", "null"], "format": "int32", "description": _LEVEL},
        "company_code": {"type": ["string", "null"], "description": _CODE},
    }
    return VersionChange(
        surfaces=ENVIRONMENT,
        answers=(added(f"{_PACKAGE}.Region", shown, schemas),),
        requests=tuple(
            request_renamed(f"{_PACKAGE}.{name}", {"region_level": level})
            for name in ("CreateRegionRequest", "UpdateRegionRequest")
        ),
        supplements=(Supplement(_CODES, f"{_PACKAGE}.Region", "region_id", _codes),),
        fields={"region_level": (level,)},
    )


CHANGE = _of_company
