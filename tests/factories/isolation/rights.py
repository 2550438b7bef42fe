"""The operations that write a linked environment project, each with the role that it needs in one of the linked projects."""

from __future__ import annotations

from factories.isolation.operations import IMPORT, Operation

KEPT_KINDS = frozenset({"environment_project", "asset", "parameter", "entry", "revision", "parameter_set"})
"""What belongs to an environment project and is written by those who have the role."""
NEEDED = {
    "PATCH /environment/v2/projects/{project_id}": "editor",
    "POST /parameter/v1/assets": "editor",
    "PATCH /parameter/v1/assets/{asset_id}": "editor",
    "DELETE /parameter/v1/assets/{asset_id}": "editor",
    # Its body is that of a new parameter.
    "POST /parameter/v1/parameters": "editor",
    "PATCH /parameter/v1/parameters/{parameter_id}": "editor",
    "DELETE /parameter/v1/parameters/{parameter_id}": "editor",
    "PUT /parameter/v1/entries": "evaluator",
    "DELETE /parameter/v1/entries/{entry_id}": "editor",
    "PATCH /parameter/v1/revisions": "evaluator",
    "POST /parameter/v1/parameter_sets": "editor",
    "DELETE /parameter/v1/parameter_sets/{parameter_set_id}": "editor",
    IMPORT: "editor",
}
"""The role, by the row of the operation."""
OPEN = {
    "DELETE /environment/v2/projects/{project_id}": "Admins only",
    "POST /metadata/v1/tags": "any user adds custom tags",
}
"""Why other writes of what belongs to an environment project need no role in a linked one."""


def writes_what_is_kept(operation: Operation) -> bool:
    """Return whether an operation of a data service writes what may belong to an environment project."""
    kinds = {place.kind for place in operation.places if place.source != "query"}
    is_of_data = operation.surface != "platform" or operation.row == IMPORT
    return not operation.reads and is_of_data and not kinds.isdisjoint(KEPT_KINDS)
