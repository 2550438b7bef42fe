"""A walk over the views of a project whose model has the parameters `side` and `kind` and the metric `volume`."""

from __future__ import annotations

from typing import Any

from factories.walks.recording import Walk

_VIEWER = {
    "camera": {"position": [9, -9, 6.5], "target": [0, 0, 1], "projection": "perspective", "fov_degrees": 35},
    "section": {"point": [0, 0, 1], "normal": [0, 0, 1]},
    "background": "dark",
    "edges": True,
    "hidden_parts": ["lid"],
    "colors": {"cube": "#C0d8e8"},
    "length_unit": "mm",
}
_WHOLE: dict[str, Any] = {
    "name": "Facade",
    "is_default": True,
    "viewer": _VIEWER,
    "charts": [
        {
            "kind": "scatter",
            "axes": ["side", "volume"],
            "color_by": "kind",
            "filters": {"volume": {"max": 30}, "kind": {"values": ["a"]}},
        }
    ],
    "controls": [{"parameter": "kind", "widget": "select"}, {"parameter": "side", "widget": "slider", "group": "Size"}],
    "metrics": ["volume"],
}


async def arrange(call: Walk, path: str) -> None:
    """Save, list, replace and delete views of a project."""
    route = f"{path}/views"
    first = (await call("POST", route, 201, json=_WHOLE))["data"]["view"]
    second = (await call("POST", route, 201, json={"name": "Bare"}))["data"]["view"]
    assert (second["viewer"], second["charts"], second["omitted"]) == (None, [], [])
    for wrong in (
        {},
        {"name": "two\nlines"},
        {"name": "x", "color": "red"},
        {"name": "x", "metrics": ["side"]},
        {"name": "x", "controls": [{"parameter": "volume"}]},
        {"name": "x", "controls": [{"parameter": "kind", "widget": "slider"}]},
        {"name": "x", "charts": [{"kind": "pie", "axes": ["side"]}]},
        {"name": "x", "charts": [{"kind": "bar", "axes": ["width"]}]},
        {"name": "x", "charts": [{"kind": "bar", "axes": ["side"], "filters": {"side": {"min": 2, "max": 1}}}]},
        {"name": "x", "viewer": {"background": "pink"}},
        {"name": "x", "viewer": {"section": {"point": [0, 0, 0], "normal": [0, 0, 0]}}},
    ):
        await call("POST", route, 400, json=wrong)
    one, other = f"/v1/views/{first['view_id']}", f"/v1/views/{second['view_id']}"
    assert (await call("GET", one, 200))["data"]["view"] == first
    page = await call("GET", route, 200, params={"limit": 1})
    await call("GET", route, 200, params={"limit": 1, "cursor": page["metadata"]["next_cursor"]})
    await call("PUT", other, 200, json={"name": "Plain", "is_default": True, "metrics": ["volume"]})
    assert (await call("GET", one, 200))["data"]["view"]["is_default"] is False
    await call("PUT", other, 400, json={"name": "Plain", "metrics": ["mass"]})
    third = (await call("POST", route, 201, json={"name": "Third", "is_default": True}))["data"]["view"]
    assert (await call("GET", other, 200))["data"]["view"]["is_default"] is False
    for view in (one, other, f"/v1/views/{third['view_id']}"):
        await call("DELETE", view, 200)
        await call("GET", view, 404)
