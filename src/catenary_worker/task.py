"""A worker's input (`Task`) and output (`Outcome`), and those limits of both that are the worker's alone."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple, TypedDict

MEBIBYTE = 1024 * 1024

SOURCE_BYTES = 64 * MEBIBYTE
"""Largest model file, as large as an upload may be."""
TRIANGLES = 5_000_000
"""Most triangles (and line segments) in one evaluation."""
CODE_BYTES = 8 * MEBIBYTE
"""Largest compiled model that is kept for its evaluations; a larger one is compiled for each evaluation."""

WORK_SECONDS = 3.5
"""Seconds of work after which a child that runs several points is replaced by a fresh one.

More than the seconds after which a chunk's results are sent, for which a fresh child is made anyway.
"""

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


class InputFile(NamedTuple):
    """A file that a parameter takes."""

    name: str
    """Name of the file in the sandbox: the parameter's, with the suffix of the upload."""
    content: bytes
    """Content of the file."""


class ModelProgress(NamedTuple):
    """The progress of a model as its lines tell it."""

    fraction: float = 0.0
    """Part that is done, 0 to 1."""
    message: str = ""
    """One line of what the model does."""
    output: str = ""
    """Last line that is no progress."""


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
    """The description from a `describe` of the same source; without one `Zygote.run` has the source described first."""
    code: bytes = b""
    """The compiled model from the same `describe`; empty if there is none."""
    repeatable: bool = False
    """True if one child may run several points of the model (`kept.Kept`), as its check found."""
    sharers: str = ""
    """Text that is equal for jobs of one user, project and model version, which alone may share a child; empty shares none."""
    user: str = ""
    """Text that is equal for jobs of one user, who takes turns with the others (`turns`)."""
    project: str = ""
    """Text that is equal for jobs of one project, which takes turns with the user's others."""
    geometry: bool = True
    """False if nobody wants geometry and files, which are then not looked at."""

    early: bool = False
    """True if numbers, charts and files are sent by themselves before the geometry is looked at."""
    on_early: Callable[["Outcome"], None] | None = field(default=None, compare=False)
    """Called in the host with what comes `early`, once it is checked."""
    on_progress: Callable[[ModelProgress], None] | None = field(default=None, compare=False)
    """Called in the host with the model's progress; None where nobody asks."""
    files: Mapping[str, InputFile] = field(default_factory=dict)
    """The files of parameters by their names; a parameter of the type `file` without one has its default."""

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
    unit: str | None = None
    """Unit in which the model gives its coordinates, a key of `model_limits.GEOMETRY_UNITS`; None where it names none."""
    parts: list[dict[str, Any]] = field(default_factory=list)
    """Properties of each named part.

    Each has `name`, `kind` (`solid`, `surface`, `lines`), `triangles`, `area` (m2, null for lines), `length` (m, null
    except for lines), `volume` (m3, null unless the part is closed), `bounding_box` (`{"min": [x, y, z], "max": [x, y,
    z]}` in m, Z up as in the model), `centre_of_gravity` ([x, y, z] in m, of the volume, else of the area, else of the
    length), `density` (kg/m3, null when not given), `mass` (kg, null without density or volume) and `opening`
    (`seams.Opening` as an object, null unless open edges keep a surface from enclosing a volume).
    """


@dataclass(frozen=True)
class ResultFile:
    """One file of a result beside its geometry, which nobody reads."""

    name: str
    """Name of the file, with its suffix."""
    data: bytes
    """Content of the file."""


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
    """`{"value", "satisfied", "metric", "op", "limit", "unit"}` by name."""
    geometry: list[Geometry] = field(default_factory=list)
    """The geometry files."""
    unmade: list[tuple[str, str]] = field(default_factory=list)
    """Name and format of each geometry file that was not made, since none was wanted."""
    tables: dict[str, list[dict[str, Any]]] = field(default_factory=dict)
    """Lists of flat rows by name."""
    charts: dict[str, dict[str, Any]] = field(default_factory=dict)
    """`{"kind", "table", "x", "y"}` by name, of the tables."""
    files: list[ResultFile] = field(default_factory=list)
    """The files beside the geometry."""
    duration_ms: float = 0.0
    """Milliseconds from sending the task until its result was there and checked, by the host's clock."""
    log: str = ""
    """The first and last part of the model's output, as safe text (`printed.Printed`)."""
    exhausted: bool = False
    """True if the child ran out of memory, of descriptors or of room for files."""
    reused: bool = False
    """True if the child had run other points before: to be computed anew when `Kept.not_repeatable` is set."""
    repeatable: bool | None = None
    """For a check: whether one child may run several points of the model; None if the check failed."""
    not_repeatable: str = ""
    """The reason for which no child may run several points of the model, for its author; empty while none is known."""
    remarks: list[str] = field(default_factory=list)
    """For a check: what looks mistaken in the result of the defaults, or further faults of declarations, for its author."""


class ModelFaultError(Exception):
    """The user's model is at fault: becomes MODEL_FAILED with this text and line.

    `further` are sentences about other faults of its declarations.
    """

    def __init__(self, message: str, line: int | None = None, further: Sequence[str] = ()) -> None:
        super().__init__(message)
        self.message = message
        self.line = line
        self.further = further
