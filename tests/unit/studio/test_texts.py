"""The words of the Studio: all of them stand in `texts/`, and nowhere in templates or sentences of other sources."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

SOURCES = Path(__file__).resolve().parents[3] / "edge/catenary_edge/studio/src"
TEXTS = SOURCES / "texts"
GENERATED = {"schema.ts", "units.ts"}
NOT_SHOWN = {"charts/echarts.ts", "three/edge_search.ts"}
"""Their sentences are for those who change the page: nobody sees them on it."""
READ = "aria-label|aria-description|aria-valuetext|title|placeholder|alt"
_WORD = re.compile(r"[^\W\d_]{2}")
_TEMPLATE = re.compile(r"\b(?:html|svg)`")
_ATTRIBUTE = re.compile(rf"""\s(?:{READ})="([^"]*)\"""")
_TAG = re.compile(r"""<(?:"[^"]*"|'[^']*'|[^<>"'])*>""")
_SENTENCE = re.compile(r"""["`][A-Z][a-z']+ [a-z]""")
_COMMENT = re.compile(r"^\s*(?://|/?\*)")


def _end_of(source: str, at: int, kept: list[str]) -> int:
    """Return the place behind a template; keep what stands outside of its `${…}`, each of which is one blank."""
    while source[at] != "`":
        if source.startswith("${", at):
            at, depth = at + 2, 1
            while depth:
                if source[at] == "`":
                    at = _end_of(source, at + 1, [])
                    continue
                depth += (source[at] == "{") - (source[at] == "}")
                at += 1
            kept.append(" ")
        else:
            kept.append(source[at])
            at += 1
    return at + 1


def _words(source: str) -> Iterator[str]:
    """Yield the words of templates and of the attributes that people read or hear, and sentences elsewhere."""
    for found in _TEMPLATE.finditer(source):
        kept: list[str] = []
        _end_of(source, found.end(), kept)
        template = "".join(kept)
        for text in (*_TAG.split(template), *_ATTRIBUTE.findall(template)):
            if _WORD.search(text):
                yield " ".join(text.split())
    yield from (line.strip() for line in source.splitlines() if _SENTENCE.search(line) and not _COMMENT.match(line))


def _sources() -> list[Path]:
    found = [path for path in SOURCES.rglob("*.ts") if path.parent != TEXTS and path.name not in GENERATED]
    assert len(found) > 100
    return [path for path in found if path.relative_to(SOURCES).as_posix() not in NOT_SHOWN]


def test_all_words_of_the_page_stand_in_one_folder() -> None:
    found = {path.relative_to(SOURCES).as_posix(): list(_words(path.read_text())) for path in _sources()}
    assert {name: words for name, words in found.items() if words} == {}


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("html`<p>Nobody yet</p>`", ["Nobody yet"]),
        ('html`<b title="Close">${texts.close}</b>`', ["Close"]),
        ("html`<p>${isOpen ? html`<b>Close</b>` : texts.open}</p>`", ["Close"]),
        ('throw new Error("The file is empty.");', ['throw new Error("The file is empty.");']),
        ('html`<p class="soft" data-kind="of all">${texts.none} · ${format.number(1)}</p>`', []),
        ('// It says "Nobody is here".', []),
    ],
)
def test_a_word_elsewhere_is_found(source: str, found: list[str]) -> None:
    assert list(_words(source)) == found


def test_a_text_of_several_groups_is_common() -> None:
    texts = "".join(path.read_text() for path in TEXTS.glob("*.ts"))
    values = Counter(re.findall(r'^  \w+: ("[^"]+"),$', texts, re.MULTILINE))
    assert len(values) > 200
    assert [value for value, number in values.items() if number > 1] == []
