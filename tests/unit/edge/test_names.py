"""The names that refusals are told in: those of older versions, and those of one object where a list is taken."""

from __future__ import annotations

from typing import Any

import pytest

from catenary_edge.errors.names import Known, ShownNames, UnknownPath
from catenary_edge.errors.problem import BrokenRule, Problem
from catenary_edge.transcoding.writers import unknown
from catenary_wire.sentences import Argument, Fields, ResourceName, Sentence

SYMBOL = ShownNames(fields={"symbol": ("name",)}, resources={"parameter set": "parameter set instance"})


def _problem(template: str, details: dict[str, Any] | None = None, **arguments: Argument) -> Problem:
    return Problem(400, "VALIDATION_ERROR", Sentence(template, arguments), details)


def _said(names: ShownNames, template: str, **arguments: Argument) -> str:
    return names.refusal(_problem(template, **arguments)).message


def test_every_place_of_a_refusal_loses_the_list() -> None:
    name, whole = "assets[0].name", "assets[0]"
    problem = Problem(
        400,
        "VALIDATION_ERROR",
        Sentence("{field} is too long.", {"field": Fields(name)}),
        {"parameter": name, "value": "assets"},
        violations=[
            BrokenRule(name, Sentence("{field}: too long.", {"field": Fields(name)}), "max_len"),
            BrokenRule(whole, Sentence("{field}: takes one of two.", {"field": Fields(whole)}), "one"),
        ],
    )
    found = ShownNames(item="assets").refusal(problem)
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
    problem = _problem("{field} is too long.", {"parameter": "assets[0].name"}, field=Fields("assets[0].name"))
    assert ShownNames().refusal(problem).details == {"parameter": "assets[0].name"}
    assert ShownNames().refusal(problem).message == "assets[0].name is too long."


@pytest.mark.parametrize(
    ("path", "older"),
    [
        ("symbol", "name"),
        ("units[3].symbol", "units[3].name"),
        ("symbol[1].x", "name[1].x"),
        ("symbols", "symbols"),
        ("units[0].symbol_id", "units[0].symbol_id"),
    ],
)
def test_a_field_is_renamed_wherever_it_stands_in_a_path(path: str, older: str) -> None:
    assert SYMBOL.path(path) == older


def test_the_one_value_of_a_list_loses_its_index() -> None:
    names = ShownNames(fields={"entries[0]": ("revision",), "entries": ("revision",)})
    assert names.path("parameters[2].entries[0].values[0].value") == "parameters[2].revision.values[0].value"
    assert names.path("parameters[2].entries") == "parameters[2].revision"


def test_texts_of_callers_are_never_renamed() -> None:
    said = _said(
        SYMBOL,
        "{unit} has no {field}; a {kind} needs one.",
        unit="symbol of the parameter set",
        field=Fields("units[0].symbol"),
        kind=ResourceName("parameter set"),
    )
    assert said == "symbol of the parameter set has no units[0].name; a parameter set instance needs one."


def test_what_is_known_lists_every_older_name_sorted_and_none_that_is_gone() -> None:
    names = ShownNames(fields={"project_number": ("project_code", "job_number"), "entry_id": ()})
    known = Known("title", "project_number", "entry_id")
    assert _said(names, "known are: {known}.", known=known) == "known are: job_number, project_code, title."
    assert _said(names, "{field} is bad.", field=Fields("project_number")) == "project_code is bad."
    assert _said(names, "{field} is bad.", field=Fields("entry_id")) == "entry_id is bad."


def test_an_unknown_key_is_shown_as_it_was_sent() -> None:
    names = ShownNames(item="entries", fields={"entries": ("revision",)})
    assert names.path(UnknownPath("entries[0].entries")) == "entries"
    assert names.path(UnknownPath("x.entries[0].entries")) == "x.revision[0].entries"
    problem = unknown(["value"]).inside("entries").inside(0).inside("entries").problem()
    refused = names.refusal(names.refusal(problem))
    assert refused.message == "entries is not known here; known are: value."
    assert refused.facts["parameter"] == "entries"


def test_a_sentence_with_another_way_out_has_another_template() -> None:
    names = ShownNames(templates={"Send {field} again.": "Send it anew."})
    assert _said(names, "Send {field} again.", field=Fields("x")) == "Send it anew."


def test_a_field_that_is_gone_is_told_by_the_object_around_it() -> None:
    names = ShownNames(fields={"entries[0]": ("revision",), "entry_id": ()})
    assert names.path("parameters[1].entries[0].entry_id") == "parameters[1].revision"
    assert names.path("entry_id") == "entry_id"
