"""Build the Studio's bundle at an installation: run by hatchling, by pyproject.toml's `tool.hatch.build.hooks.custom`.

It builds only when the sources differ from those of the bundle that is there.
"""

from __future__ import annotations

import importlib.util
import subprocess
from pathlib import Path
from types import ModuleType
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


def _bundle() -> ModuleType:
    """Load the module beside this one: the package that both are of is not installed yet."""
    spec = importlib.util.spec_from_file_location("studio_bundle", Path(__file__).with_name("bundle.py"))
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


bundle = _bundle()


class StudioHook(BuildHookInterface):
    """The hook of hatchling that builds the bundle."""

    @property
    def _folder(self) -> Path:
        return Path(self.root) / "edge/catenary_edge/studio"

    def dependencies(self) -> list[str]:
        """Name node as a requirement of the build if there is something to build."""
        return [] if bundle.is_current(self._folder) else [bundle.NODE]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build the bundle unless it is current.

        Args:
            version: `editable` for an editable installation, `standard` for a wheel.
            build_data: What hatchling builds; not changed.

        Raises:
            RuntimeError: The bundle of a wheel can't be built.
        """
        if bundle.is_current(self._folder):
            return
        try:
            bundle.build(self._folder)
        except (OSError, subprocess.SubprocessError) as error:
            said = f"The Studio is not built; run `catenary studio build` later: {bundle.told(error)}"
            if version != "editable":
                raise RuntimeError(said) from error
            self.app.display_warning(said)
