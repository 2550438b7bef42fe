"""Views of projects: what they may name, which one is the default, and what is left after another deployment."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any

import orjson
import pytest
import uuid_utils

from catenary_core.call.errors import CallError
from catenary_core.server.dispatch import UnaryResponse
from factories.services.discussion import CAMERA
from factories.services.evaluations import PARAMETERS, Node, Refusal, deploy, refusal, run_sql

VIEWS = "/catenary.platform.v1.ViewService/"
CHART: dict[str, Any] = {
    "kind": "VIEW_CHART_KIND_PARALLEL",
    "axes": ["span", "bays", "mass"],
    "color_by": "mass",
    "filters": {"mass": {"max": 2000.0}, "steel": {"values": [{"text": '"S355"'}, {"text": "460"}]}},
}
CONTROLS: list[dict[str, Any]] = [
    {"parameter": "steel", "widget": "VIEW_WIDGET_SELECT", "group": "Deck"},
    {"parameter": "span", "widget": "VIEW_WIDGET_SLIDER", "label": "Span"},
    {"parameter": "title", "hidden": True},
]
VIEWER: dict[str, Any] = {
    "camera": CAMERA,
    "section": {"point": [0.0, 0.0, 12.0], "normal": [0.0, 0.0, 1.0]},
    "background": "#102030",
    "edges": True,
    "hidden_parts": ["scaffold"],
    "colors": {"deck": "#c0d8e8"},
    "length_unit": "mm",
}
WHOLE: dict[str, Any] = {"viewer": VIEWER, "charts": [CHART], "controls": CONTROLS, "metrics": ["mass"]}


async def _answer(
    node: Node, method: str, caller: str = "editor", metadata: Mapping[str, str] | None = None, **fields: Any
) -> UnaryResponse:
    request = node.dispatch.bindings[VIEWS + method].request(**fields)
    return await node.dispatch.call(VIEWS + method, request, {"authorization": caller, **(metadata or {})})


async def _call(node: Node, method: str, caller: str = "editor", **fields: Any) -> dict[str, Any]:
    return (await _answer(node, method, caller, **fields)).body


async def _refused(node: Node, method: str, caller: str = "editor", **fields: Any) -> Refusal:
    with pytest.raises(CallError) as caught:
        await _call(node, method, caller, **fields)
    return refusal(caught.value)


async def _save(node: Node, project: str, name: str = "A", **fields: Any) -> dict[str, Any]:
    found: dict[str, Any] = (await _call(node, "CreateView", project_id=project, name=name, **fields))["view"]
    return found


async def _get(node: Node, view: Mapping[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = (await _call(node, "GetView", "viewer", view_id=view["view_id"]))["view"]
    return found


async def _listed(node: Node, project: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = (await _call(node, "ListViews", "viewer", project_id=project))["views"]
    return found


async def _with_metrics(node: Node, project: str, *names: str) -> None:
    """Let the deployed version declare metrics."""
    metrics = [{"name": name, "unit": "kg", "description": ""} for name in names]
    (row,) = await run_sql(
        node.frame.db, "SELECT model_version_id FROM models.deployed WHERE project_id = :p", p=project
    )
    await run_sql(
        node.frame.db,
        "UPDATE models.model_version SET metrics = CAST(:metrics AS json) WHERE model_version_id = :v",
        metrics=orjson.dumps(metrics).decode(),
        v=row["model_version_id"],
    )


@pytest.fixture
async def modelled(node: Node, project: str) -> str:
    """Return a project whose deployed version has a metric."""
    await _with_metrics(node, project, "mass")
    return project


async def test_a_view_is_saved_whole_with_its_defaults(node: Node, modelled: str) -> None:
    made = await _save(node, modelled, "Facade", is_default=True, **WHOLE)
    assert (made["name"], made["is_default"], made["omitted"]) == ("Facade", True, [])
    camera = {**CAMERA, "projection": "perspective", "up": [0.0, 0.0, 1.0], "height": None}
    assert made["viewer"] == {**VIEWER, "camera": camera}
    assert made["charts"] == [
        {
            "kind": "parallel",
            "axes": ["span", "bays", "mass"],
            "color_by": "mass",
            "filters": {
                "mass": {"min": None, "max": 2000.0, "values": []},
                "steel": {"min": None, "max": None, "values": ["S355", 460]},
            },
        }
    ]
    assert made["controls"] == [
        {"parameter": "steel", "widget": "select", "group": "Deck", "label": "", "hidden": False},
        {"parameter": "span", "widget": "slider", "group": "", "label": "Span", "hidden": False},
        {"parameter": "title", "widget": None, "group": "", "label": "", "hidden": True},
    ]
    assert await _get(node, made) == made
    bare = await _save(node, modelled, viewer={})
    assert (bare["viewer"]["background"], bare["viewer"]["length_unit"], bare["viewer"]["camera"]) == (
        "light",
        "m",
        None,
    )
    assert await _listed(node, modelled) == [bare, made]


@pytest.mark.parametrize(
    ("fields", "parameter"),
    [
        ({"name": ""}, "name"),
        ({"name": "x" * 201}, "name"),
        ({"charts": [{**CHART, "axes": ["span", "width"]}]}, "charts[0].axes[1]"),
        ({"charts": [{**CHART, "axes": []}]}, "charts[0].axes"),
        ({"charts": [{**CHART, "kind": 0}]}, "charts[0].kind"),
        ({"charts": [CHART, {**CHART, "color_by": "width"}]}, "charts[1].color_by"),
        ({"charts": [{**CHART, "filters": {"width": {}}}]}, "charts[0].filters.width"),
        ({"charts": [{**CHART, "filters": {"span": {"min": 2.0, "max": 1.0}}}]}, "charts[0].filters.span.max"),
        (
            {"charts": [{**CHART, "filters": {"span": {"values": [{"text": "[1]"}]}}}]},
            "charts[0].filters.span.values[0]",
        ),
        ({"charts": [CHART] * 51}, "charts"),
        ({"controls": [{"parameter": "width"}]}, "controls[0].parameter"),
        ({"controls": [{"parameter": "mass"}]}, "controls[0].parameter"),
        ({"controls": [{"parameter": "span"}, {"parameter": "span"}]}, "controls[1].parameter"),
        ({"controls": [{"parameter": "title", "widget": "VIEW_WIDGET_SLIDER"}]}, "controls[0].widget"),
        ({"controls": [{"parameter": "span", "widget": "VIEW_WIDGET_COLOR"}]}, "controls[0].widget"),
        ({"controls": [{"parameter": f"p{n}"} for n in range(201)]}, "controls"),
        ({"metrics": ["mass", "span"]}, "metrics[1]"),
        ({"metrics": ["mass", "mass"]}, "metrics"),
        ({"viewer": {"background": "grey"}}, "viewer.background"),
        ({"viewer": {"length_unit": "mile"}}, "viewer.length_unit"),
        ({"viewer": {"colors": {"deck": "blue"}}}, "viewer.colors.deck"),
        ({"viewer": {"hidden_parts": ["a\nb"]}}, "viewer.hidden_parts[0]"),
        ({"viewer": {"section": {"point": [0.0] * 3, "normal": [0.0] * 3}}}, "viewer.section.normal"),
        ({"viewer": {"camera": {**CAMERA, "target": CAMERA["position"]}}}, "viewer.camera.target"),
    ],
)
async def test_what_does_not_fit_is_refused_by_its_path(
    node: Node, modelled: str, fields: dict[str, Any], parameter: str
) -> None:
    for method, key in (("CreateView", {"project_id": modelled}), ("ReplaceView", {"view_id": ""})):
        if method == "ReplaceView":
            key = {"view_id": (await _save(node, modelled))["view_id"]}
        found = await _refused(node, method, **{**key, "name": "B", **fields})
        assert (found.reason, found.details["parameter"]) == ("VALIDATION_ERROR", parameter)
    assert [view["name"] for view in await _listed(node, modelled)] == ["A"]


async def test_all_that_does_not_fit_is_named_at_once(node: Node, modelled: str) -> None:
    fields = {"charts": [{**CHART, "axes": ["width"]}], "controls": [{"parameter": "depth"}], "metrics": ["cost"]}
    found = await _refused(node, "CreateView", project_id=modelled, name="B", **fields)
    assert [path for path, _ in found.violations] == ["charts[0].axes[0]", "controls[0].parameter", "metrics[0]"]


async def test_a_new_default_takes_the_place_of_the_old_one(node: Node, project: str) -> None:
    first = await _save(node, project, "one", is_default=True)
    second = await _save(node, project, "two")
    await _call(node, "ReplaceView", view_id=second["view_id"], name="two", is_default=True)
    assert [(view["name"], view["is_default"]) for view in await _listed(node, project)] == [
        ("two", True),
        ("one", False),
    ]
    assert (await _get(node, first))["updated_at"] > first["updated_at"]
    await _call(node, "ReplaceView", view_id=second["view_id"], name="two")
    assert not any(view["is_default"] for view in await _listed(node, project))


async def test_of_many_defaults_at_once_one_stays(node: Node, project: str) -> None:
    made = await _save(node, project)
    await asyncio.gather(
        *(_save(node, project, name, is_default=True) for name in "bcdef"),
        _call(node, "ReplaceView", view_id=made["view_id"], name="A", is_default=True),
    )
    assert [view["is_default"] for view in await _listed(node, project)].count(True) == 1


async def test_a_hundredth_view_is_the_last(node: Node, project: str) -> None:
    for _ in range(98):
        await _save(node, project)
    found = await asyncio.gather(*(_save(node, project) for _ in range(4)), return_exceptions=True)
    assert [refusal(one).reason for one in found if isinstance(one, CallError)] == ["CONFLICT"] * 2
    last = (await _listed(node, project))[0]
    await _call(node, "DeleteView", view_id=last["view_id"])
    await _save(node, project)


async def _deploy_other(node: Node, project: str, parameters: Sequence[Mapping[str, Any]], *metrics: str) -> None:
    await deploy(node.frame.db, node.frame.objects, parameters, project_id=project)
    await _with_metrics(node, project, *metrics)


async def test_what_a_later_deployment_lacks_is_left_out_and_named(node: Node, modelled: str) -> None:
    other = {**CHART, "axes": ["mass"], "color_by": None, "filters": {}}
    made = await _save(node, modelled, **{**WHOLE, "charts": [CHART, other]})
    unlimited = {**PARAMETERS[0], "max": None}
    await _deploy_other(node, modelled, [unlimited, *PARAMETERS[1:3], PARAMETERS[4]], "cost")
    shown = await _get(node, made)
    assert shown["omitted"] == ["mass", "steel", "span"]
    assert shown["charts"] == [{"kind": "parallel", "axes": ["span", "bays"], "color_by": None, "filters": {}}]
    assert [control["parameter"] for control in shown["controls"]] == ["title"]
    assert (shown["metrics"], shown["viewer"]) == ([], made["viewer"])
    assert await _listed(node, modelled) == [shown]
    await _deploy_other(node, modelled, PARAMETERS, "mass")
    assert await _get(node, made) == made


async def test_without_a_deployment_a_view_names_nothing(node: Node, modelled: str) -> None:
    saved = await _save(node, modelled, **WHOLE)
    await run_sql(node.frame.db, "UPDATE models.deployment SET status = 'retired' WHERE project_id = :p", p=modelled)
    assert await _get(node, saved) == saved
    for fields in ({"charts": [CHART]}, {"controls": CONTROLS}, {"metrics": ["mass"]}):
        found = await _refused(node, "CreateView", project_id=modelled, name="B", **fields)
        assert (found.reason, "deploy one first" in found.message) == ("MODEL_NOT_DEPLOYED", True)
    assert (await _save(node, modelled, viewer=VIEWER))["viewer"]["edges"] is True


async def test_editors_write_and_viewers_read(node: Node, project: str) -> None:
    made = await _save(node, project)
    key = {"view_id": made["view_id"]}
    for caller, reason in (
        ("evaluator", "PERMISSION_DENIED"),
        ("viewer", "PERMISSION_DENIED"),
        ("stranger", "NOT_FOUND"),
    ):
        asked: tuple[tuple[str, dict[str, Any]], ...] = (
            ("CreateView", {"project_id": project, "name": "B"}),
            ("ReplaceView", {**key, "name": "B"}),
            ("DeleteView", key),
        )
        for method, fields in asked:
            assert (await _refused(node, method, caller, **fields)).reason == reason
    assert (await _refused(node, "GetView", "stranger", **key)).reason == "NOT_FOUND"
    deleted = (await _call(node, "DeleteView", **key))["view"]
    assert deleted["deleted_at"] is not None
    assert (await _refused(node, "GetView", **key)).reason == "NOT_FOUND"
    assert (await _refused(node, "GetView", view_id=str(uuid_utils.uuid7()))).reason == "NOT_FOUND"


async def test_of_two_who_replace_the_same_version_one_succeeds(node: Node, project: str) -> None:
    made = await _save(node, project)
    key = {"view_id": made["view_id"]}
    tag = (await _answer(node, "GetView", **key)).metadata["etag"]
    found = await asyncio.gather(
        *(
            _answer(node, "ReplaceView", "editor", {"if-match": tag}, **key, name=name)
            for name in ("one", "two", "three")
        ),
        return_exceptions=True,
    )
    assert [refusal(one).reason for one in found if isinstance(one, CallError)] == ["PRECONDITION_FAILED"] * 2


async def test_the_deletion_of_a_project_hides_its_views(node: Node, project: str) -> None:
    made = await _save(node, project)
    await run_sql(node.frame.db, "UPDATE projects.project SET deleted_at = now() WHERE project_id = :p", p=project)
    assert (await _refused(node, "GetView", view_id=made["view_id"])).reason == "NOT_FOUND"
