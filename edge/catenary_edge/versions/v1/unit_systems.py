"""A unit type has neither `unit_systems` nor times.

> unit_systems in unit_type
> | unit_type | id, name, created_at, updated_at, deleted_at (all in list and single responses from v1), unit_systems (array) |
"""

from catenary_edge.versions.change import PARAMETER, VersionChange
from catenary_edge.versions.forms import dropped

CHANGE = VersionChange(
    surfaces=PARAMETER,
    answers=(dropped("catenary.parameter.v1.UnitType", "unit_systems", "created_at", "updated_at", "deleted_at"),),
)
