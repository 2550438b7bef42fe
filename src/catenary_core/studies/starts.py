"""The designs of earlier studies with which a study begins."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain, zip_longest
from typing import Any

from catenary_core.studies import variables
from catenary_core.studies.variables import Value, Variable


def fitting(columns: Sequence[Variable], designs: Sequence[Mapping[str, Any]]) -> list[dict[str, Value]]:
    """Return the designs that lie in the ranges of a study, each once, with the varied values alone."""
    found: dict[tuple[float, ...], dict[str, Value]] = {}
    for design in designs:
        if all(one.name in design and variables.holds(one, design[one.name]) for one in columns):
            vector = variables.vector(columns, design)
            found.setdefault(tuple(vector), variables.values(columns, vector))
    return list(found.values())


def joined(columns: Sequence[Variable], studies: Sequence[Sequence[Mapping[str, Value]]], most: int) -> list[Any]:
    """Return at most so many designs of several studies, each design once: of each study in turn the next one."""
    in_turn = chain.from_iterable(zip_longest(*studies))
    return fitting(columns, [design for design in in_turn if design is not None])[:most]
