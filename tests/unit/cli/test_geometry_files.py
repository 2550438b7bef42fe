"""The files that a command writes of geometry: their names, and where their bytes come from."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from catenary_cli.remote import geometry_files
from catenary_cli.remote.api import Access, Api
from catenary_cli.remote.geometry_files import Destination


class Recording(Api):
    """Writes the address of each download into its file."""

    async def download(self, path: str, target: Path) -> int:
        return await asyncio.to_thread(target.write_text, path)


def _geometry(*names: str, step: bool = False) -> dict[str, Any]:
    """Return an evaluation with geometry as a server gives it: of a brep model also in STEP."""
    formats = ("glb", "step") if step else ("glb",)
    return {
        "geometry": [
            {"name": name, "format": form, "url": f"/g/{name}{'' if form == 'glb' else '.step'}", "unit": "mm"}
            for name in names
            for form in formats
        ],
        "files": [{"name": "report.pdf", "url": "/f/report.pdf"}, {"name": "roof.glb", "url": "/f/roof.glb"}],
    }


async def _written(evaluation: dict[str, Any], folder: Path, out: str) -> dict[str, str]:
    api = Recording(Access("http://127.0.0.1/v1/", "id", "secret"))
    paths = [path async for path, _ in geometry_files.write(api, evaluation, Destination.of(f"{folder}/{out}"))]
    return {str(path.relative_to(folder)): path.read_text() for path in paths}


@pytest.mark.parametrize(
    ("out", "url"),
    [
        ("part.glb", "/g/plate"),
        ("part.step", "/g/plate.step"),
        ("part.stl", "/g/plate.stl?unit=mm"),
        ("p.3MF", "/g/plate.3mf"),
    ],
)
async def test_one_geometry_of_a_brep_model_takes_the_name_and_the_suffix_decides(
    tmp_path: Path, out: str, url: str
) -> None:
    assert await _written(_geometry("plate", step=True), tmp_path, out) == {out: url}


async def test_several_geometries_take_their_names_behind_it(tmp_path: Path) -> None:
    assert await _written(_geometry("roof", "wall", step=True), tmp_path, "house/part.step") == {
        "house/part-roof.step": "/g/roof.step",
        "house/part-wall.step": "/g/wall.step",
    }


@pytest.mark.parametrize("out", ["house", "house/", "house.v2/"])
async def test_a_folder_gets_every_file_that_the_model_gives(tmp_path: Path, out: str) -> None:
    folder = out.rstrip("/")
    assert await _written(_geometry("roof", step=True), tmp_path, out) == {
        f"{folder}/roof.glb": "/g/roof",
        f"{folder}/roof.step": "/g/roof.step",
        f"{folder}/files/report.pdf": "/f/report.pdf",
        f"{folder}/files/roof.glb": "/f/roof.glb",
    }


async def test_an_stl_is_in_the_unit_that_is_wanted_else_the_models_else_metres(tmp_path: Path) -> None:
    api = Recording(Access("http://127.0.0.1/v1/", "id", "secret"))
    made = _geometry("plate")
    for unit, own, expected in (("in", "mm", "in"), (None, "mm", "mm"), (None, None, "m")):
        made["geometry"][0]["unit"] = own
        destination = Destination.of(f"{tmp_path}/part.stl", unit)
        (path,) = [path async for path, _ in geometry_files.write(api, made, destination)]
        assert path.read_text() == f"/g/plate.stl?unit={expected}"


@pytest.mark.parametrize("out", ["part.glb", "part.step", "folder/"])
def test_a_unit_is_for_a_file_without_one(out: str) -> None:
    with pytest.raises(ValueError, match=r"--unit is for a file that ends in \.stl"):
        Destination.of(out, "mm")


def test_a_folder_that_is_there_is_a_folder_whatever_its_name(tmp_path: Path) -> None:
    (tmp_path / "part.stl").mkdir()
    assert Destination.of(str(tmp_path / "part.stl")).is_folder


@pytest.mark.parametrize("out", ["part.obj", "part.gltf", "a/b.tar.gz"])
def test_another_suffix_is_refused_with_those_that_there_are(out: str) -> None:
    with pytest.raises(ValueError, match=r"give one of \.glb, \.stl, \.step, \.3mf, or a folder"):
        Destination.of(out)


def _entries(folder: Path) -> list[Path]:
    return list(folder.iterdir())


EVIL: list[dict[str, Any]] = [
    {"geometry": [{"name": "../roof", "format": "glb", "url": "/g"}], "files": []},
    {"geometry": [{"name": "roof", "format": "../x", "url": "/g"}], "files": []},
    {"geometry": [], "files": [{"name": "../../report.pdf", "url": "/f"}]},
    {"geometry": [], "files": [{"name": "/report.pdf", "url": "/f"}]},
]


@pytest.mark.parametrize("evaluation", EVIL)
async def test_a_server_s_name_leads_out_of_no_folder(tmp_path: Path, evaluation: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="the server gave a file whose name is none"):
        await _written(evaluation, tmp_path, "house/")
    assert _entries(tmp_path) == []


async def test_without_the_check_of_names_a_file_lands_outside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(geometry_files, "_check_names", lambda _: None)
    api = Recording(Access("http://127.0.0.1/v1/", "id", "secret"))
    folder = Destination.of(f"{tmp_path}/house/")
    [path async for path, _ in geometry_files.write(api, EVIL[2], folder)]
    assert (tmp_path / "report.pdf").exists()
