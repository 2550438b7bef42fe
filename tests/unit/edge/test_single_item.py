"""Refusals of one object where a list is taken."""

from __future__ import annotations

from catenary_edge.errors.problem import refusal
from catenary_edge.errors.single_item import shown


def test_every_place_of_a_refusal_loses_the_list() -> None:
    problem = refusal(
        "VALIDATION_ERROR",
        "assets[0].name is too long.",
        parameter="assets[0].name",
        value="assets",
        violations=[
            {"parameter": "assets[0].name", "message": "assets[0].name: too long.", "constraint": "max_len"},
            {"parameter": "assets[0]", "message": "assets[0]: takes one of two.", "constraint": "one"},
        ],
    )
    found = shown(problem, "assets")
    assert found.message == "name is too long."
    assert found.details == {
        "parameter": "name",
        "value": "assets",
        "violations": [
            {"parameter": "name", "message": "name: too long.", "constraint": "max_len"},
            {"parameter": "body", "message": "body: takes one of two.", "constraint": "one"},
        ],
    }


def test_other_bodies_keep_their_paths() -> None:
    problem = refusal("VALIDATION_ERROR", "assets[0].name is too long.", parameter="assets[0].name")
    assert shown(problem, "").details == {"parameter": "assets[0].name"}
