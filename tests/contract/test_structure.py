"""Who may import whom, and how long a module may be (README, "Layout"); and what no test may leave out."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = {
    "catenary_core": ROOT / "src/catenary_core",
    "catenary_worker": ROOT / "src/catenary_worker",
    "catenary_cli": ROOT / "src/catenary_cli",
    "catenary_edge": ROOT / "edge/catenary_edge",
}
OURS = set(PACKAGES)
ALLOWED = {
    "catenary_core": {"catenary_core"},
    "catenary_worker": {"catenary_worker"},
    "catenary_edge": {"catenary_edge"},
    "catenary_cli": OURS,
}
MAX_LINES = 600
HTTPX = {"Client", "AsyncClient", "request", "stream", "get", "options", "head", "post", "put", "patch", "delete"}
"""What of httpx takes a timeout, and has one of 5 s unless it is given another."""


def _imported(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            assert node.level == 0, f"{path}: imports are absolute"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def _modules(package: str) -> list[Path]:
    found = [path for path in PACKAGES[package].rglob("*.py") if "versions" not in path.parts]
    assert found, f"{package} has modules"
    return found


@pytest.mark.parametrize("package", sorted(PACKAGES))
def test_a_package_imports_only_what_it_may(package: str) -> None:
    for path in _modules(package):
        for name in _imported(path):
            top = name.split(".")[0]
            assert top not in OURS - ALLOWED[package], f"{path.relative_to(ROOT)} imports {name}"


def test_the_frame_knows_no_service_but_in_bootstrap() -> None:
    for path in _modules("catenary_core"):
        if "services" in path.parts or path.name in ("bootstrap.py", "bootstrap_data.py"):
            continue
        for name in _imported(path):
            assert not name.startswith("catenary_core.services"), f"{path.relative_to(ROOT)} imports {name}"


def test_a_service_imports_no_other_service() -> None:
    services = PACKAGES["catenary_core"] / "services"
    for path in services.rglob("*.py"):
        own = path.relative_to(services).parts[0].removesuffix(".py")
        for name in _imported(path):
            if name.startswith("catenary_core.services."):
                assert name.split(".")[2] == own, f"{path.relative_to(ROOT)} imports {name}"


def test_catenary_stays_a_namespace_package() -> None:
    assert not list(ROOT.glob("**/catenary/__init__.py"))


@pytest.mark.parametrize("package", sorted(PACKAGES))
def test_no_module_is_longer_than_can_be_read_at_once(package: str) -> None:
    for path in _modules(package):
        assert len(path.read_text().splitlines()) <= MAX_LINES, f"{path.relative_to(ROOT)} is over {MAX_LINES} lines"


def test_nothing_is_called_utils() -> None:
    for package in PACKAGES:
        assert not [path for path in _modules(package) if path.stem in {"utils", "util", "helpers", "common", "misc"}]


def test_no_client_of_the_tests_has_the_short_timeout_of_httpx() -> None:
    """Of 5 s, in which a machine that stands still gets no answer. Looked for by ast: each call of `httpx.get`, `httpx.Client`
    and their like names a `timeout` (`factories.installation.ANSWER_SECONDS`); not what a client is told for one request.
    """
    seen, without = 0, []
    for path in (ROOT / "tests").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            match node:
                case ast.ImportFrom(module="httpx"):
                    without.append(f"{path.relative_to(ROOT)}:{node.lineno} imports from httpx")
                case ast.Call(func=ast.Attribute(value=ast.Name(id="httpx"), attr=name)) if name in HTTPX:
                    seen += 1
                    if not any(keyword.arg == "timeout" for keyword in node.keywords):
                        without.append(f"{path.relative_to(ROOT)}:{node.lineno} httpx.{name}")
    assert seen > 30
    assert without == []
