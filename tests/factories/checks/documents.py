"""The documents of the repository: the README, the guide, and what `src/catenary_core/docs` has."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from catenary_edge.pages import guide_pages
from catenary_edge.pages.guide_pages import Heading

ROOT = Path(__file__).resolve().parents[3]
README = ROOT / "README.md"
FOLDERS = {"guide": ROOT / "edge/catenary_edge/pages/guide", "docs": ROOT / "src/catenary_core/docs"}
"""The folders of documents, by the name under which comments cite them."""


def all_documents() -> list[Path]:
    return [README, *(path for folder in FOLDERS.values() for path in sorted(folder.glob("*.md")))]


@cache
def headings(path: Path) -> tuple[Heading, ...]:
    return tuple(guide_pages.headings(path.read_text()))


def table(path: Path, first_header: str) -> list[list[str]]:
    """Return the rows of a document's table whose first column has this header."""
    lines = iter(path.read_text().splitlines())
    for line in lines:
        if line.startswith(f"| {first_header} |"):
            next(lines)
            rows = []
            for row in lines:
                if not row.startswith("|"):
                    return rows
                rows.append([cell.strip() for cell in row.strip("|").split("|")])
            return rows
    raise AssertionError(f"{path.name} has no table {first_header}")


def table_of_guide(page: str, first_header: str) -> list[list[str]]:
    return table(FOLDERS["guide"] / f"{page}.md", first_header)
