"""The OpenAPI documents say what the routes and the protos say."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

import orjson
import pytest
import schemathesis
from google.protobuf.descriptor import Descriptor

from catenary.options.v1 import options_pb2
from catenary_edge import versions
from catenary_edge.errors import reasons
from catenary_edge.openapi import comments, document
from catenary_edge.openapi.document import Key
from catenary_edge.transcoding import schema as rules
from catenary_edge.transcoding.decoder import UPDATE_MASK
from catenary_edge.transcoding.fields import field_options, is_confidential
from catenary_edge.transcoding.routes import Route
from catenary_edge.versions.view import OlderRoute
from factories.walks.conformance import Validators, resolve

TABLE = versions.build()
ROUTES = document.by_document(TABLE.routes)
DOCUMENTS = {key: document.build(key, found) for key, found in ROUTES.items()}
KEYS = pytest.mark.parametrize("key", list(DOCUMENTS), ids=document.address)
PLATFORM = (options_pb2.SURFACE_PLATFORM, "v1")
KEYWORDS = {
    "min_len": "minLength",
    "max_len": "maxLength",
    "pattern": "pattern",
    "in": "enum",
    "uuid": "format",
    "uri": "format",
    "email": "format",
    "gte": "minimum",
    "lte": "maximum",
    "min_items": "minItems",
    "max_items": "maxItems",
    "unique": "uniqueItems",
    "max_pairs": "maxProperties",
    "example": "examples",
}
WITHOUT_KEYWORD = {("double", "finite"), ("bytes", "max_len")}


def _operations(content: Any) -> Iterator[tuple[str, dict[str, Any]]]:
    for path, item in content["paths"].items():
        for method, operation in item.items():
            yield f"{method.upper()} {path}", operation


def _examples(content: Any) -> Iterator[tuple[str, Any, Any]]:
    """Every example with the name of its place and its schema."""
    for name, operation in _operations(content):
        for parameter in operation["parameters"]:
            yield f"{name} {parameter['name']}", parameter["schema"], parameter["example"]
        places = {"body": operation.get("requestBody", {}), **operation["responses"]}
        for place, told in places.items():
            for media_type, shown in resolve(content, told).get("content", {}).items():
                given = [shown["example"]] if "example" in shown else []
                given += [example["value"] for example in shown.get("examples", {}).values()]
                for example in given:
                    yield f"{name} {place} {media_type}", shown["schema"], example


def test_every_route_has_one_operation() -> None:
    found = [name for content in DOCUMENTS.values() for name, _ in _operations(content)]
    expected = [f"{route.method} {document.path_of(route)}" for route in TABLE.routes]
    assert sorted(found) == sorted(expected)
    assert len(found) > 50


@KEYS
def test_a_document_is_valid_openapi(key: Key) -> None:
    content = orjson.loads(orjson.dumps({"servers": [{"url": "https://catenary.example"}], **DOCUMENTS[key]}))
    schemathesis.openapi.from_dict(content).validate()
    names = [operation["operationId"] for _, operation in _operations(content)]
    assert len(names) == len(set(names))
    for reference in re.findall(rb'"\$ref":"([^"]+)"', orjson.dumps(content)):
        assert resolve(content, {"$ref": reference.decode()}) is not None


@KEYS
def test_every_example_fits_its_schema(key: Key) -> None:
    content = DOCUMENTS[key]
    validators = Validators(content)
    count = 0
    for place, schema, example in _examples(content):
        for error in validators.of(schema).iter_errors(example):
            raise AssertionError(f"{place}: {error.message} in {example}")
        count += 1
    assert count > 50


@KEYS
def test_everything_is_described(key: Key) -> None:
    content = DOCUMENTS[key]
    for name, operation in _operations(content):
        assert operation["summary"], name
        assert "Who may call it:** " in operation["description"], name
        for parameter in operation["parameters"]:
            assert parameter["description"], f"{name} {parameter['name']}"
    for name, schema in content["components"]["schemas"].items():
        for field, told in schema.get("properties", {}).items():
            assert told.get("description") or name in ("Error", "OAuthError"), f"{name}.{field}"


@KEYS
def test_secrets_and_personal_data_are_marked(key: Key) -> None:
    schemas = DOCUMENTS[key]["components"]["schemas"]
    for message in _messages(ROUTES[key]):
        for name in (message.name, f"{message.name}Input"):
            for field in message.fields:
                told = schemas.get(name, {}).get("properties", {}).get(field.name)
                if told is not None and is_confidential(field) and not field_options(field).value_hidden:
                    mark = "A secret:" if field_options(field).secret else "Personal data"
                    assert mark in told["description"], f"{name}.{field.name}"


def test_a_secret_and_a_name_are_among_what_is_marked() -> None:
    schemas = DOCUMENTS[PLATFORM]["components"]["schemas"]
    assert "A secret:" in schemas["CreateClientResponse"]["properties"]["client_secret"]["description"]
    assert "Personal data" in schemas["User"]["properties"]["email"]["description"]
    assert "Personal data" in schemas["UpdateMeRequest"]["properties"]["location_name"]["description"]


def _messages(found: list[Route]) -> list[Descriptor]:
    """Every message that the routes' requests and answers are made of."""
    waiting = [message for route in found for message in (route.rpc.input, route.rpc.output)]
    known: dict[str, Descriptor] = {}
    while waiting:
        message = waiting.pop()
        if message.full_name not in known:
            known[message.full_name] = message
            waiting += [field.message_type for field in message.fields if field.message_type is not None]
    return list(known.values())


@pytest.mark.parametrize("route", TABLE.routes, ids=lambda route: f"{route.method} {route.template.text}")
def test_a_route_documents_the_refusals_of_its_way(route: Route) -> None:
    responses = _operation(route)["responses"]
    assert str(route.success) in responses
    assert {"400", "403", "500", "503", "504"} <= responses.keys()
    signs_in = bool(route.rpc.options.session_cookie) and route.method == "POST"
    assert ("401" in responses) == (not route.public or route.oauth or signs_in)
    assert ("413" in responses) == ("415" in responses) == ("requestBody" in _operation(route) and _has_fields(route))
    assert ("404" in responses) >= (not route.public and bool(route.template.variables))


def _operation(route: Route) -> Any:
    key = next(key for key, found in ROUTES.items() if route in found)
    return DOCUMENTS[key]["paths"][document.path_of(route)][route.method.lower()]


def _has_fields(route: Route) -> bool:
    return bool(route.decoder.body_fields)


def test_a_request_schema_has_the_rules_of_its_fields() -> None:
    schemas = DOCUMENTS[PLATFORM]["components"]["schemas"]
    created = schemas["CreateApiKeyRequest"]
    assert created["required"] == ["name", "scopes"]
    assert created["additionalProperties"] is False
    assert created["properties"]["name"]["maxLength"] == 200
    scopes = created["properties"]["scopes"]
    assert (scopes["minItems"], scopes["maxItems"], scopes["uniqueItems"]) == (1, 14, True)
    assert scopes["items"]["pattern"].startswith("^(platform|")
    assert created["properties"]["expires_at"]["type"] == ["string", "null"]
    assert schemas["PutProjectMemberRequest"]["required"] == ["role"]
    assert schemas["PutProjectMemberRequest"]["properties"]["role"]["enum"] == [
        "viewer",
        "evaluator",
        "editor",
        "owner",
    ]
    assert "update_mask" not in schemas["UpdateProjectRequest"]["properties"]
    assert "project_id" not in schemas["UpdateProjectRequest"]["properties"]


def test_an_answer_schema_has_every_field_and_tells_which_may_be_null() -> None:
    schemas = DOCUMENTS[PLATFORM]["components"]["schemas"]
    project = schemas["Project"]
    assert project["required"] == list(project["properties"])
    assert project["properties"]["deleted_at"]["type"] == ["string", "null"]
    assert project["properties"]["created_at"]["type"] == "string"
    assert project["properties"]["environment_project_id"]["type"] == ["string", "null"]
    assert schemas["Evaluation"]["properties"]["error"]["anyOf"][1] == {"type": "null"}
    assert "next_cursor" not in schemas["ListProjectsResponse"]["properties"]
    assert "next_cursor" in schemas["ListMetadata"]["required"]


def _unsaid(given: Any, found: Mapping[str, Any]) -> Iterator[str]:
    """Yield the rules of a field, or of its items, whose keyword is not among those found."""
    kind = given.WhichOneof("type")
    if kind is None or kind == "enum":  # an enum's schema lists its names
        return
    for rule, value in getattr(given, kind).ListFields():
        if rule.name == "items":
            yield from _unsaid(value, found.get("items", {}))
        elif (kind, rule.name) not in WITHOUT_KEYWORD and KEYWORDS[rule.name] not in found:
            yield f"{kind}.{rule.name}"


def test_every_rule_of_the_protos_has_its_keyword() -> None:
    fields = {field.full_name: field for route in TABLE.routes for field in route.rpc.input.fields}
    ruled = {name: field for name, field in fields.items() if rules.rules_of(field).WhichOneof("type") is not None}
    unsaid = {name: list(_unsaid(rules.rules_of(field), rules.keywords(field))) for name, field in ruled.items()}
    assert {name: found for name, found in unsaid.items() if found} == {}
    assert len(ruled) > 200


def test_every_reason_says_what_it_means_and_what_to_do() -> None:
    texts = comments.load()
    assert len(reasons.CATALOGUE) == 27
    for reason in reasons.CATALOGUE.values():
        assert texts[reasons.comment_name(reason)], reason.code
        assert reason.help.endswith("."), reason.code
        assert reason.title, reason.code
        assert 400 <= reason.http < 600
        assert 1 <= reason.grpc <= 16


def test_null_stands_in_the_body_of_a_patch_where_it_clears_the_field_and_the_text_says_so() -> None:
    texts, seen = comments.load(), set()
    for key, route in ((key, route) for key, routes in ROUTES.items() for route in routes):
        fields = route.rpc.input.fields_by_name
        if UPDATE_MASK not in fields or isinstance(route, OlderRoute):
            continue
        operation = DOCUMENTS[key]["paths"][document.path_of(route)][route.method.lower()]
        body = resolve(DOCUMENTS[key], operation["requestBody"]["content"]["application/json"]["schema"])
        for name, schema in body["properties"].items():
            clears = fields[name].has_presence and not field_options(fields[name]).not_null
            kinds = schema.get(
                "type", [one.get("type") for one in schema.get("anyOf", [{"type": "null"}])]
            )  # none: any
            assert ("null" in kinds) == clears, fields[name].full_name
            assert bool(re.search(r"\bnull\b", texts[fields[name].full_name], re.IGNORECASE)) == clears
            seen.add(clears)
    assert seen == {False, True}
