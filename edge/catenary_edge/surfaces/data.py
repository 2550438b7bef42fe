"""The data services' bodies: bare objects, and errors of `details` and `msg`."""

from __future__ import annotations

import orjson

from catenary_edge.problem import Problem
from catenary_edge.surfaces import Context

UNKNOWN_ROUTE = "Unknown route"


class Data:
    """The data services at their current versions."""

    def success(self, payload: bytes, next_cursor: str | None, is_list: bool, context: Context) -> bytes:
        """The response message itself."""
        return payload

    def error(self, problem: Problem, context: Context) -> bytes:
        """`{"details": "<sentence for a person>", "msg": "<short text>"}`."""
        msg = problem.details.get("msg") or problem.reason.replace("_", " ").capitalize()
        return orjson.dumps({"details": problem.message, "msg": msg})
