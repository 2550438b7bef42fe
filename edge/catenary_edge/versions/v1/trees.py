"""Assets and asset types have no trees.

> tree endpoints added
"""

from catenary_edge.versions.change import PARAMETER, VersionChange

_TREES = ("GetAssetTree", "GetAssetTypeTree")

CHANGE = VersionChange(
    surfaces=PARAMETER, routes=lambda drafts: [draft for draft in drafts if draft.name not in _TREES]
)
