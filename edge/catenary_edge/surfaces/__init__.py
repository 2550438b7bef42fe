"""Surfaces: families of paths, each with one convention for bodies (guide/conventions.md, "Surfaces").

A surface wraps bytes; the core's response is never parsed again.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Protocol

from catenary.options.v1 import options_pb2
from catenary_edge.errors.problem import Problem

JSON_TYPE = "application/json"

BASES: dict[str, int] = {
    "comments": options_pb2.SURFACE_COMMENTS,
    "reference": options_pb2.SURFACE_REFERENCE,
    "qa": options_pb2.SURFACE_QA,
    "environment": options_pb2.SURFACE_ENVIRONMENT,
    "parameter": options_pb2.SURFACE_PARAMETER,
    "metadata": options_pb2.SURFACE_METADATA,
}
"""Number of each data service's surface (options.Surface), by the first segment of its paths."""
_DATA_PATH = re.compile(rf"/({'|'.join(BASES)})/(v[0-9]+)(?:/|$)")
_PLATFORM_PATH = re.compile(r"/(v[0-9]+)(?:/|$)")


@dataclass(frozen=True, slots=True)
class Context:
    """Facts of the request for its response body."""

    request_id: str
    """Id of the request."""
    base_url: str
    """Prefix of absolute links; empty when unknown."""


class Surface(Protocol):
    """A convention for response bodies."""

    def success(self, payload: bytes, next_cursor: str | None, is_list: bool, context: Context) -> bytes:
        """Build the body of a success around the response message's JSON; a list's `next_cursor` is given apart."""

    def error(self, problem: Problem, context: Context) -> bytes:
        """Build the body of a refusal."""


def kind_of(path: str) -> tuple[int, str]:
    """Return the surface (options.Surface) and version of a path; the platform for paths of no surface."""
    if found := _DATA_PATH.match(path):
        return BASES[found[1]], found[2]
    found = _PLATFORM_PATH.match(path)
    return options_pb2.SURFACE_PLATFORM, found[1] if found else "v1"


def name_of(kind: int) -> str:
    """Return the name of a surface, as in API key scopes and in the paths of OpenAPI documents."""
    return next((name for name, surface in BASES.items() if surface == kind), "platform")
