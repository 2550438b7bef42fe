"""A separate program that converts a GLB from standard input to `stl`, `3mf` or `png`, a picture, on standard output.

The format is its first argument. For an STL, which has no unit, the name of one and its metres may follow: `stl mm 0.001`.

The program reads only files of the form that the platform's workers write, and gives up every privilege before it reads
the first byte: another user than root, no file to open, no network, no program to start, bounded memory and time. It
imports nothing of the core but the drawing, which imports numpy alone.
"""

from __future__ import annotations

import errno
import io
import json
import os
import resource
import struct
import sys
import zipfile
from collections.abc import Iterator
from typing import Any, BinaryIO, NamedTuple
from xml.sax.saxutils import quoteattr

MEMORY_BYTES = 1024**3
CPU_SECONDS = 60
OUTPUT_BYTES = 512 * 1024**2
NO_TRIANGLES = 3
"""Exit status for a GLB without triangles; for a picture, without lines too."""
UNREADABLE = 4
"""Exit status for a file that no worker of the platform has written."""
NOBODY = 65_534
_BLOCK = 16_384
"""Points or triangles that are converted at a time."""
_MOST_TEXT = 4 * 1024**2
_COMPONENTS = {5123: "<u2", 5125: "<u4", 5126: "<f4"}
_TRIANGLES = 4
_CORNERS = {1: 2, _TRIANGLES: 3}
"""Points of a line and of a triangle, by the mode of a primitive."""
_EPSILON = 2.0**-24
"""Largest error of a number that is rounded to 32 bits, relative to it (IEEE 754)."""
_CALLS = """
read write lseek close fstat newfstatat fcntl ftruncate mmap munmap mremap mprotect madvise brk futex sched_yield
sched_getaffinity getpid gettid tgkill exit exit_group clock_gettime gettimeofday getrandom rt_sigaction rt_sigprocmask
rt_sigreturn sigaltstack restart_syscall
"""
"""The system calls of a process that works on open files."""

# 3MF Core Specification 1.3, sections 2.1 (package), 3.4 (model) and 4.1 (mesh).
_CORE = "http://schemas.microsoft.com/3dmanufacturing/core/2015/02"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_TYPES = (
    f'<?xml version="1.0" encoding="UTF-8"?><Types xmlns="{_PACKAGE}/content-types">'
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
    '<Default Extension="model" ContentType="application/vnd.ms-package.3dmanufacturing-3dmodel+xml"/></Types>'
)
_RELATIONSHIPS = (
    f'<?xml version="1.0" encoding="UTF-8"?><Relationships xmlns="{_PACKAGE}/relationships">'
    '<Relationship Id="model" Target="/3D/3dmodel.model"'
    ' Type="http://schemas.microsoft.com/3dmanufacturing/2013/01/3dmodel"/></Relationships>'
)
_STL = [("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("attributes", "<u2")]

Mesh = tuple[str, Any, Any]
"""Name, (n, 3) points and (m, 3) faces of a part, placed, in metres with Z up."""


class _Primitive(NamedTuple):
    """A part of a GLB, placed, in metres with Z up."""

    name: str
    mode: int
    points: Any
    """(n, 3)."""
    indices: Any
    """(m, 3) for triangles, (m, 2) for lines."""
    color: Any
    """Red, green, blue (linear) and alpha."""


def write(glb: bytes, form: str, out: BinaryIO, unit: str = "m", metres: float = 1.0) -> bool:
    """Write a GLB as binary STL in a unit, as 3MF, or as a picture; return False without parts.

    STL and 3MF have Z up, a 3MF is in metres. Equal geometry gives equal bytes. Only a picture shows lines.

    Raises:
        ValueError: The file is none that a worker of the platform has written.
    """
    try:
        found = list(_primitives(glb))
    except (KeyError, IndexError, TypeError, OverflowError, struct.error, RecursionError) as error:
        raise ValueError("not a GLB of a worker") from error
    if form == "png":
        return _draw(found, out)
    parts = [(one.name, one.points, one.indices) for one in found if one.mode == _TRIANGLES]
    if parts and form == "3mf":
        _write_3mf(parts, out)
    elif parts:
        _write_stl([(name, points / metres, faces) for name, points, faces in parts], unit, out)
    return bool(parts)


def _draw(found: list[_Primitive], out: BinaryIO) -> bool:
    """Write the picture of what was found; return False if that is nothing."""
    from catenary_core.services.evaluations.drawing import picture

    if found:
        out.write(picture.draw([picture.DrawnPart(one.points, one.indices, one.color) for one in found]))
    return bool(found)


def _primitives(glb: bytes) -> Iterator[_Primitive]:
    """Yield the parts; each node has a mesh of its own, so that no file grows by being read.

    glTF has Y up: its (x, y, z) is (x, -z, y) with Z up.
    """
    import numpy as np

    magic, version, length, size, kind = struct.unpack_from("<4sII I4s", glb)
    if (magic, version, length, kind) != (b"glTF", 2, len(glb), b"JSON") or size > _MOST_TEXT:
        raise ValueError("the header")
    document = json.loads(glb[20 : 20 + size])
    content = memoryview(glb)[28 + size :]
    if document["buffers"] != [{"byteLength": len(content)}]:
        raise ValueError("the buffers")
    if [node["mesh"] for node in document["nodes"]] != list(range(len(document["meshes"]))):
        raise ValueError("the nodes")
    used: set[int] = set()
    for node, mesh in zip(document["nodes"], document["meshes"], strict=True):
        (primitive,) = mesh["primitives"]
        mode = primitive["mode"]
        points, indices = (
            _array(document, content, accessor, used)
            for accessor in (primitive["attributes"]["POSITION"], primitive["indices"])
        )
        matrix = np.array(node["matrix"], dtype=np.float64).reshape(4, 4).T
        placed = points.reshape(-1, 3) @ matrix[:3, :3].T + matrix[:3, 3]
        indices = indices.reshape(-1, _CORNERS[mode])
        if not np.isfinite(placed).all():
            raise ValueError("a position")
        if indices.dtype.kind != "u" or indices.max() >= len(placed):
            raise ValueError("a primitive")
        color = np.array(document["materials"][primitive["material"]]["pbrMetallicRoughness"]["baseColorFactor"], float)
        if color.shape != (4,) or not ((color >= 0) & (color <= 1)).all():
            raise ValueError("a colour")
        upright = np.column_stack([placed[:, 0], -placed[:, 2], placed[:, 1]])
        yield _Primitive(str(node["name"]), mode, upright, indices, color)


def _array(document: Any, content: memoryview, number: int, used: set[int]) -> Any:
    """Return the numbers of an accessor; each accessor and each of its views is used once."""
    import numpy as np

    accessor = document["accessors"][number]
    view = document["bufferViews"][accessor["bufferView"]]
    start, length = view["byteOffset"], view["byteLength"]
    if type(number) is not int or number < 0 or number in used or accessor["bufferView"] != number or start < 0:
        raise ValueError("an accessor")
    used.add(number)
    values = np.frombuffer(content[start : start + length], _COMPONENTS[accessor["componentType"]])
    if len(values) != accessor["count"] * {"VEC3": 3, "SCALAR": 1}[accessor["type"]] or not len(values):
        raise ValueError("a view")
    return values


def _write_stl(parts: list[Mesh], unit: str, out: BinaryIO) -> None:
    """Write a binary STL; its 80 bytes of text name the unit, and what 32 bits of a coordinate lose far from the origin."""
    import numpy as np

    farthest = max(float(np.abs(points).max()) for _, points, _ in parts)
    text = f"Catenary; unit {unit}; coordinates to {farthest * _EPSILON:.2g} {unit}"
    out.write(text.encode().ljust(80, b"\0")[:80] + struct.pack("<I", sum(len(faces) for _, _, faces in parts)))
    for _, points, faces in parts:
        for start in range(0, len(faces), _BLOCK):
            corners = points[faces[start : start + _BLOCK]]
            normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
            lengths = np.linalg.norm(normals, axis=1, keepdims=True)
            block = np.zeros(len(corners), _STL)
            block["normal"] = np.divide(normals, lengths, out=np.zeros_like(normals), where=lengths > 0)
            block["corners"] = corners
            out.write(block.tobytes())


def _write_3mf(parts: list[Mesh], out: BinaryIO) -> None:
    """Write a 3MF package with an object for each part."""
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as package:
        package.writestr(_entry("[Content_Types].xml"), _TYPES)
        package.writestr(_entry("_rels/.rels"), _RELATIONSHIPS)
        with package.open(_entry("3D/3dmodel.model"), "w", force_zip64=True) as model:
            for text in _model(parts):
                model.write(text.encode())


def _entry(path: str) -> zipfile.ZipInfo:
    """Build an entry of the package, always with the same time."""
    entry = zipfile.ZipInfo(path, (1980, 1, 1, 0, 0, 0))
    entry.compress_type = zipfile.ZIP_DEFLATED
    return entry


def _model(parts: list[Mesh]) -> Iterator[str]:
    yield f'<?xml version="1.0" encoding="UTF-8"?><model unit="meter" xml:lang="en-US" xmlns="{_CORE}"><resources>'
    for number, (name, points, faces) in enumerate(parts, 1):
        yield f'<object id="{number}" type="model" name={quoteattr(name)}><mesh><vertices>'
        for block in _blocks(points):
            yield "".join(f'<vertex x="{x!r}" y="{y!r}" z="{z!r}"/>' for x, y, z in block)
        yield "</vertices><triangles>"
        for block in _blocks(faces):
            yield "".join(f'<triangle v1="{a}" v2="{b}" v3="{c}"/>' for a, b, c in block)
        yield "</triangles></mesh></object>"
    yield "</resources><build>"
    yield "".join(f'<item objectid="{number}"/>' for number in range(1, len(parts) + 1))
    yield "</build></model>"


def _blocks(rows: Any) -> Iterator[list[list[Any]]]:
    for start in range(0, len(rows), _BLOCK):
        yield rows[start : start + _BLOCK].tolist()


def confine() -> None:
    """Give up every privilege, the network and all files but the open ones.

    Raises:
        OSError: The system forbids a step.
    """
    import numpy as np
    import pyseccomp

    # Both load what is loaded on first use.
    _write_3mf([("warm", np.eye(3), np.arange(3).reshape(1, 3))], io.BytesIO())
    warm = np.arange(3, dtype=np.uint32).reshape(1, 3)
    _draw([_Primitive("warm", _TRIANGLES, np.eye(3), warm, np.ones(4))], io.BytesIO())
    for kind, most in (
        (resource.RLIMIT_AS, MEMORY_BYTES),
        (resource.RLIMIT_CPU, CPU_SECONDS),
        (resource.RLIMIT_FSIZE, OUTPUT_BYTES),
        (resource.RLIMIT_CORE, 0),
    ):
        resource.setrlimit(kind, (most, most))
    if os.geteuid() == 0:
        os.setgroups([])
        os.setresgid(NOBODY, NOBODY, NOBODY)
        os.setresuid(NOBODY, NOBODY, NOBODY)  # with root's last uid go all its capabilities: capabilities(7)
    calls = pyseccomp.SyscallFilter(pyseccomp.ERRNO(errno.EPERM))
    for name in _CALLS.split():
        try:
            calls.add_rule(pyseccomp.ALLOW, name)
        except (ValueError, OSError, RuntimeError):
            continue  # a call that this architecture does not have
    calls.load()  # also sets no_new_privs


def main() -> int:
    """Convert, once the process can do nothing else."""
    confine()
    try:
        unit, metres = sys.argv[2:4] or ("m", "1")
        made = write(sys.stdin.buffer.read(), sys.argv[1], sys.stdout.buffer, unit, float(metres))
        sys.stdout.buffer.flush()
    except ValueError:
        return UNREADABLE
    return 0 if made else NO_TRIANGLES


if __name__ == "__main__":
    sys.exit(main())
