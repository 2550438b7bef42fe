"""The decoding of requests: path, query, headers and body to a message.

An input: two bytes that choose the route, then path, query and header value, each to a line's end, then the body.
"""

from __future__ import annotations

from catenary_edge import json_text
from catenary_edge.errors.fault import Fault
from catenary_edge.errors.problem import Problem
from catenary_edge.transcoding import routes
from catenary_edge.transcoding.decoder import ABSENT

TABLE = routes.build()


def run(data: bytes) -> str:
    """Decode one input as the edge would: what is refused names a parameter."""
    route = TABLE.routes[int.from_bytes(data[:2], "big") % len(TABLE.routes)]
    path, query, header, *rest = [*data[2:].split(b"\n", 3), b"", b"", b""]
    body = rest[0] if rest else b""
    # As aiohttp gives them: bytes that are no UTF-8 as surrogates.
    texts = [part.decode(errors="surrogateescape") for part in (path, query, header)]
    segments = [*texts[0].split("/"), *[""] * 9][: len(route.template.variables)]
    decoder = route.decoder
    try:
        document = json_text.parse(body) if body and decoder.takes_json else ABSENT
        decoder.single_item(document)
        message = decoder.decode(segments, texts[1], dict.fromkeys(decoder.headers, texts[2]), document)
    except Fault as fault:
        refused = fault.problem()
    except Problem as problem:
        refused = problem
    else:
        message.SerializeToString()
        return "taken"
    assert refused.status == 400, refused.message
    assert refused.details.get("parameter"), f"the refusal names nothing: {refused.message}"
    return "refused"
