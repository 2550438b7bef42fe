"""The messages of the environment context service with a project's keys."""

from catenary_edge.versions.change import ENVIRONMENT, VersionChange
from catenary_edge.versions.forms import renamed, request_renamed

PROJECT = "catenary.environment.v2.Project"
WRITES = ("catenary.environment.v2.CreateProjectRequest", "catenary.environment.v2.UpdateProjectRequest")


def renamed_key(newer: str, older: str) -> VersionChange:
    """Make the change of a renamed key of projects."""
    names = {newer: older}
    return VersionChange(
        surfaces=ENVIRONMENT,
        answers=(renamed(PROJECT, names),),
        requests=tuple(request_renamed(message, names) for message in WRITES),
        fields={newer: (older,)},
    )
