"""The sentences of refusals are templates whose fields and resources are arguments, so that older versions put in their names."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from string import Formatter

import pytest
from google.protobuf.message import Message
from google.rpc import error_details_pb2

from catenary.parameter.v1.unit_service_pb2 import CreateUnitsRequest, NewUnit
from catenary_core.call import rule_texts
from catenary_core.call.errors import CallError, DomainError, to_call_error
from catenary_core.call.validation import check
from catenary_edge.errors.names import ShownNames
from catenary_edge.errors.problem import from_rpc_error
from catenary_edge.versions import chain, stages
from catenary_edge.versions.change import VersionChange

ROOT = Path(__file__).resolve().parents[2]
CORE = ROOT / "src/catenary_core"
EDGE = ROOT / "edge/catenary_edge"
RAISERS = {"invalid": 1, "conflict": 1, "oauth_error": 2, "_second": 1, "Fault": 0}
"""What takes a template, and its place among the arguments; the arguments of the template are its keywords."""
OWN_KEYWORDS = {"value", "constraint"}
FIELD_NAME = re.compile(r"\b[a-z]+(?:_[a-z]+)+\b")


@dataclass(frozen=True)
class RaiseSite:
    """The place where a sentence is made, with its template and the names of its arguments."""

    place: str
    template: ast.expr
    arguments: frozenset[str]
    passed_on: bool
    """Whether it hands on the template and arguments of its own caller."""


def _called(node: ast.Call) -> str:
    return node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")


def _site(node: ast.Call, place: str) -> RaiseSite | None:
    name = _called(node)
    if name == "Sentence" and len(node.args) == 2:
        keys = node.args[1].keys if isinstance(node.args[1], ast.Dict) else []
        names = frozenset(key.value for key in keys if isinstance(key, ast.Constant) and isinstance(key.value, str))
        return RaiseSite(place, node.args[0], names, passed_on=None in keys or not keys)
    if name not in RAISERS:
        return None
    given = frozenset(keyword.arg for keyword in node.keywords if keyword.arg is not None) - OWN_KEYWORDS
    template = node.args[RAISERS[name]]
    passed_on = any(keyword.arg is None for keyword in node.keywords)
    return RaiseSite(place, template, given, passed_on)


def _sites(folder: Path) -> Iterator[RaiseSite]:
    for path in sorted(folder.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call):
                site = _site(node, f"{path.relative_to(ROOT)}:{node.lineno}")
                if site is not None:
                    yield site


def _placeholders(template: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(template) if name is not None}


def _literals(folder: Path) -> dict[str, RaiseSite]:
    return {
        site.template.value: site
        for site in _sites(folder)
        if isinstance(site.template, ast.Constant) and isinstance(site.template.value, str)
    }


@cache
def _core_templates() -> set[str]:
    """Return the templates of the core's sentences; reading its code takes more than a second."""
    return {
        *_literals(CORE),
        *rule_texts._TEMPLATES.values(),
        *rule_texts._SPECIAL.values(),
        rule_texts._OTHER,
    }


def _changes() -> Iterator[VersionChange]:
    for kind in stages.SURFACES:
        for version in chain.CHANGES:
            yield from (change for _, change in chain.of_surface(kind, version, "org"))


def _refused(request: Message) -> CallError:
    with pytest.raises(DomainError) as caught:
        check(request)
    return to_call_error(caught.value, "request-1")


def test_a_grpc_caller_reads_the_sentences_and_the_edge_renames_them() -> None:
    failed = _refused(CreateUnitsRequest(units=[NewUnit(symbol=""), NewUnit(symbol="x" * 500)]))
    described = error_details_pb2.BadRequest()
    assert [detail.Unpack(described) for detail in failed.status.details].count(True) == 1
    texts = [one.description for one in described.field_violations]
    assert any(text.startswith("units[1].symbol must have at most") for text in texts)
    assert failed.details() == texts[0]

    problem = from_rpc_error(failed)
    assert [rule["message"] for rule in problem.details["violations"]] == texts
    older = ShownNames(fields={"symbol": ("name",)}).refusal(problem)
    assert older.message == older.details["violations"][0]["message"] == texts[0].replace(".symbol", ".name")
    assert [rule["message"] for rule in older.details["violations"]] == [
        text.replace(".symbol", ".name") for text in texts
    ]
    assert [rule["parameter"] for rule in older.details["violations"]] == [
        rule["parameter"].replace(".symbol", ".name") for rule in problem.details["violations"]
    ]
    assert older.details["violations"][0]["constraint"] == problem.details["violations"][0]["constraint"]


def test_the_template_of_a_refusal_adds_little_to_its_status() -> None:
    failed = _refused(CreateUnitsRequest(units=[NewUnit(symbol="")] * 40))
    sizes = {detail.TypeName(): detail.ByteSize() for detail in failed.status.details}
    assert sizes["catenary.errors.v1.Sentence"] < 200 < sizes["google.rpc.BadRequest"]
    assert len(from_rpc_error(failed).violations) == 100, "of 120 broken rules"


@pytest.mark.parametrize("folder", [CORE, EDGE], ids=lambda folder: folder.name)
def test_the_placeholders_of_a_template_are_the_arguments_of_its_raise_site(folder: Path) -> None:
    number = 0
    for site in _sites(folder):
        if site.passed_on:
            assert not isinstance(site.template, ast.JoinedStr), f"{site.place}: a template is no f-string"
            continue
        assert isinstance(site.template, ast.Constant), f"{site.place}: a template is a literal"
        found = _placeholders(str(site.template.value))
        assert found - {"field"} == site.arguments - {"field"}, site.place
        number += 1
    assert number > 40


def test_the_templates_of_field_rules_take_the_field_and_what_the_rule_asks_for() -> None:
    for template in (*rule_texts._TEMPLATES.values(), *rule_texts._SPECIAL.values()):
        assert _placeholders(template) - {"value"} == {"field"}, template


def test_a_template_names_fields_by_placeholders_alone() -> None:
    renamed = {name.partition("[")[0] for change in _changes() for name in change.fields}
    assert {"symbol", "entries", "project_number"} <= renamed
    for template in _core_templates():
        plain = "".join(text for text, *_ in Formatter().parse(template))
        assert not FIELD_NAME.findall(plain), template
        assert renamed.isdisjoint(re.findall(r"\w+", plain)), template


def test_an_other_refusal_with_a_name_of_a_field_is_a_template_too() -> None:
    """A text that is no template stands in every version as it is."""
    number = 0
    for path in sorted(CORE.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call) and _called(node) == "DomainError":
                for text in (part.value for part in ast.walk(node.args[1]) if isinstance(part, ast.Constant)):
                    number += 1
                    assert not FIELD_NAME.findall(str(text)), f"{path.relative_to(ROOT)}:{node.lineno}: {text}"
    assert number > 40


def test_a_sentence_that_an_older_version_has_otherwise_is_one_of_the_core() -> None:
    pairs = [pair for change in _changes() for pair in change.sentences.items()]
    assert pairs
    for newer, older in pairs:
        assert newer in _core_templates()
        assert _placeholders(older) <= _placeholders(newer)


def test_no_version_searches_english_by_patterns() -> None:
    modules = [*(EDGE / "versions").rglob("*.py"), EDGE / "errors/names.py"]
    assert len(modules) > 30
    for path in modules:
        for node in ast.walk(ast.parse(path.read_text())):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [str(node.module)] if isinstance(node, ast.ImportFrom) else []
            assert not {"re", "regex"} & set(names), f"{path.relative_to(ROOT)} imports {names}"


def test_the_edge_renames_the_sentences_of_all_violations() -> None:
    failed = _refused(CreateUnitsRequest(units=[NewUnit(symbol=""), NewUnit(symbol="x" * 500)]))
    older = ShownNames(fields={"symbol": ("name",), "unit_type_id": ("kind",)}).refusal(from_rpc_error(failed))
    texts = [rule["message"] for rule in older.details["violations"]]
    assert [text.partition(" ")[0] for text in texts][:2] == ["units[0].name", "units[0].kind"]
    assert not [text for text in texts if "symbol" in text or "unit_type_id" in text]


def test_every_validation_error_of_the_edge_says_parameter_value_and_constraint() -> None:
    number = 0
    for path in sorted(EDGE.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call) and _called(node) == "refusal" and node.args:
                reason = node.args[0]
                if isinstance(reason, ast.Constant) and reason.value == "VALIDATION_ERROR":
                    number += 1
                    given = {keyword.arg for keyword in node.keywords}
                    assert given == {"parameter", "value", "constraint"}, f"{path.relative_to(ROOT)}:{node.lineno}"
    assert number > 5
