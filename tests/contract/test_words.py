"""The words of docstrings: a first sentence that is read once, and errors said as sentences.

ruff's pydocstyle rules (`pyproject.toml`) hold the form: the google convention, imperative mood, described arguments.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest

from factories.checks.statements import statements

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = [
    ROOT / "src/catenary_wire",
    ROOT / "src/catenary_core",
    ROOT / "src/catenary_worker",
    ROOT / "src/catenary_cli",
    ROOT / "edge/catenary_edge",
    ROOT / "tests",
]
"""The folders whose docstrings of classes and functions are read."""
SOURCES = FOLDERS[:-1]
"""The folders whose docstrings of modules and attributes are read too."""
MOST_WORDS = 20
_SENTENCE_END = re.compile(r"(?<=[.:;!?])\s|\n\n")
_NAME = "(?:[A-Z]{3,}(?:_[A-Z]+)+|CONFLICT|GONE|UNAVAILABLE|TIMEOUT)"
_BARE_ERRORS = re.compile(rf"(?:^|[.;]\s|\n\n){_NAME}(?:(?:,| or| and)\s{_NAME})*\.(?:\s|$)")
_VAGUE = re.compile(r"(?:Of|That|What|Who|Whom|Whose|Whether|It|From|As|How|Where|When|Which|Why|If)\s")


def faults(docstring: str) -> list[str]:
    """List what a docstring does that its readers have to read twice."""
    first = _SENTENCE_END.split(docstring, maxsplit=1)[0]
    found = []
    if len(first.split()) > MOST_WORDS:
        found.append(f"the first sentence has {len(first.split())} words")
    if _VAGUE.match(first):
        found.append(f"the first sentence begins with {first.split()[0]}")
    if _BARE_ERRORS.search(docstring):
        found.append("names of errors stand as a sentence")
    return found


def _docstrings() -> Iterator[tuple[str, str]]:
    for folder in FOLDERS:
        for path in sorted(folder.rglob("*.py")):
            for node in statements(ast.parse(path.read_text())):
                if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)) and (
                    text := ast.get_docstring(node)
                ):
                    yield f"{path.relative_to(ROOT)}:{node.lineno} {node.name}", text


def _docstrings_of_modules_and_attributes() -> Iterator[tuple[str, str]]:
    for folder in SOURCES:
        for path in sorted(folder.rglob("*.py")):
            module = ast.parse(path.read_text())
            if text := ast.get_docstring(module):
                yield f"{path.relative_to(ROOT)}:1", text
            for node in (module, *statements(module)):
                if isinstance(node, (ast.Module, ast.ClassDef)):
                    for statement, after in pairwise(node.body):
                        match statement, after:
                            case ((ast.Assign() | ast.AnnAssign()), ast.Expr(value=ast.Constant(value=str(text)))):
                                yield f"{path.relative_to(ROOT)}:{after.lineno}", text


def test_docstrings_are_read_once() -> None:
    _all_read_once(_docstrings(), at_least=2000)


def test_docstrings_of_modules_and_attributes_are_read_once() -> None:
    _all_read_once(_docstrings_of_modules_and_attributes(), at_least=1000)


def _all_read_once(docstrings: Iterator[tuple[str, str]], *, at_least: int) -> None:
    read = list(docstrings)
    assert len(read) > at_least
    assert {where: wrong for where, text in read if (wrong := faults(text))} == {}


@pytest.mark.parametrize(
    ("docstring", "fault"),
    [
        ("Change a row. NOT_FOUND, CONFLICT.", "names of errors stand as a sentence"),
        ("Check a name. VALIDATION_ERROR.", "names of errors stand as a sentence"),
        ("Read a row.\n\nNOT_FOUND or PERMISSION_DENIED.", "names of errors stand as a sentence"),
        ("Of some ids those that rows have.", "the first sentence begins with Of"),
        ("What the core answers.", "the first sentence begins with What"),
        ("Whether a caller may write.", "the first sentence begins with Whether"),
        (" ".join(["Return", *["a"] * 20]) + ".", "the first sentence has 21 words"),
    ],
)
def test_a_docstring_that_is_read_twice_is_found(docstring: str, fault: str) -> None:
    assert faults(docstring) == [fault]


def test_errors_as_sentences_pass() -> None:
    assert faults("Change a row.\n\nRaises NOT_FOUND: no such row for this caller. It has a `CASE_NAME`.") == []
