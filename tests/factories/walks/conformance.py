"""Holds answers against the OpenAPI documents."""

from __future__ import annotations

from typing import Any

import httpx
import jsonschema_rs
import orjson

from catenary_edge.http import accepted_types
from catenary_edge.openapi import document
from catenary_edge.transcoding.routes import RouteTable


def resolve(content: Any, value: Any) -> Any:
    """Return the target of a reference in a document."""
    while "$ref" in value:
        found = content
        for key in value["$ref"].removeprefix("#/").split("/"):
            found = found[key]
        value = found
    return value


class Validators:
    """The validators of one document, each made once. They take no field that isn't documented."""

    def __init__(self, content: Any) -> None:
        self._schemas = _closed(content["components"]["schemas"])
        self._made: dict[str, Any] = {}

    def of(self, schema: Any) -> Any:
        """Return the validator of a schema of the document."""
        name = orjson.dumps(schema).decode()
        if name not in self._made:
            whole = {**_closed(schema), "components": {"schemas": self._schemas}}
            self._made[name] = jsonschema_rs.Draft202012Validator(whole, validate_formats=True)
        return self._made[name]


def _closed(schema: Any) -> Any:
    """Return the schema with objects that have their documented fields alone; for clients they may grow."""
    if isinstance(schema, list):
        return [_closed(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    found = {key: _closed(value) for key, value in schema.items()}
    if found.get("type") == "object" and isinstance(found.get("properties"), dict):
        found.setdefault("additionalProperties", False)
    return found


class Conformance:
    """The documents of a route table. `checked` counts the answers that were held against them."""

    def __init__(self, table: RouteTable) -> None:
        self._table = table
        by_document = document.by_document(table.routes)
        self._contents = {key: document.build(key, routes) for key, routes in by_document.items()}
        self._validators = {key: Validators(content) for key, content in self._contents.items()}
        self._key_of = {route: key for key, routes in by_document.items() for route in routes}
        self.checked = 0

    async def check(self, response: httpx.Response) -> None:
        """Compare an answer's status, headers, type and body with its operation; a hook for httpx."""
        request = response.request
        method = "GET" if request.method == "HEAD" else request.method
        match = self._table.match(method, request.url.raw_path.decode().partition("?")[0])
        if match is None:
            return
        await response.aread()
        key = self._key_of[match.route]
        content = self._contents[key]
        operation = content["paths"][document.path_of(match.route)][method.lower()]
        shown = f"{request.method} {request.url.path} → {response.status_code}"
        assert str(response.status_code) in operation["responses"], f"{shown} is not documented"
        told = resolve(content, operation["responses"][str(response.status_code)])
        for name, header in told["headers"].items():
            assert name in response.headers or not resolve(content, header).get("required"), f"{shown} lacks {name}"
        self.checked += 1
        if request.method == "HEAD" or not told.get("content"):
            assert not response.content, f"{shown} has a body"
            return
        if "*/*" in told["content"]:
            return
        media_type = response.headers["content-type"]
        known = {accepted_types.CSV_CONTENT_TYPE: accepted_types.CSV_TYPE}.get(media_type, media_type)
        assert known in told["content"], f"{shown} has the type {media_type}"
        if not media_type.endswith("json"):
            return
        validator = self._validators[key].of(told["content"][media_type]["schema"])
        for error in validator.iter_errors(orjson.loads(response.content)):
            path = "/".join(map(str, error.instance_path))
            raise AssertionError(f"{shown}: {path}: {error.message}\n{response.text[:500]}")
