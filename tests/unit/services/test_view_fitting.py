"""The fit of views to model versions, without a database."""

from __future__ import annotations

from typing import Any

import pytest

from catenary.platform.v1.view_service_pb2 import CreateViewRequest
from catenary_core.call.errors import DomainError
from catenary_core.services.views import content, fitting
from factories.services.evaluations import parameter

KNOWN = fitting.names(
    [
        parameter("span", "number", 24.0, min=5.0, max=60.0),
        parameter("load", "number", 1.0),
        parameter("steel", "choice", "S355", choices=["S355"]),
        parameter("braced", "boolean", True),
        parameter("paint", "color", "#ffffff"),
        parameter("origin", "point", [0, 0, 0]),
    ],
    [{"name": "mass", "unit": "kg", "description": ""}],
)


def _view(**fields: Any) -> content.ViewContent:
    return content.read(CreateViewRequest(**fields))


@pytest.mark.parametrize(
    ("name", "widget", "fits"),
    [
        ("span", "SLIDER", True),
        ("load", "SLIDER", False),
        ("load", "NUMBER", True),
        ("steel", "SELECT", True),
        ("steel", "NUMBER", False),
        ("braced", "SWITCH", True),
        ("braced", "SELECT", False),
        ("paint", "COLOR", True),
        ("origin", "TEXT", True),
        ("origin", "UNSPECIFIED", True),
        ("mass", "NUMBER", False),
    ],
)
def test_a_widget_fits_the_types_that_it_is_for(name: str, widget: str, fits: bool) -> None:
    view = _view(controls=[{"parameter": name, "widget": f"VIEW_WIDGET_{widget}"}])
    shown, omitted = fitting.fitting(view, KNOWN)
    assert (bool(shown["controls"]), omitted) == (fits, [] if fits else [name])


def test_a_name_in_several_places_is_omitted_once() -> None:
    chart = {"kind": "VIEW_CHART_KIND_BAR", "axes": ["depth"], "color_by": "depth", "filters": {"depth": {"min": 1.0}}}
    view = _view(charts=[chart], metrics=["depth", "mass"])
    assert fitting.fitting(view, KNOWN) == (
        {"viewer": None, "charts": [], "controls": [], "metrics": ["mass"]},
        ["depth"],
    )
    with pytest.raises(DomainError) as refused:
        fitting.check(view, KNOWN)
    assert [violation.field for violation in refused.value.violations] == [
        "charts[0].axes[0]",
        "charts[0].color_by",
        "charts[0].filters.depth",
        "metrics[0]",
    ]


def test_only_settings_of_the_viewer_need_no_model() -> None:
    assert not fitting.is_bound(_view(viewer={"edges": True}))
    assert fitting.is_bound(_view(metrics=["mass"]))


@pytest.mark.parametrize("text", ["[1]", "{}", "null", '"' + "x" * 1000 + '"', "NaN"])
def test_a_value_of_a_filter_is_short_and_plain(text: str) -> None:
    chart = {"kind": "VIEW_CHART_KIND_BAR", "axes": ["span"], "filters": {"span": {"values": [{"text": text}]}}}
    with pytest.raises(DomainError) as refused:
        _view(charts=[chart])
    assert refused.value.details["parameter"] == "charts[0].filters.span.values[0]"
