"""One route as an OpenAPI operation."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import orjson
from google.protobuf.descriptor import FieldDescriptor

from catenary.options.v1 import options_pb2
from catenary_edge import surfaces
from catenary_edge.errors.problem import REPLAYED
from catenary_edge.http import accepted_types, bodies, idempotency
from catenary_edge.http import headers as names
from catenary_edge.http.uploads import FILE_PART, MULTIPART
from catenary_edge.live import server_sent
from catenary_edge.openapi import headers, refusals
from catenary_edge.openapi.comments import first_sentence
from catenary_edge.openapi.refusals import Refusals
from catenary_edge.openapi.schemas import Schemas
from catenary_edge.surfaces.platform import Platform
from catenary_edge.transcoding import schema as rules
from catenary_edge.transcoding.examples import example
from catenary_edge.transcoding.routes import NEXT_CURSOR, Route
from catenary_edge.transcoding.schema import Schema
from catenary_wire.json_form import enum_names

_OPTIONS = "catenary.options.v1"
_OUTSIDE = ("Accept", "Authorization", "Content-Type", "Host")
"""Headers described elsewhere in OpenAPI, or set by HTTP itself."""
_STATUS = {
    200: "Success.",
    201: "Created.",
    202: "Accepted; not finished yet.",
    204: "Success, without a body.",
    206: "A range of the bytes.",
}
_EVENTS = (
    "Server-sent events. The `data` of each is JSON of the content's schema, its `id` what `Last-Event-ID` takes. A block "
    "without `data`, and a comment, only keep the stream alive."
)
_LINES = (
    "For `Accept: application/x-ndjson`: a line of JSON of the content's schema for each item. An empty line only keeps the "
    "stream alive."
)
_BINARY: Schema = {"type": "string", "format": "binary"}
_TABLE: Schema = {
    "type": "string",
    "description": "The page as a table (RFC 4180), one row an item, when `Accept` prefers `text/csv`. An object's fields have "
    "columns such as `actor.user_id`. A text that a spreadsheet would take as a formula has an apostrophe before it.",
}
_FILE: Schema = {**_BINARY, "minLength": 1}
_METADATA = "Metadata"
_LIST_METADATA = "ListMetadata"
_REQUEST_ID = "01926c1e-0000-7000-8000-000000000001"
_CURSOR = "WyIyMDMwLTAxLTMxIiw1MF0"


_IDEMPOTENCY_KEY = {
    "name": idempotency.HEADER,
    "in": "header",
    "required": False,
    "description": (
        "A text of your own for this request, best a random one. The same key, path and body within 24 hours get the first "
        f"answer again, with `{REPLAYED.title()}: true`, and nothing is done twice. A failure (5xx) is not kept, nor is a "
        "refusal that came before the request was looked at: send the same request again."
    ),
    "schema": {
        "type": "string",
        "minLength": 1,
        "maxLength": idempotency.MAX_LENGTH,
        "pattern": idempotency.PATTERN,
    },
    "example": "4b1d9a52-0c6e-4d53-9a3e-5d1f0a7c2e11",
}

_OWN_REQUEST_ID = {
    "name": "X-Request-Id",
    "in": "header",
    "required": False,
    "description": "An id of your own for this request, at most 128 letters, digits, dots, dashes and underscores; the answer "
    "repeats it, and logs have it.",
    "schema": {"type": "string", "maxLength": 128},
    "example": _REQUEST_ID,
}


class Operations:
    """Makes the operations of one document."""

    def __init__(self, comments: Mapping[str, str], schemas: Schemas, refused: Refusals) -> None:
        self._comments = comments
        self._schemas = schemas
        self._refusals = refused

    def operation(self, route: Route, name: str) -> dict[str, Any]:
        """Build the operation of a route; `name` is its id."""
        service, _, method = route.rpc.path[1:].partition("/")
        comment = self._comments.get(f"{service}.{method}", "")
        found: dict[str, Any] = {
            "operationId": name,
            "tags": [tag(route)],
            "summary": first_sentence(comment),
            "description": self._description(route, comment),
            "parameters": self._parameters(route),
            "responses": {
                **{str(status): self._success(route, status) for status in names.successes(route)},
                **_not_modified(route),
                **self._refusals.responses(route, refusals.of_route(route, self._comments)),
            },
            "security": _security(route),
        }
        if body := self._body(route):
            found["requestBody"] = body
        if route.rpc.options.stage == options_pb2.STAGE_DEPRECATED:
            found["deprecated"] = True
        return found

    def _description(self, route: Route, comment: str) -> str:
        options = route.rpc.options
        privilege = options_pb2.Privilege.Name(options.privilege)
        parts = [comment, f"**Who may call it:** {self._option('Privilege', privilege)}"]
        if not route.public and options.privilege not in (options_pb2.PRIVILEGE_ADMIN, options_pb2.PRIVILEGE_WORKER):
            scope = "read` or `{0}:write" if route.method == "GET" else "write"
            name = surfaces.name_of(route.rpc.surface)
            parts[-1] += f" An API key needs the scope `{name}:{scope.format(name)}`."
        if options.events:
            parts.append("**Events:** " + ", ".join(f"`{event}`" for event in options.events) + ".")
        if options.stage not in (options_pb2.STAGE_UNSPECIFIED, options_pb2.STAGE_STABLE):
            stage = options_pb2.Stage.Name(options.stage)
            parts.append(
                f"**Stage:** {enum_names(options_pb2.Stage.DESCRIPTOR)[options.stage]}. {self._option('Stage', stage)}"
            )
        return "\n\n".join(part for part in parts if part)

    def _option(self, enum: str, value: str) -> str:
        return self._comments.get(f"{_OPTIONS}.{enum}.{value}", "")

    def _parameters(self, route: Route) -> list[dict[str, Any]]:
        fields = route.rpc.input.fields_by_name
        decoder = route.decoder
        found = [self._parameter(fields[name], "path", name) for name in route.template.variables]
        found += [self._parameter(fields[name], "query", name) for name in decoder.query_fields]
        found += [
            self._parameter(fields[name], "header", header)
            for name, header in decoder.headers.items()
            if header not in _OUTSIDE
        ]
        if idempotency.takes_key(route):
            found.append(_IDEMPOTENCY_KEY)
        if route.oauth:
            # Every request may have it; here it is told, since openapi-python-client makes code that cannot be imported of
            # an operation with two media types and no optional parameter.
            found.append(_OWN_REQUEST_ID)
        return found + headers.conditions_of(route)

    def _parameter(self, field: FieldDescriptor, place: str, name: str) -> dict[str, Any]:
        schema = self._schemas.request_field(field, null=False)
        found: dict[str, Any] = {
            "name": name,
            "in": place,
            "required": place == "path" or rules.is_required(field),
            "description": schema.pop("description", ""),
            "schema": schema,
            "example": example(schema, self._schemas.components, field.name),
        }
        if field.is_repeated:
            found |= {"style": "form", "explode": True}
        return found

    def _body(self, route: Route) -> dict[str, Any] | None:
        decoder = route.decoder
        if decoder.upload:
            return {"required": True, "content": _upload_content(route)}
        if not decoder.takes_json:
            return None
        message = route.rpc.input
        if decoder.body == "*":
            fields = [field for field in message.fields if field.name in decoder.body_fields]
            schema = self._schemas.body(message, fields)
            if items := route.rpc.options.item_field:
                schema = {"anyOf": [schema, self._schemas.item(message.fields_by_name[items])]}
        else:
            schema = self._schemas.request_field(message.fields_by_name[decoder.body], null=False)
        content = self._content(schema)
        if route.oauth:
            content |= self._content(self._form(route), bodies.FORM_TYPE)
        return {"required": decoder.needs_body, "content": content}

    def _form(self, route: Route) -> Schema:
        """Build the schema of a form body, in which null doesn't exist and unknown parameters are ignored."""
        fields = [field for field in route.rpc.input.fields if field.name in route.decoder.body_fields]
        return {
            "type": "object",
            "properties": {field.name: self._schemas.request_field(field, null=False) for field in fields},
            "required": [field.name for field in fields if rules.is_required(field)],
        }

    def _success(self, route: Route, status: int) -> dict[str, Any]:
        found: dict[str, Any] = {"description": _STATUS[status], "headers": headers.of_success(route, status)}
        if route.rpc.options.download:
            found["content"] = {name: {"schema": _BINARY} for name in route.rpc.options.download_types}
        elif route.subscription:
            item = self._schemas.answer_field(route.rpc.output.fields[0])["items"]
            found["content"] = {
                form.media_type: self._stream(item, form, text)
                for form, text in ((server_sent.EVENTS, _EVENTS), (server_sent.LINES, _LINES))
            }
        elif status != 204:
            found["content"] = self._content(self._answer(route))
            if route.has_table:
                found["content"][accepted_types.CSV_TYPE] = {"schema": _TABLE}
            elif route.csv_path:
                found["content"][accepted_types.CSV_TYPE] = {"schema": _BINARY}
        return found

    def _stream(self, item: Schema, form: server_sent.StreamForm, text: str) -> dict[str, Any]:
        """Describe a stream of items of the response's first field, in one form."""
        schema = {"type": "string", "contentMediaType": form.media_type, "contentSchema": item, "description": text}
        return {"schema": schema, "example": content_example(schema, self._schemas.components)}

    def _answer(self, route: Route) -> Schema:
        output = route.rpc.output
        if route.response_body:
            schema = self._schemas.answer_field(output.fields_by_name[route.response_body])
        else:
            schema = self._schemas.answer(output, NEXT_CURSOR if route.is_list else "")
        if not isinstance(route.surface, Platform):
            return schema
        metadata = self._schemas.add(
            _LIST_METADATA if route.is_list else _METADATA, _metadata(route.surface.version, is_list=route.is_list)
        )
        return {
            "type": "object",
            "properties": {"success": {"type": "boolean", "const": True}, "data": schema, "metadata": metadata},
            "required": ["success", "data", "metadata"],
            "additionalProperties": False,
        }

    def _content(self, schema: Schema, media_type: str = surfaces.JSON_TYPE) -> dict[str, Any]:
        return {media_type: {"schema": schema, "example": content_example(schema, self._schemas.components)}}


def content_example(schema: Schema, components: Mapping[str, Schema]) -> Any:
    """Return the example of a content: of a stream the text of one item, else a value of the schema."""
    if "contentSchema" not in schema:
        return example(schema, components)
    shown = example(schema["contentSchema"], components)
    frame = server_sent.line if schema["contentMediaType"] == server_sent.LINES.media_type else server_sent.block
    return frame(shown["id"], orjson.dumps(shown)).decode()


def tag(route: Route) -> str:
    """Return the tag of a route's operation: the name of its service."""
    return route.rpc.path.split("/")[1].rpartition(".")[2].removesuffix("Service")


def _not_modified(route: Route) -> dict[str, Any]:
    """Describe the 304 of a route with entity tags."""
    if not route.has_etag:
        return {}
    return {"304": {"description": "As the caller has it.", "headers": headers.of_not_modified(route)}}


def _security(route: Route) -> list[dict[str, list[str]]]:
    if route.oauth:
        return [{}, {"client": []}]
    if route.public:
        return []
    if route.rpc.options.privilege == options_pb2.PRIVILEGE_ADMIN:
        return [{"token": []}]
    if route.rpc.options.sharing and route.method == "GET":
        return [{"token": []}, {"api_key": []}, {"share": []}]
    return [{"token": []}, {"api_key": []}]


def _upload_content(route: Route) -> dict[str, Any]:
    types = list(route.rpc.options.upload_types)
    content: dict[str, Any] = {name: {"schema": _FILE} for name in types if name != MULTIPART}
    if MULTIPART in types:
        schema = {"type": "object", "properties": {FILE_PART: _FILE}, "required": [FILE_PART]}
        content[MULTIPART] = {"schema": schema}
    return content


def _metadata(version: str, *, is_list: bool) -> Schema:
    properties: dict[str, Schema] = {
        "timestamp": {"type": "string", "format": "date-time", "description": "When the answer was made."},
        "version": {"type": "string", "const": version, "description": "Version of the API."},
        "requestId": {"type": "string", "description": "As the header X-Request-Id.", "examples": [_REQUEST_ID]},
    }
    if is_list:
        text = "Cursor of the next page; null on the last page."
        properties[NEXT_CURSOR] = {"type": ["string", "null"], "description": text, "examples": [_CURSOR]}
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }
