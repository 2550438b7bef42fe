"""A worker's input (`Task`) and output (`Outcome`), and the limits of both."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, TypedDict

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
"""Largest compiled model that is kept for its evaluations; a larger one is compiled for each evaluation."""
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


class Description(TypedDict):
    """The validated declarations of a model."""

    parameters: list[dict[str, Any]]
    metrics: list[dict[str, Any]]
    constraints: list[dict[str, Any]]
    geometry_unit: str | None
    """A key of `description.GEOMETRY_UNITS`; None for the default of each kind of shape."""


@dataclass(frozen=True)
class Task:
    """One run of one model."""

    mode: Mode
    """`describe` reads the model's declarations and runs none of its code; `evaluate` runs it."""
    kind: Kind
    """Format of the model file."""
    source: bytes
    """Content of the model file, at most SOURCE_BYTES."""
    parameters: Mapping[str, object] = field(default_factory=dict)
    """Resolved values by name, in their declared units."""
    timeout: float = 60.0
    """Wall-clock seconds for all of the model's own work, encoding of its geometry included."""
    memory: int = 2048 * MEBIBYTE
    """Bytes of address space in addition to the runtime's own."""
    description: Description | None = None
    """The description from an earlier `describe` of the same source; `evaluate` then need not read the source again."""
    code: bytes = b""
    """The compiled model from the same `describe`; empty if there is none."""

    @property
    def renders(self) -> bool:
        """True if the OpenSCAD program runs the model."""
        return self.kind == "openscad" and self.mode == "evaluate"


@dataclass(frozen=True)
class ModelError:
    """The cause of a failed model."""

    code: Literal["MODEL_FAILED", "EVALUATION_TIMEOUT"]
    message: str
    """A text about the user's own model."""
    line: int | None = None
    """Line of the model file, from 1; None if there is none."""


@dataclass(frozen=True)
class Geometry:
    """One geometry file of a result."""

    name: str
    """Name of the geometry in the model's result."""
    format: str
    """File format, a key of CONTENT_TYPES."""
    content_type: str
    """Media type of the format."""
    data: bytes
    """Content of the file."""
    parts: list[dict[str, Any]] = field(default_factory=list)
    """Properties of each named part.

    Each has `name`, `kind` (`solid`, `surface`, `lines`), `triangles`, `area` (m2, null for lines), `length` (m, null
    except for lines), `volume` (m3, null unless the part is closed), `bounding_box` (`{"min": [x, y, z], "max": [x, y,
    z]}` in m, Z up as in the model), `centre_of_gravity` ([x, y, z] in m, of the volume, else of the area, else of the
    length), `density` (kg/m3, null when not given) and `mass` (kg, null without density or volume).
    """


@dataclass(frozen=True)
class Outcome:
    """The result of a task."""

    status: Status
    """`timed_out` when `Task.timeout` was over."""
    error: ModelError | None = None
    """The cause of a failed task; None if the task completed."""
    description: Description | None = None
    """For `describe` only, see `description.read`."""
    code: bytes = b""
    """For `describe` only: the compiled model in `marshal` format; only a sandboxed child may read it.

    Empty for an OpenSCAD model, and for code over CODE_BYTES.
    """
    metrics: dict[str, dict[str, Any]] = field(default_factory=dict)
    """`{"value", "unit"}` by name."""
    constraints: dict[str, dict[str, Any]] = field(default_factory=dict)
    """`{"value", "satisfied"}` by name."""
    geometry: list[Geometry] = field(default_factory=list)
    """The geometry files."""
    tables: dict[str, list[dict[str, Any]]] = field(default_factory=dict)
    """Lists of flat rows by name."""
    duration_ms: float = 0.0
    """Milliseconds in the model's own `evaluate`, 0 if it was not reached."""
    log: str = ""
    """The first and last part of the model's output, as safe text (`printed.Printed`)."""


class ModelFaultError(Exception):
    """The user's model is at fault: becomes MODEL_FAILED with this text and line."""

    def __init__(self, message: str, line: int | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.line = line
