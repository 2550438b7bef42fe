"""The fit of a view to a model version: its names of parameters and metrics, and the widgets of its controls."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from catenary.platform.v1 import model_shapes, view_shapes
from catenary_core.call.errors import DomainError, invalid
from catenary_core.call.item_faults import ItemFaults
from catenary_core.services.views.content import ViewContent

_ANY_TYPE = ("text", None)
"""Widgets for a parameter of any type; None is that of the type."""
_TYPES = {
    "slider": frozenset({"number", "integer"}),
    "number": frozenset({"number", "integer"}),
    "select": frozenset({"choice"}),
    "switch": frozenset({"boolean"}),
    "color": frozenset({"color"}),
}
"""Types of parameters that a widget is for."""


@dataclass(frozen=True, slots=True)
class DeclaredNames:
    """The parameters and metrics of a model version."""

    parameters: Mapping[str, model_shapes.ModelParameter]
    metrics: frozenset[str]

    def has(self, name: str) -> bool:
        """Return whether a parameter or a metric has the name."""
        return name in self.parameters or name in self.metrics


@dataclass(frozen=True, slots=True)
class Misfit:
    """A place of a view that doesn't fit."""

    path: str
    name: str
    """Name of the parameter or metric."""
    lacks: Literal["parameter or metric", "parameter", "metric", "widget"]


def names(
    parameters: Sequence[model_shapes.ModelParameter], metrics: Sequence[model_shapes.ModelMetric]
) -> DeclaredNames:
    """Return the names of a version with these declarations."""
    return DeclaredNames({one["name"]: one for one in parameters}, frozenset(one["name"] for one in metrics))


def is_bound(content: ViewContent) -> bool:
    """Return whether a view names any parameter or metric, so that it needs a deployed version."""
    return bool(content["charts"] or content["controls"] or content["metrics"])


def check(content: ViewContent, known: DeclaredNames) -> None:
    """Check that all of a view fits a version.

    Raises VALIDATION_ERROR: something doesn't; the refusal has the paths of all that doesn't.
    """
    faults = ItemFaults()
    for index, misfit in enumerate(misfits(content, known)):
        with faults.of(index):
            raise _refusal(misfit)
    faults.refuse()


def fitting(content: ViewContent, known: DeclaredNames) -> tuple[ViewContent, list[str]]:
    """Return what of a view fits a version, and the names in places that don't, each once.

    A chart goes with its last axis, a control as a whole.
    """
    omitted = list(dict.fromkeys(misfit.name for misfit in misfits(content, known)))
    fits: ViewContent = {
        "viewer": content["viewer"],
        "charts": [chart for chart in (_fitting_chart(one, known) for one in content["charts"]) if chart["axes"]],
        "controls": [one for one in content["controls"] if _control_fault(one, known) is None],
        "metrics": [name for name in content["metrics"] if name in known.metrics],
    }
    return fits, omitted


def misfits(content: ViewContent, known: DeclaredNames) -> Iterator[Misfit]:
    """Yield the places of a view that don't fit a version, in their order."""
    for index, chart in enumerate(content["charts"]):
        for path, name in _names_of(chart):
            if not known.has(name):
                yield Misfit(f"charts[{index}].{path}", name, "parameter or metric")
    for index, control in enumerate(content["controls"]):
        if (fault := _control_fault(control, known)) is not None:
            field = "widget" if fault == "widget" else "parameter"
            yield Misfit(f"controls[{index}].{field}", control["parameter"], fault)
    for index, name in enumerate(content["metrics"]):
        if name not in known.metrics:
            yield Misfit(f"metrics[{index}]", name, "metric")


def _names_of(chart: view_shapes.ViewChart) -> Iterator[tuple[str, str]]:
    for index, name in enumerate(chart["axes"]):
        yield f"axes[{index}]", name
    if chart["color_by"] is not None:
        yield "color_by", chart["color_by"]
    for name in chart["filters"]:
        yield f"filters.{name}", name


def _fitting_chart(chart: view_shapes.ViewChart, known: DeclaredNames) -> view_shapes.ViewChart:
    color_by = chart["color_by"]
    return {
        "kind": chart["kind"],
        "axes": [name for name in chart["axes"] if known.has(name)],
        "color_by": color_by if color_by is not None and known.has(color_by) else None,
        "filters": {name: one for name, one in chart["filters"].items() if known.has(name)},
    }


def _control_fault(control: view_shapes.ViewControl, known: DeclaredNames) -> Literal["parameter", "widget"] | None:
    parameter: Mapping[str, Any] | None = known.parameters.get(control["parameter"])
    widget = control["widget"]
    if parameter is None:
        return "parameter"
    if widget is None or widget in _ANY_TYPE:
        return None
    if parameter["type"] not in _TYPES[widget]:
        return "widget"
    # A slider has two ends.
    return "widget" if widget == "slider" and None in (parameter["min"], parameter["max"]) else None


def _refusal(misfit: Misfit) -> DomainError:
    if misfit.lacks == "widget":
        return invalid(
            misfit.path,
            "{field} doesn't fit the type or the range of the parameter; give another, or none for that of its type.",
            value=misfit.name,
            constraint="widget",
        )
    return invalid(
        misfit.path,
        "{field} names no {what} of the deployed version; give the name of one.",
        value=misfit.name,
        constraint="unknown",
        what=misfit.lacks,
    )
