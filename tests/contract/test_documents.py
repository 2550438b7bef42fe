"""The documents on disk: how long the README is, and that every link, path, class and cited section exists."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from catenary_edge.pages import guide_pages
from factories.checks.documents import FOLDERS, README, ROOT, all_documents, headings

SOURCES = ("src", "edge", "tests", "protos", ".ci", "pyproject.toml", "buf.yaml")
TEXTS = {".py", ".proto", ".js", ".mjs", ".ts", ".css", ".toml", ".yaml"}
MADE = {"node_modules", "dist"}
"""Folders of what is not ours or made from other files."""
BASES = (ROOT, ROOT / "src/catenary_core", ROOT / "src")
"""Where a path in a document may begin."""
_CODE = re.compile(r"`([^`\n]+)`")
_FENCED = re.compile(r"^```.*?^```", re.DOTALL | re.MULTILINE)
_FILE = re.compile(r"(?:[\w.-]+/)*[\w.-]+\.(?:py|proto|csv|md|toml|yaml)|(?:[\w.-]+/)+[\w.-]*|\.ci/\w+")
_CLASS = re.compile(r"[A-Z][a-z]+(?:[A-Z][a-z]+)*")
# Comments and docstrings run over lines.
_LINE_BREAK = re.compile(r"\s*\n\s*(?:#:?|//)?\s*")
_CITATION = re.compile(
    r"\b(?:(?P<folder>guide|docs)/(?P<page>[a-z_]+)\.md|(?P<readme>README))(?P<sections>(?:(?:,| and|, and) \"[^\"]+\")*)"
    r"(?P<bare>, [A-Z]\w+)?"
)
_SECTION = re.compile(r'"([^"]+)"')
LACKING = {
    "a contract": re.compile(
        r"(?<![/\w])contract\b(?! tests?\b|/|\.schemathesis_hooks| · )(?!\"\s?[/,)])", re.IGNORECASE
    ),
    "a design": re.compile(r"\bdesign(?:\.md)?,? ?(?:§|section)", re.IGNORECASE),
    "the specification": re.compile(
        r"\b(?:the|user's|our|this) specification\b|\(specification\b|\bspecification(?:'s|,? (?:§|section\b|\"))"
    ),
    "an issue": re.compile(r"(?<!cpython )\bissue \d", re.IGNORECASE),
}
"""Documents that the repository lacks, and how a comment would cite them."""


def citations(text: str) -> Iterator[re.Match[str]]:
    return _CITATION.finditer(_LINE_BREAK.sub(" ", text))


def faults_of(text: str) -> list[str]:
    """List the faults in the references of a source file."""
    plain = _LINE_BREAK.sub(" ", text)
    found = []
    for name, pattern in LACKING.items():
        around = (plain[max(0, match.start() - 40) : match.end() + 40] for match in pattern.finditer(plain))
        found += [f"{name} is cited: …{text}…" for text in around]
    for match in citations(text):
        path = README if match["readme"] else FOLDERS[match["folder"]] / f"{match['page']}.md"
        if not path.is_file():
            found.append(f"{match[0]}: there is no such document")
            continue
        known = {heading.text for heading in headings(path)}
        found += [f"{match[0]}: no section {one}" for one in _SECTION.findall(match["sections"]) if one not in known]
        if match["bare"]:
            found.append(f"{match[0]}: the name of a section stands in quotes")
    return found


@cache
def _sources() -> list[Path]:
    tops = [ROOT / name for name in SOURCES]
    found = [path for top in tops for path in ([top] if top.is_file() else sorted(top.rglob("*")))]
    own = [path for path in found if path != Path(__file__) and MADE.isdisjoint(path.parts)]
    return [path for path in own if path.suffix in TEXTS or path.parent.name == ".ci"]


def test_no_source_cites_a_document_that_is_not_there() -> None:
    assert len(_sources()) > 700
    faults, cited = [], 0
    for path in _sources():
        text = path.read_text()
        cited += sum(1 for one in citations(text) if one["sections"])
        faults += [f"{path.relative_to(ROOT)}: {fault}" for fault in faults_of(text)]
    assert faults == []
    assert cited > 30


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ('"""Pages (contract, section 2, "Pages")."""', "a contract is cited"),
        ("# The contract\n# wants it.", "a contract is cited"),
        ("# as contract §2 has it", "a contract is cited"),
        ("# Its rules are\n# contract section 4.", "a contract is cited"),
        ('"""Limits (specification, "Limits")."""', "the specification is cited"),
        ("// the\n// specification's table", "the specification is cited"),
        ("# design §6", "a design is cited"),
        ("# (issue 5, point 5)", "an issue is cited"),
        ("# guide/nothing.md", "there is no such document"),
        ('# guide/conventions.md,\n# "Nothing"', "no section Nothing"),
        ('# guide/conventions.md, "Pages", "Nothing"', "no section Nothing"),
        ("# guide/conventions.md, Pages", "stands in quotes"),
        ('# README, "Nothing"', "no section Nothing"),
    ],
)
def test_a_reference_that_leads_nowhere_is_found(text: str, fault: str) -> None:
    assert any(fault in found for found in faults_of(text))


@pytest.mark.parametrize(
    "text",
    [
        '"""guide/conventions.md,\n"Pages" and "Caching and conditions"."""',
        "# tests/contract/test_structure.py; a contract test holds it; contract tests too",
        '# Khronos, "glTF 2.0 Specification"; 3MF Core Specification 1.3, sections 2.1',
        '# README, "Layout"',
    ],
)
def test_a_reference_that_leads_somewhere_is_none(text: str) -> None:
    assert faults_of(text) == []


def test_the_readme_is_short_and_has_both_commands() -> None:
    lines = README.read_text().splitlines()
    assert len(lines) <= 150
    assert "python3 -m venv .venv && .venv/bin/pip install -e . && .venv/bin/catenary serve --demo" in lines
    assert "python3 -m venv .venv && .venv/bin/pip install -e '.[test]' && .venv/bin/pytest" in lines


@pytest.mark.parametrize("path", all_documents(), ids=lambda path: path.relative_to(ROOT).as_posix())
def test_every_link_of_a_document_leads_to_a_file_and_its_section(path: Path) -> None:
    for link in guide_pages.links(path.read_text()):
        if link.startswith(("https://", "/docs")):  # the latter are pages of the site, tried by its own tests
            continue
        target, _, anchor = link.partition("#")
        found = (path.parent / target).resolve() if target else path
        assert found.is_file(), link
        assert not anchor or anchor in {heading.anchor for heading in headings(found)}, link


def test_every_document_for_those_who_change_the_code_is_linked_from_the_readme() -> None:
    linked = {
        (ROOT / link).resolve() for link in guide_pages.links(README.read_text()) if not link.startswith("https:")
    }
    assert [path for path in FOLDERS["docs"].glob("*.md") if path not in linked] == []


@cache
def _names() -> set[str]:
    return {path.name for top in ("src", "edge") for path in (ROOT / top).rglob("*.py")}


@pytest.mark.parametrize(
    "path", [README, *sorted(FOLDERS["docs"].glob("*.md"))], ids=lambda path: path.relative_to(ROOT).as_posix()
)
def test_every_path_and_class_that_a_document_names_exists(path: Path) -> None:
    """A file's name alone is that of some module, as `queries.py` of each service."""
    text = _FENCED.sub("", path.read_text())
    names = _CODE.findall(text)
    missing = [
        name
        for name in names
        if _FILE.fullmatch(name)
        and not any((base / name).exists() for base in BASES)
        and not (name in _names() or (ROOT / "tests/bench" / name).exists())
    ]
    classes = [name for name in names if _CLASS.fullmatch(name) and "-" not in name and not _is_word(name)]
    assert missing == []
    assert [name for name in classes if name not in _classes()] == []


def _is_word(name: str) -> bool:
    """Headers of HTTP and words of other programs, which are no classes of ours."""
    return name in {"Deprecation", "Sunset", "Location", "Link", "Vary", "Prefer", "Hidden", "SQLAlchemy"}


@cache
def _classes() -> set[str]:
    found: set[str] = set()
    for top in ("src", "edge"):
        for path in (ROOT / top).rglob("*.py"):
            found.update(re.findall(r"^class (\w+)", path.read_text(), re.MULTILINE))
    for path in (ROOT / "protos").rglob("*.proto"):
        found.update(re.findall(r"^ *(?:message|service|enum|rpc) (\w+)", path.read_text(), re.MULTILINE))
    return found
