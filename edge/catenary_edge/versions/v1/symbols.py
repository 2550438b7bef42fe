"""The symbol of a unit is in the key `name`, in all units.

> unit/default_unit `name` becomes `symbol`
"""

from catenary_edge.versions.change import PARAMETER, VersionChange
from catenary_edge.versions.forms import renamed, request_renamed

_PACKAGE = "catenary.parameter.v1"
_NAMES = {"symbol": "name"}

CHANGE = VersionChange(
    surfaces=PARAMETER,
    answers=tuple(renamed(f"{_PACKAGE}.{name}", _NAMES) for name in ("Unit", "UnitReference", "UnitTypeUnit")),
    requests=tuple(request_renamed(f"{_PACKAGE}.{name}", _NAMES) for name in ("NewUnit", "UpdateUnitRequest")),
    fields={name: (older,) for name, older in _NAMES.items()},
    terms=_NAMES,
)
