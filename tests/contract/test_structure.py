"""The allowed imports and the length of modules (README, "Layout"), and the parts that no test may leave out."""

from __future__ import annotations

import ast
import re
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

from catenary_edge import surfaces
from factories.checks.statements import statements

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = {
    "catenary_wire": ROOT / "src/catenary_wire",
    "catenary_core": ROOT / "src/catenary_core",
    "catenary_worker": ROOT / "src/catenary_worker",
    "catenary_cli": ROOT / "src/catenary_cli",
    "catenary_edge": ROOT / "edge/catenary_edge",
}
OURS = set(PACKAGES)
ALLOWED = {
    "catenary_wire": {"catenary_wire"},
    "catenary_core": {"catenary_core", "catenary_wire"},
    "catenary_worker": {"catenary_worker", "catenary_wire"},
    "catenary_edge": {"catenary_edge", "catenary_wire"},
    "catenary_cli": OURS,
}
MAX_LINES = 600
MAX_MODULES = 20
MAX_USED = 12
"""Packages of the core that one service may use; modules at its top aside."""
NOT_PARTED = {ROOT / "src/catenary_core/migrations/versions", ROOT / "edge/catenary_edge/versions/v1"}
"""Folders of modules of one kind each: a migration, a documented change."""
HTTPX = {"Client", "AsyncClient", "request", "stream", "get", "options", "head", "post", "put", "patch", "delete"}
"""What of httpx takes a timeout, and has one of 5 s unless it is given another."""

REST_PATH = re.compile(rf"/(v[0-9]+|{'|'.join(surfaces.BASES)})/")

Graph = dict[str, set[str]]


def _name(path: Path) -> str:
    base = next(folder.parent for folder in PACKAGES.values() if path.is_relative_to(folder))
    return ".".join(path.relative_to(base).with_suffix("").parts).removesuffix(".__init__")


def _modules(package: str) -> list[Path]:
    found = sorted(PACKAGES[package].rglob("*.py"))
    assert found, f"{package} has modules"
    return found


def _tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text())


@cache
def _imported(path: Path) -> tuple[str, ...]:
    """Return the name of everything that a module imports, also in functions and under TYPE_CHECKING."""
    found: list[str] = []
    for node in statements(_tree(path)):
        if isinstance(node, ast.Import):
            found += (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            assert node.level == 0, f"{path}: imports are absolute"
            found += (f"{node.module}.{alias.name}" for alias in node.names)
    return tuple(found)


def _imports(package: str) -> Graph:
    """Map each module of a package to the modules of the package that it imports."""
    paths = {_name(path): path for path in _modules(package)}
    found: Graph = {name: set() for name in paths}
    for name, path in paths.items():
        for imported in _imported(path):
            module = imported if imported in paths else imported.rpartition(".")[0]
            if module in paths and module != name:
                found[name].add(module)
    return found


def _room(module: str) -> str:
    """Return the room of a module: its service, else its package or module right below the top."""
    parts = module.split(".")
    return ".".join(parts[: 3 if parts[1:2] == ["services"] else 2])


def _rooms(package: str) -> Graph:
    found: Graph = {}
    for module, imported in _imports(package).items():
        room = found.setdefault(_room(module), set())
        room |= {_room(name) for name in imported} - {_room(module)}
    return found


def _circle(graph: Graph) -> list[str]:
    """Return a circle of a graph, or an empty list."""
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        return list(error.args[1])
    return []


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


def test_the_core_writes_no_rest_path() -> None:
    """`resource_paths` makes them of the bindings; migrations hold the paths of their day."""
    for path in _modules("catenary_core"):
        if "migrations" in path.parts:
            continue
        for node in ast.walk(_tree(path)):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                assert not REST_PATH.match(node.value), f"{path.relative_to(ROOT)}:{node.lineno} writes {node.value}"


def test_a_service_imports_no_other_service() -> None:
    services = PACKAGES["catenary_core"] / "services"
    for path in services.rglob("*.py"):
        own = path.relative_to(services).parts[0].removesuffix(".py")
        for name in _imported(path):
            if name.startswith("catenary_core.services."):
                assert name.split(".")[2] == own, f"{path.relative_to(ROOT)} imports {name}"


@pytest.mark.parametrize("package", sorted(PACKAGES))
def test_no_modules_import_each_other_in_a_circle(package: str) -> None:
    assert _circle(_imports(package)) == []


@pytest.mark.parametrize("package", sorted(PACKAGES))
def test_no_rooms_import_each_other_in_a_circle(package: str) -> None:
    """The rooms of a package have an order, and no import goes up in it."""
    assert _circle(_rooms(package)) == []


def test_a_circle_would_be_found() -> None:
    assert set(_circle({"a": {"b"}, "b": {"c"}, "c": {"a"}, "d": {"a"}})) == {"a", "b", "c"}


def test_a_service_uses_few_packages_of_the_core() -> None:
    """A new service costs what it uses itself, and no other one."""
    packages = {f"catenary_core.{path.parent.name}" for path in PACKAGES["catenary_core"].glob("*/__init__.py")}
    used = {
        room: sorted(imported & packages)
        for room, imported in _rooms("catenary_core").items()
        if room.startswith("catenary_core.services.")
    }
    assert len(used) > 10
    assert {room: names for room, names in used.items() if len(names) > MAX_USED} == {}


def test_no_public_class_name_occurs_twice() -> None:
    found: dict[str, list[str]] = {}
    for package in PACKAGES:
        for path in _modules(package):
            for node in statements(_tree(path)):
                if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                    found.setdefault(node.name, []).append(_name(path))
    assert {name: modules for name, modules in found.items() if len(modules) > 1} == {}


def test_catenary_stays_a_namespace_package() -> None:
    assert not list(ROOT.glob("**/catenary/__init__.py"))


@pytest.mark.parametrize("package", sorted(PACKAGES))
def test_no_module_is_longer_than_can_be_read_at_once(package: str) -> None:
    for path in _modules(package):
        assert len(path.read_text().splitlines()) <= MAX_LINES, f"{path.relative_to(ROOT)} is over {MAX_LINES} lines"


@pytest.mark.parametrize("package", sorted(PACKAGES))
def test_a_folder_has_no_more_modules_than_can_be_looked_through(package: str) -> None:
    for folder in {path.parent for path in _modules(package)} - NOT_PARTED:
        modules = [path.name for path in folder.glob("*.py") if path.name != "__init__.py"]
        assert len(modules) <= MAX_MODULES, f"{folder.relative_to(ROOT)} has {len(modules)} modules"


def test_nothing_is_called_utils() -> None:
    for package in PACKAGES:
        assert not [path for path in _modules(package) if path.stem in {"utils", "util", "helpers", "common", "misc"}]


def test_no_client_of_the_tests_has_the_short_timeout_of_httpx() -> None:
    """Each call of `httpx.get`, `httpx.Client` and their like names a `timeout`.

    The default is 5 s, in which a machine that stands still gets no answer; tests give `ANSWER_SECONDS` of
    `factories/installations/installation.py`. The calls are found by ast. The timeout that a client is told for one
    request doesn't count.
    """
    seen, without = 0, []
    for text, path in ((path.read_text(), path) for path in (ROOT / "tests").rglob("*.py")):
        for node in ast.walk(ast.parse(text)) if "httpx" in text else ():
            match node:
                case ast.ImportFrom(module="httpx"):
                    without.append(f"{path.relative_to(ROOT)}:{node.lineno} imports from httpx")
                case ast.Call(func=ast.Attribute(value=ast.Name(id="httpx"), attr=name)) if name in HTTPX:
                    seen += 1
                    if not any(keyword.arg == "timeout" for keyword in node.keywords):
                        without.append(f"{path.relative_to(ROOT)}:{node.lineno} httpx.{name}")
    assert seen > 30
    assert without == []
