"""The decompression of a body and the reading of its JSON.

An input: one byte that chooses the Content-Encoding, one for the size of the pieces in which the body comes, the body.
"""

from __future__ import annotations

import math
from typing import Any

from catenary_edge import json_text
from catenary_edge.errors.fault import Fault
from catenary_edge.errors.problem import Problem
from catenary_edge.http.content_encoding import PIECE, inflater

CODINGS = ("", "gzip", "deflate", "zstd")
LIMIT = 1 << 20


def run(data: bytes) -> str:
    """Read one body: at most the limit of bytes comes out, in bounded pieces, and a value has finite numbers only."""
    data = data.ljust(2, b"\0")
    try:
        value = json_text.parse(_inflated(CODINGS[data[0] % len(CODINGS)], data[2:], data[1] + 1))
    except (Fault, Problem) as refused:
        problem = refused.problem() if isinstance(refused, Fault) else refused
        assert problem.status in (400, 413), problem.message
        return "refused"
    _check(value)
    return "taken"


def _inflated(coding: str, data: bytes, most: int) -> bytes:
    inflate = inflater(coding)
    if inflate is None:
        return data
    plain = bytearray()
    for start in range(0, len(data), most * 64):
        piece = inflate.feed(data[start : start + most * 64], PIECE)
        while piece:
            assert len(piece) <= PIECE
            plain += piece
            if len(plain) > LIMIT:
                raise Problem(413, "PAYLOAD_TOO_LARGE", "too large")
            piece = inflate.feed(b"", PIECE)
    inflate.finish()
    return bytes(plain)


def _check(value: Any) -> None:
    """Check a value, without recursion."""
    left = [value]
    while left:
        one = left.pop()
        if isinstance(one, dict):
            assert all(type(key) is str for key in one)
            left += one.values()
        elif isinstance(one, list):
            left += one
        elif isinstance(one, float):
            assert math.isfinite(one)
        elif isinstance(one, str):
            one.encode()
            assert "\0" not in one
