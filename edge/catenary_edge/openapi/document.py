"""The OpenAPI documents: one for each surface and version with routes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from catenary_edge import surfaces
from catenary_edge.openapi import comments, headers
from catenary_edge.openapi.operations import Operations, content_example, tag
from catenary_edge.openapi.refusals import Refusals
from catenary_edge.openapi.schemas import Schemas
from catenary_edge.transcoding.routes import Route
from catenary_edge.versions import documents
from catenary_edge.versions.view import OlderRoute

_SURFACE = "catenary.options.v1.Surface"
_LICENSE = {"name": "Apache License 2.0", "identifier": "Apache-2.0"}
_CONVENTIONS = """\
Bodies are JSON in UTF-8. Every field of an answer is present; what is unset is null. A request with an unknown or repeated
key, or with an unknown query parameter, is refused and told where. Timestamps are RFC 3339 in UTC. Integers in ±2^63 come
back exactly.

Every answer has the header `X-Request-Id`. Each error code has a page under [/docs/errors](/docs/errors); what changes is
announced on [/docs/changes](/docs/changes)."""
_SECURITY: Mapping[str, dict[str, str]] = {
    "token": {
        "type": "http",
        "scheme": "bearer",
        "bearerFormat": "JWT",
        "description": "An access token of `POST /v1/auth/token`, or one of a configured identity provider.",
    },
    "api_key": {
        "type": "apiKey",
        "in": "header",
        "name": "X-API-Key",
        "description": "An API key: its owner's roles within its scopes, never Admin.",
    },
    "share": {
        "type": "apiKey",
        "in": "header",
        "name": "X-Share-Token",
        "description": "The token of a share link: reads what the link shows, and belongs to no user.",
    },
    "client": {
        "type": "http",
        "scheme": "basic",
        "description": "A client's id and secret (RFC 6749, section 2.3.1), with a form body.",
    },
}


Key = tuple[int, str]
"""Surface (options.Surface) and version of a document."""


def by_document(routes: Sequence[Route]) -> dict[Key, list[Route]]:
    """Group the routes by document, sorted by path."""
    found: dict[Key, list[Route]] = {}
    for route in sorted(routes, key=lambda one: one.template.text):
        found.setdefault(surfaces.kind_of(route.template.text), []).append(route)
    return dict(sorted(found.items()))


def address(key: Key) -> str:
    """Return the path of a document."""
    kind, version = key
    return f"/openapi/{surfaces.name_of(kind)}/{version}.json"


def title(key: Key) -> str:
    """Return the title of a document: its surface and version."""
    kind, version = key
    comment = comments.load()[f"{_SURFACE}.SURFACE_{surfaces.name_of(kind).upper()}"]
    return f"Catenary: {comments.first_sentence(comment).removeprefix('The ')}, {version}"


def build(key: Key, routes: Sequence[Route]) -> dict[str, Any]:
    """Build the document of these routes without `servers`, which depends on the request.

    Raises:
        BindingError: A field has a type or rule without a form in OpenAPI, or two messages share a name.
    """
    kind, version = key
    texts = comments.load()
    schemas = Schemas(texts)
    refused = Refusals(kind, schemas)
    operations = Operations(texts, schemas, refused)
    paths: dict[str, dict[str, Any]] = {}
    names: set[str] = set()
    for route in routes:
        name = _unused(route.rpc.path.rpartition("/")[2], names)
        operation = operations.operation(route.newest, name)
        if isinstance(route, OlderRoute):
            operation["responses"] |= refused.alone("GONE", route)
            documents.older_operation(route, operation, schemas.components)
        paths.setdefault(path_of(route), {})[route.method.lower()] = operation
    services = {tag(route): route.rpc.path.split("/")[1] for route in routes}
    content = {
        "openapi": "3.1.0",
        "info": {"title": title(key), "version": version, "description": _CONVENTIONS, "license": _LICENSE},
        "tags": [{"name": name, "description": texts.get(service, "")} for name, service in sorted(services.items())],
        "paths": paths,
        "components": {
            "schemas": dict(sorted(schemas.components.items())),
            "responses": dict(sorted(refused.components.items())),
            "headers": headers.COMPONENTS,
            "securitySchemes": _SECURITY,
        },
    }
    documents.finish(key, routes, content, content_example)
    return content


def path_of(route: Route) -> str:
    """Return the path template in OpenAPI's syntax."""
    path = route.template.text
    for name in route.template.variables:
        path = path.replace(f"{{{name}=*}}", f"{{{name}}}")
    return path


def _unused(name: str, names: set[str]) -> str:
    """Return a new operation id: the method's name, numbered from its second binding on."""
    found, number = name, 2
    while found in names:
        found, number = f"{name}{number}", number + 1
    names.add(found)
    return found
