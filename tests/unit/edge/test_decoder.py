"""Requests from path, query, headers and JSON."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

import orjson
import pytest
from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.timestamp_pb2 import Timestamp
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from catenary_edge import json_text
from catenary_edge.errors.fault import Fault
from catenary_edge.errors.problem import Problem
from catenary_edge.transcoding import routes, services
from catenary_edge.transcoding.decoder import ABSENT, Decoder
from catenary_edge.transcoding.encoder import Encoders
from catenary_edge.transcoding.fields import JSON, TIMESTAMP, VALUE, field_options, is_id, is_map, map_value
from catenary_edge.transcoding.routes import Route
from catenary_edge.transcoding.values import write_timestamp
from catenary_edge.transcoding.writers import Writers
from catenary_wire.json_form import enum_numbers
from catenary_wire.timestamps import timestamp_text
from factories.checks.examples import at_most
from unit.edge.test_json_text import JSON_VALUES

TABLE = routes.build()
ID = "01890000-0000-7000-8000-000000000001"
TEXTS = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), max_size=20)
IDS = st.uuids().map(str)


def route(name: str) -> Route:
    """Return the route of a method by its name.

    The route is the platform's where another surface has a method of the same name.
    """
    found = [one for one in TABLE.routes if one.rpc.path.endswith(f"/{name}")]
    return min(found, key=lambda one: not one.rpc.path.startswith("/catenary.platform"))


def decode(name: str, *segments: str, query: str = "", body: bytes | None = None, **headers: str) -> Any:
    document: Any = ABSENT
    if body is not None:
        try:
            document = json_text.parse(body)
        except Fault as fault:
            raise fault.problem() from None
    return route(name).decoder.decode(segments, query, headers, document)


def scalars(field: FieldDescriptor) -> st.SearchStrategy[Any]:
    """JSON values of one value of a field."""
    if field.type == FieldDescriptor.TYPE_STRING:
        return IDS if is_id(field) else TEXTS
    if field.type == FieldDescriptor.TYPE_BOOL:
        return st.booleans()
    if field.type == FieldDescriptor.TYPE_DOUBLE:
        return st.floats(allow_nan=False, allow_infinity=False)
    if field.type == FieldDescriptor.TYPE_ENUM:
        return st.sampled_from(sorted(enum_numbers(field.enum_type)))
    if field.type in (FieldDescriptor.TYPE_INT64, FieldDescriptor.TYPE_SINT64):
        return st.integers(-(2**63), 2**63 - 1)
    assert field.type == FieldDescriptor.TYPE_INT32, field.full_name
    return st.integers(-(2**31), 2**31 - 1)


def values(field: FieldDescriptor) -> st.SearchStrategy[Any]:
    """JSON values of a field."""
    if is_map(field):
        return st.dictionaries(TEXTS, single(map_value(field)), max_size=3)
    return st.lists(single(field), max_size=3) if field.is_repeated else single(field)


def single(field: FieldDescriptor) -> st.SearchStrategy[Any]:
    if field.message_type is None:
        return scalars(field)
    if field.message_type.full_name == JSON:
        return JSON_VALUES
    if field.message_type.full_name == TIMESTAMP:
        return st.datetimes().map(lambda moment: moment.isoformat() + "Z")
    if field.message_type.full_name == VALUE:
        # Of integers those that come back exactly (guide/conventions.md, "Numbers, timestamps, ids").
        return JSON_VALUES.filter(lambda value: value is not None)
    message = field.message_type
    return st.deferred(lambda: objects(message))


def objects(descriptor: Descriptor, only: frozenset[str] | None = None) -> st.SearchStrategy[dict[str, Any]]:
    fields = {
        field.name: values(field)
        for field in descriptor.fields
        if not field_options(field).grpc_only and (only is None or field.name in only)
    }
    return st.fixed_dictionaries({}, optional=fields)


def expected(descriptor: Descriptor, body: dict[str, Any]) -> dict[str, Any]:
    """Return the encoder's form of a decoded object: every field, unset ones as their defaults or null."""
    full: dict[str, Any] = {}
    for field in descriptor.fields:
        given = body.get(field.name)
        if is_map(field):
            item = map_value(field)
            full[field.name] = {key: expected_value(item, given[key]) for key in sorted(given)} if given else {}
        elif field.is_repeated:
            full[field.name] = [expected_value(field, one) for one in given or []]
        elif given is not None and field.message_type is not None:
            full[field.name] = expected_value(field, given)
        elif given is not None or field.has_presence or field.type == FieldDescriptor.TYPE_ENUM:
            full[field.name] = given
        else:
            full[field.name] = field.default_value
    return full


def expected_value(field: FieldDescriptor, given: Any) -> Any:
    if field.message_type is None or field.message_type.full_name in (JSON, VALUE):
        return given
    if field.message_type.full_name == TIMESTAMP:
        head, _, fraction = given[:-1].partition(".")
        return f"{head}.{fraction.ljust(6, '0')}Z"
    return expected(field.message_type, given)


WITH_BODY = sorted((one for one in TABLE.routes if one.decoder.takes_json), key=lambda one: one.rpc.path)


@pytest.mark.parametrize("one", WITH_BODY, ids=lambda one: one.rpc.path.rpartition("/")[2])
@settings(max_examples=at_most(25))
@given(data=st.data())
def test_a_request_goes_to_a_message_and_back(one: Route, data: st.DataObject) -> None:
    descriptor = one.rpc.input
    fields = {field.name: field for field in descriptor.fields}
    body = data.draw(objects(descriptor, one.decoder.body_fields))
    path = [data.draw(IDS if is_id(fields[name]) else TEXTS.filter(bool)) for name in one.template.variables]
    headers = {name: data.draw(st.text("abc=; 1", max_size=10)) for name in one.decoder.headers}
    document: Any = body
    if one.decoder.body != "*":
        assume(one.decoder.body in body)
        document = body[one.decoder.body]
    message = one.decoder.decode(
        [quote(text, safe="") for text in path], "", headers, json_text.parse(orjson.dumps(document))
    )
    item_field = one.rpc.options.item_field
    if item_field and item_field not in body:
        body = {item_field: [body]}
    mask = getattr(message, "update_mask", None)
    if mask is not None:
        assert list(mask.paths) == list(body)
        message.ClearField("update_mask")
        plain = {name: Encoders()._item(fields[name]) for name in fields if name != "update_mask"}
        for name in plain:
            if name in body and body[name] is not None:
                held = getattr(message, name)
                made = [plain[name](one) for one in held] if fields[name].is_repeated else plain[name](held)
                assert orjson.loads(orjson.dumps(made)) == body[name]
        return
    whole = {**body, **dict(zip(one.template.variables, path, strict=True)), **headers}
    assert orjson.loads(Encoders().encode(descriptor)(message)) == expected(descriptor, whole)


@given(value=JSON_VALUES)
def test_any_json_value_in_a_json_field_comes_out_equal(value: Any) -> None:
    message = decode("Evaluate", ID, body=orjson.dumps({"parameters": {"x": value}}))
    assert message.parameters["x"].text == orjson.dumps(value).decode()
    assert orjson.loads(Encoders().encode(route("Evaluate").rpc.input)(message))["parameters"] == {"x": value}


@settings(max_examples=300)
@given(
    one=st.sampled_from(TABLE.routes),
    segments=st.lists(st.text(max_size=12), min_size=5, max_size=5),
    query=st.text(max_size=40) | st.sampled_from(["limit=", "limit=%", "a=b", "limit=1&limit=2", "%00=%00", "&&=&"]),
    header=st.text(max_size=20),
    body=st.none() | st.binary(max_size=60) | JSON_VALUES.map(orjson.dumps),
)
def test_arbitrary_input_raises_nothing_but_a_problem(
    one: Route, segments: list[str], query: str, header: str, body: bytes | None
) -> None:
    decoder = one.decoder
    try:
        document = ABSENT if body is None else json_text.parse(body)
        decoder.decode(segments[: len(one.template.variables)], query, dict.fromkeys(decoder.headers, header), document)
    except Fault as fault:
        refused = fault.problem()
    except Problem as problem:
        refused = problem
    else:
        return
    assert refused.status == 400
    assert refused.details["parameter"]
    orjson.dumps(refused.details)


REFUSED: list[tuple[str, list[str], str, bytes | None, str, str]] = [
    ("CreateProject", [], "", b'{"name":1}', "name", "type"),
    ("CreateProject", [], "", b'{"name":["a"]}', "name", "type"),
    ("CreateProject", [], "", b'{"nome":"a"}', "nome", "unknown"),
    ("CreateProject", [], "", b'{"name":"a","project_id":"x"}', "project_id", "unknown"),
    ("CreateProject", [], "", b"null", "body", "type"),
    ("CreateProject", [], "", b"[]", "body", "type"),
    ("CreateProject", [], "", b"7", "body", "type"),
    ("CreateProject", [], "", b'"name"', "body", "type"),
    ("CreateProject", [], "a=1", b'{"name":"x"}', "a", "unknown"),
    ("UpdateProject", [ID], "", b'{"update_mask":"name"}', "update_mask", "unknown"),
    ("UpdateProject", [ID], "", b'{"project_id":"x"}', "project_id", "unknown"),
    ("UpdateWebhook", [ID], "", b'{"status":null,"events":null}', "events", "not_null"),
    ("CreateClient", [], "", b'{"name":"a","admin":1}', "admin", "type"),
    ("CreateClient", [], "", b'{"name":"a","admin":"true"}', "admin", "type"),
    ("Evaluate", [ID], "", b'{"parameters":[]}', "parameters", "type"),
    ("Evaluate", [ID], "", b'{"prefer":"wait=1"}', "prefer", "unknown"),
    ("Evaluate", ["a%00b"], "", b"{}", "project_id", "characters"),
    ("Evaluate", ["%zz"], "", b"{}", "project_id", "encoding"),
    ("Evaluate", ["%ff"], "", b"{}", "project_id", "utf8"),
    ("PutProjectMember", [ID, ID], "", b'{"role":"OWNER"}', "role", "in"),
    ("PutProjectMember", [ID, ID], "", b'{"role":"role_owner"}', "role", "in"),
    ("PutProjectMember", [ID, ID], "", b'{"role":"unspecified"}', "role", "in"),
    ("PutProjectMember", [ID, ID], "", b'{"role":1}', "role", "type"),
    ("CreateApiKey", [], "", b'{"scopes":["a",2]}', "scopes[1]", "type"),
    ("CreateApiKey", [], "", b'{"scopes":["a",null]}', "scopes[1]", "type"),
    ("CreateApiKey", [], "", b'{"scopes":"a"}', "scopes", "type"),
    ("CreateApiKey", [], "", b'{"expires_at":1700000000}', "expires_at", "type"),
    ("CreateApiKey", [], "", b'{"expires_at":"2030-02-30T00:00:00Z"}', "expires_at", "timestamp"),
    ("CreateApiKey", [], "", b'{"expires_at":"2030-01-01"}', "expires_at", "timestamp"),
    ("CreateApiKey", [], "", b'{"expires_at":"2030-01-01T00:00:00"}', "expires_at", "timestamp"),
    ("CreateApiKey", [], "", b'{"expires_at":"0001-01-01T00:00:00+01:00"}', "expires_at", "timestamp"),
    ("UpdateUser", [ID], "", b'{"grade_level":2147483648}', "grade_level", "range"),
    ("UpdateUser", [ID], "", b'{"grade_level":3.0}', "grade_level", "type"),
    ("UpdateUser", [ID], "", b'{"grade_level":"3"}', "grade_level", "type"),
    ("UpdateUser", [ID], "", b'{"grade_level":true}', "grade_level", "type"),
    ("ListProjects", [], "limit=5&limit=6", None, "limit", "duplicate"),
    ("ListProjects", [], "limit=", None, "limit", "type"),
    ("ListProjects", [], "limit", None, "limit", "type"),
    ("ListProjects", [], "limit=5.0", None, "limit", "type"),
    ("ListProjects", [], "limit=+5", None, "limit", "type"),
    ("ListProjects", [], "limit=%205", None, "limit", "type"),
    ("ListProjects", [], "limit=05", None, "limit", "type"),
    ("ListProjects", [], "limit=2147483648", None, "limit", "range"),
    ("ListProjects", [], "limit=" + "9" * 5000, None, "limit", "range"),
    ("UpdateUser", [ID], "", b'{"grade_level":100000000000000000000}', "grade_level", "range"),
    ("ListProjects", [], "limit=٣", None, "limit", "type"),
    ("ListProjects", [], "Limit=5", None, "Limit", "unknown"),
    ("ListProjects", [], "cursor=%00", None, "cursor", "characters"),
    ("ListProjects", [], "cursor=%ff", None, "cursor", "utf8"),
    ("ListProjects", [], "cursor=%e", None, "cursor", "encoding"),
    ("ListProjects", [], "cur%zzsor=1", None, '["cur%zzsor"]', "encoding"),
    ("ListProjects", [], "%ff=1", None, '["%ff"]', "utf8"),
    ("ListProjects", [], "prefer=x", None, "prefer", "unknown"),
    ("GetEvaluation", [ID], "prefer=wait%3D60", None, "prefer", "unknown"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "segments", "query", "body", "parameter", "constraint"), REFUSED)
def test_a_request_of_the_wrong_form_is_refused_by_field(
    name: str, segments: list[str], query: str, body: bytes | None, parameter: str, constraint: str
) -> None:
    with pytest.raises(Problem) as caught:
        decode(name, *segments, query=query, body=body)
    problem = caught.value
    assert (problem.status, problem.reason) == (400, "VALIDATION_ERROR")
    assert (problem.details["parameter"], problem.details["constraint"]) == (parameter, constraint)
    assert problem.details["violations"][0]["parameter"] == parameter
    if constraint == "unknown":
        assert problem.details["value"] is None, "the value of an unknown name may be a secret"
    elif constraint in ("type", "in", "encoding", "utf8", "characters", "duplicate", "range", "timestamp"):
        of_a_person = parameter == "grade_level"
        assert (problem.details["value"] is None) == (of_a_person or b"null" in (body or b""))


@pytest.mark.parametrize(
    ("name", "segments", "query", "body", "value"),
    [
        ("Evaluate", ["%zz"], "", b"{}", "%zz"),
        ("Evaluate", ["a%00b"], "", b"{}", "a\0b"),
        ("ListProjects", [], "limit=5&limit=6", None, "5, 6"),
        ("ListProjects", [], "cursor=%e", None, "%e"),
        ("ListProjects", [], "cur%zzsor=1", None, "cur%zzsor"),
        ("ListProjects", [], "token=%zz", None, None),
        ("CreateProject", [], "", b"[]", "[…]"),
        ("CreateApiKey", [], "", b'{"scopes":["a",2]}', 2),
        ("CreateApiKey", [], "", b'{"expires_at":"2030-01-01"}', "2030-01-01"),
    ],
)
def test_a_refusal_shows_the_value(
    name: str, segments: list[str], query: str, body: bytes | None, value: object
) -> None:
    with pytest.raises(Problem) as caught:
        decode(name, *segments, query=query, body=body)
    assert caught.value.details["value"] == value


def test_an_unknown_key_is_told_what_is_known() -> None:
    with pytest.raises(Problem, match="known are: description, environment_project_id, name"):
        decode("CreateProject", body=b'{"title":"a"}')


def test_typed_values_of_grpc_are_unknown_to_json() -> None:
    with pytest.raises(Problem, match="known are: force, geometry, model_version_id, parameters"):
        decode("Evaluate", body=b'{"values":{"span":{"number":3}}}')


def test_upper_case_ids_are_lowered_wherever_they_stand() -> None:
    assert decode("GetProject", ID.upper()).project_id == ID
    body = orjson.dumps({"name": "UPPER", "environment_project_id": ID.upper()})
    message = decode("CreateProject", body=body)
    assert (message.name, message.environment_project_id) == ("UPPER", ID)


def test_null_leaves_a_field_unset_and_the_mask_has_it() -> None:
    message = decode("UpdateProject", ID, body=b'{"environment_project_id":null,"name":"a"}')
    assert not message.HasField("environment_project_id")
    assert list(message.update_mask.paths) == ["environment_project_id", "name"]


def test_null_as_a_parameter_value_is_a_value() -> None:
    assert decode("Evaluate", ID, body=b'{"parameters":{"a":null}}').parameters["a"].text == "null"


def test_a_secret_is_in_no_error() -> None:
    for name, body in (("IssueToken", b'{"client_secret":["s3cret"]}'), ("UpdateMe", b'{"location_name":271828}')):
        with pytest.raises(Problem) as caught:
            decode(name, body=body)
        assert caught.value.details["value"] is None
        assert b"s3cret" not in orjson.dumps([caught.value.message, caught.value.details])
        assert b"271828" not in orjson.dumps([caught.value.message, caught.value.details])


def test_a_shown_value_is_short() -> None:
    with pytest.raises(Problem) as caught:
        decode("PutProjectMember", ID, ID, body=orjson.dumps({"role": "x" * 10_000}))
    assert len(caught.value.details["value"]) < 120


def test_a_header_fills_its_field_only() -> None:
    assert decode("Evaluate", ID, body=b"{}", prefer="wait=3").prefer == "wait=3"
    with pytest.raises(Problem) as caught:
        decode("Evaluate", ID, body=b"{}", prefer="a\udcff")
    assert caught.value.details["parameter"] == "Prefer"


def test_a_path_variable_keeps_an_escaped_slash_and_colon() -> None:
    assert decode("DownloadGeometry", ID, "a%2Fb%3Ac").name == "a/b:c"


def test_a_query_may_escape_and_leave_gaps() -> None:
    message = decode("ListProjects", query="&&limit=5&%63ursor=a%2Bb+c&")
    assert (message.limit, message.cursor) == (5, "a+b c")


def test_a_body_is_needed_where_a_field_is_required_or_the_whole_body_is_one_field() -> None:
    for name in ("CreateProject", "CreateComments", "PutEntries", "CreateAssets"):
        assert route(name).decoder.needs_body, name
    for name in ("Evaluate", "UpdateProject", "RotateWebhookSecret"):
        assert not route(name).decoder.needs_body, name
        assert route(name).decoder.takes_json


def test_a_method_without_body_fields_takes_an_empty_object_or_nothing() -> None:
    assert not route("RotateClientSecret").decoder.needs_body
    assert decode("RotateClientSecret", ID).client_id == ID
    assert decode("RotateClientSecret", ID, body=b"{}").client_id == ID
    with pytest.raises(Problem):
        decode("RotateClientSecret", ID, body=b"null")
    with pytest.raises(Problem):
        decode("RotateClientSecret", ID, body=b'{"client_id":"x"}')


def test_a_form_leaves_out_what_is_empty_or_unknown_and_refuses_doubles() -> None:
    decoder = route("IssueToken").decoder
    message: Any = decoder.decode_form(
        [], "", {}, "grant_type=client_credentials&scope=&foo=1&client_id=a%20b&client_secret=a+b"
    )
    assert (message.grant_type, message.client_id, message.client_secret) == ("client_credentials", "a b", "a b")
    with pytest.raises(Problem) as caught:
        decoder.decode_form([], "", {}, "grant_type=a&grant_type=b")
    assert caught.value.details["parameter"] == "grant_type"


@pytest.mark.parametrize(
    ("text", "again"),
    [
        ("2030-01-31T12:00:00Z", "2030-01-31T12:00:00.000000Z"),
        ("2030-01-31t12:00:00.500z", "2030-01-31T12:00:00.500000Z"),
        ("2030-01-31T12:00:00+02:30", "2030-01-31T09:30:00.000000Z"),
        ("2030-01-31T12:00:00-00:00", "2030-01-31T12:00:00.000000Z"),
        ("0001-01-01T00:00:00Z", "0001-01-01T00:00:00.000000Z"),
        ("9999-12-31T23:59:59.999999Z", "9999-12-31T23:59:59.999999Z"),
        ("1969-12-31T23:59:59.000001999Z", "1969-12-31T23:59:59.000001Z"),
    ],
)
def test_a_timestamp_is_read_and_written(text: str, again: str) -> None:
    message = Timestamp()
    write_timestamp(message, text)
    assert timestamp_text(message) == again


def test_arrays_in_a_query_repeat_and_split_ids_and_enums_only() -> None:
    """No platform list has an array yet: a made binding of the same kinds of fields shows it."""
    from unit.edge.made_protos import filters

    decoder = Decoder(filters(), routes.template.parse("/v1/things"), "", Writers())
    message: Any = decoder.decode(
        [], f"title=a,b&title=c&thing_id={ID.upper()},{ID}&state=on,off&state=on&flag=true", {}
    )
    assert list(message.title) == ["a,b", "c"]
    assert list(message.thing_id) == [ID, ID]
    assert list(message.state) == [1, 2, 1]
    assert message.flag is True
    for query in ("flag=1", "flag=True", "flag=", "state=on,", "amount=1e400", "amount=NaN", "amount=.5", "at=2030"):
        with pytest.raises(Problem):
            decoder.decode([], query, {})
    message = decoder.decode([], "amount=-1.5e3&at=2030-01-01T00%3A00%3A00Z", {})
    assert message.amount == -1500.0
    assert message.at.seconds == 1893456000


def test_every_method_of_the_core_is_known() -> None:
    assert len({rpc.path for rpc in services.load()}) == len(services.load()) > 50


def test_a_body_is_the_one_item_or_has_the_list_of_them() -> None:
    item = {"project_id": ID, "name": "Tower", "asset_type_id": ID}
    one = decode("CreateAssets", body=orjson.dumps(item))
    assert one == decode("CreateAssets", body=orjson.dumps({"assets": [item]}))
    assert one.assets[0].name == "Tower"
    several = decode("CreateAssets", body=orjson.dumps({"assets": [item, item]}))
    assert len(several.assets) == 2
    for body, parameter in (
        (b'{"nmae": "x"}', "assets[0].nmae"),
        (b'{"assets": [{}, {"name": 1}]}', "assets[1].name"),
        (b'{"assets": {}}', "assets"),
        (b'{"assets": [], "name": "x"}', "name"),
        (b"[]", ""),
    ):
        with pytest.raises(Problem) as caught:
            decode("CreateAssets", body=body)
        assert caught.value.details.get("parameter", "").startswith(parameter)


def test_a_bare_array_is_the_list_of_the_request() -> None:
    comment = {"reference_id": ID, "content": "x"}
    assert decode("CreateComments", body=orjson.dumps([comment])).comments[0].content == "x"
    for body in (orjson.dumps(comment), b'{"comments": []}', b"null", b'[{"content": 1}]', b"[1]"):
        with pytest.raises(Problem):
            decode("CreateComments", body=body)


@pytest.mark.parametrize(
    ("text", "member", "value"),
    [
        (b'"450"', "string_value", "450"),
        (b"450", "integer_value", 450),
        (b"450.0", "double_value", 450.0),
        (b"-9223372036854775808", "integer_value", -(2**63)),
        (b"false", "bool_value", False),
    ],
)
def test_a_value_keeps_its_json_type(text: bytes, member: str, value: Any) -> None:
    message = decode("PutEntries", body=b'{"entries": [{"values": [{"value": ' + text + b"}]}]}")
    given_value = message.entries[0].values[0].value
    assert given_value.WhichOneof("kind") == member
    assert getattr(given_value, member) == value


def test_a_value_may_be_any_json_and_a_number_past_2_63_is_a_double() -> None:
    body = b'{"entries": [{"values": [{"value": {"b": [1.0, null], "a": 1}}]}]}'
    message = decode("PutEntries", body=body)
    assert message.entries[0].values[0].value.json_value.text == '{"b":[1.0,null],"a":1}'
    for text in (b"9223372036854775808", b"-9223372036854775809", b"100000000000000000000"):
        value = (
            decode("PutEntries", body=b'{"entries": [{"values": [{"value": %b}]}]}' % text).entries[0].values[0].value
        )
        assert (value.WhichOneof("kind"), value.double_value) == ("double_value", float(text))
    span = decode("Evaluate", ID, body=b'{"parameters": {"span": 100000000000000000000}}').parameters["span"]
    assert span.text == "1e+20"


def test_a_refusal_lists_the_faults_of_all_items_up_to_a_hundred() -> None:
    items = [{"name": "a"}, {"name": 7, "project_id": True}, {"nme": "x"}, {"name": None, "id": []}]
    with pytest.raises(Problem) as caught:
        decode("CreateAssets", body=orjson.dumps({"assets": items, "other": 1}))
    fields = ["assets[1].name", "assets[1].project_id", "assets[2].nme", "assets[3].id", "other"]
    assert [rule.field for rule in caught.value.violations] == fields
    assert (caught.value.details["parameter"], caught.value.details["value"]) == (fields[0], 7)
    with pytest.raises(Problem) as caught:
        decode("CreateAssets", body=orjson.dumps({"assets": [{"name": 7}] * 60 + [{"id": 1, "x": 2}] * 900}))
    assert [rule.field for rule in caught.value.violations][58:62] == [
        "assets[58].name",
        "assets[59].name",
        "assets[60].id",
        "assets[60].x",
    ]
    assert len(caught.value.violations) == 100
    with pytest.raises(Problem) as caught:
        decode("ListProjects", query="limit=x&a=1&limit=y&cursor=%00")
    assert [rule.field for rule in caught.value.violations] == ["limit", "a", "cursor"]


def test_a_second_fault_of_a_secret_shows_no_value_either() -> None:
    with pytest.raises(Problem) as caught:
        decode("IssueToken", body=b'{"grant_type":7,"client_secret":["s3cret"],"client_id":["me"]}')
    assert [rule.field for rule in caught.value.violations] == ["grant_type", "client_secret", "client_id"]
    assert b"s3cret" not in orjson.dumps([caught.value.message, caught.value.details])
