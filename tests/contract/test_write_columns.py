"""A write takes the fields that its message documents and nothing else of what the tables keep.

Every column of every table is sent in every write, at each object of its body: those that the message doesn't have are refused by
name, before anything is written; none of those that it has is one that only the service itself sets.
"""

from __future__ import annotations

import copy
import re
from collections.abc import Iterator
from typing import Any

import pytest
from google.protobuf import field_mask_pb2
from google.protobuf.descriptor import Descriptor

import catenary_core.bootstrap  # noqa: F401 (knows every table)
from catenary_core.call import field_masks
from catenary_core.call.errors import CallError, DomainError
from catenary_core.call.methods import Binding, bindings_of, service_descriptors
from catenary_core.database.statements import metadata
from catenary_edge.errors.problem import Problem
from catenary_edge.transcoding.fields import field_options, is_id, is_map
from factories.isolation.operations import Operation, Request, all_operations
from factories.isolation.world import World, new_id

COLUMNS = sorted({column.name for table in metadata.sorted_tables for column in table.columns})
# What only the service sets, wherever it stands.
OURS = {
    "created_at", "updated_at", "deleted_at", "created_by", "actor_id", "occurred_at", "claims_at", "last_login_at",
    "last_used_at", "staff_id", "staff_name", "email", "issuer", "subject", "secret_digest", "digest", "prefix", "private_key",
    "sha256", "size", "deterministic", "metrics", "geometry", "tables", "charts", "files",
    "error", "cache_key", "lease_token", "lease_until",
    "worker_id", "attempts", "is_team", "value_id", "expression", "region_level", "company_code", "activated_at", "retired_at",
    "started_at", "completed_at", "duration_ms", "runtime_digest", "sequence",
}  # fmt: skip
NAMING = {
    "POST /v1/projects/{project_id}/members": {"email"},
    "POST /v1/projects/{project_id}/invitations": {"email", "staff_name"},
    "POST /v1/projects/{project_id}/evaluate": {"geometry"},
    "POST /v1/projects/{project_id}/evaluate/batch": {"geometry"},
    "PUT /v2/projects/{project_id}/derived_metrics": {"metrics"},
    "POST /v1/projects/{project_id}/evaluate/plan": {"size"},
    "POST /v1/projects/{project_id}/studies objectives[0]": {"expression"},
    "POST /v1/projects/{project_id}/views": {"charts", "metrics"},
    "PUT /v1/views/{view_id}": {"charts", "metrics"},
}
"""Fields that write no column of their name: they name a row, as an id does, or mean something else."""
WRITES = [
    operation
    for operation in all_operations()
    if not operation.reads and operation.route.decoder.takes_json and operation.bodies
]
MASKED = [
    binding
    for binding in bindings_of(service_descriptors()).values()
    if "update_mask" in binding.descriptor.input_type.fields_by_name
]


def _document(operation: Operation, body: Any) -> Any:
    return operation.request(lambda place: [new_id()], body=body).body


def _objects(message: Descriptor, document: Any, path: str, top: frozenset[str]) -> Iterator[tuple[str, set[str]]]:
    """Yield the JSON paths of a document's objects, with the keys that each may have."""
    if isinstance(document, list):
        for index, item in enumerate(document):
            yield from _objects(message, item, f"{path}[{index}]", top)
        return
    taken = set(top) if path == "" else {one.name for one in message.fields if not field_options(one).grpc_only}
    yield path, taken
    for key, value in document.items():
        field = message.fields_by_name[key]
        inner = field.message_type
        # A map has keys of its own, and a value may be any JSON.
        if inner is None or is_map(field) or not isinstance(value, (dict, list)):
            continue
        yield from _objects(inner, value, f"{path}.{key}" if path else key, top)


def _with(document: Any, path: str, column: str, value: Any) -> Any:
    changed = copy.deepcopy(document)
    node = changed
    for name, index in re.findall(r"(\w+)|\[(\d+)\]", path):
        node = node[name] if name else node[int(index)]
    node[column] = value
    return changed


def _cases(operation: Operation) -> Iterator[tuple[Any, str, set[str]]]:
    """Documents with the path and the keys of each of their objects: one object in place of a list too, where it may stand."""
    decoder = operation.route.decoder
    message = operation.route.rpc.input
    item_field = operation.route.rpc.options.item_field
    for body in operation.bodies:
        document = _document(operation, body)
        if decoder.body != "*":
            inner = message.fields_by_name[decoder.body].message_type
            for path, taken in _objects(inner, document, "", frozenset()):
                yield document, path, taken
            continue
        for path, taken in _objects(message, document, "", decoder.body_fields):
            yield document, path, taken
        if item_field:
            single = document[item_field][0]
            fields = message.fields_by_name[item_field].message_type.fields
            yield single, "", {one.name for one in fields} | {item_field}


def test_the_writes_are_many() -> None:
    assert len(WRITES) > 55
    assert len(COLUMNS) > 120
    assert set(COLUMNS) >= OURS


@pytest.mark.parametrize("operation", WRITES, ids=lambda one: one.name)
def test_a_column_that_a_write_does_not_document_is_refused_by_name(operation: Operation) -> None:
    segments = [new_id()] * len(operation.route.template.variables)
    for document, path, taken in _cases(operation):
        # The document itself is good, so that what is refused is the column.
        operation.route.decoder.decode(segments, "", {}, document)
        for column in COLUMNS:
            if column in taken:
                continue
            for value in (None, "x"):
                with pytest.raises(Problem) as refused:
                    operation.route.decoder.decode(segments, "", {}, _with(document, path, column, value))
                assert refused.value.status == 400
                assert refused.value.details["parameter"].endswith(column), (path, column, refused.value.details)


@pytest.mark.parametrize("operation", WRITES, ids=lambda one: one.name)
def test_no_write_documents_what_only_the_service_sets(operation: Operation) -> None:
    for _, path, taken in _cases(operation):
        assert taken & OURS == NAMING.get(f"{operation.name} {path}".strip(), set()), path


@pytest.mark.slow
@pytest.mark.asyncio(loop_scope="module")
async def test_nothing_of_a_refused_write_is_kept(world: World) -> None:
    for operation in WRITES:
        before = await world.digest()
        for body in operation.bodies:
            request = operation.request(world.ids("open"), body=body)
            for column in ("created_at", "created_by", "deleted_at"):
                item_field = operation.route.rpc.options.item_field
                path = f"{item_field}[0]" if item_field else "[0]" if isinstance(request.body, list) else ""
                changed = _with(request.body, path, column, "2026-01-01T00:00:00Z")
                answer = await world.call("admin", Request(request.method, request.url, changed))
                assert (answer.status, column in answer.text) == (400, True), (operation.name, answer)
        assert await world.digest() == before, operation.name


@pytest.mark.parametrize("binding", MASKED, ids=lambda one: one.path.rpartition("/")[2])
def test_a_mask_takes_the_columns_that_a_body_takes(binding: Binding) -> None:
    """Callers of gRPC name what they change by `update_mask`: nothing but the fields of the body."""
    bodies = {
        name
        for operation in WRITES
        if operation.route.rpc.path == binding.path
        for name in operation.route.decoder.body_fields
    }
    assert bodies
    # Older versions of the REST surface write some that the current one doesn't show.
    fields = binding.descriptor.input_type.fields
    bodies |= {field.name for field in fields if field_options(field).older_only}
    for column in {*COLUMNS, *(field.name for field in fields)}:
        request: Any = binding.request(update_mask=field_mask_pb2.FieldMask(paths=[column]))
        if column in bodies:
            assert field_masks.changed_fields(request) == {column}
        else:
            with pytest.raises(DomainError):
                field_masks.changed_fields(request)


@pytest.mark.asyncio(loop_scope="module")
async def test_every_method_with_a_mask_heeds_it(world: World) -> None:
    metadata_of = {name.lower(): value for name, value in world.headers["admin"].items()}
    before = await world.digest()
    for binding in MASKED:
        (operation,) = [one for one in WRITES if one.route.rpc.path == binding.path]
        for column in ("created_at", "created_by", "deleted_at", "id"):
            ids = {
                field.name: world.things["open"][operation.place(field.name).kind]
                for field in binding.descriptor.input_type.fields
                if is_id(field) and not field.is_repeated and operation.place(field.name).source == "path"
            }
            texts = {name: "span" for name in operation.route.template.variables if name not in ids}
            request = binding.request(**ids, **texts, update_mask=field_mask_pb2.FieldMask(paths=[column]))
            with pytest.raises(CallError) as refused:
                await world.core.dispatch.call(binding.path, request, metadata_of)
            assert refused.value.code().name == "INVALID_ARGUMENT", (binding.path, column, refused.value.details())
    assert await world.digest() == before
