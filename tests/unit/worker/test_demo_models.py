"""The demo models against calculations by other ways."""

import csv
import importlib.util
import io
import itertools
import math
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import catenary_cli
from catenary_worker import outputs, results
from catenary_worker.models import description
from catenary_worker.task import Description
from factories.services import geometry

DEMO = Path(catenary_cli.__path__[0]) / "demo" / "models"
NAMES = sorted(path.stem for path in DEMO.glob("*.py"))


def load(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, DEMO / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


TOWER, BRIDGE, ROOF = load("twisted_tower"), load("truss_bridge"), load("space_frame_roof")


def described(name: str) -> Description:
    return description.read((DEMO / f"{name}.py").read_bytes())[0]


def defaults(name: str, **more: object) -> dict[str, Any]:
    return {parameter["name"]: parameter["default"] for parameter in described(name)["parameters"]} | more


def metrics(module: ModuleType, **more: object) -> dict[str, float]:
    found: dict[str, float] = module.evaluate(defaults(module.__name__, **more))["metrics"]
    return found


def test_there_are_three_demo_models() -> None:
    assert NAMES == ["space_frame_roof", "truss_bridge", "twisted_tower"]


@pytest.mark.parametrize("name", NAMES)
def test_the_defaults_are_complete_and_hold_every_constraint(name: str) -> None:
    answer = results.returned(load(name).evaluate(defaults(name)))
    found = results.metrics(results.numbers(answer["metrics"]), described(name))
    assert all(
        constraint["satisfied"] for constraint in results.constraints(found, described(name), defaults(name)).values()
    )
    assert described(name)["constraints"]
    files = geometry.written(answer["geometry"])
    assert {part["kind"] for file in files for part in file.parts} == {"solid"}
    tables = results.tables(answer["tables"])
    assert outputs.charts(answer["charts"], tables).keys() == answer["charts"].keys()
    assert outputs.files(answer["files"]).keys() == answer["files"].keys()


@pytest.mark.parametrize("name", NAMES)
def test_every_corner_of_the_ranges_can_be_evaluated(name: str) -> None:
    model, described_model = load(name), described(name)
    ranged = [p for p in described_model["parameters"] if p["type"] in ("number", "integer")]
    choices = [p for p in described_model["parameters"] if p["type"] == "choice"]
    for ends in (("min",) * len(ranged), ("max",) * len(ranged), *itertools.islice(itertools.permutations(
            ("min", "max") * 5, len(ranged)), 0, 4)):  # fmt: skip
        for options in itertools.product(*(p["choices"] for p in choices)):
            values = defaults(name) | {p["name"]: p[end] for p, end in zip(ranged, ends, strict=True)}
            values |= {p["name"]: option for p, option in zip(choices, options, strict=True)}
            found = results.metrics(results.numbers(model.evaluate(values)["metrics"]), described_model)
            assert all(metric["value"] >= 0 for metric in found.values())


def test_the_bridge_gives_its_members_as_a_chart_and_a_file() -> None:
    answer = BRIDGE.evaluate(defaults("truss_bridge", paint="#00ff0080"))
    head, *lines = csv.DictReader(io.StringIO(answer["files"]["members.csv"].decode()))
    members = answer["tables"]["members"]
    assert len(lines) + 1 == len(members)
    assert float(head["utilisation"]) == members[0]["utilisation"]
    assert set(answer["charts"]["utilisation"]["y"]) <= members[0].keys()
    (bridge,) = geometry.written(answer["geometry"])
    assert b'"alphaMode":"BLEND"' in bridge.data


def test_the_deflection_of_a_two_bar_truss_is_that_of_a_hand_calculation() -> None:
    """Two bars from supports 6 m apart meet 4 m below: N = P / (2 cos a), deflection = P L / (2 E A cos^2 a)."""
    nodes = np.array([[0.0, 4.0], [6.0, 4.0], [3.0, 0.0]])
    loads = np.array([[0, 0], [0, 0], [0, -100e3]], dtype=float)
    area, length, cosine = 1e-3, 5.0, 4 / 5
    moved, forces = BRIDGE.analyse(nodes, np.array([[0, 2], [1, 2]]), np.full(2, area), loads, [0, 1, 2, 3])
    assert forces == pytest.approx([100e3 / (2 * cosine)] * 2)
    assert -moved[2, 1] == pytest.approx(100e3 * length / (2 * 210e9 * area * cosine**2))


def sections(span: float, depth: float, panels: int, loads: list[float]) -> dict[tuple[str, int], float]:
    """Member forces of the Pratt truss by the method of sections: chords M / depth, diagonals V / sin a.

    `loads` are the forces down at the inner lower nodes 1 .. panels - 1.
    """
    panel = span / panels
    left = sum(load * (panels - i) / panels for i, load in enumerate(loads, 1))
    shear = [left - sum(loads[:i]) for i in range(panels)]  # in panel i + 1
    moment = [sum(shear[:i]) * panel for i in range(panels + 1)]
    sine = depth / math.hypot(panel, depth)
    half, forces = panels // 2, {}
    for i in range(panels):  # lower chord
        at = (1 if i == 0 else i) if i < half else (panels - 1 if i == panels - 1 else i + 1)
        forces["low", i] = moment[at] / depth
    for i in range(1, panels - 1):  # upper chord
        forces["high", i] = -moment[i + 1 if i < half else i] / depth
    forces["end", 0], forces["end", 1] = -shear[0] / sine, shear[-1] / sine
    for i in range(1, panels):  # posts: hangers at the ends, else the shear that leaves the diagonal's panel
        if i in (1, panels - 1):
            forces["post", i] = loads[i - 1]
        elif i == half:
            forces["post", i] = 0.0
        else:
            forces["post", i] = -shear[i] if i < half else shear[i - 1]
    for i in range(1, half):
        forces["diagonal", i] = shear[i] / sine
    for i in range(half + 1, panels):
        forces["diagonal", i] = -shear[i - 1] / sine
    return forces


@pytest.mark.parametrize("panels", [4, 6, 8])
def test_the_deflection_at_midspan_is_that_of_virtual_work(panels: int) -> None:
    """1 * delta = sum(N n L / (E A)) over the bars: N from the loads, n from a unit load at midspan, both by sections.

    Timoshenko & Young, "Theory of Structures", 1965, article 6.
    """
    span, depth, load = 24.0, 3.0, 50e3
    nodes, bars = BRIDGE.pratt(span, depth, panels)
    ends = np.array([bar[:2] for bar in bars])
    areas = np.where([kind == "chord" for *_, kind in bars], 4e-3, 2e-3)
    forces = np.zeros_like(nodes)
    forces[1:panels, 1] = -load
    moved, axial = BRIDGE.analyse(nodes, ends, areas, forces, [0, 1, 2 * panels + 1])

    real = sections(span, depth, panels, [load] * (panels - 1))
    unit = sections(span, depth, panels, [float(i == panels // 2) for i in range(1, panels)])
    delta = 0.0
    panel, diagonal = span / panels, math.hypot(span / panels, depth)
    for (kind, number), force in real.items():
        length = {"low": panel, "high": panel, "end": diagonal, "post": depth, "diagonal": diagonal}[kind]
        area = 2e-3 if kind in ("post", "diagonal") else 4e-3
        delta += force * unit[kind, number] * length / (210e9 * area)
    assert -moved[panels // 2, 1] == pytest.approx(delta, rel=1e-9)
    assert sorted(axial) == pytest.approx(sorted(real.values()), abs=1e-3)


def test_a_bridge_carries_its_whole_load_to_its_supports() -> None:
    """The upper chord's force at midspan is that of a beam: q L^2 / 8 over the depth, its own weight included."""
    values = defaults("truss_bridge")
    answer = BRIDGE.evaluate(values)
    weight = answer["metrics"]["mass"] / 2 * BRIDGE.GRAVITY / values["span"]
    expected = (values["load"] * 1000 + weight) * values["span"] ** 2 / 8 / values["depth"] / 1000
    forces = [row["force [kN]"] for row in answer["tables"]["members"] if row["kind"] == "chord"]
    assert -min(forces) == pytest.approx(expected, rel=0.01)


def test_a_compressed_tube_buckles_at_the_force_of_the_code() -> None:
    """EN 1993-1-1, figure 6.4: at the slenderness 1.0 curve a gives chi = 0.6656."""
    length = math.pi * math.sqrt(210e9 / 355e6) * 0.1
    found = BRIDGE.resistance(np.array([-1.0, 1.0]), length, 0.01, 0.1, 355e6)
    assert found == pytest.approx([0.6656 * 0.01 * 355e6, 0.01 * 355e6], rel=1e-3)


def test_a_roof_of_more_bays_has_another_topology() -> None:
    few, many = metrics(ROOF, bays_x=4, bays_y=4), metrics(ROOF, bays_x=8, bays_y=5)
    assert (few["members"], few["nodes"]) == (8 * 16, 25 + 16)
    assert (many["members"], many["nodes"]) == (8 * 40, 54 + 40)


@pytest.mark.parametrize("supports", ["edges", "corners"])
def test_a_roof_is_in_balance(supports: str) -> None:
    """The supports' forces add up to the load and the weight.

    No bar of a stable frame moves without bound.
    """
    values = defaults("space_frame_roof", supports=supports)
    answer = ROOF.evaluate(values)
    nodes, ends, chords, upper = ROOF.grid(*(values[name] for name in ("length", "width", "depth", "bays_x", "bays_y")))
    assert len(ends) == answer["metrics"]["members"]
    assert upper.size + values["bays_x"] * values["bays_y"] == len(nodes)
    assert 0 < chords < len(ends)
    stiffer = ROOF.evaluate(values | {"chord": 2 * values["chord"], "web": 2 * values["web"]})
    assert 0 < stiffer["metrics"]["deflection"] < answer["metrics"]["deflection"]


def test_a_straight_tower_has_the_areas_of_a_prism() -> None:
    found = metrics(TOWER, taper=1.0, twist=0.0, sides=4, storeys=10, storey_height=3.0, width=20.0)
    side = 20 / math.sqrt(2)
    assert found["floor_area"] == pytest.approx(10 * side**2)
    assert found["facade_area"] == pytest.approx(4 * side * 30)
    assert found["volume"] == pytest.approx(side**2 * 30)
    assert found["slenderness"] == pytest.approx(1.5)


def test_a_tapered_tower_has_the_volume_of_a_frustum_and_a_twist_costs_facade() -> None:
    plain = metrics(TOWER, twist=0.0)
    values = defaults("twisted_tower")
    base = values["sides"] / 2 * (values["width"] / 2) ** 2 * math.sin(2 * math.pi / values["sides"])
    top = base * values["taper"] ** 2
    assert plain["volume"] == pytest.approx(plain["height"] / 3 * (base + top + math.sqrt(base * top)))
    assert metrics(TOWER)["facade_area"] > plain["facade_area"]


def test_the_slabs_turn_with_the_envelope() -> None:
    import manifold3d

    shapes = TOWER.evaluate(defaults("twisted_tower", twist=180.0))["geometry"]
    slabs, envelope = shapes["tower"]["parts"]["slabs"]["mesh"], shapes["envelope"]["mesh"]
    assert isinstance(slabs, manifold3d.Manifold)
    assert (slabs - envelope).volume() < 0.01 * slabs.volume()
