"""The media type of a list or a stream that a request's Accept asks for (RFC 9110, section 12.5.1)."""

from __future__ import annotations

import re
from collections.abc import Iterable

from catenary_edge.surfaces import JSON_TYPE

CSV_TYPE = "text/csv"
LINES_TYPE = "application/x-ndjson"
EVENTS_TYPE = "text/event-stream"
CSV_CONTENT_TYPE = f"{CSV_TYPE}; charset=utf-8"
_WEIGHT = re.compile(r"\s*[qQ]\s*=\s*(0(?:\.[0-9]{0,3})?|1(?:\.0{0,3})?)\s*")
_Weight = tuple[float, int]
"""Quality of a media type, and how exactly it is named: 2 by its own name, 1 by its group, 0 by `*/*`."""


def prefers_csv(headers: Iterable[str]) -> bool:
    """Tell whether Accept prefers a table to JSON; JSON is given where both are named alike, or neither is."""
    return _prefers(headers, CSV_TYPE, JSON_TYPE)


def prefers_lines(headers: Iterable[str]) -> bool:
    """Tell whether Accept prefers lines of JSON to server-sent events; the latter are given as JSON is by `prefers_csv`."""
    return _prefers(headers, LINES_TYPE, EVENTS_TYPE)


def _prefers(headers: Iterable[str], wanted: str, default: str) -> bool:
    weights: dict[str, float] = {}
    for part in ",".join(headers).split(","):
        name, *parameters = part.split(";")
        given = (_WEIGHT.fullmatch(one) for one in parameters)
        weights[name.strip().lower()] = next((float(one[1]) for one in given if one is not None), 1.0)
    found = _weight(weights, wanted)
    return found[0] > 0 and found > _weight(weights, default)


def _weight(weights: dict[str, float], name: str) -> _Weight:
    ranges = (name, f"{name.partition('/')[0]}/*", "*/*")
    return next(((weights[one], 2 - place) for place, one in enumerate(ranges) if one in weights), (0.0, 0))
