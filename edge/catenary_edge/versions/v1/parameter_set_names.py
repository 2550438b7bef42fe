"""Parameter sets have other names: a category is a type, a type is a set, a set is an instance.

> parameter-set renames
> Naming from v1: parameter_set_category (v0: parameter_set_type), parameter_set_type (v0: parameter_set), parameter_set (v0:
> parameter_set_instance).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from catenary_edge.errors.problem import Problem
from catenary_edge.transcoding.decoder import decode_percent
from catenary_edge.transcoding.schema import Schema
from catenary_edge.versions.change import PARAMETER, Describe, Draft, RequestChange, ResponseChange, VersionChange
from catenary_edge.versions.forms import json_object, path_parameter, renamed, request_renamed, unknown_key
from catenary_wire.sentences import Sentence

_PACKAGE = "catenary.parameter.v1"
_CATEGORY = {"parameter_set_category_id": "parameter_set_type_id"}
_TYPE = {"parameter_set_type_id": "parameter_set_id"}
KEYS = {
    "parameter_set_category": "parameter_set_type",
    "parameter_set_categories": "parameter_set_types",
    "parameter_set_type": "parameter_set",
    "parameter_set_types": "parameter_sets",
    "parameter_set": "parameter_set_instance",
    "parameter_sets": "parameter_set_instances",
    "parameter_set_parameters": "parameter_set_instance_parameters",
}
"""The older key of rows by the newer one."""
_TERMS = {
    **{newer.replace("_", " "): older.replace("_", " ") for newer, older in KEYS.items()},
    "item of the parameter set type": "item of the parameter set",
}


@dataclass(frozen=True, slots=True)
class _Path:
    """The paths of a method."""

    older: str
    """The path in version 0."""
    newest: str
    """The same path, with its variables named after the request's fields."""


_SET = "/parameter_sets/{parameter_set_id}"
_ONE = _Path(
    f"{_SET}/instances/{{instance_id}}", "/parameter_sets/{parameter_set_type_id}/instances/{parameter_set_id}"
)
_PATHS: Mapping[str, _Path] = {
    "ListParameterSetCategories": _Path("/parameter_set_types", "/parameter_set_types"),
    "CreateParameterSetCategory": _Path("/parameter_set_types", "/parameter_set_types"),
    "DeleteParameterSetCategory": _Path(
        "/parameter_set_types/{parameter_set_type_id}", "/parameter_set_types/{parameter_set_category_id}"
    ),
    "ListParameterSetTypes": _Path("/parameter_sets", "/parameter_sets"),
    "CreateParameterSetType": _Path("/parameter_sets", "/parameter_sets"),
    "DeleteParameterSetType": _Path(_SET, "/parameter_sets/{parameter_set_type_id}"),
    "CreateParameterSetTypeItems": _Path(f"{_SET}/items", "/parameter_sets/{parameter_set_type_id}/items"),
    "DeleteParameterSetTypeItem": _Path(
        f"{_SET}/items/{{item_type_id}}", "/parameter_sets/{parameter_set_type_id}/items/{item_type_id}"
    ),
    "ListParameterSets": _Path(f"{_SET}/instances", "/instances"),
    "CreateParameterSet": _Path(f"{_SET}/instances", "/instances"),
    "GetParameterSet": _ONE,
    "DeleteParameterSet": _ONE,
    "ListParameterSetParameters": _Path(f"{_ONE.older}/parameters", f"{_ONE.newest}/parameters"),
}
_CREATE = "CreateParameterSet"


def _routes(drafts: list[Draft]) -> list[Draft]:
    return [_renamed(draft) if draft.name in _PATHS else draft for draft in drafts]


def _renamed(draft: Draft) -> Draft:
    path = _PATHS[draft.name]
    older, newest = _variables(path.older), _variables(path.newest)
    found = replace(draft, path=path.older, newest=path.newest, same_path_in_next=False)
    if newest:
        return replace(found, variables=dict(zip(older, newest, strict=True)))
    if draft.name == "ListParameterSets":
        return replace(
            found,
            as_queries={"parameter_set_id": "parameter_set_type_id"},
            describes=(*draft.describes, _describe_variable()),
        )
    if draft.name == _CREATE:
        return replace(
            found, body_changes=(*draft.body_changes, _asked), describes=(*draft.describes, _describe_variable())
        )
    return found


def _variables(path: str) -> list[str]:
    return [part[1:-1] for part in path.split("/") if part.startswith("{")]


def _queries(draft: Draft) -> Mapping[str, tuple[str, ...]]:
    return {"parameter_set_type_id": ()} if draft.name == "ListParameterSets" else {}


def _asked(variables: Mapping[str, str], document: Any) -> Any:
    for name in ("parameter_set_type_id", "parameter_set_id"):
        if name in json_object(document):
            raise unknown_key(name)
    return {**document, "parameter_set_type_id": decode_percent(variables["parameter_set_id"])}


def _refuse(draft: Draft, problem: Problem) -> None:
    parameter = problem.facts.get("parameter")
    if draft.name == _CREATE and problem.facts.get("constraint") == "unknown" and parameter == "parameter_set_id":
        problem.status, problem.reason = 404, "NOT_FOUND"
        problem.sentence = Sentence("There is no such parameter set, or you may not see it.")
        problem.facts, problem.violations = {}, ()


def _describe_variable() -> Describe:
    def describe(operation: dict[str, Any], _: dict[str, Schema]) -> None:
        told = path_parameter("parameter_set_id", "Id of the parameter set.")
        operation["parameters"] = [told, *operation["parameters"]]
        if "requestBody" in operation:
            operation["responses"]["404"] = {"$ref": "#/components/responses/404-NOT_FOUND"}

    return describe


def _no_type(schema: Schema) -> None:
    schema["properties"].pop("parameter_set_type_id")
    schema["required"].remove("parameter_set_type_id")


def _answers() -> tuple[ResponseChange, ...]:
    lists = ("ListParameterSetCategories", "ListParameterSetTypes", "ListParameterSets", "ListParameterSetParameters")
    ones = [name for name in _PATHS if name not in lists]
    return (
        renamed(f"{_PACKAGE}.ParameterSetType", _CATEGORY),
        renamed(f"{_PACKAGE}.ParameterSet", _TYPE),
        *(renamed(f"{_PACKAGE}.{name}Response", KEYS) for name in (*lists, *ones)),
    )


CHANGE = VersionChange(
    surfaces=PARAMETER,
    routes=_routes,
    queries=_queries,
    answers=_answers(),
    requests=(
        request_renamed(f"{_PACKAGE}.CreateParameterSetTypeRequest", _CATEGORY),
        RequestChange(f"{_PACKAGE}.CreateParameterSetRequest", lambda body: body, _no_type),
    ),
    fields={
        "parameter_set_category_id": ("parameter_set_type_id",),
        "parameter_set_type_id": ("parameter_set_id",),
        "parameter_set_type_id[0]": ("parameter_set_id",),
        "parameter_set_id": ("instance_id",),
    },
    terms=_TERMS,
    refuse=_refuse,
)
