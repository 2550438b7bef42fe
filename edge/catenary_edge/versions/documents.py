"""The OpenAPI documents of older and beta versions: those of the current routes, with the changes undone."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import orjson

from catenary_edge.transcoding.routes import Route
from catenary_edge.transcoding.schema import Schema
from catenary_edge.versions import stages
from catenary_edge.versions.beta import BetaRoute
from catenary_edge.versions.change import VersionChange
from catenary_edge.versions.view import OlderDecoder, OlderRoute, View, names_of

_PREFIX = "#/components/schemas/"
Example = Callable[[Schema, Mapping[str, Schema]], Any]
"""Makes the example of a content, from its schema and the document's schemas."""
_TEXT = {"type": "string"}
_LIFE: Mapping[str, dict[str, Any]] = {
    "Deprecation": {
        "description": "When the version became deprecated: `@` and Unix seconds (RFC 9745).",
        "required": True,
        "schema": _TEXT,
    },
    "Sunset": {"description": "When the version ends (RFC 8594).", "required": True, "schema": _TEXT},
    "Link": {
        "description": 'The same resource in the next version, with `rel="successor-version"`, or that version\'s document; of a '
        'table also the next page, with `rel="next"`.',
        "required": True,
        "schema": _TEXT,
    },
}


def older_operation(route: OlderRoute, operation: dict[str, Any], schemas: dict[str, Schema]) -> None:
    """Turn the operation of a current method into its older route's, in place."""
    view = route.view
    operation["deprecated"] = True
    operation["parameters"] = list(_parameters(view, operation["parameters"]))
    for describe in view.draft.describes:
        describe(operation, schemas)


def finish(key: tuple[int, str], routes: Sequence[Route], content: dict[str, Any], example_of: Example) -> None:
    """Complete the document of an older or beta version in place: objects, texts, headers, examples."""
    kind, version = key
    options = stages.SURFACES[kind]
    if version == options.beta:
        _add_headers(content, {"X-API-Stage": content["components"]["headers"]["X-API-Stage"]})
        describe_answers(routes, content["components"]["schemas"])
        _renew_examples(content, example_of)
        return
    view = next((route.view for route in routes if isinstance(route, OlderRoute)), None)
    if view is None:
        return
    dates = stages.deprecation_of(routes[0])
    assert dates is not None
    schemas = content["components"]["schemas"]
    describe_answers(routes, schemas)
    for change in view.changes:
        for request in change.requests:
            _describe(schemas, request.message, request.describe, "", "Input")
        change.document(content)
    _reword(content, view.changes)
    _add_headers(content, _LIFE)
    content["info"]["description"] += (
        f"\n\nThis version is deprecated since {dates.deprecated_on} and ends on {dates.sunset_on}. Its successor is "
        f"`{dates.successor}`."
    )
    _prune(content)
    _renew_examples(content, example_of)


def describe_answers(routes: Sequence[Route], schemas: dict[str, Schema]) -> None:
    """Turn the schemas of responses into those of an older or beta version's routes, in place; others stay as they are."""
    changes = next((route.view.changes for route in routes if isinstance(route, OlderRoute)), ())
    in_beta = next((route.changes for route in routes if isinstance(route, BetaRoute)), ())
    for answer in (*(one for change in changes for one in change.answers), *in_beta):
        _describe(schemas, answer.message, answer.describe, "")


def _describe(schemas: dict[str, Schema], message: str, describe: Callable[[Schema], None], *suffixes: str) -> None:
    for suffix in suffixes:
        schema = schemas.get(message.rpartition(".")[2] + suffix)
        if schema is not None and "properties" in schema:
            describe(schema)


def _parameters(view: View, parameters: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    decoder = view.newest.decoder
    assert isinstance(decoder, OlderDecoder)
    older_variables = {field: name for name, field in view.draft.variables.items()}
    for told in parameters:
        if told["in"] == "path":
            yield told | {"name": older_variables.get(told["name"], told["name"])}
        elif told["in"] == "query":
            for name in decoder.queries_of(told["name"]):
                yield _single(told | {"name": name}) if decoder.is_single(name) else told | {"name": name}
        else:
            yield told


def _single(told: dict[str, Any]) -> dict[str, Any]:
    found = {key: value for key, value in told.items() if key not in ("style", "explode")}
    return found | {"schema": told["schema"]["items"], "example": told["example"][0]}


def _add_headers(content: dict[str, Any], added: Mapping[str, dict[str, Any]]) -> None:
    components = content["components"]
    components["headers"] = {**components["headers"], **added}
    references = {name: {"$ref": f"#/components/headers/{name}"} for name in added}
    responses = [told for operation in _operations(content) for told in operation["responses"].values()]
    for told in (*responses, *components["responses"].values()):
        if "$ref" not in told:
            told["headers"] = {**told["headers"], **references}


def _reword(value: Any, changes: Sequence[VersionChange]) -> None:
    """Replace newer names in the descriptions, in place."""
    if isinstance(value, list):
        for item in value:
            _reword(item, changes)
    elif isinstance(value, dict):
        for key, item in value.items():
            if key in ("description", "summary") and isinstance(item, str):
                for change in changes:
                    item = _description(item, change)
                value[key] = item
            elif key not in ("example", "examples", "properties"):
                _reword(item, changes)
        for item in value.get("properties", {}).values() if isinstance(value.get("properties"), dict) else ():
            _reword(item, changes)


def _description(text: str, change: VersionChange) -> str:
    """Return a description with the older names of fields, which stand between backquotes, and of terms."""
    names = names_of(change)
    parts = [
        names.path(part) if index % 2 else _terms(part, change.terms) for index, part in enumerate(text.split("`"))
    ]
    return "`".join(parts)


def _terms(text: str, terms: Mapping[str, str]) -> str:
    for newer in sorted(terms, key=len, reverse=True):  # a longer one may hold a shorter one
        before, found, after = text.partition(newer)
        if found:
            return _terms(before, terms) + terms[newer] + _terms(after, terms)
    return text


def _prune(content: dict[str, Any]) -> None:
    """Remove the schemas without references, in place."""
    schemas = content["components"]["schemas"]
    waiting = [content["paths"], content["components"]["responses"]]
    used: set[str] = set()
    while waiting:
        for name in _references(waiting.pop()):
            if name not in used:
                used.add(name)
                waiting.append(schemas[name])
    content["components"]["schemas"] = {name: schema for name, schema in schemas.items() if name in used}


def _references(value: Any) -> Iterator[str]:
    for piece in orjson.dumps(value).decode().split(f'"$ref":"{_PREFIX}')[1:]:
        yield piece.partition('"')[0]


def _renew_examples(content: dict[str, Any], example_of: Example) -> None:
    schemas = content["components"]["schemas"]
    bodies = [told for operation in _operations(content) for told in operation["responses"].values()]
    bodies += [operation["requestBody"] for operation in _operations(content) if "requestBody" in operation]
    for told in bodies:
        for shown in told.get("content", {}).values():
            if "example" in shown:
                shown["example"] = example_of(shown["schema"], schemas)


def _operations(content: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for item in content["paths"].values():
        yield from item.values()
