"""What the check of a version remarks on the result of the defaults."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import trimesh

from catenary_worker.jobs import remarks
from catenary_worker.models import description
from catenary_worker.task import Description, Outcome
from factories.services import geometry


def declared(*parameters: dict[str, Any], unit: str | None = None) -> Description:
    own = "" if unit is None else f"GEOMETRY_UNIT = {unit!r}\n"
    source = f"PARAMETERS = {list(parameters)!r}\nMETRICS = []\n{own}def evaluate(p): return {{}}\n"
    return description.read(source.encode())[0]


def length(value: float, unit: str) -> dict[str, Any]:
    return {"name": "width", "type": "number", "min": 1, "max": 100_000, "default": value, "unit": unit}


def result(shape: object, unit: str | None = None, log: str = "") -> Outcome:
    return Outcome("completed", geometry=geometry.written({"shape": shape}, unit), log=log)


def test_each_warning_of_openscad_is_a_remark_with_its_line() -> None:
    log = (
        "WARNING: Can't open library 'parts.scad' in file model.scad, line 1\n"
        "ECHO: 3\n"
        "WARNING: Ignoring unknown module 'foot' in file model.scad, line 7\n"
        "WARNING: Ignoring unknown module 'foot' in file model.scad, line 7\n"
    )
    assert remarks.of("openscad", declared(), Outcome("completed", log=log)) == [
        "OpenSCAD: WARNING: Can't open library 'parts.scad' in file model.scad, line 1",
        "OpenSCAD: WARNING: Ignoring unknown module 'foot' in file model.scad, line 7",
    ]
    assert remarks.of("python", declared(), Outcome("completed", log=log)) == []


def test_a_part_with_a_density_that_is_open_is_named() -> None:
    box = trimesh.creation.box(extents=(1, 1, 1))
    (remark,) = remarks.of("python", declared(), result({"mesh": (box.vertices, box.faces[:-1]), "density": 7850}))
    assert remark == (
        "geometry shape, part shape: open at 3 edges, so it has a density and no mass; close it, or leave the density out."
    )
    assert remarks.of("python", declared(), result((box.vertices, box.faces[:-1]))) == [], "a surface is no mistake"


def test_the_width_of_a_seam_is_told_in_millimetres() -> None:
    assert remarks.opening({"edges": 12, "gap": 0.0003}) == "open by 0.3 mm at 12 edges"
    assert remarks.opening({"edges": 1, "gap": None}) == "open at 1 edge"


@pytest.mark.parametrize(
    ("size", "parameters", "unit", "beginning"),
    [
        (9_000.0, [], None, "The geometry is 9 km large: its coordinates are read in m."),
        (2_000.0, [length(2_000, "mm")], None, "The geometry is 2000 m large and the largest length"),
        (2_000.0, [length(2_000, "mm")], "mm", ""),
        (2.0, [length(2_000, "mm")], None, ""),
        (2_000.0, [length(2_000, "m")], None, ""),
        (30.0, [length(12, "mm"), {**length(24, "m"), "name": "span"}], None, ""),
        (
            300.0,
            [length(400, "mm"), {**length(0.1, "m"), "name": "gap", "min": 0}],
            None,
            "The geometry is 300 m large",
        ),
        (24.0, [length(24, "m")], "mm", "The geometry is 0.024 m large and the largest length"),
        (24_000.0, [length(24, "m")], "mm", ""),
        (24.0, [length(24, "mm")], "mm", ""),
    ],
    ids=[
        *("9 km", "millimetres as metres", "named", "converted", "metres", "a plate's thickness", "two units"),
        *("metres as millimetres", "metres converted", "a plate"),
    ],
)
def test_a_size_that_a_mistaken_unit_gives_is_told(
    size: float, parameters: list[dict[str, Any]], unit: str | None, beginning: str
) -> None:
    line = [[0, 0, 0], np.array([size, 0, 0])]
    found = remarks.of("python", declared(*parameters, unit=unit), result(line, unit))
    assert [one[: len(beginning)] for one in found] == ([beginning] if beginning else [])


def test_the_size_is_that_of_all_parts_together() -> None:
    """Columns of 80 mm and 60 m apart, in a model of 50 mm: 60 m are 1,200 times as much, one column is not."""
    columns = {f"column_{x}": [[x, 0, 0], [x, 0, 0.08]] for x in (0, 60)}
    (remark,) = remarks.of("python", declared(length(50, "mm")), result({"parts": columns}))
    assert remark.startswith("The geometry is 60 m large and the largest length among the parameters is 0.05 m")
