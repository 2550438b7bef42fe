"""The work of a sandboxed child: read or run one model, and build the message with its result."""

import builtins
import contextlib
import ctypes
import errno
import linecache
import marshal
import random
import sys
import traceback
import types
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple, get_args

import numpy as np

from catenary_wire.model_limits import RESULT_BYTES, TEXT
from catenary_wire.printable import escape_lines
from catenary_worker import input_files, outputs, results
from catenary_worker.geometry import shapes
from catenary_worker.models import archive, customizer, description, openscad
from catenary_worker.models.entries import format_value
from catenary_worker.sandbox import pipe, runtime
from catenary_worker.task import CODE_BYTES, Description, Mode, ModelFaultError, Task

_REHEARSAL = b"""
PARAMETERS = [{"name": "size", "type": "number", "default": 1, "min": 0.5, "max": 2, "step": 0.5, "unit": "m"}]
METRICS = [{"name": "volume", "unit": "m3"}]
CONSTRAINTS = [{"name": "small", "metric": "volume", "op": "<=", "value": 800}]
import numpy as np
import trimesh
from manifold3d import CrossSection, Manifold, OpType
def evaluate(p):
    plan = CrossSection.circle(p["size"], 16)
    floors = [plan.scale((1 - i / 100,) * 2).rotate(i).extrude(0.25).translate((0, 0, i * 0.5)) for i in range(50)]
    tower = Manifold.batch_boolean(floors, OpType.Add)
    mast = plan.extrude(24, n_divisions=49, twist_degrees=90, scale_top=(0.5, 0.5))
    edge = np.linalg.solve(np.eye(30) * 2.0, np.ones((30, 3))).tolist()
    geometry = {"tower": {"mesh": tower, "density": 1}, "mast": mast, "box": trimesh.creation.box(), "edge": edge}
    return {"metrics": {"volume": tower.volume()}, "geometry": geometry, "tables": {"sizes": [{"size": p["size"]}]}}
"""
"""A model of usual size: the more an evaluation has to store, the more memory pages it writes to."""

SEED = 0
"""Seed of `random` and of numpy's global generator, so that a model that uses them is still reproducible."""


Send = Callable[[list[pipe.Blob]], None]
"""Sends the pieces of a message to the host."""
_EXHAUSTED = (errno.EMFILE, errno.ENFILE, errno.ENOSPC, errno.EDQUOT)
_LIBC = ctypes.CDLL(None)


class Program:
    """A model that is loaded at its first evaluation, and evaluated as often as wanted."""

    def __init__(self, renderer: openscad.Renderer | None = None, loaded: Callable[[], None] | None = None) -> None:
        """Load nothing yet; `renderer` runs OpenSCAD, and `loaded` is called when a Python model has been loaded."""
        self._renderer = renderer
        self._loaded = loaded
        self._function: Any = None

    def evaluate(self, task: Task, send: Send | None = None) -> tuple[dict[str, Any], list[pipe.Blob]]:
        """Run the model. The message has plain values only: units, constraints and the time are the host's.

        Args:
            task: The task.
            send: Sends what comes before the geometry of a task that wants it `early`; the geometry alone is returned.
        """
        described = task.description
        if described is None:
            raise ValueError("the host gives the description with the task")
        answer: Mapping[str, Mapping[Any, Any]]
        unit = described["geometry_unit"]
        if task.kind == "openscad":
            unit = unit or openscad.UNIT
            shape = openscad.render(task, described, self._renderer)
            answer = results.returned({"geometry": {"model": shape}})
        else:
            answer = results.returned(self._python(task)(input_files.values(task)))
        found, tables = results.numbers(answer["metrics"]), results.tables(answer["tables"])
        charts = outputs.charts(answer["charts"], tables)
        files = outputs.files(answer["files"] if task.geometry else {})
        header = {"status": "completed", "metrics": found, "tables": tables, "charts": charts, "files": list(files)}
        if not task.geometry:
            return {**header, "geometry": [], "unmade": shapes.names(answer["geometry"])}, []
        if task.early and send is not None:
            send(_packed({**header, "geometry": []}, [*files.values()]))
            header, files = {"status": "completed"}, {}
        geometry, blobs = shapes.message(answer["geometry"], unit)
        return {**header, "geometry": geometry}, [*blobs, *files.values()]

    def _python(self, task: Task) -> Any:
        """Return `evaluate` of a Python model."""
        if self._function is None:
            source = _source(task)
            # The code comes from a child that ran none of the model. Even forged code could do no more than the model,
            # which may run anything in this sandbox.
            code = marshal.loads(task.code) if task.code else _compiled(source)[1]  # noqa: S302 (as above)
            input_files.write(task, Path.cwd())
            function = _load(source, code)
            if self._loaded is not None:
                self._loaded()
            self._function = function
        return self._function


class Answer(NamedTuple):
    """A result message."""

    pieces: list[pipe.Blob]
    """A header as `received.outcome` reads it, then its blobs."""
    is_completed: bool
    """True if the model did not fail."""


def respond(task: Task, program: Program, send: Send | None = None) -> Answer:
    """Perform a task; return its result, a failure in place of a header of more than RESULT_BYTES.

    Args:
        task: The task.
        program: Its model.
        send: Sends what comes `early`.
    """
    header, files = _perform(task, program, send)
    try:
        return Answer(_packed(header, files), header["status"] == "completed")
    except ModelFaultError as fault:
        return Answer(pipe.pack(_failed(fault.message, None)), is_completed=False)


def _packed(header: dict[str, Any], blobs: list[pipe.Blob]) -> list[pipe.Blob]:
    """Return the pieces of a message.

    Raises:
        ModelFaultError: Its header has more than RESULT_BYTES.
    """
    pieces = pipe.pack(header, blobs)
    if len(pieces[0]) - pipe.LENGTH.size > RESULT_BYTES:
        raise ModelFaultError(results.TOO_LARGE)
    return pieces


def _perform(task: Task, program: Program, send: Send | None = None) -> tuple[dict[str, Any], list[pipe.Blob]]:
    """Return the header and the blobs of a task: arrays and files of its geometry, or its compiled code.

    Every exception that the model raises becomes a header with the status `failed`, and its call chain is printed.
    """
    folder = Path.cwd()
    try:
        header, blobs = _describe(task) if task.mode == "describe" else program.evaluate(task, send)
    except ModelFaultError as fault:
        header, blobs = _failed(fault.message, fault.line), []
        header["further"] = [_clean(text) for text in fault.further]
    except MemoryError as error:
        header, blobs = _failed(f"MemoryError: the model used more than {task.memory >> 20} MiB of memory.", None), []
        header["exhausted"] = True
        _print_call_chain(error, header["error"]["message"], folder)
    except BaseException as error:  # noqa: BLE001 - every exception of a user's code is a result
        header, blobs = _failed(_text_of(error), _line_of(error)), []
        header["exhausted"] = isinstance(error, OSError) and error.errno in _EXHAUSTED
        _print_call_chain(error, header["error"]["message"], folder)
    _flush()
    return header, blobs


def rehearse() -> None:
    """Perform a small model of our own in the zygote, before any child is forked.

    It warms the interpreter's caches for every child, and writes to the memory pages that every evaluation writes to.

    Raises:
        RuntimeError: The model failed.
    """
    header: dict[str, Any] = {}
    code = b""
    for mode in get_args(Mode):  # in this order: `evaluate` uses the result of `describe`
        task = Task(mode, "python", _REHEARSAL, {"size": 1.0}, description=header.get("description"), code=code)
        header, blobs = _perform(task, Program())
        if header["status"] != "completed":
            raise RuntimeError(header["error"]["message"])
        code = bytes(blobs[0])
    pipe.pack(header)
    del sys.modules["model"], sys.path[0], linecache.cache[archive.MODEL]


def _failed(message: str, line: int | None) -> dict[str, Any]:
    return {"status": "failed", "error": {"message": _clean(message), "line": line}}


def _clean(message: str) -> str:
    return escape_lines(runtime.without_paths(message))[:TEXT]


def _describe(task: Task) -> tuple[dict[str, Any], list[pipe.Blob]]:
    if task.kind == "openscad":
        return {"status": "completed", "description": customizer.read(task.source)}, [b""]
    described, code = _compiled(_source(task))
    input_files.check_defaults(described, Path.cwd())
    content = marshal.dumps(code)
    return {"status": "completed", "description": described}, [content if len(content) <= CODE_BYTES else b""]


def _compiled(source: bytes) -> tuple[Description, types.CodeType]:
    described, tree = description.read(source, archive.MODEL)
    return described, compile(tree, archive.MODEL, "exec")


def _source(task: Task) -> bytes:
    """Return the text of the model file; unpack a zip's other files into the working folder."""
    if task.kind == "python":
        return task.source
    archive.unpack(task.source, Path())
    return Path(archive.MODEL).read_bytes()


def _load(source: bytes, code: types.CodeType) -> Any:
    """Run the model file as the module `model` and return its `evaluate`."""
    random.seed(SEED)
    np.random.seed(SEED)
    module = types.ModuleType("model")
    module.__file__ = archive.MODEL
    sys.modules["model"] = module
    sys.modules["catenary"] = _of_the_platform()
    sys.path.insert(0, str(Path.cwd()))
    # A traceback inside the model can then show its lines, although no such file may exist.
    lines = source.decode("utf-8", "replace").splitlines(keepends=True)
    linecache.cache[archive.MODEL] = (len(source), None, lines, archive.MODEL)
    # The user's own program, in a child that can reach nothing but its cell (`sandbox`, `seccomp`).
    exec(code, module.__dict__)  # noqa: S102 (as above)
    evaluate = module.__dict__.get("evaluate")
    if not callable(evaluate):
        raise ModelFaultError("The model's evaluate is not a function.")
    return evaluate


def _of_the_platform() -> types.ModuleType:
    """Return the module `catenary` of a model's process."""
    module = types.ModuleType("catenary")
    module.__dict__["progress"] = _tell_progress
    return module


def _tell_progress(fraction: float, message: str = "") -> None:
    """Tell the progress of the model: a fraction from 0 to 1, and what it does in one line."""
    print(f"progress {float(fraction):.6f} {message}".replace("\n", " "), flush=True)


def _line_of(error: BaseException) -> int | None:
    """Return the deepest line of the model file in the traceback of `error`, or None."""
    if isinstance(error, SyntaxError) and error.filename == archive.MODEL:
        return error.lineno
    try:
        frames = traceback.walk_tb(error.__traceback__)
        lines = [line for frame, line in frames if frame.f_code.co_filename == archive.MODEL]
    except Exception:  # noqa: BLE001 - a user may have replaced anything
        return None
    return lines[-1] if lines else None


def _print_call_chain(error: BaseException, message: str, folder: Path) -> None:
    """Print the calls within the model's own files that led to an exception, in the form of a traceback.

    Args:
        error: The exception.
        message: Its text.
        folder: The working folder, which holds the model's other files.
    """
    _flush()
    with contextlib.suppress(BaseException):  # a user may have replaced or closed anything
        calls = traceback.StackSummary()
        for call in traceback.extract_tb(error.__traceback__):
            if call.filename == archive.MODEL or Path(call.filename).is_relative_to(folder):
                name = call.filename.removeprefix(f"{folder}/")
                calls.append(traceback.FrameSummary(name, call.lineno, call.name, lookup_line=False, line=call.line))
        if calls:
            text = "".join(["Call chain (most recent call last):\n", *calls.format(), message, "\n"])
            pipe.write_all(2, [text.encode("utf-8", "backslashreplace")])


def _flush() -> None:
    """Send the output of the model that Python still holds."""
    for stream in (sys.stdout, sys.stderr, sys.__stdout__, sys.__stderr__):
        with contextlib.suppress(BaseException):  # a user may have replaced or closed anything
            if stream is not None:
                stream.flush()
    _LIBC.fflush(None)  # the same of libraries in C


def _text_of(error: BaseException) -> str:
    """Format an exception as `Type: text`, even if its own `__str__` raises; add the way out for a missing package."""
    if isinstance(error, SystemExit):
        return "The model called exit instead of returning a result."
    kind = type(error).__name__
    if isinstance(error, KeyError) and not isinstance(error, ModelFaultError):
        return f"{kind}: {format_value(error.args[0]) if error.args else ''}"
    try:
        text = builtins.str(error)
    except BaseException:  # noqa: BLE001 - a user's __str__ may raise anything
        text = "(its text cannot be made)"
    if isinstance(error, ModuleNotFoundError):
        text = f"{text}. {_way_to_package(error.name)}"
    return f"{kind}: {text}" if text else kind


def _way_to_package(name: object) -> str:
    """Return the way out for a missing module: an extra of the worker, or the packages that a model may import."""
    package = name.partition(".")[0] if isinstance(name, str) else ""
    if (extra := runtime.EXTRAS.get(package)) is not None:
        return (
            f"The workers lack the extra {extra}: their operator installs it with"
            f" `pip install 'catenary[{extra}]'` and starts them again."
        )
    known = ", ".join([*runtime.PACKAGES, *runtime.OPTIONAL_PACKAGES])
    return f"A model may import the standard library and {known}; a zip brings modules of its own beside model.py."
