"""What a change between two versions of a surface is made of (guide/conventions.md, "Older versions").

A gRPC package exists for the current version only. The edge makes an older version of it: a route of the older version calls a
current method, and every documented difference is one `Change`, which turns requests up, answers down, and the OpenAPI
document as well. Changes stand in modules of their own, `v2` holding what version 2 brought and `v1` what version 1 brought;
`chain` puts them together.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from google.protobuf.message import Message

from catenary.options.v1 import options_pb2
from catenary_edge.errors.problem import Problem
from catenary_edge.surfaces import Surface
from catenary_edge.transcoding.schema import Schema
from catenary_edge.transcoding.services import Rpc

Extras = Mapping[str, Mapping[str, Any]]
"""What supplements gave: by the supplement's name, then by id."""
Show = Callable[[Any, Extras], Any]
"""Makes the older form of a whole answer; it changes nothing in place, since parts of an answer are shared."""
Ask = Callable[[Mapping[str, str], Any], Any]
"""Makes the newer form of a whole body, from the route's variables and the parsed body. Raises Fault."""
Describe = Callable[[dict[str, Any], dict[str, Schema]], None]
"""Makes the older form of an operation, in place; the second are the document's schemas."""


PARAMETER = frozenset({options_pb2.SURFACE_PARAMETER})
METADATA = frozenset({options_pb2.SURFACE_METADATA})
ENVIRONMENT = frozenset({options_pb2.SURFACE_ENVIRONMENT})


class CoreCalls(Protocol):
    """The core, for what an older version needs beside the call itself."""

    async def ask(self, method: str, **fields: Any) -> Mapping[str, Any]:
        """Calls a unary method by its gRPC path. Raises Problem."""

    def new_id(self, purpose: str) -> str:
        """A new id; the same one for a request that is sent again with its Idempotency-Key."""


@dataclass(frozen=True, slots=True)
class ResponseChange:
    """What becomes of the objects of one message type (its full name) wherever they stand in answers."""

    message: str
    convert: Callable[[dict[str, Any], Extras], Any]
    describe: Callable[[Schema], None]


@dataclass(frozen=True, slots=True)
class RequestChange:
    """How the older objects of one message type, wherever they stand in bodies, become newer ones. `convert` raises Fault."""

    message: str
    convert: Callable[[dict[str, Any]], Any]
    describe: Callable[[Schema], None]


@dataclass(frozen=True, slots=True)
class Supplement:
    """What the core is asked for beside the answer: by the ids that objects of a message type have in a field."""

    name: str
    message: str
    id_field: str
    fetch: Callable[[CoreCalls, list[str]], Awaitable[Mapping[str, Any]]]
    """What is known of the ids, at most 1000 of them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """A route of an older version in the making. Paths stand without the surface's base and version."""

    method: str
    path: str
    newest: str
    """The path whose variables are fields of the request; those of `path` become them by `variables`."""
    rpc: Rpc
    body: str
    """The body field of the binding, `*`, or empty."""
    surface: Surface
    success: int
    kept: bool = True
    """Whether the version after it has the same path for the same resource."""
    variables: Mapping[str, str] = field(default_factory=dict)
    """Where they differ: the newest variable for one of `path`; a name that the request doesn't have is for `asks`."""
    as_queries: Mapping[str, str] = field(default_factory=dict)
    """Variables of `path` that the newest version takes as a query, with its name; not in `variables`."""
    asks: tuple[Ask, ...] = ()
    shows: tuple[Show, ...] = ()
    describes: tuple[Describe, ...] = ()
    prepare: Callable[[Message, CoreCalls], Awaitable[None]] | None = None
    """Completes the request message with what the core knows. Raises Problem."""
    whole: bool = False
    """Whether a list is given whole: all rows, `page_limit` being a cap."""

    @property
    def is_list(self) -> bool:
        """Whether the method gives a list with pages."""
        return "paging" in self.rpc.output.fields_by_name

    @property
    def list_key(self) -> str:
        """The key of the list in the newest answer; empty for other methods."""
        return self.rpc.output.fields[0].name if self.is_list else ""

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
    """One documented difference between a version and the one before it."""

    surfaces: frozenset[int]
    """The surfaces (options.Surface) that have it."""
    answers: tuple[ResponseChange, ...] = ()
    requests: tuple[RequestChange, ...] = ()
    supplements: tuple[Supplement, ...] = ()
    routes: Callable[[list[Draft]], list[Draft]] = _as_they_are
    """Makes the older routes of the newer ones."""
    queries: Callable[[Draft], Mapping[str, tuple[str, ...]]] = _no_queries
    """For queries that differ: the older names by the newer one; none when the older version doesn't have it."""
    singles: frozenset[str] = frozenset()
    """Queries that take one value in the older version and several in the newer one."""
    words: tuple[tuple[str, str], ...] = ()
    """Patterns in the texts of refusals and descriptions, and what stands there in the older version."""
    refuse: Callable[[Draft, Problem], None] = _no_problem
    """Changes a refusal of the core in place."""
    document: Callable[[dict[str, Any]], None] = _no_document
    """Changes the document in place, after everything else was."""
