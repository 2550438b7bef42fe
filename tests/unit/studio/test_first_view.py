"""What the Studio loads before its first picture: its size, and no words of later parts; and what the reference loads."""

from __future__ import annotations

import gzip
import re
from collections.abc import Iterable
from pathlib import Path

import pytest

from catenary_edge.studio import bundle, files

DIST = Path(bundle.__file__).parent / "dist"
TEXTS = Path(bundle.__file__).parent / "src/texts"
FIRST_TEXTS = {"comments", "common", "design", "page", "sign_in", "variants", "view"}
FIRST_VIEW_BYTES = 220_000
SHELL_BYTES = 60_000
SWAGGER_UI_BYTES = 480_000
_ENTRY = re.compile(r'(?:src|href)="/studio/([\w.-]+)"')
_IMPORT = re.compile(r'(?:from|import)\s*"\./([\w.-]+\.js)"')
_LATER = re.compile(r'import\("\./((?:stage|glb)-[\w.-]+\.js)"\)')
"""What the page loads by itself for the 3D view."""
_LONG_TEXT = re.compile(r'"([^"]{12,})"')

needs_bundle = pytest.mark.skipif(
    not files.names(), reason="the Studio is not built: the npm registry could not be reached"
)


def _with_imports(names: list[str], loaded: set[str]) -> set[str]:
    for name in names:
        if name not in loaded:
            loaded.add(name)
            _with_imports(_IMPORT.findall((DIST / name).read_text()), loaded)
    return loaded


def _first_files() -> set[str]:
    loaded = _with_imports(_ENTRY.findall((DIST / "index.html").read_text()), set())
    later = sorted({name for one in loaded for name in _LATER.findall((DIST / one).read_text())})
    assert [name.partition("-")[0] for name in later] == ["glb", "stage"]
    return _with_imports(later, loaded)


def _bytes(names: Iterable[str]) -> dict[str, int]:
    return {name: len(gzip.compress((DIST / name).read_bytes(), 9)) for name in names}


def _long_texts(path: Path) -> list[str]:
    """Return the texts of a file that are long enough to stand nowhere else."""
    found = [text for text in _LONG_TEXT.findall(path.read_text()) if not text.startswith("./")]
    assert found, path
    return found


@needs_bundle
def test_the_first_view_is_at_most_220_kb_gzipped() -> None:
    sizes = _bytes(_first_files())
    assert sum(sizes.values()) <= FIRST_VIEW_BYTES, sizes


@needs_bundle
def test_the_reference_is_a_bundle_of_its_own() -> None:
    shell = [path.name for path in DIST.glob("reference-*")]
    loaded = _with_imports([name for name in shell if name.endswith(".js")], set())
    (library,) = DIST.glob("swagger-*.js")
    assert not (loaded | {library.name}) & _first_files()
    assert library.name not in loaded, "it is loaded after the shell"
    assert sum(_bytes({*shell, *loaded}).values()) <= SHELL_BYTES
    assert sum(_bytes([library.name]).values()) <= SWAGGER_UI_BYTES
    assert not [path.name for path in DIST.iterdir() if b"scarf" in path.read_bytes().lower()]


@needs_bundle
def test_words_of_later_parts_do_not_come_with_the_first_view() -> None:
    loaded = "".join((DIST / name).read_text() for name in _first_files())
    came = {path.stem for path in TEXTS.glob("*.ts") if any(text in loaded for text in _long_texts(path))}
    assert came == FIRST_TEXTS
