"""The finding of a route by method and path, and the decoding of its query.

An input: one byte that chooses the method, then path and query, as of a request's first line.
"""

from __future__ import annotations

from catenary_edge.errors.fault import Fault
from catenary_edge.errors.problem import Problem
from catenary_edge.transcoding.decoder import ABSENT
from fuzz.targets.decoder import TABLE

METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE")


def run(data: bytes) -> str:
    """Find and decode one address: a path that has a route lists its method, and what is refused names a parameter."""
    method = METHODS[data[0] % len(METHODS)] if data else "GET"
    path, _, query = data[1:].decode("latin-1").partition("?")
    allowed = TABLE.methods(path)
    match = TABLE.match(method, path)
    assert (match is not None) == (method in allowed), (method, allowed)
    if match is None:
        return "refused"
    decoder = match.route.decoder
    try:
        decoder.decode(match.segments, query, {}, {} if decoder.takes_json else ABSENT)
    except Fault as fault:
        refused = fault.problem()
    except Problem as problem:
        refused = problem
    else:
        return "taken"
    assert refused.status == 400, refused.message
    assert refused.details.get("parameter"), f"the refusal names nothing: {refused.message}"
    return "refused"
