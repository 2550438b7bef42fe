"""`/docs/guide`: the Markdown pages of the folder `guide` as HTML in the style of the site.

Every file of the folder is a page, also readable on disk. Its first heading is its title, its first paragraph its
summary in the index.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from html import escape
from importlib import resources
from importlib.resources.abc import Traversable
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token

from catenary_edge.pages import markup

PATH = "/docs/guide"
ORDER = (
    "quickstart",
    "studio",
    "models",
    "expressions",
    "plans",
    "batches",
    "studies",
    "study_methods",
    "live_sessions",
    "variants",
    "discussion",
    "views",
    "shares",
    "people",
    "conventions",
    "import",
    "webhooks",
    "grpc",
    "settings",
    "deployment",
    "security",
    "studio_code",
)
"""Pages in the order of the index; other pages follow."""
_LISTED_FROM = 4
"""Number of sections from which a page begins with a list of them."""
_SUFFIX = ".md"
_PAGE_LINK = re.compile(r"(?P<page>[a-z_]+)\.md(?P<section>#[a-z0-9_-]+)?")
_DROPPED = re.compile(r"[^\w\- ]")


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading of a page."""

    level: int
    """1 to 6."""
    text: str
    """The text without markup."""
    anchor: str
    """Id of the heading, unique in the page and formed as code hosts form it."""


def names() -> tuple[str, ...]:
    """Return the names of all pages, in the order of the index."""
    found = {file.name.removesuffix(_SUFFIX) for file in _folder().iterdir() if file.name.endswith(_SUFFIX)}
    return (*(name for name in ORDER if name in found), *sorted(found.difference(ORDER)))


def text_of(name: str) -> str:
    """Return the Markdown of a page."""
    return _folder().joinpath(name + _SUFFIX).read_text(encoding="utf-8")


@cache
def index() -> bytes:
    """Return the page with the list of all pages."""
    items = []
    for name in names():
        tokens = _parsed(text_of(name))
        (title, *_) = _headings(tokens)
        first = next(index for index, token in enumerate(tokens) if token.type == "paragraph_open")
        summary = _MARKDOWN.renderer.render([tokens[first + 1]], _MARKDOWN.options, {})
        items.append(f'<dt><a href="{PATH}/{name}">{escape(title.text)}</a></dt><dd>{summary}</dd>')
    return markup.page("Guide", f'<h1>Guide</h1><dl class="pages">{"".join(items)}</dl>')


@cache
def page(name: str) -> bytes:
    """Return the HTML of a page."""
    tokens = _parsed(text_of(name))
    title, *rest = _headings(tokens)
    after_title = next(index for index, token in enumerate(tokens) if token.type == "heading_close") + 1
    head, body = (_MARKDOWN.renderer.render(part, _MARKDOWN.options, {}) for part in _split(tokens, after_title))
    sections = [heading for heading in rest if heading.level == 2]
    return markup.page(title.text, f'<article class="guide">{head}{_contents(sections)}{body}</article>')


def headings(text: str) -> list[Heading]:
    """Return the headings of a Markdown text, in order."""
    return _headings(_parsed(text))


def links(text: str) -> list[str]:
    """Return the link targets of a Markdown text, as they stand on disk."""
    return [str(token.attrs["href"]) for token in _inline(_MARKDOWN.parse(text)) if token.type == "link_open"]


def _folder() -> Traversable:
    return resources.files("catenary_edge.pages").joinpath("guide")


def _split(tokens: Sequence[Token], at: int) -> tuple[Sequence[Token], Sequence[Token]]:
    """Split a page after its title and introduction, the place of the list of sections."""
    while at < len(tokens) and not (tokens[at].type == "heading_open" and tokens[at].tag == "h2"):
        at += 1
    return tokens[:at], tokens[at:]


def _contents(sections: Sequence[Heading]) -> str:
    if len(sections) < _LISTED_FROM:
        return ""
    items = "".join(f'<li><a href="#{one.anchor}">{escape(one.text)}</a></li>' for one in sections)
    return f'<nav class="contents" aria-label="On this page"><ul>{items}</ul></nav>'


def _parsed(text: str) -> list[Token]:
    """Parse a page: give headings their anchors, turn links between files into links between pages."""
    tokens = _MARKDOWN.parse(text)
    for token, heading in zip(_opened(tokens), _headings(tokens), strict=True):
        token.attrSet("id", heading.anchor)
    for token in _inline(tokens):
        if token.type == "link_open" and (found := _PAGE_LINK.fullmatch(str(token.attrs["href"]))):
            token.attrSet("href", f"{PATH}/{found['page']}{found['section'] or ''}")
    return tokens


def _opened(tokens: Sequence[Token]) -> Iterator[Token]:
    return (token for token in tokens if token.type == "heading_open")


def _inline(tokens: Sequence[Token]) -> Iterator[Token]:
    return (child for token in tokens for child in token.children or ())


def _headings(tokens: Sequence[Token]) -> list[Heading]:
    found: list[Heading] = []
    uses: dict[str, int] = {}
    for opened, content in itertools.pairwise(tokens):
        if opened.type == "heading_open":
            text = "".join(child.content for child in content.children or ())
            anchor = _DROPPED.sub("", text.lower()).replace(" ", "-")
            uses[anchor] = uses.get(anchor, 0) + 1
            unique = anchor if uses[anchor] == 1 else f"{anchor}-{uses[anchor] - 1}"
            found.append(Heading(int(opened.tag[1]), text, unique))
    return found


def _table(_renderer: Any, tokens: Sequence[Token], at: int, _options: Any, _env: Any) -> str:
    """Render the two ends of a table inside an element with horizontal scrolling."""
    return f"{markup.WIDE}<table>" if tokens[at].type == "table_open" else "</table></div>"


def _code(renderer: RendererHTML, tokens: Sequence[Token], at: int, options: Any, env: Any) -> str:
    """Render a block of code that the keyboard can scroll."""
    return renderer.fence(tokens, at, options, env).replace("<pre>", markup.PRE, 1)


def _markdown() -> MarkdownIt:
    """Make the renderer; HTML in the text is escaped, links with a scheme that runs code stay text."""
    made = MarkdownIt("commonmark", {"html": False}).enable("table")
    for rule in ("table_open", "table_close"):
        made.add_render_rule(rule, _table)
    made.add_render_rule("fence", _code)
    return made


_MARKDOWN = _markdown()
