"""The parts of a change between two versions of a surface (guide/conventions.md, "Older versions").

A gRPC package exists for the current version only. The edge derives an older version from it: a route of the older
version calls a current method. Every documented difference is one `VersionChange`, which converts requests up,
responses down, and the OpenAPI document as well. Each change is a module of its own, in `v2` for changes of version 2
and in `v1` for those of version 1; `chain` puts them together.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from google.protobuf.message import Message

from catenary.options.v1 import options_pb2
from catenary_edge.errors.names import OlderFields
from catenary_edge.errors.problem import Problem
from catenary_edge.surfaces import Surface
from catenary_edge.transcoding.schema import Schema
from catenary_edge.transcoding.services import Rpc

Extras = Mapping[str, Mapping[str, Any]]
"""Results of supplements: by the supplement's name, then by id."""
Show = Callable[[Any, Extras], Any]
"""Makes the older form of a whole response. Parts of a response are shared, so nothing is changed in place."""
Ask = Callable[[Mapping[str, str], Any], Any]
"""Makes the newer form of a whole body, from the route's variables and the parsed body. Raises Fault."""
Describe = Callable[[dict[str, Any], dict[str, Schema]], None]
"""Makes the older form of an operation, in place; the second argument has the document's schemas."""


PARAMETER = frozenset({options_pb2.SURFACE_PARAMETER})
METADATA = frozenset({options_pb2.SURFACE_METADATA})
ENVIRONMENT = frozenset({options_pb2.SURFACE_ENVIRONMENT})
MOST_IDS = 1000
"""Largest number of ids in one call of the core."""


class CoreCalls(Protocol):
    """Further calls of the core for an older route."""

    async def ask(self, method: str, **fields: Any) -> Mapping[str, Any]:
        """Call a unary method by its gRPC path.

        Raises:
            Problem: The core's refusal.
        """

    def new_id(self, purpose: str) -> str:
        """Make a new id; a request repeated with its Idempotency-Key gets the same id."""


Prepare = Callable[[Message, CoreCalls], Awaitable[None]]
"""Completes a request message, also with data from the core. Raises Problem."""


@dataclass(frozen=True, slots=True)
class ResponseChange:
    """A change of one message type in all responses."""

    message: str
    """Full name of the message type."""
    convert: Callable[[dict[str, Any], Extras], Any]
    """Makes the older form of an object."""
    describe: Callable[[Schema], None]
    """Makes the older form of the object's schema, in place."""


@dataclass(frozen=True, slots=True)
class RequestChange:
    """A change of one message type in all bodies."""

    message: str
    """Full name of the message type."""
    convert: Callable[[dict[str, Any]], Any]
    """Makes the newer form of an object. Raises Fault."""
    describe: Callable[[Schema], None]
    """Makes the older form of the object's schema, in place."""


@dataclass(frozen=True, slots=True)
class Supplement:
    """Further data from the core for a response, by ids in the response's objects."""

    name: str
    """Key of the results in the extras."""
    message: str
    """Full name of the message type of the objects."""
    id_field: str
    """Field of the objects with the id."""
    fetch: Callable[[CoreCalls, list[str]], Awaitable[Mapping[str, Any]]]
    """Returns the known data by id, for at most 1000 ids."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """A route of an older version under construction. Paths lack the surface's base and version."""

    method: str
    """HTTP method in capitals."""
    path: str
    """The path in the older version."""
    newest: str
    """The path whose variables are fields of the request; `variables` maps those of `path` to them."""
    rpc: Rpc
    body: str
    """The body field of the binding, `*`, or ""."""
    surface: Surface
    success: int
    """Status of a success."""
    same_path_in_next: bool = True
    """True if the next version has the same path for the same resource."""
    variables: Mapping[str, str] = field(default_factory=dict)
    """Newest variable by variable of `path`, where they differ; a name unknown to the request is for `asks`."""
    as_queries: Mapping[str, str] = field(default_factory=dict)
    """Variables of `path` with a query in the newest version, and the query's name; not in `variables`."""
    body_changes: tuple[Ask, ...] = ()
    """Conversions of the whole body, applied last to first."""
    response_changes: tuple[Show, ...] = ()
    """Conversions of the whole response, applied in order."""
    describes: tuple[Describe, ...] = ()
    """Conversions of the operation, applied in order."""
    prepares: tuple[Prepare, ...] = ()
    """Completions of the request message, in order."""
    item: str = ""
    """The list whose only item the older body is, as refusals name it."""
    fields: OlderFields = field(default_factory=dict)
    """The older names of this route's fields, for refusals."""
    unpaginated: bool = False
    """True if the list has no pages: all rows, with `page_limit` as a cap."""

    @property
    def is_list(self) -> bool:
        """True if the method returns a paginated list."""
        return "paging" in self.rpc.output.fields_by_name

    @property
    def name(self) -> str:
        """The method's name."""
        return self.rpc.path.rpartition("/")[2]


def _as_they_are(drafts: list[Draft]) -> list[Draft]:
    return drafts


def _no_queries(_: Draft) -> Mapping[str, tuple[str, ...]]:
    return {}


def _no_problem(_draft: Draft, _problem: Problem) -> None:
    return None


def _no_document(_: dict[str, Any]) -> None:
    return None


@dataclass(frozen=True, slots=True, kw_only=True)
class VersionChange:
    """One documented difference between two consecutive versions."""

    surfaces: frozenset[int]
    """The surfaces (options.Surface) with this difference."""
    answers: tuple[ResponseChange, ...] = ()
    """Changes of objects in responses."""
    requests: tuple[RequestChange, ...] = ()
    """Changes of objects in bodies."""
    supplements: tuple[Supplement, ...] = ()
    """Further data for responses."""
    routes: Callable[[list[Draft]], list[Draft]] = _as_they_are
    """Makes the older routes from the newer ones."""
    queries: Callable[[Draft], Mapping[str, tuple[str, ...]]] = _no_queries
    """Changed queries of a route: the older names by the newer one; empty when the older version lacks the query."""
    singles: frozenset[str] = frozenset()
    """Queries with one value in the older version and several in the newer one."""
    fields: OlderFields = field(default_factory=dict)
    """The older names of fields, for refusals and descriptions; names of one route alone stand in its draft."""
    terms: Mapping[str, str] = field(default_factory=dict)
    """The older names of resources and other terms by the newer ones, for refusals and descriptions."""
    sentences: Mapping[str, str] = field(default_factory=dict)
    """The older templates of the core's refusals by the newer ones, where the way out differs."""
    refuse: Callable[[Draft, Problem], None] = _no_problem
    """Changes a refusal of the core in place."""
    document: Callable[[dict[str, Any]], None] = _no_document
    """Changes the document in place, after all other changes."""
