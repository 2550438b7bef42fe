"""The allowed content of a message type: each fault is refused at the start with its method, not first by a request."""

from __future__ import annotations

from functools import partial
from types import SimpleNamespace
from typing import Any

import orjson
import pytest
from google.protobuf import descriptor_pb2

from catenary_core.call.methods import bindings_of
from catenary_core.server.grpc_server import create_server
from catenary_edge.transcoding import decoder, encoder, routes, services, writers
from catenary_edge.transcoding.routes import Route
from catenary_edge.transcoding.template import BindingError
from catenary_wire import json_form
from catenary_wire.json_form import JsonFormError
from unit.edge.made_protos import Alter, shaped

KIND = descriptor_pb2.FieldDescriptorProto
File = descriptor_pb2.FileDescriptorProto
Made = descriptor_pb2.DescriptorProto


def _map(file: File, message: Made) -> None:
    entry = message.nested_type.add(name="AddedEntry")
    entry.options.map_entry = True
    entry.field.add(name="key", number=1, type=KIND.TYPE_INT32, label=KIND.LABEL_OPTIONAL)
    entry.field.add(name="value", number=2, type=KIND.TYPE_STRING, label=KIND.LABEL_OPTIONAL)
    type_name = f".shaped.{message.name}.AddedEntry"
    message.field.add(name="added", number=2, type=KIND.TYPE_MESSAGE, label=KIND.LABEL_REPEATED, type_name=type_name)


def _enum(values: dict[str, int], file: File, message: Made) -> None:
    made = file.enum_type.add(name="State")
    made.options.allow_alias = len(set(values.values())) < len(values)
    for name, number in values.items():
        made.value.add(name=name, number=number)
    message.field.add(name="added", number=2, type=KIND.TYPE_ENUM, label=KIND.LABEL_OPTIONAL, type_name=".shaped.State")


def _inside(alter: Alter, file: File, message: Made) -> None:
    """Put the same fault in a list of messages that the message holds."""
    inner = file.message_type.add(name="Inner")
    alter(file, inner)
    message.field.add(
        name="inner", number=2, type=KIND.TYPE_MESSAGE, label=KIND.LABEL_REPEATED, type_name=".shaped.Inner"
    )


def _json_name(file: File, message: Made) -> None:
    message.field.add(
        name="added", number=2, type=KIND.TYPE_STRING, label=KIND.LABEL_OPTIONAL, json_name="somethingElse"
    )


def _oneof(file: File, message: Made) -> None:
    message.oneof_decl.add(name="choice")
    message.field[0].oneof_index = 0
    message.field.add(name="added", number=2, type=KIND.TYPE_STRING, label=KIND.LABEL_OPTIONAL, oneof_index=0)


ZERO = {"STATE_UNSPECIFIED": 0}
CLASH = partial(_enum, {**ZERO, "STATE_ON": 1, "STATE_On": 2})
UNPREFIXED = partial(_enum, {**ZERO, "STATE_ON": 1, "OTHER_OFF": 2})
CLASH_WITHOUT_PREFIX = partial(_enum, {**ZERO, "STATE_ON": 1, "ON": 2})
ALIAS = partial(_enum, {**ZERO, "STATE_ON": 1, "STATE_ACTIVE": 1})
FAULTS: dict[str, tuple[Alter, str]] = {
    "a map with other keys than text": (_map, "added has keys that are no strings"),
    "names that clash": (CLASH, "STATE_ON and STATE_On of the enum shaped.State are both 'on' in JSON"),
    "a missing prefix": (UNPREFIXED, "OTHER_OFF of the enum shaped.State lacks the prefix STATE_"),
    "a missing prefix that clashes": (CLASH_WITHOUT_PREFIX, "ON of the enum shaped.State lacks the prefix STATE_"),
    "an alias": (ALIAS, "STATE_ON and STATE_ACTIVE of the enum shaped.State share a number"),
    "no value for unset": (partial(_enum, {"STATE_NONE": 0}), "shaped.State has no value …_UNSPECIFIED = 0"),
    "a json_name": (_json_name, "added has the json_name 'somethingElse'"),
}


def _route(alter: Alter, message: str = "Request", **binding: str) -> Route:
    table = routes.build([services.rpc(shaped(alter, message, **binding).methods[0])])
    return table.routes[0]


def _decoded(route: Route, body: Any) -> Any:
    return route.decoder.decode(["x"], "", {}, body)


@pytest.mark.parametrize("message", ["Request", "Answer"])
@pytest.mark.parametrize(("alter", "text"), FAULTS.values(), ids=FAULTS)
@pytest.mark.parametrize("depth", [0, 1])
def test_a_type_without_a_json_form_is_refused_at_the_start_by_its_method(
    alter: Alter, text: str, message: str, depth: int
) -> None:
    with pytest.raises(BindingError) as refused:
        _route(partial(_inside, alter) if depth else alter, message)
    assert str(refused.value).startswith("/shaped.ShapedService/Call: ")
    assert text in str(refused.value)


@pytest.mark.parametrize(("alter", "text"), FAULTS.values(), ids=FAULTS)
async def test_a_core_does_not_start_with_an_answer_that_json_cannot_say(alter: Alter, text: str) -> None:
    dispatch: Any = SimpleNamespace(bindings=bindings_of([shaped(alter, "Answer")]))
    with pytest.raises(JsonFormError) as refused:
        create_server(dispatch)
    assert str(refused.value).startswith("/shaped.ShapedService/Call: ")
    assert text in str(refused.value)


def test_an_enum_of_a_query_is_refused_at_the_start_too() -> None:
    with pytest.raises(BindingError, match=r"/shaped\.ShapedService/Call: .* share a number"):
        _route(ALIAS, get="/v1/things/{id}")


@pytest.mark.parametrize("path", ["/v1/things/{id}", "/v1/things/{added}", "/v1/things/{id}/{added}"])
def test_a_oneof_fed_from_outside_the_body_is_refused_at_the_start(path: str) -> None:
    with pytest.raises(BindingError, match=r"/shaped\.ShapedService/Call: the oneof choice has id, added"):
        _route(_oneof, patch=path, body="*")


def test_a_oneof_fed_by_the_query_is_refused_at_the_start() -> None:
    with pytest.raises(BindingError, match=r"/shaped\.ShapedService/Call: the oneof choice has id, added"):
        _route(_oneof, get="/v1/things")


def test_a_oneof_fed_by_the_body_alone_starts() -> None:
    assert _route(_oneof, patch="/v1/things", body="*").decoder.body_fields == {"id", "added"}


@pytest.fixture
def unchecked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Start the edge without the checks."""
    for module in (decoder, encoder, writers):
        monkeypatch.setattr(module, "check_type", lambda message: None)
    monkeypatch.setattr(json_form, "_check_enum", lambda enum: None)
    monkeypatch.setattr(decoder.Decoder, "_check_oneofs", lambda *_, **__: None)


@pytest.mark.usefixtures("unchecked")
def test_without_the_check_a_map_of_numbers_fails_at_the_answer() -> None:
    route = _route(_map, "Answer")
    answer = route.plain(route.rpc.response(added={1: "a"}))
    with pytest.raises(TypeError, match="Dict key must"):
        orjson.dumps(answer)


@pytest.mark.usefixtures("unchecked")
@pytest.mark.parametrize("alter", [CLASH, CLASH_WITHOUT_PREFIX])
def test_without_the_check_the_first_of_two_clashing_names_is_lost_and_cannot_be_sent(alter: Alter) -> None:
    route = _route(alter, "Answer")
    assert [route.plain(route.rpc.response(added=number))["added"] for number in (1, 2)] == ["1", "on"]
    assert _decoded(_route(alter), {"added": "on"}).added == 2


@pytest.mark.usefixtures("unchecked")
def test_without_the_check_a_missing_prefix_leaves_a_name_of_another_kind() -> None:
    route = _route(UNPREFIXED, "Answer")
    assert [route.plain(route.rpc.response(added=number))["added"] for number in (1, 2)] == ["on", "other_off"]


@pytest.mark.usefixtures("unchecked")
def test_without_the_check_one_of_two_aliases_never_comes_back() -> None:
    assert _decoded(_route(ALIAS), {"added": "on"}).added == 1
    route = _route(ALIAS, "Answer")
    assert route.plain(route.rpc.response(added=1))["added"] == "active"


@pytest.mark.usefixtures("unchecked")
def test_without_the_check_a_json_name_is_passed_over() -> None:
    route = _route(_json_name, "Answer")
    assert route.rpc.output.fields_by_name["added"].json_name == "somethingElse"
    assert route.plain(route.rpc.response(added="a")) == {"id": "", "added": "a"}


@pytest.mark.usefixtures("unchecked")
def test_without_the_check_the_path_drops_what_the_body_said_of_a_oneof() -> None:
    message = _decoded(_route(_oneof), {"added": "a"})
    assert (message.id, message.added) == ("x", "")
