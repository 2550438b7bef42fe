"""The demo's environment project: a tower of 24 storeys with two cores, as rows that are imported like a file's.

Every figure follows from the few above the functions, so the same tower is made everywhere. They are typical of concept
design: wind by EN 1991-1-4 (peak velocity pressure, section 4.5, terrain category III, 24 m/s), imposed loads by EN
1991-1-1 table 6.2 and for plant by practice, core forces by tributary area. It is an example and no design.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

PROJECT = {
    "project_number": "DEMO-001",
    "short_title": "Harbour Tower",
    "client_organisation_name": "Harbour Estates",
    "centre_code": "DEMO",
    "project_director_name": "Robin Example",
    "project_director_email": "robin@example.com",
    "project_manager_name": "Kim Example",
    "project_manager_email": "kim@example.com",
    "project_url": "https://example.com/projects/harbour-tower",
    "scope_of_works": "Concept design of the structure of an office tower; made by the demo, to be changed at will.",
}
GROUP = "Buildings"
DISCIPLINE, PACKAGE = "Discipline", "Work package"
"""Tag types: one of global tags, one of tags that each project makes for itself."""
ASSET_TYPES = {"Building": None, "Storey": "Building", "Slab": "Storey", "Core": "Storey"}
"""Parent of each asset type."""
SUB_TYPES = {"Core": ("Core A", "Core B")}
"""Sub types of the asset types that have some; they are named as the assets."""
SET_CATEGORY = "Concept design"
SET_TYPES = {
    "Storey brief": ("Storey", ("Storey height", "Floor area", "Occupancy", "Imposed load")),
    "Core walls": ("Core", ("Wall thickness", "Concrete strength", "Axial force")),
}
"""Asset type and parameter types of each type of parameter sets."""

# Name: data type, unit type, default unit.
PARAMETER_TYPES: dict[str, tuple[str, str, str]] = {
    "Storey height": ("number", "Length", "m"),
    "Floor area": ("number", "Area", "m2"),
    "Occupancy": ("integer", "People", "person"),
    "Use": ("string", "", ""),
    "Imposed load": ("number", "Pressure, stress and area load", "kN/m2"),
    "Peak wind pressure": ("number", "Pressure, stress and area load", "kN/m2"),
    "Slab thickness": ("number", "Length", "mm"),
    "Concrete grade": ("string", "", ""),
    "Reinforcement content": ("number", "Density", "kg/m3"),
    "Fire resistance": ("integer", "Time", "min"),
    "Embodied carbon": ("number", "Carbon per area", "kgCO2e/m2"),
    "Floor frequency": ("number", "Frequency", "Hz"),
    "Wall thickness": ("number", "Length", "mm"),
    "Wall length": ("number", "Length", "m"),
    "Concrete strength": ("number", "Pressure, stress and area load", "MPa"),
    "Axial force": ("number", "Force", "kN"),
    "Building height": ("number", "Length", "m"),
    "Building width": ("number", "Length", "m"),
    "Building depth": ("number", "Length", "m"),
    "Gross floor area": ("number", "Area", "m2"),
    "Number of storeys": ("integer", "", ""),
    "Fundamental period": ("number", "Time", "s"),
    "Total mass": ("number", "Mass", "t"),
    "Wind base shear": ("number", "Force", "kN"),
    "Drift limit": ("number", "Ratio", "permille"),
    "Design life": ("integer", "Time", "yr"),
    "Facade U-value": ("number", "Thermal transmittance (U-value)", "W/(m2.K)"),
    "Glazing ratio": ("number", "Ratio", "%"),
    "Basic wind velocity": ("number", "Speed", "m/s"),
    "Allowable bearing pressure": ("number", "Pressure, stress and area load", "kPa"),
    "Groundwater depth": ("number", "Length", "m"),
    "Frost depth": ("number", "Length", "m"),
    "Exposure class": ("string", "", ""),
    "Design code": ("string", "", ""),
    "Site area": ("number", "Area", "m2"),
    "Completion": ("date", "", ""),
}
# Title: source type, reference, year.
SOURCES = {
    "Architect's brief": ("Project Document", "HT-ARC-001", "2025"),
    "Concept design report": ("Project Document", "HT-STR-001", "2026"),
    "Structural analysis model": ("Derived Value", "HT-STR-104", "2026"),
    "Ground investigation": ("Survey", "HT-GEO-002", "2025"),
    "Carbon assessment": ("Derived Value", "HT-SUS-003", "2026"),
    "EN 1991-1-1": ("Regulation", "EN 1991-1-1", "2002"),
    "EN 1991-1-4": ("Regulation", "EN 1991-1-4", "2005"),
    "EN 1992-1-1": ("Regulation", "EN 1992-1-1", "2004"),
}
DISCIPLINES = ("Structure", "Architecture", "Wind", "Geotechnics", "Sustainability")
PACKAGES = ("Superstructure", "Substructure")

STOREYS = 24
SIDE, CORE_SIDE, OPENINGS = 36.0, 9.0, 24.0
"""Side lengths of the tower and of a core in metres, and the openings of a floor in square metres."""
_BASE_WIND, _ROUGHNESS, _TERRAIN = 24.0, 0.3, 0.215
_AIR, _CONCRETE = 1.25, 25.0
_SHARE_OF_A_CORE = 0.25
"""Share of a floor's load that one core carries, by tributary area."""
WALL_ESTIMATE = 50
"""Millimetres by which the walls were thicker in the first estimate."""


@dataclass(frozen=True, slots=True)
class Storey:
    """A storey of the tower."""

    number: int
    """The number of the storey: 1 is at the ground."""
    use: str
    height: float
    """Metres."""
    top: float
    """Height of its top above ground in metres."""
    imposed: float
    """Imposed load in kN/m2."""
    slab: int
    """Slab thickness in millimetres."""

    @property
    def path(self) -> str:
        """The path of the storey's asset."""
        return f"Harbour Tower/Storey {self.number:02}"


def storeys() -> list[Storey]:
    """Return the storeys, from the ground up."""
    made: list[Storey] = []
    for number in range(1, STOREYS + 1):
        use = "Lobby" if number == 1 else "Plant" if number in (12, STOREYS) else "Office"
        height = {"Lobby": 5.4, "Plant": 4.8, "Office": 3.9}[use]
        top = round((made[-1].top if made else 0.0) + height, 1)
        imposed = {"Lobby": 5.0, "Plant": 7.5, "Office": 3.0}[use]
        made.append(Storey(number, use, height, top, imposed, 280 if use == "Office" else 340))
    return made


def assets() -> Iterator[dict[str, Any]]:
    """Yield 97 assets: the building, its storeys, and on each storey a slab and a section of each core."""
    yield _asset("Building", "Harbour Tower")
    for storey in storeys():
        parent, _, name = storey.path.rpartition("/")
        yield _asset("Storey", name, parent)
        yield _asset("Slab", "Slab", storey.path)
        yield _asset("Core", "Core A", storey.path)
        yield _asset("Core", "Core B", storey.path)


def parameters() -> Iterator[dict[str, Any]]:
    """Yield 500 parameters, of which the frequencies of the upper floors have no value yet."""
    for storey in storeys():
        yield from _of_storey(storey)
        yield from _of_slab(storey)
        for core in ("Core A", "Core B"):
            yield from _of_core(storey, core)
    yield from _of_building()
    yield from _of_project()


def item_types() -> Iterator[tuple[str, str]]:
    """Yield the asset type and parameter type of each parameter that describes an asset."""
    kinds = {"/".join(part for part in (row.get("parent"), row["name"]) if part): row["asset_type"] for row in assets()}
    for row in parameters():
        for path in row.get("parents", ()):
            yield kinds[path], row["parameter_type"]


def paths_of_sets(kind: str) -> list[str]:
    """Return the paths of the ground floor's assets of a type that has parameter sets."""
    ground = storeys()[0].path
    return [ground] if kind == "Storey" else [f"{ground}/{name}" for name in SUB_TYPES[kind]]


def first_estimate(row: dict[str, Any]) -> dict[str, Any]:
    """Return a parameter as before the analysis, which then made the walls thinner."""
    if not is_revised(row):
        return row
    return row | {"value": row["value"] + WALL_ESTIMATE, "source": "Concept design report"}


def is_revised(row: dict[str, Any]) -> bool:
    """Return whether the analysis has changed the value."""
    return bool(row["parameter_type"] == "Wall thickness")


def qa_state(index: int, type_name: str) -> tuple[str, str | None]:
    """Return the QA state and comment of the value at an index: most wait for a check, few are rejected."""
    if index % 23 == 5:
        return "rejected", f"{type_name} differs from the latest drawing; please check and send it again."
    states = ("answered", "checked", "answered", "approved", "checked", "answered", "approved")
    return states[index % len(states)], None


def tags(row: dict[str, Any]) -> tuple[str, ...]:
    """Return the tags of a parameter."""
    name = row["parameter_type"]
    if name in ("Floor area", "Occupancy", "Use", "Storey height", "Gross floor area", "Glazing ratio", "Site area"):
        return ("Architecture",)
    if "wind" in name.lower():
        return ("Wind",)
    if name in ("Allowable bearing pressure", "Groundwater depth", "Frost depth"):
        return ("Geotechnics", "Substructure")
    if name in ("Embodied carbon", "Facade U-value"):
        return ("Sustainability",)
    return ("Structure", "Superstructure") if row.get("parents") else ("Structure",)


def wind_pressure(z: float) -> float:
    """Return the peak velocity pressure in kN/m2 at height `z` in metres (EN 1991-1-4, equations 4.3, 4.7 and 4.8)."""
    z = max(z, 5.0)
    mean = _TERRAIN * math.log(z / _ROUGHNESS) * _BASE_WIND
    turbulence = 1 / math.log(z / _ROUGHNESS)
    return (1 + 7 * turbulence) * 0.5 * _AIR * mean**2 / 1000


def floor_area() -> float:
    """Return a floor's area in square metres."""
    return SIDE**2 - OPENINGS


def wall_thickness(number: int) -> int:
    """Return the thickness of a core's walls in millimetres, which decreases every eight storeys."""
    return (600, 450, 350)[(number - 1) // 8]


def axial_force(number: int) -> float:
    """Return a core's axial force at the foot of a storey in kN, without factors: floors and walls from there up."""
    return sum(_SHARE_OF_A_CORE * _floor_load(storey) + _wall_load(storey) for storey in storeys()[number - 1 :])


def _floor_load(storey: Storey) -> float:
    """Return the dead and imposed load of a floor in kN, with 1.5 kN/m2 for finishes on the slab."""
    return floor_area() * (storey.slab / 1000 * _CONCRETE + 1.5 + storey.imposed)


def _wall_load(storey: Storey) -> float:
    """Return the weight of a core's walls in kN."""
    return 4 * CORE_SIDE * wall_thickness(storey.number) / 1000 * storey.height * _CONCRETE


def _asset(kind: str, name: str, parent: str | None = None) -> dict[str, Any]:
    row = {"project": PROJECT["project_number"], "asset_type": kind, "name": name}
    return row if parent is None else row | {"parent": parent}


def _parameter(asset: str, name: str, value: Any, source: str, **more: Any) -> dict[str, Any]:
    row: dict[str, Any] = {"project": PROJECT["project_number"], "parameter_type": name}
    if asset:
        row["parents"] = [asset]
    if value is None:
        return row
    unit = PARAMETER_TYPES[name][2]
    return row | {"value": value, "source": source} | ({"unit": unit} if unit else {}) | more


def _of_storey(storey: Storey) -> Iterator[dict[str, Any]]:
    area = floor_area()
    people = {"Office": round(area / 10), "Lobby": round(area / 5), "Plant": 4}[storey.use]
    yield _parameter(storey.path, "Storey height", storey.height, "Architect's brief")
    yield _parameter(storey.path, "Floor area", area, "Architect's brief")
    yield _parameter(storey.path, "Occupancy", people, "Architect's brief")
    yield _parameter(storey.path, "Use", storey.use, "Architect's brief")
    yield _parameter(storey.path, "Imposed load", storey.imposed, "EN 1991-1-1", location_in_source="table 6.2")
    pressure = round(wind_pressure(storey.top), 3)
    yield _parameter(storey.path, "Peak wind pressure", pressure, "EN 1991-1-4", location_in_source="section 4.5")


def _of_slab(storey: Storey) -> Iterator[dict[str, Any]]:
    slab, metres = f"{storey.path}/Slab", storey.slab / 1000
    steel = 105.0 if storey.use == "Office" else 130.0
    # Concrete at 0.13 and reinforcement at 0.72 kgCO2e/kg.
    carbon = round(metres * (2400 * 0.13 + steel * 0.72), 1)
    frequency = round(6.4 * metres / 0.28, 2) if storey.number <= STOREYS // 2 else None
    yield _parameter(slab, "Slab thickness", storey.slab, "Concept design report", location_in_source="section 4.2")
    yield _parameter(slab, "Concrete grade", "C35/45", "EN 1992-1-1", location_in_source="table 3.1")
    yield _parameter(slab, "Reinforcement content", steel, "Concept design report", location_in_source="section 4.3")
    yield _parameter(slab, "Fire resistance", 120, "Architect's brief")
    yield _parameter(slab, "Embodied carbon", carbon, "Carbon assessment", comment="Modules A1 to A3.")
    yield _parameter(slab, "Floor frequency", frequency, "Structural analysis model")


def _of_core(storey: Storey, core: str) -> Iterator[dict[str, Any]]:
    path = f"{storey.path}/{core}"
    strength = (60.0, 50.0, 40.0)[(storey.number - 1) // 8]
    force = round(axial_force(storey.number), -1)
    yield _parameter(path, "Wall thickness", wall_thickness(storey.number), "Structural analysis model")
    yield _parameter(path, "Wall length", 4 * CORE_SIDE, "Concept design report")
    yield _parameter(path, "Concrete strength", strength, "EN 1992-1-1", location_in_source="table 3.1")
    yield _parameter(
        path, "Axial force", force, "Structural analysis model", comment="Characteristic, at the storey's foot."
    )


def _of_building() -> Iterator[dict[str, Any]]:
    made = storeys()
    height, area = made[-1].top, STOREYS * floor_area()
    # T = H / 46 is the rule of thumb for tall buildings (Ellis 1980); the wind acts on a face with a force coefficient of 1.3.
    mass = sum(_floor_load(storey) + 2 * _wall_load(storey) for storey in made) / 9.81
    shear = sum(1.3 * wind_pressure(storey.top) * SIDE * storey.height for storey in made)
    values: tuple[tuple[str, Any, str], ...] = (
        ("Building height", height, "Architect's brief"),
        ("Building width", SIDE, "Architect's brief"),
        ("Building depth", SIDE, "Architect's brief"),
        ("Gross floor area", area, "Architect's brief"),
        ("Number of storeys", STOREYS, "Architect's brief"),
        ("Fundamental period", round(height / 46, 2), "Structural analysis model"),
        ("Total mass", round(mass, -2), "Structural analysis model"),
        ("Wind base shear", round(shear, -1), "Structural analysis model"),
        ("Drift limit", 2.0, "Concept design report"),
        ("Design life", 50, "Architect's brief"),
        ("Facade U-value", 1.2, "Architect's brief"),
        ("Glazing ratio", 55, "Architect's brief"),
    )
    for name, value, source in values:
        yield _parameter("Harbour Tower", name, value, source)


def _of_project() -> Iterator[dict[str, Any]]:
    values: tuple[tuple[str, Any, str], ...] = (
        ("Basic wind velocity", _BASE_WIND, "EN 1991-1-4"),
        ("Allowable bearing pressure", 450, "Ground investigation"),
        ("Groundwater depth", 3.2, "Ground investigation"),
        ("Frost depth", 0.9, "Ground investigation"),
        ("Exposure class", "XC4, XS1", "Concept design report"),
        ("Design code", "EN 1990 to EN 1998", "Concept design report"),
        ("Site area", 4200, "Architect's brief"),
        ("Completion", "2029-06-30", "Architect's brief"),
    )
    for name, value, source in values:
        yield _parameter("", name, value, source)
