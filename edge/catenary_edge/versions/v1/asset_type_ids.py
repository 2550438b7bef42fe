"""Asset sub types and the elements of hierarchies have no `asset_type_id`.

> asset_type_id added to asset sub type and hierarchy
"""

from catenary_edge.versions.change import PARAMETER, VersionChange
from catenary_edge.versions.forms import dropped

CHANGE = VersionChange(
    surfaces=PARAMETER,
    answers=(
        dropped("catenary.parameter.v1.AssetSubType", "asset_type_id"),
        dropped("catenary.parameter.v1.HierarchyElement", "asset_type_id"),
    ),
)
