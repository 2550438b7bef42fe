"""The columns of lists as tables, from the schemas that the documents show: each version's table has its own fields."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache

from catenary_edge.openapi.document import by_document
from catenary_edge.openapi.schemas import PREFIX, Schemas
from catenary_edge.transcoding.routes import Route
from catenary_edge.transcoding.schema import Schema
from catenary_edge.transcoding.tables import Column
from catenary_edge.versions import documents


@cache
def of_lists(routes: tuple[Route, ...]) -> Mapping[Route, tuple[Column, ...]]:
    """Return the columns of each route with a table; found once a process for a table of routes.

    Raises:
        BindingError: A field has a type without a form in JSON, or two messages of a document share a name.
    """
    found: dict[Route, tuple[Column, ...]] = {}
    for group in by_document(routes).values():
        schemas = Schemas({})
        for route in (one for one in group if not one.rpc.options.download):
            schemas.answer(route.rpc.output)  # an older form may refer to what another method's answer has
        documents.describe_answers(group, schemas.components)
        for route in group:
            if route.has_table:
                item = schemas.answer_field(route.rpc.output.fields[0])["items"]
                found[route] = tuple(_columns(item, schemas.components, (), ()))
    return found


def _columns(
    schema: Schema, components: Mapping[str, Schema], before: Column, around: tuple[str, ...]
) -> Iterator[Column]:
    """Yield the columns of a value: those of an object's fields, else one; an object inside itself is one cell."""
    for one in (schema, *schema.get("anyOf", ())):  # the value of an object may be null
        name = one.get("$ref", "").removeprefix(PREFIX)
        told = components[name] if name else one
        if "properties" in told and name not in around:
            for key, inner in told["properties"].items():
                yield from _columns(inner, components, (*before, key), (*around, name) if name else around)
            return
    yield before
