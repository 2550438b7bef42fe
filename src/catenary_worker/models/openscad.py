"""The evaluation of an OpenSCAD model by the `openscad` program, inside the sandbox of the evaluation.

OpenSCAD has no units; its numbers are millimetres, as in its own exports, unless the file says otherwise. The program is
a process of its own under a system call filter that allows its execution; the child that waits for the program
already has the stricter filter.
"""

import json
import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

import numpy as np
import numpy.typing as npt

from catenary_worker.models.entries import format_value, is_number
from catenary_worker.sandbox import namespaces
from catenary_worker.sandbox.pipe import LENGTH, read_exactly, write_all
from catenary_worker.task import Description, ModelFaultError, Task

UNIT = "mm"
"""The unit of a file that names none."""
MODEL, RESULT = "model.scad", "result.off"
_FIRST_BYTES = 65_536
"""Bytes of the messages in which the error is looked for."""
_LINE = re.compile(r"line (\d+)")
_ESCAPES = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\t": "\\t", "\r": "\\r"}

Mesh = tuple[npt.NDArray[np.float64], npt.NDArray[np.int64]]


@dataclass(frozen=True)
class Renderer:
    """A process that waits for its definitions, then becomes `openscad`."""

    pid: int
    pipe: int
    """File descriptor for writing the definitions."""
    messages: int
    """File descriptor for reading the program's output."""


def prepare(program: str, calls: bytes | None, keep_from_it: int) -> Renderer:
    """Fork the renderer.

    Args:
        program: Path of the OpenSCAD program.
        calls: The program's system call filter; None installs none.
        keep_from_it: A file descriptor that the renderer must not inherit.
    """
    receiving, sending = os.pipe()
    messages, printing = os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            os.close(keep_from_it)
            _become(program, calls, receiving, printing)
        finally:
            os._exit(127)
    os.close(receiving)
    os.close(printing)
    return Renderer(pid, sending, messages)


def _become(program: str, calls: bytes | None, receiving: int, printing: int) -> NoReturn:
    namespaces.close_files([receiving, printing])
    (size,) = LENGTH.unpack(read_exactly(receiving, LENGTH.size))
    definitions = json.loads(read_exactly(receiving, size))
    os.close(receiving)
    os.dup2(printing, 2)
    os.close(printing)
    if calls is not None:
        namespaces.filter_calls(calls)
    arguments = [program, "-o", RESULT, *(part for text in definitions for part in ("-D", text)), MODEL]
    environment = {"HOME": ".", "LANG": "C.UTF-8", "OPENBLAS_NUM_THREADS": "1"}
    os.execve(program, arguments, environment)  # noqa: S606 - the arguments reach no shell


def render(task: Task, described: Description, renderer: Renderer | None) -> Mesh:
    """Return the mesh of a model in the unit of its file; print the output of OpenSCAD.

    Raises:
        ModelFaultError: OpenSCAD failed (the text has its first error line), is missing, or got an unknown parameter.
    """
    if renderer is None:
        raise ModelFaultError(
            "OpenSCAD is not installed on this worker; its operator installs the program openscad, such as by"
            " `apt-get install openscad`. The worker finds it without a restart."
        )
    Path(MODEL).write_bytes(task.source)
    known = {parameter["name"] for parameter in described["parameters"]}
    definitions = []
    for name, value in task.parameters.items():
        if name not in known:
            raise ModelFaultError(f"{format_value(name)} is not a parameter of the model.")
        definitions.append(f"{name}={quoted(value)}")
    text = json.dumps(definitions).encode()
    write_all(renderer.pipe, [LENGTH.pack(len(text)), text])
    os.close(renderer.pipe)
    messages = _print_messages(renderer.messages)
    _, status = os.waitpid(renderer.pid, 0)
    if status != 0 or not Path(RESULT).exists():
        raise _fault(status, messages)
    return _read_off(Path(RESULT))


def quoted(value: object) -> str:
    """Format a value as an OpenSCAD literal, so that no text can become code."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if is_number(value):
        return repr(value)
    if isinstance(value, str) and "\0" not in value:
        return '"' + "".join(_ESCAPES.get(character, character) for character in value) + '"'
    raise ModelFaultError(f"{format_value(value)} cannot be given to OpenSCAD.")


def _print_messages(descriptor: int) -> str:
    """Print the output of OpenSCAD, as it comes, until its end; return its first _FIRST_BYTES."""
    first = bytearray()
    while piece := os.read(descriptor, _FIRST_BYTES):
        first += piece[: _FIRST_BYTES - len(first)]
        write_all(2, [piece])
    return first.decode("utf-8", "replace")


def _fault(status: int, messages: str) -> ModelFaultError:
    lines = messages.splitlines()
    line = next((line for line in lines if line.startswith(("ERROR", "Current top level object"))), None)
    if line is None:
        line = f"it ended with signal {status & 127}" if status & 127 else f"it ended with code {status >> 8}"
    where = _LINE.search(line)
    return ModelFaultError(f"OpenSCAD: {line}", int(where[1]) if where else None)


def _read_off(path: Path) -> Mesh:
    import trimesh

    loaded: Any = trimesh.load_mesh(path, file_type="off", process=False)
    return _ordered(np.asarray(loaded.vertices, dtype=np.float64), np.asarray(loaded.faces, dtype=np.int64))


def _ordered(vertices: npt.NDArray[np.float64], faces: npt.NDArray[np.int64]) -> Mesh:
    """Return the same mesh in one order of vertices and faces: OpenSCAD writes equal meshes in changing orders."""
    points, places = np.unique(vertices + 0.0, axis=0, return_inverse=True)  # + 0.0 makes -0.0 to 0.0
    faces = places.reshape(-1)[faces]
    turned = np.take_along_axis(faces, (faces.argmin(axis=1)[:, None] + np.arange(3)) % 3, axis=1)
    return points, turned[np.lexsort(turned.T[::-1])]
