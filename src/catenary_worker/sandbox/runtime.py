"""What a model may import, where that lies on disk, and the digest that names it.

Numpy and its like are imported by `load` only, inside the zygote.
"""

import gc
import hashlib
import importlib
import importlib.metadata
import os
import platform
import re
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

PACKAGES = ("numpy", "scipy", "trimesh", "manifold3d")
"""Distributions that a model may import beside the standard library, with what they require."""
OPTIONAL_PACKAGES = ("build123d",)
MODULES = (
    "bisect", "cmath", "collections.abc", "csv", "dataclasses", "datetime", "decimal", "enum", "fractions",
    "functools", "heapq", "itertools", "json", "linecache", "math", "random", "statistics", "string", "traceback",
    "typing", "zipfile",
    "numpy", "numpy.random", "scipy.integrate", "scipy.interpolate", "scipy.linalg", "scipy.optimize",
    "scipy.sparse.linalg", "scipy.spatial", "trimesh", "trimesh.creation", "manifold3d",
    "catenary_worker.execution", "catenary_worker.models.openscad",
)  # fmt: skip
"""Imported before the fork, so that no evaluation pays for them."""
ONE_THREAD = {
    f"{library}_NUM_THREADS": "1" for library in ("OPENBLAS", "OMP", "MKL", "BLIS", "NUMEXPR", "VECLIB_MAXIMUM")
}
"""Set before numpy is imported: a forked child has only the thread that forked it. oneTBB, by which manifold3d works, has no
such setting; see `load`."""
OPENSCAD_PATHS = ("/usr/share/openscad", "/usr/share/fonts", "/etc/fonts")

REHEARSALS = 12
"""CPython 3.11 makes a function's code fast at its eighth call (PEP 659): so it is before the fork, for every child."""

_HERE = Path(__file__).resolve().parents[1]


def environment() -> dict[str, str]:
    """The whole environment of a zygote. The hash seed is fixed so that sets have one order on every worker."""
    return {**ONE_THREAD, "PYTHONPATH": str(_HERE.parent), "PYTHONHASHSEED": "0", "LANG": "C.UTF-8", "PATH": "/usr/bin"}


def openscad() -> str | None:
    """The path of the OpenSCAD program on this machine, or None."""
    return shutil.which("openscad", path="/usr/bin:/usr/local/bin")


def paths() -> tuple[list[str], list[str], list[str]]:
    """What the sandbox's root holds: (folders as they are, those of them to empty, what then appears in these).

    The emptied ones are the site-packages, which get back only the files of `distributions`: a model cannot import
    what another worker may not have.
    """
    scheme = sysconfig.get_paths()
    wanted = {scheme["stdlib"], scheme["platstdlib"], "/usr/lib", "/usr/lib64", "/lib", "/lib64"}
    if sys.base_prefix not in ("/usr", "/"):
        wanted.add(f"{sys.base_prefix}/lib")
    if program := openscad():
        wanted.update([program, *OPENSCAD_PATHS])
    real = sorted(path for path in wanted if Path(path).exists() and not Path(path).is_symlink())
    outer = [path for path in real if not any(path != other and Path(path).is_relative_to(other) for other in real)]
    covered = sorted({scheme["purelib"], scheme["platlib"]})
    inside = sorted({str(file) for name in distributions() for file in _files(name)})
    return outer, covered, [*inside, str(_HERE)]


def distributions() -> list[str]:
    """The runtime's installed distributions, with all that they require, sorted."""
    found: set[str] = set()
    waiting = [*PACKAGES, *OPTIONAL_PACKAGES]
    while waiting:
        name = waiting.pop()
        key = re.sub(r"[-_.]+", "-", name).lower()
        if key in found:
            continue
        try:
            requirements = importlib.metadata.requires(name) or []
        except importlib.metadata.PackageNotFoundError:
            continue  # an optional one, or a requirement of another platform
        found.add(key)
        needed = (re.match(r"[A-Za-z0-9._-]+", text) for text in requirements if "extra ==" not in text)
        waiting.extend(match.group() for match in needed if match)
    return sorted(found)


def _files(name: str) -> set[Path]:
    """The top-level files and folders of a distribution."""
    distribution = importlib.metadata.distribution(name)
    tops = {file.parts[0] for file in distribution.files or [] if file.parts[0] not in ("..", "__pycache__")}
    return {path for top in tops if (path := Path(str(distribution.locate_file(top)))).exists()}


def load() -> None:
    """Import all of `MODULES` and set their objects aside from the garbage collector, which else would copy the
    pages of a fork by writing to them.

    Meanwhile this process has one processor, and a library that counts them for its threads counts one: in a child a
    second thread costs more to begin than most models have for it to do, and workers are as many as processors.
    """
    processors = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(processors)})
    try:
        _load()
    finally:
        os.sched_setaffinity(0, processors)


def _load() -> None:
    gc.disable()
    for name in (*MODULES, *OPTIONAL_PACKAGES):
        try:
            importlib.import_module(name)
        except ModuleNotFoundError:
            if name not in OPTIONAL_PACKAGES:
                raise
    for _ in range(REHEARSALS):
        sys.modules["catenary_worker.execution"].rehearse()
    gc.collect()
    gc.freeze()
    gc.enable()


def digest() -> str:
    """A sha256, in hex, over all that an equal model with equal values could still differ by: Python, the versions of
    the runtime, OpenSCAD, the processor's kind and this package's own code."""
    lines = [f"python {platform.python_implementation()} {platform.python_version()} {platform.machine()}"]
    lines += [f"{name} {importlib.metadata.version(name)}" for name in distributions()]
    if program := openscad():
        answer = subprocess.run([program, "--version"], capture_output=True, text=True, check=False, env={})  # noqa: S603
        lines.append(f"openscad {(answer.stdout + answer.stderr).strip()}")
    for file in sorted(_HERE.rglob("*.py")):
        lines.append(f"{file.relative_to(_HERE)} {hashlib.sha256(file.read_bytes()).hexdigest()}")
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()


def scrubbed(text: str) -> str:
    """`text` without the paths of this installation, which are nobody's business outside it."""
    folders = {*sysconfig.get_paths().values(), sys.prefix, sys.base_prefix, str(_HERE.parent)} - {"/", "/usr"}
    for folder in sorted(folders, key=len, reverse=True):
        text = text.replace(folder, "<runtime>")
    return text
