"""Refusals of a body that was one object where the method takes a list: they name its fields as the caller wrote them."""

from __future__ import annotations

from typing import Any

from catenary_edge.errors.problem import Problem


def shown(problem: Problem, item_field: str) -> Problem:
    """The problem with `assets[0].name` as `name` and `assets[0]` as `body`; unchanged when `item_field` is empty."""
    if item_field:
        problem.message = _shown(problem.message, item_field)
        problem.details = _in_details(problem.details, item_field)
    return problem


def _in_details(details: dict[str, Any], item_field: str) -> dict[str, Any]:
    found = dict(details)
    for key in ("parameter", "message"):
        if isinstance(found.get(key), str):
            found[key] = _shown(found[key], item_field)
    if "violations" in found:
        found["violations"] = [_in_details(one, item_field) for one in found["violations"]]
    return found


def _shown(text: str, item_field: str) -> str:
    return text.replace(f"{item_field}[0].", "").replace(f"{item_field}[0]", "body")
