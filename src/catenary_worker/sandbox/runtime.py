"""The packages that a model may import, their places on disk, and the digest that identifies the runtime.

Numpy and the like are imported by `load` only, inside the zygote.
"""

import contextlib
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
import tempfile
from collections.abc import Iterator
from pathlib import Path

PACKAGES = ("numpy", "scipy", "trimesh", "manifold3d")
"""Distributions that a model may import besides the standard library, with their requirements."""
EXTRAS = {"build123d": "brep"}
"""The extra of our own distribution that installs each optional package."""
OPTIONAL_PACKAGES = tuple(EXTRAS)
MODULES = (
    "bisect", "cmath", "collections.abc", "csv", "dataclasses", "datetime", "decimal", "enum", "fractions",
    "functools", "heapq", "itertools", "json", "linecache", "math", "random", "statistics", "string", "traceback",
    "typing", "zipfile",
    "numpy", "numpy.random", "scipy.integrate", "scipy.interpolate", "scipy.linalg", "scipy.optimize",
    "scipy.sparse.linalg", "scipy.spatial", "trimesh", "trimesh.creation", "manifold3d",
    "catenary_worker.execution", "catenary_worker.models.openscad",
)  # fmt: skip
"""Imported before the fork, so that no evaluation spends time on them."""
ONE_THREAD = {
    f"{library}_NUM_THREADS": "1" for library in ("OPENBLAS", "OMP", "MKL", "BLIS", "NUMEXPR", "VECLIB_MAXIMUM")
}
"""Set before numpy is imported: a forked child has only the thread that forked it.

oneTBB, which manifold3d uses, has no such setting; see `load`.
"""
OPENSCAD_FOLDERS = "/usr/bin:/usr/local/bin"
"""The directories to search for the program, as in the variable PATH."""
OPENSCAD_PATHS = ("/usr/share/openscad", "/usr/share/fonts", "/etc/fonts")

REHEARSALS = 12
"""CPython 3.11 specialises a function's code at its eighth call (PEP 659): so before the fork, for every child."""

_HERE = Path(__file__).resolve().parents[1]
_OURS = (_HERE, _HERE.with_name("catenary_wire"))
"""The packages of ours that the sandbox's root holds, installed side by side."""
_RULES = ("steps.py", "expressions/*.py", "units/unit_table.py", "units/units.csv")
"""Files of `catenary_wire` on which results depend; more of it in the digest would drop stored results for nothing."""


def environment() -> dict[str, str]:
    """Return the whole environment of a zygote.

    The hash seed is fixed so that sets have one order on every worker. The root has no table of users, in which a
    package would look for its home folder; `load` names one for the time of the imports.
    """
    own = {"PYTHONPATH": str(_HERE.parent), "PYTHONHASHSEED": "0", "LANG": "C.UTF-8", "PATH": "/usr/bin"}
    return {**ONE_THREAD, **own, "HOME": "/nonexistent"}


def openscad() -> str | None:
    """Return the path of the OpenSCAD program on this machine, or None."""
    return shutil.which("openscad", path=OPENSCAD_FOLDERS)


def installed_openscad() -> tuple[str, int, int] | None:
    """Return the identity of the installed OpenSCAD program: path, inode and time of its change; None without one."""
    if (program := openscad()) is None:
        return None
    try:
        found = Path(program).stat()
    except FileNotFoundError:  # just removed
        return None
    return program, found.st_ino, found.st_mtime_ns


def paths() -> tuple[list[str], list[str], list[str]]:
    """Return the content of the sandbox's root: (folders as they are, folders to empty, content of the emptied ones).

    The emptied ones are the site-packages, which get back only the files of `distributions`: a model cannot import a
    package that another worker may lack.
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
    return outer, covered, [*inside, *map(str, _OURS)]


def distributions() -> list[str]:
    """Return the runtime's installed distributions, with all their requirements, sorted."""
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
            continue  # an optional package, or a requirement of another platform
        found.add(key)
        needed = (re.match(r"[A-Za-z0-9._-]+", text) for text in requirements if "extra ==" not in text)
        waiting.extend(match.group() for match in needed if match)
    return sorted(found)


def _files(name: str) -> set[Path]:
    """Return the top-level files and folders of a distribution."""
    distribution = importlib.metadata.distribution(name)
    tops = {file.parts[0] for file in distribution.files or [] if file.parts[0] not in ("..", "__pycache__")}
    return {path for top in tops if (path := Path(str(distribution.locate_file(top)))).exists()}


def load(home: str) -> None:
    """Import all of `MODULES` and exclude their objects from garbage collection.

    A collection would write to the pages of a forked child, and so copy them.

    Packages make caches and print notices while they are imported (ezdxf of build123d does both). The files go to
    `home`, which the caller removes; the notices go nowhere, since the log of a worker has lines of its own kind only.

    Args:
        home: An empty folder, the packages' home and place for temporary files.

    Meanwhile this process may use one processor only, and a library that chooses its number of threads by the
    processors chooses one: in a child a second thread costs more to start than most models would gain, and there are as
    many workers as processors.
    """
    processors = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(processors)})
    before = dict(os.environ)
    os.environ.update(HOME=home, TMPDIR=home)
    tempfile.tempdir = None  # else it stays the folder that was found for an earlier file
    try:
        with _silent():
            _load()
    finally:
        os.sched_setaffinity(0, processors)
        os.environ.clear()
        os.environ.update(before)
        tempfile.tempdir = None


@contextlib.contextmanager
def _silent() -> Iterator[None]:
    """Drop what is written to the standard error while the block runs, also by code in C."""
    kept = os.dup(2)
    try:
        with Path(os.devnull).open("wb") as nowhere:
            os.dup2(nowhere.fileno(), 2)
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)


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
    """Return the sha256, in hex, of all that a result depends on beside the model and its values.

    That is Python, the versions of the runtime, OpenSCAD, the processor's kind and our own code.
    """
    lines = [f"python {platform.python_implementation()} {platform.python_version()} {platform.machine()}"]
    lines += [f"{name} {importlib.metadata.version(name)}" for name in distributions()]
    if program := openscad():
        answer = subprocess.run(  # noqa: S603 - the program is found above, not given by a caller
            [program, "--version"], capture_output=True, text=True, check=False, env={}
        )
        lines.append(f"openscad {(answer.stdout + answer.stderr).strip()}")
    rules = [file for pattern in _RULES for file in _HERE.with_name("catenary_wire").glob(pattern)]
    for file in sorted([*_HERE.rglob("*.py"), *rules]):
        lines.append(f"{file.relative_to(_HERE.parent)} {hashlib.sha256(file.read_bytes()).hexdigest()}")
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()


def without_paths(text: str) -> str:
    """Return `text` without the paths of this installation, which must not be visible outside."""
    folders = {*sysconfig.get_paths().values(), sys.prefix, sys.base_prefix, str(_HERE.parent)} - {"/", "/usr"}
    for folder in sorted(folders, key=len, reverse=True):
        text = text.replace(folder, "<runtime>")
    return text
