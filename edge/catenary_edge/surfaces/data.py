"""Bodies of the data services: bare objects, and errors with `details` and `msg`."""

from __future__ import annotations

from dataclasses import dataclass

import orjson

from catenary.options.v1 import options_pb2
from catenary_edge import surfaces
from catenary_edge.errors.problem import Problem
from catenary_edge.surfaces import Context

UNKNOWN_ROUTE = "Unknown route"
SURFACES_OF_V0 = frozenset(
    {options_pb2.SURFACE_ENVIRONMENT, options_pb2.SURFACE_PARAMETER, options_pb2.SURFACE_METADATA}
)
"""The data services with a version 0."""
_NAMING = "v0"
"""The version with the service's name in error bodies, as `source`."""


@dataclass(frozen=True, slots=True)
class Data:
    """Bodies of the data services."""

    source: str = ""
    """Name of the service in error bodies; empty in versions without `source`."""

    def success(self, payload: bytes, next_cursor: str | None, is_list: bool, context: Context) -> bytes:
        """Return the response message unchanged."""
        return payload

    def error(self, problem: Problem, context: Context) -> bytes:
        """Build `{"details": "<sentences for a person>", "msg": "<short text>"}`, with `source` unless empty."""
        msg = problem.details.get("msg") or _short_text(problem.reason)
        body = {"details": _sentences(problem), "msg": msg}
        return orjson.dumps({**body, "source": self.source} if self.source else body)


def _short_text(reason: str) -> str:
    return reason.replace("_", " ").capitalize().replace("Https", "HTTPS")


def _sentences(problem: Problem) -> str:
    """Return the sentence of a refusal, or those of all rules that a request breaks, one in each line."""
    if len(problem.violations) < 2:
        return problem.message
    return "\n".join(str(rule.sentence) for rule in problem.violations)


def of_version(kind: int, version: str) -> Data:
    """Return the body convention of a data service's version, also for paths without a route."""
    return Data(surfaces.name_of(kind)) if version == _NAMING and kind in SURFACES_OF_V0 else Data()
