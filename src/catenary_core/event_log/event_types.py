"""The types of events, and a reader's selection of them (guide/conventions.md, "Events")."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from catenary_core.call.errors import invalid
from catenary_core.call.methods import Binding

PLATFORM = frozenset(
    {
        "model.evaluation.completed",
        "model.evaluation.failed",
        "model.version.ready",
        "model.version.failed",
        "model.deployment.changed",
        "model.study.progressed",
        "model.study.completed",
        "model.batch.completed",
        "model.input.changed",
        "notification.created",
        "project.created",
        "project.updated",
        "project.deleted",
        "project.shared",
        "project.permission.changed",
        "project.variant.created",
        "project.variant.updated",
        "project.variant.deleted",
        "project.variant.published",
        "project.view.created",
        "project.view.updated",
        "project.view.deleted",
        "comment.created",
        "comment.updated",
        "comment.deleted",
        "user.login",
        "user.project.accessed",
        "system.maintenance",
        "system.service.updated",
    }
)
"""The platform's types, a closed list; the types of data services follow from the methods that write them."""
_PLATFORM_CATEGORIES = frozenset(name.partition(".")[0] for name in PLATFORM)


def known_types(bindings: Mapping[str, Binding]) -> frozenset[str]:
    """Return all event types."""
    return PLATFORM.union(*(binding.options.events for binding in bindings.values()))


def surface_of(type_: str) -> str:
    """Return the surface whose scope an API key needs to see events of a type."""
    category = type_.partition(".")[0]
    return "platform" if category in _PLATFORM_CATEGORIES else category


@dataclass(frozen=True, slots=True)
class Selection:
    """The events that a reader asked for."""

    types: frozenset[str] | None = None
    """Types of the events; None for all."""
    project_id: str | None = None
    """Platform project of the events; None for all."""

    def covers(self, type_: str, project_id: str | None) -> bool:
        """Return whether the selection contains an event of this type and project."""
        return (self.types is None or type_ in self.types) and (
            self.project_id is None or self.project_id == project_id
        )


def covers(name: str, type_: str) -> bool:
    """Return whether a name, a category (`model.*`) or `*` covers a type."""
    return name in ("*", type_) or (name.endswith(".*") and type_.startswith(name[:-1]))


def covered(names: Sequence[str], known: frozenset[str], field: str = "types") -> frozenset[str] | None:
    """Return the types covered by names, categories (`model.*`) and `*`; None for all types.

    No names at all cover all types.

    Raises VALIDATION_ERROR: a name covers no type.
    """
    found: set[str] = set()
    everything = not names
    for index, name in enumerate(names):
        if name == "*":
            everything = True
            continue
        types = {type_ for type_ in known if covers(name, type_)}
        if not types:
            raise invalid(
                f"{field}[{index}]",
                "{field} is no type of event; give a category such as model.*, or *, or one of: {known}.",
                value=name,
                constraint="unknown",
                known=_listed(known),
            )
        found |= types
    return None if everything else frozenset(found)


def _listed(known: frozenset[str]) -> str:
    """List types by name for people; the changes of one resource of a data service are one item."""
    changes: dict[str, list[str]] = {}
    for type_ in known - PLATFORM:
        resource, _, change = type_.rpartition(".")
        changes.setdefault(resource, []).append(change)
    rows = [f"{resource}.{'|'.join(sorted(found))}" for resource, found in sorted(changes.items())]
    return ", ".join([*sorted(PLATFORM), *rows])
