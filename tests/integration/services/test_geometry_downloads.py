"""Geometry of evaluations: whole, by range, in other formats; and what a hostile file does."""

from __future__ import annotations

import asyncio
import io
import zipfile
from types import SimpleNamespace
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest
import trimesh

from catenary.worker.v1 import worker_service_pb2 as worker_pb
from catenary_core.call.errors import CallError
from catenary_core.limits.free_space import FreeSpace
from catenary_core.services.evaluations import conversions
from factories.services.evaluations import MadeGeometry, Node, refusal, run_sql
from factories.services.geometry import written


def _tower() -> bytes:
    """Return a box of 2 x 3 x 10 m as a GLB with Y up.

    With Z up the box stands at (10, 20, 0).
    """
    box = trimesh.creation.box((2, 3, 10))
    box.apply_translation((10, 20, 5))
    return written({"tower": box})[0].data


def _of_3mf(package: bytes) -> trimesh.Trimesh:
    """Return the one object of a 3MF package, read by the names of the 3MF Core Specification."""
    core = "{http://schemas.microsoft.com/3dmanufacturing/core/2015/02}"
    with zipfile.ZipFile(io.BytesIO(package)) as files:
        assert {"[Content_Types].xml", "_rels/.rels"} <= set(files.namelist())
        model = ElementTree.fromstring(files.read("3D/3dmodel.model"))
    assert model.get("unit") == "meter"
    (one,) = model.iter(f"{core}object")
    assert [item.get("objectid") for item in model.iter(f"{core}item")] == [one.get("id")]
    assert one.get("name") == "tower"
    vertices = [[float(v.get(axis, "")) for axis in "xyz"] for v in one.iter(f"{core}vertex")]
    faces = [[int(t.get(corner, "")) for corner in ("v1", "v2", "v3")] for t in one.iter(f"{core}triangle")]
    return trimesh.Trimesh(vertices, faces, process=False)


async def test_geometry_is_downloaded_whole_or_by_range_in_every_format_it_has(node: Node, project: str) -> None:
    glb, step = _tower(), b"ISO-10303-21;" * 100_000

    async def script(job: worker_pb.Job) -> dict[str, Any]:
        return {"geometry": [MadeGeometry("tower", "glb", glb), MadeGeometry("tower", "step", step)]}

    async with node.worker().running(script):
        found = (await node.evaluate(project)).body["evaluation"]
    base = f"/v1/evaluations/{found['evaluation_id']}/geometry/tower"
    assert [item["url"] for item in found["geometry"]] == [base, f"{base}.step"]
    named = {"evaluation_id": found["evaluation_id"]}
    stream, data = await node.download(**named, name="tower")
    assert data == glb
    assert stream.metadata == {
        "content-type": "model/gltf-binary",
        "accept-ranges": "bytes",
        "content-length": str(len(glb)),
        "etag": f'"{found["geometry"][0]["sha256"]}"',
        "content-disposition": 'attachment; filename="tower.glb"',
    }
    stream, data = await node.download(**named, name="tower.step", range="bytes=1000000-1000099")
    assert data == step[1_000_000:1_000_100]
    assert stream.metadata["catenary-status"] == "206"
    assert stream.metadata["content-range"] == f"bytes 1000000-1000099/{len(step)}"
    assert stream.metadata["content-type"] == "model/step"
    assert stream.metadata["content-disposition"] == 'attachment; filename="tower.step"'
    stream, data = await node.download(**named, name="tower", range="bytes=0-9", if_range=stream.metadata["etag"])
    assert data == glb, "the tag is that of the STEP file"
    _, data = await node.download(**named, name="tower", range="bytes=0-9", if_range=stream.metadata["etag"])
    assert data == glb[:10]
    for name, range_, reason in [
        ("tower", f"bytes={len(glb)}-", "RANGE_NOT_SATISFIABLE"),
        ("house", "", "NOT_FOUND"),
        ("tower.obj", "", "VALIDATION_ERROR"),
        ("../tower", "", "NOT_FOUND"),
    ]:
        with pytest.raises(CallError) as caught:
            await node.download(**named, name=name, range=range_)
        assert refusal(caught.value).reason == reason
    with pytest.raises(CallError) as caught:
        await node.download("stranger", **named, name="tower")
    assert refusal(caught.value).reason == "NOT_FOUND"


async def test_a_glb_is_given_as_stl_and_3mf_and_kept_once_converted(
    node: Node, project: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    glb = _tower()

    async def script(job: worker_pb.Job) -> dict[str, Any]:
        return {"geometry": [MadeGeometry("tower", "glb", glb)]}

    async with node.worker().running(script):
        named = {"evaluation_id": (await node.evaluate(project)).body["evaluation"]["evaluation_id"]}
    with monkeypatch.context() as full:
        full.setattr(FreeSpace, "problem", "a full disk")
        with pytest.raises(CallError) as caught:
            await node.download(**named, name="tower.stl")
        assert refusal(caught.value).reason == "UNAVAILABLE"
        assert (await node.download(**named, name="tower"))[1] == glb
    stream, stl = await node.download(**named, name="tower.stl")
    assert stream.metadata["content-type"] == "model/stl"
    mesh = trimesh.load_mesh(io.BytesIO(stl), file_type="stl")
    np.testing.assert_allclose(mesh.bounds, [[9, 18.5, 0], [11, 21.5, 10]], atol=1e-6)
    assert mesh.volume == pytest.approx(60)
    _, package = await node.download(**named, name="tower.3mf")
    mesh = _of_3mf(package)
    np.testing.assert_allclose(mesh.bounds, [[9, 18.5, 0], [11, 21.5, 10]], atol=1e-6)
    assert mesh.volume == pytest.approx(60)
    assert stream.metadata["x-geometry-unit"] == "m"
    small, millimetres = await node.download(**named, name="tower.stl", unit="mm")
    assert small.metadata["x-geometry-unit"] == "mm"
    assert millimetres[:40].startswith(b"Catenary; unit mm; coordinates to ")
    mesh = trimesh.load_mesh(io.BytesIO(millimetres), file_type="stl")
    np.testing.assert_allclose(mesh.bounds, [[9000, 18500, 0], [11000, 21500, 10000]], atol=1e-2)
    monkeypatch.setattr(conversions, "_run", None)  # kept, not converted again
    again, part = await node.download(**named, name="tower.stl", range="bytes=0-9")
    assert part == stl[:10]
    assert again.metadata["etag"] == stream.metadata["etag"]
    assert len(await run_sql(node.frame.db, "SELECT * FROM evaluations.conversion")) == 3
    for name in ("tower", "tower.3mf", "tower.glb"):
        with pytest.raises(CallError) as caught:
            await node.download(**named, name=name, unit="mm")
        assert [field for field, _ in refusal(caught.value).violations] == ["unit"], name


async def test_a_hostile_glb_is_refused_and_the_core_goes_on(
    node: Node, project: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def script(job: worker_pb.Job) -> dict[str, Any]:
        header = b'{"asset":{"version":"2.0"},"accessors":[{"componentType":5126,"count":9000000000,"type":"VEC3"},'
        header += b'{"componentType":5125,"count":9000000000,"type":"SCALAR"}],"meshes":[{"primitives":[{"attributes":'
        header += b'{"POSITION":0},"indices":1}]}],"nodes":[{"mesh":0}],"scenes":[{"nodes":[0]}],"scene":0}'
        header += b" " * (-len(header) % 4)
        size = 20 + len(header)
        glb = b"glTF" + (2).to_bytes(4, "little") + size.to_bytes(4, "little")
        glb += len(header).to_bytes(4, "little") + b"JSON" + header
        return {"geometry": [MadeGeometry("bomb", "glb", glb), MadeGeometry("noise", "glb", b"not a glb")]}

    async with node.worker().running(script):
        named = {"evaluation_id": (await node.evaluate(project)).body["evaluation"]["evaluation_id"]}
    for name in ("bomb.stl", "noise.3mf"):
        with pytest.raises(CallError) as caught:
            await node.download(**named, name=name)
        assert refusal(caught.value).reason == "VALIDATION_ERROR"
    assert (await node.download(**named, name="noise"))[1] == b"not a glb"
    tried = 0
    run = conversions._run

    async def counted(*given: Any) -> Any:
        nonlocal tried
        tried += 1
        return await run(*given)

    monkeypatch.setattr(conversions, "_run", counted)
    with pytest.raises(CallError) as caught:
        await node.download(**named, name="bomb.stl")
    assert refusal(caught.value).reason == "VALIDATION_ERROR"
    assert tried == 0, "the failure is remembered"
    monkeypatch.setattr(conversions, "time", SimpleNamespace(monotonic=lambda: float("inf")))
    with pytest.raises(CallError):
        await node.download(**named, name="bomb.stl")
    assert tried == 1, "without that, each request converts"


@pytest.mark.slow
async def test_the_conversions_of_one_user_do_not_keep_another_waiting(
    node: Node, project: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def script(job: worker_pb.Job) -> dict[str, Any]:
        return {"geometry": [MadeGeometry("tower", "glb", _tower())]}

    async with node.worker().running(script):
        named = {"evaluation_id": (await node.evaluate(project)).body["evaluation"]["evaluation_id"]}
    started, going_on, run = asyncio.Event(), asyncio.Event(), conversions._run

    async def held(glb: Any, form: str, unit: str, out: Any) -> Any:
        if form == "stl":
            started.set()
            await going_on.wait()
        return await run(glb, form, unit, out)

    monkeypatch.setattr(conversions, "_run", held)
    async with asyncio.timeout(60):
        slow = [asyncio.create_task(node.download("viewer", **named, name="tower.stl")) for _ in range(3)]
        await started.wait()
        _, package = await node.download("evaluator", **named, name="tower.3mf")
        assert _of_3mf(package).volume == pytest.approx(60)
        assert not any(task.done() for task in slow)
        going_on.set()
        assert len({data for _, data in await asyncio.gather(*slow)}) == 1
