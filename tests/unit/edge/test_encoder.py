"""Responses from messages: the same bytes as orjson makes of the core's dict."""

from __future__ import annotations

import orjson
import pytest
from google.protobuf.timestamp_pb2 import Timestamp
from hypothesis import given, settings
from hypothesis import strategies as st

from catenary.platform.v1 import evaluation_service_pb2, model_service_pb2
from catenary.platform.v1.project_service_pb2 import ListProjectsResponse
from catenary_edge import routes
from catenary_edge.encoder import Encoders
from catenary_edge.fields import Writers
from catenary_edge.routes import Route
from catenary_edge.template import BindingError
from unit.edge.test_decoder import TABLE, expected, objects


@settings(max_examples=200)
@given(data=st.data(), one=st.sampled_from([one for one in TABLE.routes if not one.rpc.options.download]))
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
    evaluation.geometry.add(name="arch").properties.bounds.extend([0.0, 1e16])
    evaluation.duration_ms = 0.1
    evaluation.created_at.CopyFrom(Timestamp(seconds=1, nanos=500_000_000))
    assert Encoders().encode(message.DESCRIPTOR)(message) == (
        b'{"evaluation":{"evaluation_id":"e","project_id":"","status":null,"model_version_id":"",'
        b'"parameters":{"a":9007199254740993,"b":450.0},'
        b'"metrics":{"mass":{"value":{"z":1,"a":[]},"unit":null}},"constraints":{},'
        b'"geometry":[{"name":"arch","format":"","url":"","size":0,"sha256":"",'
        b'"properties":{"volume":null,"area":null,"bounds":[0.0,1e+16],"centre_of_gravity":[],"mass":null}}],'
        b'"tables":{},"error":null,"cached":false,"duration_ms":0.1,"created_by":"",'
        b'"created_at":"1970-01-01T00:00:01.5Z","updated_at":null,"started_at":null,"completed_at":null}}'
    )


def test_the_cursor_of_a_list_is_left_out_of_its_data() -> None:
    route = next(one for one in routes.build().routes if one.rpc.path.endswith("/ListProjects"))
    message = ListProjectsResponse(next_cursor="abc")
    assert route.encode(message) == b'{"projects":[]}'
    assert route.payload({"projects": [], "next_cursor": "abc"}) == {"projects": []}


def test_a_field_without_a_json_form_is_refused_at_start() -> None:
    with pytest.raises(BindingError, match="chunk"):
        Encoders().encode(model_service_pb2.DownloadModelSourceResponse.DESCRIPTOR)


def test_the_expectation_of_the_decoder_tests_is_the_encoders_own() -> None:
    descriptor = ListProjectsResponse.DESCRIPTOR
    assert orjson.loads(Encoders().encode(descriptor)(ListProjectsResponse())) == expected(descriptor, {})
