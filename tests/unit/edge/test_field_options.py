"""Options of fields that documents and the beta version read: refused at start where they can't be honoured."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from google.protobuf import descriptor_pb2, descriptor_pool
from google.protobuf.descriptor import Descriptor

from buf.validate import validate_pb2
from catenary.options.v1 import options_pb2
from catenary.platform.v1 import evaluation_pb2
from catenary_edge.transcoding import routes, schema
from catenary_edge.transcoding.template import BindingError
from catenary_edge.versions import beta

_KIND = descriptor_pb2.FieldDescriptorProto
_Options = descriptor_pb2.FieldOptions


def _message(type_: _KIND.Type, option: Callable[[_Options], None], *, repeated: bool = False) -> Descriptor:
    """Return a message of one field `it` with options."""
    file = descriptor_pb2.FileDescriptorProto(name="made.proto", package="made", syntax="proto3")
    field = file.message_type.add(name="Made").field.add(name="it", number=1, type=type_)
    field.label = _KIND.LABEL_REPEATED if repeated else _KIND.LABEL_OPTIONAL
    option(field.options)
    pool = descriptor_pool.DescriptorPool()
    pool.AddSerializedFile(file.SerializeToString())
    found: Descriptor = pool.FindMessageTypeByName("made.Made")
    return found


def _path(options: _Options) -> None:
    options.Extensions[options_pb2.field].rest_path = True


def _resource(options: _Options) -> None:
    options.Extensions[options_pb2.field].holds_resource = True


@pytest.mark.parametrize(
    ("made", "said"),
    [
        (_message(_KIND.TYPE_INT32, _path), "made.Made.it has the option rest_path, but is no text"),
        (_message(_KIND.TYPE_STRING, _path, repeated=True), "made.Made.it has the option rest_path, but is no text"),
        (_message(_KIND.TYPE_STRING, _resource), "made.Made.it has the option holds_resource, but is no JSON"),
    ],
)
def test_a_path_that_the_beta_cannot_name_is_refused_at_start(made: Descriptor, said: str) -> None:
    stable = next(route for route in routes.build().routes if route.template.text == "/v1/projects")
    with pytest.raises(BindingError, match=said):
        list(beta.routes_of([replace(stable, rpc=replace(stable.rpc, output=made))]))


def test_an_example_comes_from_the_rules_of_a_scalar_else_from_our_option() -> None:
    fields = evaluation_pb2.Evaluation.DESCRIPTOR.fields_by_name
    assert schema.examples(fields["status"]) == {"examples": ["completed"]}
    assert schema.examples(fields["error"]) == {"examples": [None]}
    assert schema.examples(evaluation_pb2.MetricValue.DESCRIPTOR.fields_by_name["unit"]) == {"examples": ["kg"]}
    assert schema.examples(fields["created_at"]) == {}

    def number(options: _Options) -> None:
        options.Extensions[validate_pb2.field].int32.example.append(7)

    assert schema.examples(_message(_KIND.TYPE_INT32, number).fields[0]) == {"examples": [7]}


def test_an_example_that_is_no_json_is_refused() -> None:
    def broken(options: _Options) -> None:
        options.Extensions[options_pb2.field].example = "{"

    with pytest.raises(BindingError, match=r"the example of the field made\.Made\.it is no JSON"):
        schema.examples(_message(_KIND.TYPE_INT32, broken).fields[0])
