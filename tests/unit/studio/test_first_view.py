"""The size of what the Studio loads before its first picture."""

from __future__ import annotations

import gzip
import re
from pathlib import Path

import pytest

from catenary_edge.studio import bundle, files

DIST = Path(bundle.__file__).parent / "dist"
FIRST_VIEW_BYTES = 220_000
_ENTRY = re.compile(r'(?:src|href)="/studio/([\w.-]+)"')
_IMPORT = re.compile(r'(?:from|import)\s*"\./([\w.-]+\.js)"')
_LATER = re.compile(r'import\("\./((?:stage|glb)-[\w.-]+\.js)"\)')
"""What the page loads by itself for the 3D view."""


def _with_imports(names: list[str], loaded: set[str]) -> set[str]:
    for name in names:
        if name not in loaded:
            loaded.add(name)
            _with_imports(_IMPORT.findall((DIST / name).read_text()), loaded)
    return loaded


@pytest.mark.skipif(not files.names(), reason="the Studio is not built: the npm registry could not be reached")
def test_the_first_view_is_at_most_220_kb_gzipped() -> None:
    loaded = _with_imports(_ENTRY.findall((DIST / "index.html").read_text()), set())
    later = sorted({name for one in loaded for name in _LATER.findall((DIST / one).read_text())})
    assert [name.partition("-")[0] for name in later] == ["glb", "stage"]
    sizes = {name: len(gzip.compress((DIST / name).read_bytes(), 9)) for name in _with_imports(later, loaded)}
    assert sum(sizes.values()) <= FIRST_VIEW_BYTES, sizes
