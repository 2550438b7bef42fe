"""The comparison of two results of one model, bit by bit."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import zip_longest
from typing import Any

import orjson

from catenary_worker.task import Outcome

WAY_OUT = "evaluate must depend on its parameters alone, and keep nothing for the next call"
"""The advice to the author of a model whose results differ."""


def difference(first: Outcome, second: Outcome) -> str | None:
    """Return the first difference of two outcomes as the beginning of a sentence, or None if all bits agree.

    Compared are metrics, tables, charts and every byte of geometry and files; constraints follow from metrics and
    parameters. What a model prints may differ.
    """
    for outcome in (first, second):
        if outcome.status != "completed":
            return f"One evaluation ended as {outcome.status}"
    return (
        _of_named("metric", first.metrics, second.metrics)
        or _of_tables(first.tables, second.tables)
        or _of_charts(first.charts, second.charts)
        or _of_geometry(first, second)
        or _of_files(first, second)
    )


def _of_named(what: str, first: Mapping[str, Any], second: Mapping[str, Any]) -> str | None:
    for name in {**first, **second}:
        if name not in first or name not in second:
            return f"The {what} {name} was there in one evaluation only"
        if (one := orjson.dumps(first[name]["value"])) != (other := orjson.dumps(second[name]["value"])):
            return f"The {what} {name} was once {one.decode()} and once {other.decode()}"
    return None


def _of_tables(first: Mapping[str, list[dict[str, Any]]], second: Mapping[str, list[dict[str, Any]]]) -> str | None:
    for name in {**first, **second}:
        if name not in first or name not in second:
            return f"The table {name} was there in one evaluation only"
        for number, rows in enumerate(zip_longest(first[name], second[name]), 1):
            if orjson.dumps(rows[0]) != orjson.dumps(rows[1]):
                return f"Row {number} of the table {name} differed"
    return None


def _of_charts(first: Mapping[str, Any], second: Mapping[str, Any]) -> str | None:
    for name in {**first, **second}:
        if first.get(name) != second.get(name):
            return f"The chart {name} differed"
    return None


def _of_files(first: Outcome, second: Outcome) -> str | None:
    files, others = ({item.name: item.data for item in one.files} for one in (first, second))
    for name in {**files, **others}:
        if files.get(name) != others.get(name):
            return f"The file {name} differed"
    return None


def _of_geometry(first: Outcome, second: Outcome) -> str | None:
    files, others = ({(item.name, item.format): item.data for item in one.geometry} for one in (first, second))
    for name, format_ in {**files, **others}:
        if files.get((name, format_)) != others.get((name, format_)):
            return f"The geometry {name} ({format_}) differed"
    return None
