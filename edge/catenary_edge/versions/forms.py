"""Changes of objects that many differences are made of: keys renamed, left out, added."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from catenary_edge.errors.fault import Fault
from catenary_edge.surfaces import JSON_TYPE
from catenary_edge.transcoding.examples import example
from catenary_edge.transcoding.schema import Schema
from catenary_edge.versions.change import Extras, RequestChange, ResponseChange, Show


def renamed(message: str, names: Mapping[str, str]) -> ResponseChange:
    """Answers with older keys: `names` has the older one by the newer one."""

    def convert(value: dict[str, Any], _: Extras) -> dict[str, Any]:
        return {names.get(key, key): item for key, item in value.items()}

    return ResponseChange(message, convert, lambda schema: rename_properties(schema, names))


def dropped(message: str, *names: str) -> ResponseChange:
    """Answers without some keys."""
    gone = frozenset(names)

    def convert(value: dict[str, Any], _: Extras) -> dict[str, Any]:
        return {key: item for key, item in value.items() if key not in gone}

    return ResponseChange(message, convert, lambda schema: drop_properties(schema, *names))


def added(
    message: str, value_of: Callable[[dict[str, Any], Extras], dict[str, Any]], schemas: Schema
) -> ResponseChange:
    """Answers with more keys: those that `value_of` gives of an object, with their schemas; keys that are there it replaces."""

    def convert(value: dict[str, Any], extras: Extras) -> dict[str, Any]:
        return {**value, **value_of(value, extras)}

    return ResponseChange(message, convert, lambda schema: add_properties(schema, schemas))


def request_renamed(message: str, names: Mapping[str, str]) -> RequestChange:
    """Bodies with older keys: `names` has the older one by the newer one, which the older version doesn't know."""
    newer = {older: name for name, older in names.items()}

    def convert(value: dict[str, Any]) -> dict[str, Any]:
        for name in names:
            if name in value and name not in newer:
                raise unknown_key(name)
        return {newer.get(key, key): item for key, item in value.items()}

    return RequestChange(message, convert, lambda schema: rename_properties(schema, names))


def unknown_key(name: str) -> Fault:
    """The fault of a key that the older version doesn't have."""
    return Fault("is not known here", "unknown").inside(name)


def json_object(document: Any) -> dict[str, Any]:
    """The body, which must be an object. Raises Fault."""
    if type(document) is not dict:
        raise Fault("must be a JSON object", "type", document)
    return document


def only(newer: str, older: str) -> Show:
    """A whole answer `{newer: [x]}` as `{older: x}`."""
    return lambda body, _: {older: body[newer][0]}


def rename_properties(schema: Schema, names: Mapping[str, str]) -> None:
    """Renames properties of an object's schema, in their places."""
    schema["properties"] = {names.get(key, key): told for key, told in schema["properties"].items()}
    if "required" in schema:
        schema["required"] = [names.get(key, key) for key in schema["required"]]


def drop_properties(schema: Schema, *names: str) -> None:
    """Takes properties out of an object's schema."""
    schema["properties"] = {key: told for key, told in schema["properties"].items() if key not in names}
    if "required" in schema:
        schema["required"] = [key for key in schema["required"] if key not in names]


def add_properties(schema: Schema, properties: Schema, *, required: bool = True) -> None:
    """Adds properties to an object's schema, or replaces them."""
    schema["properties"] = {**schema["properties"], **properties}
    if required:
        known = schema.get("required", [])
        schema["required"] = [*known, *(name for name in properties if name not in known)]


def answer_of_one(
    operation: dict[str, Any], schemas: dict[str, Schema], plural: str, singular: str, status: str
) -> None:
    """Makes an operation's answer `{<plural>: [x]}` one of `{<singular>: x}`."""
    key = operation["responses"][status]["content"][JSON_TYPE]["schema"]["$ref"].rpartition("/")[2]
    item = schemas[key]["properties"][plural]["items"]
    schemas[key] = {
        "type": "object",
        "properties": {singular: {**item, "description": f"The {singular.replace('_', ' ')}."}},
        "required": [singular],
    }


def body_without(operation: dict[str, Any], schemas: dict[str, Schema], item: str, name: str, *without: str) -> None:
    """Makes an operation's body the item of its newer one, without what the path tells; `name` is the new schema's."""
    newer = schemas[item]
    schemas[name] = {
        "type": "object",
        "properties": {key: told for key, told in newer["properties"].items() if key not in without},
        "required": [key for key in newer["required"] if key not in without],
        "additionalProperties": False,
    }
    operation["requestBody"]["content"][JSON_TYPE]["schema"] = {"$ref": f"#/components/schemas/{name}"}


def describe_anew(operation: dict[str, Any], text: str) -> None:
    """Replace an operation's summary by the first sentence of a text, and its description's first paragraph by the text."""
    operation["summary"] = text.partition(". ")[0].removesuffix(".")
    operation["description"] = f"{text}\n\n" + operation["description"].partition("\n\n")[2]


def path_parameter(name: str, description: str) -> dict[str, Any]:
    """A parameter of an operation's path, a UUID."""
    schema = {"type": "string", "format": "uuid"}
    told = {"name": name, "in": "path", "required": True, "description": description, "schema": schema}
    return told | {"example": example(schema, {}, name)}
