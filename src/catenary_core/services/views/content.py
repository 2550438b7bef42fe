"""The content of a view as it is saved, read from a request, and the rules that need no model."""

from __future__ import annotations

from typing import Any, TypedDict

from catenary.platform.v1 import view_pb2, view_service_pb2, view_shapes
from catenary_core.call import json_text
from catenary_core.call.errors import invalid
from catenary_core.resources import cameras
from catenary_wire.json_form import enum_names
from catenary_wire.sentences import Fields

_LONGEST_VALUE = 1_000
"""Longest JSON text of a filter's value."""


class ViewContent(TypedDict):
    """The saved content of a view beside its name."""

    viewer: view_shapes.ViewerSettings | None
    charts: list[view_shapes.ViewChart]
    controls: list[view_shapes.ViewControl]
    metrics: list[str]


def read(request: view_service_pb2.CreateViewRequest | view_service_pb2.ReplaceViewRequest) -> ViewContent:
    """Return the content of a request.

    Raises VALIDATION_ERROR: a direction has no length, a filter's range is empty or a value no plain one, or two controls
    have one parameter.
    """
    return {
        "viewer": _viewer(request.viewer) if request.HasField("viewer") else None,
        "charts": [_chart(chart, f"charts[{index}]") for index, chart in enumerate(request.charts)],
        "controls": _controls(request.controls),
        "metrics": list(request.metrics),
    }


def _viewer(viewer: view_pb2.ViewerSettings) -> view_shapes.ViewerSettings:
    return {
        "camera": cameras.read(viewer.camera, "viewer.camera") if viewer.HasField("camera") else None,
        "section": _section(viewer.section) if viewer.HasField("section") else None,
        "background": viewer.background or "light",
        "edges": viewer.edges,
        "hidden_parts": list(viewer.hidden_parts),
        "colors": dict(viewer.colors),
        "length_unit": viewer.length_unit or "m",
    }


def _section(section: view_pb2.ViewSection) -> view_shapes.ViewSection:
    if not any(section.normal):
        raise invalid(
            "viewer.section.normal",
            "{field} must be a direction with a number other than 0.",
            value=list(section.normal),
            constraint="direction",
        )
    return {"point": list(section.point), "normal": list(section.normal)}


def _chart(chart: view_pb2.ViewChart, path: str) -> view_shapes.ViewChart:
    return {
        "kind": enum_names(view_pb2.ViewChartKind.DESCRIPTOR)[chart.kind],
        "axes": list(chart.axes),
        "color_by": chart.color_by if chart.HasField("color_by") else None,
        "filters": {name: _filter(chart.filters[name], f"{path}.filters.{name}") for name in sorted(chart.filters)},
    }


def _filter(given: view_pb2.ViewFilter, path: str) -> view_shapes.ViewFilter:
    least = given.min if given.HasField("min") else None
    largest = given.max if given.HasField("max") else None
    if least is not None and largest is not None and largest < least:
        raise invalid(
            f"{path}.max",
            "{field} must be at least {least}.",
            value=largest,
            constraint="range",
            least=Fields(f"{path}.min"),
        )
    values = [_value(value.text, f"{path}.values[{index}]") for index, value in enumerate(given.values)]
    return {"min": least, "max": largest, "values": values}


def _value(text: str, path: str) -> Any:
    value = json_text.parse(text, path)
    if not isinstance(value, str | int | float) or len(text) > _LONGEST_VALUE:
        raise invalid(
            path,
            "{field} must be a number, a boolean or a text, of at most {most} characters in JSON.",
            value=value,
            constraint="plain",
            most=_LONGEST_VALUE,
        )
    return value


def _controls(controls: Any) -> list[view_shapes.ViewControl]:
    seen: set[str] = set()
    for index, control in enumerate(controls):
        if control.parameter in seen:
            raise invalid(
                f"controls[{index}].parameter",
                "{field} has a control already; give each parameter one.",
                value=control.parameter,
                constraint="unique",
            )
        seen.add(control.parameter)
    widgets = enum_names(view_pb2.ViewWidget.DESCRIPTOR)
    return [
        {
            "parameter": control.parameter,
            "widget": widgets[control.widget] if control.widget else None,
            "group": control.group,
            "label": control.label,
            "hidden": control.hidden,
        }
        for control in controls
    ]
