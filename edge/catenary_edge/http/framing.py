"""Headers on which the meaning of a whole request depends: Host and Transfer-Encoding."""

from __future__ import annotations

import re

from aiohttp.http import HttpVersion11
from aiohttp.web import BaseRequest

from catenary_edge.errors.fault import shortened
from catenary_edge.errors.problem import Problem, refusal

_HOST = re.compile(r"(?:[A-Za-z0-9._-]{1,253}|\[[0-9A-Fa-f:.]{2,45}\])(?::[0-9]{1,5})?")


def check(request: BaseRequest) -> None:
    """Check that the server understands the request's framing and host.

    The connection closes after a refused transfer coding, since nobody knows where the body ends.

    Raises:
        Problem: 400 for a Host that names no host (RFC 9112, section 3.2) and for a transfer coding in HTTP/1.0
            (section 6.1); 501 for another transfer coding than chunked (section 6.1).
    """
    headers = request.headers
    host = headers.get("Host")  # the parser has refused a second one, and HTTP/1.1 without any
    if host is not None and not _HOST.fullmatch(host):
        raise refusal(
            "VALIDATION_ERROR",
            "The header Host names no host; send the host of the address, and its port if there is one.",
            parameter="Host",
            value=shortened(host),
            constraint="host",
        )
    coding = headers.get("Transfer-Encoding")
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
