"""HTML shared by all pages. Text is escaped here and nowhere else."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from html import escape

_CODE = re.compile(r"`([^`]+)`")
PRE, WIDE = '<pre tabindex="0">', '<div class="wide" tabindex="0">'
"""Begin what may be wider than the page: who has only a keyboard must reach it to scroll it (WCAG 2.1.1)."""
_LINKS = (("/docs", "Reference"), ("/docs/guide", "Guide"), ("/docs/errors", "Errors"), ("/docs/changes", "Changes"))


def page(title: str, body: str, *, head: str = "") -> bytes:
    """Build a whole page around markup; `head` is more markup for its head."""
    links = "".join(f'<a href="{path}">{name}</a>' for path, name in _LINKS)
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(title)} · Catenary</title>"
        '<link rel="stylesheet" href="/docs/static/style.css">'
        f'<link rel="icon" href="/docs/static/icon.svg" type="image/svg+xml">{head}</head>'
        f'<body><header><a class="name" href="/docs">Catenary</a><nav>{links}</nav></header>'
        f"<main>{body}</main></body></html>"
    ).encode()


def prose(text: str) -> str:
    """Format the text of a comment as a paragraph, with words in backquotes as code."""
    return f"<p>{inline(text)}</p>"


def inline(text: str) -> str:
    """Escape text, with words in backquotes as code."""
    return _CODE.sub(r"<code>\1</code>", escape(text))


def table(headings: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Build a table of cells already in markup."""
    head = "".join(f"<th>{escape(heading)}</th>" for heading in headings)
    lines = "".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in rows)
    return f"{WIDE}<table><thead><tr>{head}</tr></thead><tbody>{lines}</tbody></table></div>"


def json_block(text: bytes) -> str:
    """Format JSON as a block of code."""
    return f"{PRE}<code>{escape(text.decode())}</code></pre>"
