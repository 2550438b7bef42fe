"""The hook that builds the Studio at an installation, with a stand-in for hatchling's base class."""

from __future__ import annotations

import importlib.util
import shutil
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[3]
HOOK = Path("edge/catenary_edge/studio/build_hook.py")


class _App:
    def __init__(self) -> None:
        self.warnings: list[str] = []

    def display_warning(self, text: str) -> None:
        self.warnings.append(text)


class _Base:
    def __init__(self, root: Path) -> None:
        self.root = str(root)
        self.app = _App()


@pytest.fixture
def hook(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> tuple[ModuleType, Any]:
    """Return the hook's module, and a hook over a copy of the sources."""
    name = "hatchling.builders.hooks.plugin.interface"
    interface = ModuleType(name)
    interface.BuildHookInterface = _Base  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, name, interface)
    spec = importlib.util.spec_from_file_location("studio_build_hook", ROOT / HOOK)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    kept = shutil.ignore_patterns("node_modules", "dist", "__pycache__")
    shutil.copytree(ROOT / HOOK.parent, tmp_path / HOOK.parent, ignore=kept)
    return module, module.StudioHook(tmp_path)


def test_node_is_needed_only_when_sources_differ(hook: tuple[ModuleType, Any], tmp_path: Path) -> None:
    module, made = hook
    folder = tmp_path / HOOK.parent
    assert made.dependencies() == [module.bundle.NODE]
    (folder / "dist").mkdir()
    (folder / "dist/stamp").write_text(module.bundle.sources_digest(folder))
    assert made.dependencies() == []
    made.initialize("standard", {})  # builds nothing: node is not here
    source = folder / "src/main.ts"
    source.write_text(source.read_text() + "\n")
    assert made.dependencies() == [module.bundle.NODE]


def test_an_editable_installation_goes_on_without_the_studio(
    hook: tuple[ModuleType, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    module, made = hook
    monkeypatch.setattr(module.bundle.importlib.util, "find_spec", lambda name: None)
    monkeypatch.setattr(module.bundle.shutil, "which", lambda name: None)
    made.initialize("editable", {})
    (told,) = made.app.warnings
    assert told.startswith("The Studio is not built")
    assert "\n" not in told
    with pytest.raises(RuntimeError, match="The Studio is not built"):
        made.initialize("standard", {})
