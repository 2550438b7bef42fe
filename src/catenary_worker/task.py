"""What a worker is asked to do once, what comes of it, and the limits of both."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

MEBIBYTE = 1024 * 1024

SOURCE_BYTES = 64 * MEBIBYTE
"""Largest model file, as large as an upload may be."""
RESULT_BYTES = 3 * MEBIBYTE
"""Largest JSON part of a result: metrics, constraints, tables, description. It fits the core's 4 MiB messages."""
GEOMETRY_BYTES = 64 * MEBIBYTE
"""Largest single geometry file."""
GEOMETRY_TOTAL_BYTES = 128 * MEBIBYTE
"""Largest sum of the geometry files of one evaluation."""
TRIANGLES = 5_000_000
"""Most triangles (and line segments) in one evaluation."""
PARTS = 64
"""Most named parts in one evaluation, over all its geometry."""
CODE_BYTES = 8 * MEBIBYTE
"""Largest compiled model that is kept for its evaluations; one with larger literals is compiled for each."""
TEXT = 2_000
"""Longest error message and description, in characters."""

CONTENT_TYPES = {
    "glb": "model/gltf-binary",
    "stl": "model/stl",
    "3mf": "model/3mf",
    "step": "model/step",
}

Mode = Literal["describe", "evaluate"]
Kind = Literal["python", "zip", "openscad"]
Status = Literal["completed", "failed", "timed_out"]


@dataclass(frozen=True)
class Task:
    """One run of one model.

    `describe` reads what the model declares and runs none of its code; `evaluate` runs it with `parameters`, which
    are resolved values by name in their declared units. `timeout` is wall-clock seconds for all of the model's own
    work, encoding of its geometry included. `memory` is bytes of address space on top of the runtime's own. `description`
    and `code` are what an earlier `describe` of the same source told, which spares an `evaluate` to read it again.
    """

    mode: Mode
    kind: Kind
    source: bytes
    parameters: Mapping[str, object] = field(default_factory=dict)
    timeout: float = 60.0
    memory: int = 2048 * MEBIBYTE
    description: dict[str, list[dict[str, Any]]] | None = None
    code: bytes = b""

    @property
    def renders(self) -> bool:
        """Whether it is the OpenSCAD program that runs the model."""
        return self.kind == "openscad" and self.mode == "evaluate"


@dataclass(frozen=True)
class ModelError:
    """Why a model failed: a code (MODEL_FAILED, EVALUATION_TIMEOUT), a text about the user's own
    model, and the line of its file where there is one (from 1)."""

    code: Literal["MODEL_FAILED", "EVALUATION_TIMEOUT"]
    message: str
    line: int | None = None


@dataclass(frozen=True)
class Geometry:
    """One geometry file of a result.

    `parts` holds, for each named part: `name`, `kind` (`solid`, `surface`, `lines`), `triangles`, `area` (m2, null
    for lines), `length` (m, null but for lines), `volume` (m3, null unless the part is closed), `bounding_box`
    (`{"min": [x, y, z], "max": [x, y, z]}` in m, Z up as in the model), `centre_of_gravity` ([x, y, z] in m, of the
    volume, else of the area, else of the length), `density` (kg/m3, null when not given) and `mass` (kg, null without
    density or volume).
    """

    name: str
    format: str
    content_type: str
    data: bytes
    parts: list[dict[str, Any]] = field(default_factory=list)


@dataclass(frozen=True)
class Outcome:
    """What came of a task.

    `description` (`describe` only) is `{"parameters", "metrics", "constraints"}`, see `description.read`, and `code` the
    compiled model as `marshal` keeps it, empty over CODE_BYTES and of an OpenSCAD model; only a sandboxed child may read
    it. `metrics`
    maps a name to `{"value", "unit"}`, `constraints` a name to `{"value", "satisfied"}`, `tables` a name to a list of
    flat rows. `duration_ms` is the time in the model's own `evaluate`, 0 when it was not reached.
    """

    status: Status
    error: ModelError | None = None
    description: dict[str, list[dict[str, Any]]] | None = None
    code: bytes = b""
    metrics: dict[str, dict[str, Any]] = field(default_factory=dict)
    constraints: dict[str, dict[str, Any]] = field(default_factory=dict)
    geometry: list[Geometry] = field(default_factory=list)
    tables: dict[str, list[dict[str, Any]]] = field(default_factory=dict)
    duration_ms: float = 0.0


class ModelFaultError(Exception):
    """The user's model is at fault: becomes MODEL_FAILED with this text and line."""

    def __init__(self, message: str, line: int | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.line = line
