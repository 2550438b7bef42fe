"""REST paths of resources from the bindings of their methods."""

from __future__ import annotations

from types import ModuleType

import pytest
from google.api import annotations_pb2
from google.protobuf import descriptor_pb2, descriptor_pool

from catenary.metadata.v1 import tag_link_service_pb2
from catenary.parameter.v1 import asset_sub_type_service_pb2
from catenary.platform.v1 import event_service_pb2, project_service_pb2
from catenary_core.call.resource_paths import posted_path, resource_path


def test_a_get_of_one_resource_is_its_path() -> None:
    path = resource_path(project_service_pb2, "GetProject")
    assert path.format("p1") == "/v1/projects/p1"


def test_variables_before_the_id_are_given_by_name() -> None:
    path = resource_path(tag_link_service_pb2, "GetTagLink")
    assert path.format("r1", tag_id="t1") == "/metadata/v1/tags/t1/links/r1"


def test_a_list_holds_the_resource_by_its_id() -> None:
    path = resource_path(asset_sub_type_service_pb2, "ListAssetSubTypes")
    assert path.format("s1", asset_type_id="a1") == "/parameter/v1/asset_types/a1/asset_sub_types/s1"


def test_a_value_is_put_in_as_it_is() -> None:
    assert resource_path(project_service_pb2, "GetProject").format("{p} /") == "/v1/projects/{p} /"


def test_what_is_only_posted_has_the_path_of_its_post() -> None:
    assert posted_path(event_service_pb2, "CreateSystemEvent") == "/v1/system_events"


def _made(services: dict[str, dict[str, list[str]]]) -> ModuleType:
    """Return a module as the generator makes it, of services with methods that are bound to the GET paths."""
    file = descriptor_pb2.FileDescriptorProto(name="made.proto", package="made", syntax="proto3")
    file.message_type.add(name="Nothing")
    for name, methods in services.items():
        service = file.service.add(name=name)
        for method_name, paths in methods.items():
            method = service.method.add(name=method_name, input_type=".made.Nothing", output_type=".made.Nothing")
            http = method.options.Extensions[annotations_pb2.http]
            for index, path in enumerate(paths):
                (http if index == 0 else http.additional_bindings.add()).get = path
    pool = descriptor_pool.DescriptorPool()
    pool.AddSerializedFile(file.SerializeToString())
    module = ModuleType("made_pb2")
    module.__dict__["DESCRIPTOR"] = pool.FindFileByName("made.proto")
    return module


@pytest.mark.parametrize(
    ("services", "said"),
    [
        ({"Things": {}}, "made_pb2 has 0 methods GetThing"),
        ({"Things": {"GetThing": ["/v1/a/{id}"]}, "Others": {"GetThing": ["/v1/b/{id}"]}}, "has 2 methods GetThing"),
        ({"Things": {"GetThing": []}}, "made.Things.GetThing has 0 bindings to GET"),
        ({"Things": {"GetThing": ["/v1/a/{id}", "/v1/b/{id}"]}}, "made.Things.GetThing has 2 bindings to GET"),
        ({"Things": {"GetThing": ["/v1/{name=a/*}"]}}, "has a variable with a pattern"),
    ],
)
def test_a_missing_or_ambiguous_path_fails_at_start(services: dict[str, dict[str, list[str]]], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        resource_path(_made(services), "GetThing")


def test_a_post_is_no_path_of_a_resource() -> None:
    with pytest.raises(ValueError, match="CreateSystemEvent has 0 bindings to GET"):
        resource_path(event_service_pb2, "CreateSystemEvent")
