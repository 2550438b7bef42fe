"""A project's number is in `project_code`, and in two parts in `job_number` and `job_suffix`; writes take either form.

The parts are the text before and after the last `-`; without a `-` the suffix is empty.

> | project | job_number, job_suffix, project_code | project_number |
"""

from typing import Any

from catenary_edge.errors.fault import Fault
from catenary_edge.transcoding.schema import Schema
from catenary_edge.versions.change import ENVIRONMENT, Extras, RequestChange, ResponseChange, VersionChange
from catenary_edge.versions.forms import unknown_key
from catenary_edge.versions.project_keys import PROJECT, WRITES
from catenary_wire.characters import ONE_LINE

_PARTS = ("job_number", "job_suffix")
_CODE = "The whole number: `job_number`, and when `job_suffix` isn't empty, `-` and that."


def _shown(project: dict[str, Any], _: Extras) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in project.items():
        if key == "project_number":
            number, dash, suffix = value.rpartition("-")
            found |= {
                "job_number": number if dash else value,
                "job_suffix": suffix if dash else "",
                "project_code": value,
            }
        else:
            found[key] = value
    return found


def _taken(project: dict[str, Any]) -> dict[str, Any]:
    if "project_number" in project:
        raise unknown_key("project_number")
    found = {key: value for key, value in project.items() if key not in (*_PARTS, "project_code")}
    code = project.get("project_code")
    parts = [project.get(name) for name in _PARTS]
    for name, value in zip((*_PARTS, "project_code"), (*parts, code), strict=True):
        if value is not None and type(value) is not str:
            raise Fault("must be a string", "type", value).inside(name)
    number, suffix = parts
    if number is None and suffix is not None:
        raise Fault("needs job_number beside it", "required", suffix).inside("job_suffix")
    whole = number if not suffix else f"{number}-{suffix}"
    # A number that ends in `-` has the same parts as the number without the `-`.
    if code is not None and whole is not None and code != whole and (suffix or code != f"{number}-"):
        raise Fault("is not job_number and job_suffix together; send one of them, or equal ones", "equal", code).inside(
            "project_code"
        )
    if "project_code" in project or "job_number" in project:
        found["project_number"] = whole if code is None else code
    return found


def _describe_answer(schema: Schema) -> None:
    properties: Schema = {}
    for key, told in schema["properties"].items():
        if key == "project_number":
            properties |= {name: {**told, "description": text} for name, text in _TEXTS.items()}
        else:
            properties[key] = told
    schema["properties"] = properties
    schema["required"] = list(properties)


def _describe_body(schema: Schema) -> None:
    told = schema["properties"].pop("project_number")
    suffix = {**told, "description": _TEXTS["job_suffix"], "minLength": 0, "pattern": ONE_LINE}
    schema["properties"] = {
        "job_number": {**told, "description": _TEXTS["job_number"]},
        "job_suffix": suffix,
        "project_code": told | {"description": _CODE},
        **schema["properties"],
    }


_TEXTS = {
    "job_number": "The project's number up to its last `-`.",
    "job_suffix": "What follows the last `-` of the project's number; empty without one.",
    "project_code": _CODE,
}
CHANGE = VersionChange(
    surfaces=ENVIRONMENT,
    answers=(ResponseChange(PROJECT, _shown, _describe_answer),),
    requests=tuple(RequestChange(message, _taken, _describe_body) for message in WRITES),
    fields={"project_number": ("project_code", *_PARTS)},
)
