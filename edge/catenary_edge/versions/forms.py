"""Building blocks of changes: keys renamed, removed or added in objects and their schemas."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from typing import Any

from catenary_edge.errors.fault import Fault
from catenary_edge.surfaces import JSON_TYPE
from catenary_edge.transcoding.examples import example
from catenary_edge.transcoding.schema import Schema
from catenary_edge.versions.change import Draft, Extras, Prepare, RequestChange, ResponseChange, Show


def renamed(message: str, names: Mapping[str, str]) -> ResponseChange:
    """Make a change of responses with older keys; `names` has the older key by the newer one."""

    def convert(value: dict[str, Any], _: Extras) -> dict[str, Any]:
        return {names.get(key, key): item for key, item in value.items()}

    return ResponseChange(message, convert, lambda schema: rename_properties(schema, names))


def dropped(message: str, *names: str) -> ResponseChange:
    """Make a change of responses without some keys."""
    gone = frozenset(names)

    def convert(value: dict[str, Any], _: Extras) -> dict[str, Any]:
        return {key: item for key, item in value.items() if key not in gone}

    return ResponseChange(message, convert, lambda schema: drop_properties(schema, *names))


def added(
    message: str, value_of: Callable[[dict[str, Any], Extras], dict[str, Any]], schemas: Schema
) -> ResponseChange:
    """Make a change of responses with further or replaced keys.

    `value_of` returns these keys for an object, `schemas` has their schemas.
    """

    def convert(value: dict[str, Any], extras: Extras) -> dict[str, Any]:
        return {**value, **value_of(value, extras)}

    return ResponseChange(message, convert, lambda schema: add_properties(schema, schemas))


def request_renamed(message: str, names: Mapping[str, str]) -> RequestChange:
    """Make a change of bodies with older keys; the newer keys are unknown to the older version.

    `names` has the older key by the newer one.
    """
    newer = {older: name for name, older in names.items()}

    def convert(value: dict[str, Any]) -> dict[str, Any]:
        for name in names:
            if name in value and name not in newer:
                raise unknown_key(name)
        return {newer.get(key, key): item for key, item in value.items()}

    return RequestChange(message, convert, lambda schema: rename_properties(schema, names))


def request_told(message: str, key: str, text: str) -> RequestChange:
    """Make a change of a body's description alone: a key's own gets a further sentence."""

    def describe(schema: Schema) -> None:
        told = schema["properties"][key]
        schema["properties"][key] = {**told, "description": f"{told['description']} {text}"}

    return RequestChange(message, lambda value: value, describe)


def unknown_key(name: str) -> Fault:
    """Build the fault of a key unknown to the older version."""
    return Fault("is not known here", "unknown", None).inside(name)


def json_object(document: Any) -> dict[str, Any]:
    """Return the body, a JSON object.

    Raises:
        Fault: The body is no object.
    """
    if type(document) is not dict:
        raise Fault("must be a JSON object", "type", document)
    return document


def only(newer: str, older: str) -> Show:
    """Make the conversion of a whole response `{newer: [x]}` to `{older: x}`."""
    return lambda body, _: {older: body[newer][0]}


def rename_properties(schema: Schema, names: Mapping[str, str]) -> None:
    """Rename properties of an object's schema, keeping their order."""
    schema["properties"] = {names.get(key, key): told for key, told in schema["properties"].items()}
    if "required" in schema:
        schema["required"] = [names.get(key, key) for key in schema["required"]]


def drop_properties(schema: Schema, *names: str) -> None:
    """Remove properties from an object's schema."""
    schema["properties"] = {key: told for key, told in schema["properties"].items() if key not in names}
    if "required" in schema:
        schema["required"] = [key for key in schema["required"] if key not in names]


def add_properties(schema: Schema, properties: Schema, *, required: bool = True) -> None:
    """Add properties to an object's schema, or replace them."""
    schema["properties"] = {**schema["properties"], **properties}
    if required:
        known = schema.get("required", [])
        schema["required"] = [*known, *(name for name in properties if name not in known)]


def answer_of_one(
    operation: dict[str, Any], schemas: dict[str, Schema], plural: str, singular: str, status: str
) -> None:
    """Turn an operation's response `{<plural>: [x]}` into `{<singular>: x}`, in place."""
    key = operation["responses"][status]["content"][JSON_TYPE]["schema"]["$ref"].rpartition("/")[2]
    item = schemas[key]["properties"][plural]["items"]
    schemas[key] = {
        "type": "object",
        "properties": {singular: {**item, "description": f"The {singular.replace('_', ' ')}."}},
        "required": [singular],
    }


def body_without(operation: dict[str, Any], schemas: dict[str, Schema], item: str, name: str, *without: str) -> None:
    """Reduce an operation's body to one item of the newer list, in place.

    Args:
        operation: The operation.
        schemas: The schemas of the document.
        item: Name of the newer item's schema.
        name: Name of the new schema.
        *without: Keys given by the path instead.
    """
    newer = schemas[item]
    schemas[name] = {
        "type": "object",
        "properties": {key: told for key, told in newer["properties"].items() if key not in without},
        "required": [key for key in newer["required"] if key not in without],
        "additionalProperties": False,
    }
    operation["requestBody"]["content"][JSON_TYPE]["schema"] = {"$ref": f"#/components/schemas/{name}"}


def describe_anew(operation: dict[str, Any], text: str) -> None:
    """Replace an operation's summary by a text's first sentence, and its description's first paragraph by the text."""
    operation["summary"] = text.partition(". ")[0].removesuffix(".")
    operation["description"] = f"{text}\n\n" + operation["description"].partition("\n\n")[2]


def path_parameter(name: str, description: str) -> dict[str, Any]:
    """Describe a UUID in an operation's path."""
    schema = {"type": "string", "format": "uuid"}
    told = {"name": name, "in": "path", "required": True, "description": description, "schema": schema}
    return told | {"example": example(schema, {}, name)}


def prepared(drafts: list[Draft], methods: Collection[str], prepare: Prepare) -> list[Draft]:
    """Add a completion of the request to the routes of some methods."""
    return [replace(draft, prepares=(*draft.prepares, prepare)) if draft.name in methods else draft for draft in drafts]
