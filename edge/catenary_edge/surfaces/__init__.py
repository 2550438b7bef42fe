"""Surfaces: families of paths with one body convention each (guide/conventions.md, "Surfaces").

A surface wraps bytes: what the core answered is never parsed again.
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
_DATA_PATH = re.compile(rf"/({'|'.join(BASES)})/(v[0-9]+)(?:/|$)")
_PLATFORM_PATH = re.compile(r"/(v[0-9]+)(?:/|$)")


@dataclass(frozen=True, slots=True)
class Context:
    """What a body says about its request: its id, and the address that links start with (empty: unknown)."""

    request_id: str
    base_url: str


class Surface(Protocol):
    """A body convention."""

    def success(self, payload: bytes, next_cursor: str | None, is_list: bool, context: Context) -> bytes:
        """The body of a success around the JSON of the response; a list's `next_cursor` stands apart."""

    def error(self, problem: Problem, context: Context) -> bytes:
        """The body of a refusal."""


def kind_of(path: str) -> tuple[int, str]:
    """The surface (options.Surface) that a path belongs to, and the version in it; the platform for paths of none."""
    if found := _DATA_PATH.match(path):
        return BASES[found[1]], found[2]
    found = _PLATFORM_PATH.match(path)
    return options_pb2.SURFACE_PLATFORM, found[1] if found else "v1"


def name_of(kind: int) -> str:
    """The name of a surface, as in API key scopes and in the addresses of its documents."""
    return next((name for name, surface in BASES.items() if surface == kind), "platform")
