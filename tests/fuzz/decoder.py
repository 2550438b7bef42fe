"""Fuzzes the decoding of requests (bytes of path, query, headers and body to a message) by coverage, with atheris.

`python tests/fuzz/decoder.py -max_total_time=120 -timeout=5 NEW tests/fuzz/corpus` runs two minutes, keeps what it finds new
in the folder NEW, and ends with an error at the first exception that is no refusal, or input that takes 5 s. The corpus is
replayed without atheris by `tests/unit/edge/test_decoder_corpus.py`.

An input: two bytes that choose the route, then path, query and header value, each to a line's end, then the body.
"""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / part) for part in ("src", "edge", "gen")]


def decode(data: bytes) -> str:
    """Decode one input as the edge would, and return the outcome.

    Raises only errors that are faults of ours.
    """
    from catenary_edge import json_text
    from catenary_edge.errors.fault import Fault
    from catenary_edge.errors.problem import Problem
    from catenary_edge.transcoding import routes
    from catenary_edge.transcoding.decoder import ABSENT

    table = _table if _table is not None else routes.build()
    globals()["_table"] = table
    route = table.routes[int.from_bytes(data[:2], "big") % len(table.routes)]
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
    if refused.status != 400 or not refused.details.get("parameter"):
        raise AssertionError(f"a refusal that names nothing: {refused.status} {refused.message}")
    return "refused"


_table = None


def main() -> None:
    """Run libFuzzer with the arguments of the command line."""
    import atheris

    with atheris.instrument_imports(include=["catenary_edge", "catenary_wire"]):
        from catenary_edge import json_text  # noqa: F401
        from catenary_edge.transcoding import decoder, fields, routes  # noqa: F401
        from catenary_wire import strict_json  # noqa: F401
    decode(b"\0\0")
    atheris.Setup(sys.argv, lambda data: decode(data) and None)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
