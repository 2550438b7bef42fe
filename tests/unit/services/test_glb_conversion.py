"""Stored GLBs as STL and 3MF."""

from __future__ import annotations

import asyncio
import io
import json
import struct
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import AsyncIterator, Callable
from typing import Any
from xml.etree import ElementTree

import manifold3d
import numpy as np
import pytest
import trimesh

from catenary_core.services.evaluations import conversions, glb_conversion
from factories.services import geometry

BOX = trimesh.creation.box(extents=(2, 3, 4))


def _converted(glb: bytes, form: str) -> bytes:
    out = io.BytesIO()
    assert glb_conversion.write(glb, form, out)
    return out.getvalue()


def test_a_stl_is_in_metres_with_z_up() -> None:
    tall = manifold3d.Manifold.cube((1, 2, 3)).translate((10, 20, 30))
    (file,) = geometry.written({"s": tall})
    back = trimesh.load_mesh(io.BytesIO(_converted(file.data, "stl")), file_type="stl")
    assert back.bounds == pytest.approx(np.array([[10, 20, 30], [11, 22, 33]]))
    assert back.volume == pytest.approx(6)


def test_a_stl_in_a_unit_names_it_and_what_it_lost() -> None:
    """A cube of 20 mm at 155 km: 155,000,020 mm to 2^-24 of it, 9.2 mm."""
    (file,) = geometry.written({"s": manifold3d.Manifold.cube((0.02, 0.02, 0.02)).translate((155_000, 0, 0))})
    out = io.BytesIO()
    assert glb_conversion.write(file.data, "stl", out, "mm", 0.001)
    assert out.getvalue()[:80].rstrip(b"\0") == b"Catenary; unit mm; coordinates to 9.2 mm"
    (near,) = geometry.written({"s": manifold3d.Manifold.cube((0.02, 0.02, 0.02))})
    out = io.BytesIO()
    glb_conversion.write(near.data, "stl", out, "mm", 0.001)
    back = trimesh.load_mesh(io.BytesIO(out.getvalue()), file_type="stl")
    assert back.bounds == pytest.approx(np.array([[0, 0, 0], [20, 20, 20]]), abs=1e-6)


def test_a_3mf_holds_each_part_in_metres_and_equal_geometry_gives_equal_bytes() -> None:
    (file,) = geometry.written({"s": {"parts": {"low": BOX, "high": manifold3d.Manifold.cube((1, 2, 3))}}})
    data = _converted(file.data, "3mf")
    assert data == _converted(file.data, "3mf")
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        assert archive.namelist() == ["[Content_Types].xml", "_rels/.rels", "3D/3dmodel.model"]
        model = ElementTree.fromstring(archive.read("3D/3dmodel.model"))
    space = {"c": "http://schemas.microsoft.com/3dmanufacturing/core/2015/02"}
    assert model.get("unit") == "meter"
    found = {}
    for item in model.findall("c:resources/c:object", space):
        points = [[float(point.get(axis, "")) for axis in "xyz"] for point in item.findall(".//c:vertex", space)]
        faces = [[int(face.get(f"v{n}", "")) for n in (1, 2, 3)] for face in item.findall(".//c:triangle", space)]
        found[item.get("name")] = trimesh.Trimesh(points, faces).volume
    assert found == {"low": pytest.approx(24), "high": pytest.approx(6)}
    assert len(model.findall("c:build/c:item", space)) == 2


@pytest.mark.parametrize("form", ["stl", "3mf"])
def test_lines_alone_cannot_be_converted(form: str) -> None:
    (file,) = geometry.written({"s": [[0, 0, 0], [1, 0, 0]]})
    assert not glb_conversion.write(file.data, form, io.BytesIO())


def test_a_mesh_with_several_nodes_is_refused_since_the_result_would_grow_with_them() -> None:
    (file,) = geometry.written({"s": BOX})
    nodes = [{"name": f"n{number}", "mesh": 0} for number in range(1_000)]
    scenes = [{"nodes": list(range(1_000))}]
    bomb = changed(file.data, lambda document: document.update(nodes=nodes, scenes=scenes))
    believed: Any = trimesh.load_scene(io.BytesIO(bomb), file_type="glb")
    assert sum(len(mesh.faces) for mesh in believed.dump()) == 12_000, "a reader that believes the file writes them all"
    with pytest.raises(ValueError, match="the nodes"):
        glb_conversion.write(bomb, "stl", io.BytesIO())


HOSTILE: dict[str, Callable[[Any], object]] = {
    "one mesh's numbers for several": lambda document: document["meshes"][1].update(document["meshes"][0]),
    "a view for several accessors": lambda document: document["accessors"][2].update(bufferView=0),
    "a count of 10^9": lambda document: document["accessors"][0].update(count=10**9),
    "a chain of nodes": lambda document: document.update(
        nodes=[{"name": f"n{n}", "children": [n + 1]} for n in range(20_000)] + document["nodes"]
    ),
    "a node with another node": lambda document: document["nodes"][0].update(mesh=None, children=[1]),
    "an index without a point": lambda document: document["meshes"][0]["primitives"][0].update(indices=3),
    "a file of the machine": lambda document: document["buffers"][0].update(uri="/etc/passwd"),
    "a negative offset": lambda document: document["bufferViews"][0].update(byteOffset=-96),
    "no meshes": lambda document: document.pop("meshes"),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_file_that_no_worker_writes_is_refused(name: str) -> None:
    (file,) = geometry.written({"s": {"parts": {"low": BOX, "high": manifold3d.Manifold.sphere(1, 32)}}})
    with pytest.raises(ValueError):
        glb_conversion.write(changed(file.data, HOSTILE[name]), "stl", io.BytesIO())
    assert len(_converted(changed(file.data, lambda _: None), "stl")) > 1_000, "what is not hostile is converted"


def changed(glb: bytes, change: Callable[[Any], object]) -> bytes:
    """Return a GLB with another document."""
    (size,) = struct.unpack("<I", glb[12:16])
    document = json.loads(glb[20 : 20 + size])
    change(document)
    text = json.dumps(document).encode()
    text += b" " * (-len(text) % 4)
    rest = glb[20 + size :]
    return b"glTF" + struct.pack("<III4s", 2, 20 + len(text) + len(rest), len(text), b"JSON") + text + rest


TRIES = """
import importlib.util, json, os, socket, sys
spec = importlib.util.spec_from_file_location("conversion", sys.argv[1])
module = importlib.util.module_from_spec(spec)
spec.loader.exec_module(module)
if sys.argv[2] == "confined":
    module.confine()
done = []
for name, attempt in {
    "reads files": lambda: open("/etc/passwd"),
    "writes files": lambda: open("/dev/shm/../null", "w"),
    "calls the network": lambda: socket.socket(),
    "starts processes": lambda: os.waitpid(os.posix_spawn("/bin/true", ["true"], {}), 0),
    "forks": lambda: os.fork() or os._exit(0),
    "signals others": lambda: os.kill(os.getppid(), 0),
}.items():
    try:
        attempt()
        done.append(name)
    except OSError:
        pass
print(json.dumps({"done": done}))
"""


@pytest.mark.slow
@pytest.mark.gate
@pytest.mark.parametrize("way", ["confined", "as it starts"])
def test_the_process_can_do_nothing_but_convert(way: str) -> None:
    line = [sys.executable, "-I", "-c", TRIES, glb_conversion.__file__, way]
    told = subprocess.run(line, capture_output=True, check=True, timeout=60)
    done = json.loads(told.stdout)["done"]
    if way == "confined":
        assert done == []
    else:  # Guard off: the same process does all of it.
        assert done == [
            "reads files",
            "writes files",
            "calls the network",
            "starts processes",
            "forks",
            "signals others",
        ]


LIMITED = """
import importlib.util, sys
import numpy, pyseccomp
spec = importlib.util.spec_from_file_location("conversion", sys.argv[1])
module = importlib.util.module_from_spec(spec)
spec.loader.exec_module(module)
used = int(open("/proc/self/statm").read().split()[0]) * 4096
module.MEMORY_BYTES = used + 64 * 2**20 if sys.argv[2] == "memory" else module.MEMORY_BYTES
module.OUTPUT_BYTES = 1_000 if sys.argv[2] == "output" else module.OUTPUT_BYTES
sys.argv[1:] = ["stl"]
sys.exit(module.main())
"""


@pytest.mark.slow
@pytest.mark.gate
@pytest.mark.parametrize(("limit", "error"), [("memory", b"MemoryError"), ("output", b"File too large"), ("", b"")])
def test_the_process_has_limited_memory_and_output(limit: str, error: bytes) -> None:
    """Guard off: with the limits as they are the same file is converted."""
    triangles = 500_000
    points = np.random.default_rng(1).random((3 * triangles, 3))
    glb = geometry.written({"s": (points, np.arange(3 * triangles).reshape(-1, 3))})[0].data
    line = [sys.executable, "-I", "-c", LIMITED, glb_conversion.__file__, limit]
    with tempfile.TemporaryFile() as out:
        told = subprocess.run(line, input=glb, stdout=out, stderr=subprocess.PIPE, check=False, timeout=60)
        assert error in told.stderr
        assert (told.returncode != 0) == bool(limit)
        assert out.seek(0, 2) <= (1_000 if limit == "output" else 84 + 50 * triangles)


@pytest.mark.slow
@pytest.mark.gate
async def test_a_conversion_that_takes_too_long_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[asyncio.subprocess.Process] = []
    start = asyncio.create_subprocess_exec

    async def noted(*line: Any, **options: Any) -> asyncio.subprocess.Process:
        started.append(await start(*line, **options))
        return started[-1]

    async def endless() -> AsyncIterator[bytes]:
        yield b"glTF"
        await asyncio.Event().wait()

    monkeypatch.setattr(conversions.asyncio, "create_subprocess_exec", noted)
    monkeypatch.setattr(conversions, "CONVERSION_SECONDS", 0.1)
    with tempfile.TemporaryFile() as out:
        async with asyncio.timeout(60):  # which is when this test would end without the limit
            assert await conversions._run(endless(), "stl", "m", out) == "failed"
    assert started[0].returncode == -9
