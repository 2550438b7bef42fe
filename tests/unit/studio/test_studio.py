"""The Studio's sources: types by tsc, faults by oxlint, the state without a browser by node, the hook that builds the bundle.

Needs node, and the packages that the hook installs; skipped where a registry could not be reached.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from catenary_edge.studio import files

ROOT = Path(__file__).resolve().parents[3]
STUDIO = ROOT / "edge/catenary_edge/studio"
MODULES = STUDIO / "node_modules"
NODE = shutil.which("node")
SECONDS = 120
MAX_LINES = 400
GENERATED = {"schema.ts", "units.ts"}
"""Made from the platform's own tables."""

needs_packages = pytest.mark.skipif(
    not (MODULES / "esbuild").exists(), reason="the Studio's packages are not installed"
)
needs_node = pytest.mark.skipif(NODE is None, reason="node is not installed")


def _run(*line: object, cwd: Path) -> str:
    found = subprocess.run(list(map(str, line)), cwd=cwd, capture_output=True, text=True, timeout=SECONDS, check=False)
    assert found.returncode == 0, found.stdout + found.stderr
    return found.stdout


@needs_packages
@needs_node
def test_the_state_of_the_studio_holds_without_a_browser(tmp_path: Path) -> None:
    tests = sorted(Path(__file__).parent.glob("*.test.ts"))
    assert tests
    (program,) = MODULES.glob("@esbuild/*/bin/esbuild")
    flags = ("--bundle", "--platform=node", "--format=esm", "--main-fields=module,main", "--out-extension:.js=.mjs")
    _run(program, *tests, *flags, f"--outdir={tmp_path}", cwd=ROOT)
    made = sorted(tmp_path.glob("*.mjs"))
    assert len(made) == len(tests)
    # In one process, which takes a fifth of the time: each bundle has modules of its own all the same.
    (tmp_path / "all.mjs").write_text("".join(f'await import("./{path.name}");\n' for path in made))
    told = _run(NODE, "--test", "--test-reporter=tap", "all.mjs", cwd=tmp_path)
    (passed,) = re.findall(r"^# pass (\d+)$", told, re.MULTILINE)
    assert int(passed) >= 20


@needs_packages
@needs_node
def test_the_types_of_the_studio_agree(tmp_path: Path) -> None:
    _run(NODE, MODULES / "typescript/bin/tsc", "--noEmit", cwd=STUDIO)
    wrong = tmp_path / "wrong.ts"
    wrong.write_text('const number: number = "text";\nexport { number };\n')
    with pytest.raises(AssertionError, match="TS2322"):
        _run(NODE, MODULES / "typescript/bin/tsc", "--noEmit", "--strict", wrong, cwd=tmp_path)


@needs_packages
@needs_node
def test_the_linter_finds_no_fault_in_the_studio(tmp_path: Path) -> None:
    lint = (NODE, MODULES / "oxlint/bin/oxlint", "-c", ".oxlintrc.json", "--type-aware", "--deny-warnings")
    _run(*lint, "src", cwd=STUDIO)
    wrong = tmp_path / "wrong.ts"
    wrong.write_text("async function save(): Promise<void> {}\nsave();\n")
    with pytest.raises(AssertionError, match="no-floating-promises"):
        _run(*lint, wrong, cwd=STUDIO)


def test_no_source_of_the_studio_is_long() -> None:
    sources = [path for path in (STUDIO / "src").rglob("*") if path.is_file() and path.name not in GENERATED]
    assert len(sources) > 10
    for path in sources:
        assert len(path.read_text().splitlines()) <= MAX_LINES, path.relative_to(ROOT)


def test_a_file_of_another_kind_is_not_served() -> None:
    assert files.media_type("studio-ABC.js") == "text/javascript; charset=utf-8"
    assert files.media_type("index.html") == ""
    assert files.media_type("stamp") == ""


@needs_packages
def test_the_bundle_holds_no_address_of_another_origin_to_load() -> None:
    page = files.read("index.html").decode()
    for address in re.findall(r'(?:src|href)="([^"]+)"', page):
        assert re.match(r"/[^/]", address), address
        name = address.removeprefix("/studio/")
        assert name == address or name in files.names(), address
    assert "<style" not in page
    assert not re.search(r"<script(?![^>]* src=)", page)


def test_the_example_of_the_studio_is_the_guides_first_model() -> None:
    guide = (ROOT / "edge/catenary_edge/pages/guide/models.md").read_text()
    assert (STUDIO / "src/examples/beam.txt").read_text() in guide.split("```python\n")[1]
