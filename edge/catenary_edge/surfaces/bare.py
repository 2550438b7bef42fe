"""Bodies without an envelope: documents of other standards, and the token routes of RFC 6749 and RFC 7009."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

import orjson

from catenary_edge.errors.problem import Problem
from catenary_edge.surfaces import Context, Surface

# Codes of RFC 6749, section 5.2, for refusals without a code of their own. `server_error` and `temporarily_unavailable`
# are from section 4.1.2.1, since section 5.2 has none for them.
_OAUTH_CODES: Mapping[str, str] = {
    "INVALID_CLIENT": "invalid_client",
    "RATE_LIMIT_EXCEEDED": "temporarily_unavailable",
    "UNAVAILABLE": "temporarily_unavailable",
    "TIMEOUT": "temporarily_unavailable",
    "INTERNAL_ERROR": "server_error",
    "NOT_IMPLEMENTED": "server_error",
}
_NOT_DESCRIPTION = re.compile(r"[^\x20-\x21\x23-\x5b\x5d-\x7e]")


@dataclass(frozen=True, slots=True)
class Bare:
    """The response message without an envelope; errors in the form of the inner surface."""

    surface: Surface
    """The surface of error bodies."""

    def success(self, payload: bytes, next_cursor: str | None, is_list: bool, context: Context) -> bytes:
        """Return the response message unchanged."""
        return payload

    def error(self, problem: Problem, context: Context) -> bytes:
        """Build the error body of the inner surface."""
        return self.surface.error(problem, context)


class OAuth:
    """The bodies for a form or HTTP Basic request to a token route."""

    def success(self, payload: bytes, next_cursor: str | None, is_list: bool, context: Context) -> bytes:
        """Return the response message unchanged (RFC 6749, section 5.1)."""
        return payload

    def error(self, problem: Problem, context: Context) -> bytes:
        """Build `{"error", "error_description"}`, the latter in the characters allowed by RFC 6749, section 5.2."""
        code = problem.oauth_error or _OAUTH_CODES.get(problem.reason, "invalid_request")
        description = _NOT_DESCRIPTION.sub("'", problem.message)
        return orjson.dumps({"error": code, "error_description": description})
