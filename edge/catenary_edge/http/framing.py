"""The header on which the end of a request depends: Transfer-Encoding."""

from __future__ import annotations

from aiohttp.http import HttpVersion11
from aiohttp.web import BaseRequest

from catenary_edge.errors.fault import shortened
from catenary_edge.errors.problem import Problem, refusal


def check(request: BaseRequest) -> None:
    """Check that the server understands the request's framing.

    The connection closes after a refused transfer coding, since nobody knows where the body ends.

    Raises:
        Problem: 400 for a transfer coding in HTTP/1.0, 501 for another one than chunked (RFC 9112, section 6.1).
    """
    coding = request.headers.get("Transfer-Encoding")
    if coding is None:
        return
    if request.version < HttpVersion11:
        message = "HTTP/1.0 has no Transfer-Encoding; send the length of the body, or use HTTP/1.1."
        shown = shortened(coding)
        raise _closing(
            refusal("VALIDATION_ERROR", message, parameter="Transfer-Encoding", value=shown, constraint="http")
        )
    if coding.strip().lower() != "chunked":
        message = "The only Transfer-Encoding that is understood is chunked; compress with Content-Encoding instead."
        raise _closing(refusal("NOT_IMPLEMENTED", message))


def _closing(problem: Problem) -> Problem:
    problem.headers["Connection"] = "close"
    return problem
