"""A body is refused before the caller's right and the object are looked up, by every method.

See guide/conventions.md, "Order of refusals". The methods and their fields come from the descriptors.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from buf.validate import validate_pb2
from catenary_edge.transcoding.fields import field_options
from factories.isolation.operations import Operation, Request, all_operations
from factories.isolation.world import World, new_id

pytestmark = pytest.mark.asyncio(loop_scope="module")

WRITES = [one for one in all_operations() if not one.reads and one.route.decoder.takes_json and one.bodies]
CALLERS = ("outsider", "viewer", "admin")


def _bad_values(operation: Operation) -> Iterator[tuple[str, Any]]:
    """Yield fields of a body, each with a value that breaks a rule which only the core checks."""
    fields = operation.route.rpc.input.fields_by_name
    for name in sorted(operation.route.decoder.body_fields.intersection(fields.keys())):
        rules = fields[name].GetOptions().Extensions[validate_pb2.field]
        if not fields[name].is_repeated and rules.string.HasField("max_len"):
            yield name, "x" * (rules.string.max_len + 1)
        if field_options(fields[name]).not_null:
            yield name, None


CASES = [(operation, name, value) for operation in WRITES for name, value in _bad_values(operation)]


def _of_nothing(operation: Operation, body: Any) -> Request:
    """Return a request whose ids name nothing."""
    request = operation.request(lambda place: [new_id()])
    return Request(request.method, request.url, body)


async def test_the_cases_are_of_every_surface_and_many() -> None:
    assert {operation.surface for operation, _, _ in CASES} == {operation.surface for operation in WRITES}
    assert sum(value is None for _, _, value in CASES) > 40
    assert sum(value is not None for _, _, value in CASES) > 40


@pytest.mark.slow
async def test_a_bad_value_is_refused_before_the_right_and_the_object(world: World) -> None:
    before = await world.digest()
    for operation, name, value in CASES:
        for caller in CALLERS:
            answer = await world.call(caller, _of_nothing(operation, {name: value}))
            assert (answer.status, name in answer.text) == (400, True), (operation.name, name, caller, answer)
    assert await world.digest() == before


async def test_an_unknown_key_is_refused_before_the_right_and_the_object(world: World) -> None:
    for operation in WRITES:
        for caller in CALLERS:
            # Where the body is a list, an object is the wrong kind; both are faults of the body.
            answer = await world.call(caller, _of_nothing(operation, {"no_such_key": 1}))
            assert answer.status == 400, (operation.name, caller, answer)
