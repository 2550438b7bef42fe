"""Responses from messages: the same bytes as orjson makes of the core's dict."""

from __future__ import annotations

from typing import Any

import orjson
import pytest
from google.protobuf import descriptor_pb2
from google.protobuf.timestamp_pb2 import Timestamp
from hypothesis import given, settings
from hypothesis import strategies as st

from catenary.parameter.v1 import asset_service_pb2, entry_pb2
from catenary.platform.v1 import evaluation_service_pb2, model_service_pb2
from catenary.platform.v1.project_service_pb2 import ListProjectsResponse
from catenary_core.call import messages
from catenary_edge.transcoding import services
from catenary_edge.transcoding.encoder import Encoders
from catenary_edge.transcoding.routes import Route
from catenary_edge.transcoding.template import BindingError
from catenary_edge.transcoding.writers import Writers
from unit.edge.made_protos import shaped
from unit.edge.test_decoder import TABLE, expected, objects, route

# The decoder is the oracle of the encoder here; it takes no bare lists.
ANSWERING = [
    one for one in TABLE.routes if not one.rpc.options.download and not one.rpc.path.endswith("/ListHierarchies")
]


@settings(max_examples=200)
@given(data=st.data(), one=st.sampled_from(ANSWERING))
def test_a_message_encodes_to_the_bytes_of_its_dict(data: st.DataObject, one: Route) -> None:
    body = data.draw(objects(one.rpc.output))
    message = one.rpc.response()
    Writers().message(one.rpc.output)(message, body)
    whole = orjson.loads(Encoders().encode(one.rpc.output)(message))
    assert list(whole) == [field.name for field in one.rpc.output.fields]
    again = one.rpc.response()
    Writers().message(one.rpc.output)(again, whole)
    assert orjson.loads(Encoders().encode(one.rpc.output)(again)) == whole


def test_every_field_stands_in_declaration_order_and_unset_ones_are_null() -> None:
    message = evaluation_service_pb2.EvaluateResponse()
    evaluation = message.evaluation
    evaluation.evaluation_id = "e"
    evaluation.parameters["b"].text = "450.0"
    evaluation.parameters["a"].text = "9007199254740993"
    evaluation.metrics["mass"].value.text = '{"z":1,"a":[]}'
    evaluation.geometry.add(name="arch").parts.add(kind=1, bounding_box={"min": [0.0, 1e16]})
    evaluation.duration_ms = 0.1
    evaluation.created_at.CopyFrom(Timestamp(seconds=1, nanos=500_000_000))
    assert Encoders().encode(message.DESCRIPTOR)(message) == (
        b'{"evaluation":{"evaluation_id":"e","project_id":"","status":null,"model_version_id":"",'
        b'"parameters":{"a":9007199254740993,"b":450.0},'
        b'"metrics":{"mass":{"value":{"z":1,"a":[]},"unit":null}},"constraints":{},'
        b'"geometry":[{"name":"arch","format":"","url":"","size":null,"sha256":null,'
        b'"parts":[{"name":"","kind":"solid","triangles":0,"area":null,"length":null,"volume":null,'
        b'"bounding_box":{"min":[0.0,1e+16],"max":[]},"centre_of_gravity":[],"density":null,"mass":null,"opening":null,"measured":null}],"unit":null}],'
        b'"tables":{},"error":null,"cached":false,"duration_ms":0.1,"created_by":null,'
        b'"created_at":"1970-01-01T00:00:01.500000Z","updated_at":null,"started_at":null,"completed_at":null,"log":null,'
        b'"files":[],"charts":[],"progress":null,"batch_id":null,"study_id":null,"index":null}}'
    )


def test_the_cursor_of_a_list_is_left_out_of_its_data() -> None:
    message = ListProjectsResponse(next_cursor="abc")
    list_projects = route("ListProjects")
    assert list_projects.payload(list_projects.plain(message), no_page) == {"projects": []}
    assert list_projects.payload({"projects": [], "next_cursor": "abc"}, no_page) == {"projects": []}


def test_paging_is_left_out_where_it_is_unset_and_its_cursors_become_addresses() -> None:
    records, tags = route("ListRecords"), route("ListTags")
    paging = {"cursors": {"before": "A", "after": "B"}, "previous": None, "next": "B"}
    summary = {"estimate_count": 3}

    def page_url(parameter: str, cursor: str) -> str:
        return f"https://x/?{parameter}={cursor}"

    assert records.payload({"records": [], "paging": None, "summary": None}, no_page) == {"records": []}
    linked = {"cursors": {"before": "A", "after": "B"}, "previous": None, "next": "https://x/?after=B"}
    for one, key in ((records, "records"), (tags, "tags")):
        body = one.payload({key: [], "paging": paging, "summary": summary}, page_url)
        assert list(body.items()) == [(key, []), ("paging", linked), ("summary", summary)]
    assert tags.payload({"tags": [], "paging": None, "summary": None}, no_page)["paging"] is None


def test_a_list_of_lists_and_a_value_stand_without_a_wrapper() -> None:
    message = asset_service_pb2.ListHierarchiesResponse()
    message.hierarchies.add().elements.add(id="a", name="Tower", asset_type_id="t")
    message.hierarchies.add()
    assert route("ListHierarchies").plain(message) == {
        "hierarchies": [[{"id": "a", "name": "Tower", "asset_type_id": "t"}], []]
    }
    entry = entry_pb2.EntryValue(id="v")
    encode = Encoders().encode(entry.DESCRIPTOR)
    for member, value, text in (
        ("string_value", "a", b'"a"'),
        ("integer_value", 2**63 - 1, b"9223372036854775807"),
        ("double_value", 450.0, b"450.0"),
        ("bool_value", False, b"false"),
    ):
        setattr(entry.value, member, value)
        assert encode(entry) == b'{"id":"v","value":' + text + b',"unit":null}'
    entry.value.json_value.text = '{"b":[1.0,1]}'
    assert encode(entry) == b'{"id":"v","value":{"b":[1.0,1]},"unit":null}'


def no_page(parameter: str, cursor: str) -> str:
    raise AssertionError("this answer has no pages")


def test_a_field_without_a_json_form_is_refused_at_start() -> None:
    with pytest.raises(BindingError, match="chunk"):
        Encoders().encode(model_service_pb2.DownloadModelSourceResponse.DESCRIPTOR)


def test_the_expectation_of_the_decoder_tests_is_the_encoders_own() -> None:
    descriptor = ListProjectsResponse.DESCRIPTOR
    assert orjson.loads(Encoders().encode(descriptor)(ListProjectsResponse())) == expected(descriptor, {})


def _states(file: descriptor_pb2.FileDescriptorProto, message: descriptor_pb2.DescriptorProto) -> None:
    kind = descriptor_pb2.FieldDescriptorProto
    state = file.enum_type.add(name="State")
    for number, name in enumerate(("STATE_UNSPECIFIED", "STATE_ON")):
        state.value.add(name=name, number=number)
    typed: dict[str, Any] = {"type": kind.TYPE_ENUM, "type_name": ".shaped.State"}
    message.field.add(name="state", number=2, label=kind.LABEL_OPTIONAL, **typed)
    message.field.add(name="states", number=3, label=kind.LABEL_REPEATED, **typed)
    message.oneof_decl.add(name="_maybe")
    message.field.add(name="maybe", number=4, label=kind.LABEL_OPTIONAL, proto3_optional=True, oneof_index=0, **typed)


def test_an_enum_number_that_an_older_edge_does_not_know_is_answered_as_text() -> None:
    (method,) = shaped(_states, "Answer").methods
    made = services.rpc(method)
    plain = Encoders().plain(made.output)
    answer = plain(made.response(state=7, states=[1, 9, 0], maybe=8))
    assert answer == {"id": "", "state": "7", "states": ["on", "9", None], "maybe": "8"}


def test_an_optional_enum_is_told_from_its_zero() -> None:
    (method,) = shaped(_states, "Answer").methods
    made = services.rpc(method)
    plain = Encoders().plain(made.output)
    assert plain(made.response())["maybe"] is None
    assert plain(made.response(maybe=0))["maybe"] == "unspecified"
    assert plain(made.response(state=0))["state"] is None
    for maybe in (None, "unspecified", "on"):
        body = {"id": "a", "state": "on", "states": [], "maybe": maybe}
        assert plain(messages.to_message(made.output, body)) == body


@pytest.mark.parametrize("number", [float("nan"), float("inf"), float("-inf")])
def test_a_double_that_is_not_finite_has_no_json(number: float) -> None:
    encode = Encoders().encode(evaluation_service_pb2.EvaluateResponse.DESCRIPTOR)
    answers = [evaluation_service_pb2.EvaluateResponse() for _ in range(3)]
    answers[0].evaluation.duration_ms = number
    answers[1].evaluation.geometry.add().parts.add(area=number)
    answers[2].evaluation.geometry.add().parts.add(bounding_box={"max": [0.0, number]})
    for answer in answers:
        with pytest.raises(ValueError, match="not finite"):
            encode(answer)
    entry = entry_pb2.EntryValue()
    entry.value.double_value = number
    with pytest.raises(ValueError, match="not finite"):
        Encoders().encode(entry.DESCRIPTOR)(entry)


def test_a_timestamp_with_nanoseconds_out_of_range_has_no_json() -> None:
    answer = evaluation_service_pb2.EvaluateResponse()
    answer.evaluation.created_at.CopyFrom(Timestamp(seconds=1, nanos=10**9))
    with pytest.raises(ValueError, match="nanoseconds"):
        Encoders().encode(answer.DESCRIPTOR)(answer)
