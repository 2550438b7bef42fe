"""The conversion of a child's message to an `Outcome`, with every value checked.

The model has controlled the whole process, so nothing in the message is trusted: every name, number and text is checked
again. The header of an evaluation has values alone, `metrics`, `tables` and `charts` by name; units and constraints
come from the description and the task's parameters, and time from the host's clock. `files` has the names of those
files that follow the geometry. What a model could have returned and may not is refused with the sentence that the child
would have sent; any other fault is a damaged result. Compiled code cannot be checked: it is taken from a `describe`
only, whose child has run none of the model.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import orjson

from catenary_wire.model_limits import MOST_PARTS, RESULT_BYTES, TEXT, is_name
from catenary_worker import outputs, results
from catenary_worker.geometry import files
from catenary_worker.geometry.files import AnnouncedGeometry, AnnouncedPart
from catenary_worker.geometry.measures import Exact
from catenary_worker.geometry.part import CHANNELS, CHANNELS_WITH_ALPHA
from catenary_worker.models import openscad
from catenary_worker.models.description import validate
from catenary_worker.models.entries import Entry, check_name, check_text
from catenary_worker.models.faults import MOST_FURTHER
from catenary_worker.task import CODE_BYTES, Description, ModelError, ModelFaultError, Outcome, ResultFile, Task

DAMAGED = "The model's process sent a damaged result."
MOST_BLOBS = 1_000
"""Most blobs of a message: enough for a clear refusal of too many parts."""


class DamagedError(Exception):
    """A child's message is not one that our own code would have written."""


@dataclass(frozen=True)
class Announced:
    """The blobs that follow a header."""

    sizes: list[int]
    """Bytes of each."""
    geometry: list[AnnouncedGeometry]


def announced(task: Task, header: object) -> Announced:
    """Check what the header announces, before any of it is read.

    Raises:
        DamagedError: A size is no whole number, or the sizes are not those of a message.
        ModelFaultError: The geometry is over a limit.
    """
    message = _dict(header)
    sizes = message.get("blobs")
    if (
        not isinstance(sizes, list)
        or len(sizes) > MOST_BLOBS
        or any(type(size) is not int or size < 0 for size in sizes)
    ):
        raise DamagedError
    waiting = iter(sizes)
    geometry, named = [], []
    try:
        if message.get("status") == "completed" and task.mode == "describe":
            if next(waiting) > CODE_BYTES:
                raise DamagedError
        elif message.get("status") == "completed":
            geometry = [_geometry(_dict(item), waiting) for item in _list(message.get("geometry"))]
            named = [(name, next(waiting)) for name in _file_names(message)]
    except (ModelFaultError, ValueError, TypeError, KeyError, StopIteration) as error:
        raise DamagedError from error
    if next(waiting, None) is not None or len({item.name for item in geometry}) < len(geometry):
        raise DamagedError
    files.check_announced(geometry)
    outputs.check_files(named)
    return Announced(sizes, geometry)


def outcome(task: Task, header: object, geometry: Sequence[AnnouncedGeometry], blobs: Sequence[bytearray]) -> Outcome:
    """Build the outcome of a task from the child's header and blobs.

    Raises:
        DamagedError: A value is missing, malformed or over a limit.
        ModelFaultError: The model's result is faulty or over a limit.
    """
    message = _dict(header)
    checked = _outcome(task, message, blobs)
    if geometry:
        checked = replace(checked, geometry=files.write(geometry, blobs, _geometry_unit(task)))
    if checked.status == "completed" and task.mode == "evaluate" and (names := _file_names(message)):
        contents = blobs[len(blobs) - len(names) :]  # behind the geometry's, as `announced` has seen
        checked = replace(checked, files=[ResultFile(*pair) for pair in zip(names, map(bytes, contents), strict=True)])
    return checked


def early(task: Task, header: object, geometry: Sequence[AnnouncedGeometry], blobs: Sequence[bytearray]) -> Outcome:
    """Build the outcome of a task from what its child sends before the geometry.

    Raises:
        DamagedError: As `outcome`, or there is geometry.
        ModelFaultError: As `outcome`.
    """
    if geometry:
        raise DamagedError
    return outcome(task, header, geometry, blobs)


def late(
    told: Outcome, task: Task, header: object, geometry: Sequence[AnnouncedGeometry], blobs: Sequence[bytearray]
) -> Outcome:
    """Build the outcome of a task from its geometry and what the child sent before.

    Args:
        told: What came before.
        task: The task.
        header: The header of the geometry.
        geometry: What it announces.
        blobs: The arrays and files of it.

    Raises:
        DamagedError: A value is missing or malformed, or there are files, which came before.
        ModelFaultError: The geometry is faulty or over a limit.
    """
    message = _dict(header)
    if message.get("status") == "failed":
        return _failure(task, message)
    if message.get("status") != "completed" or _file_names(message):
        raise DamagedError
    return replace(told, geometry=files.write(geometry, blobs, _geometry_unit(task)))


def outcomes(tasks: Sequence[Task], header: object) -> list[Outcome]:
    """Build the outcomes of points without geometry that were given to a child together.

    Returns:
        Those of the first points, at least of one, up to the first that did not complete.

    Raises:
        DamagedError: As `outcome`, or there are more results than points.
    """
    given = _list(_dict(header).get("points"))
    if not 1 <= len(given) <= len(tasks):
        raise DamagedError
    found: list[Outcome] = []
    for task, result in zip(tasks, given, strict=False):
        try:
            if announced(task, result).sizes:
                raise DamagedError
            found.append(outcome(task, result, [], []))
        except ModelFaultError as fault:
            found.append(Outcome("failed", error=ModelError("MODEL_FAILED", fault.message)))
        if found[-1].status != "completed":
            break
    return found


def shares(header: Mapping[str, Any], count: int) -> list[float]:
    """Return each point's share of the time that the host measured for all of them, by the child's own clock.

    Raises:
        DamagedError: The child's times are no times.
    """
    try:
        seconds = [float(results.number(value, "")) for value in _list(header.get("seconds"))[:count]]
    except ModelFaultError as fault:
        raise DamagedError from fault
    total = sum(seconds)
    if len(seconds) < count or min(seconds) < 0 or not 0 < total < math.inf:
        raise DamagedError
    return [value / total for value in seconds]


def _geometry_unit(task: Task) -> str | None:
    """Return the unit in which the model of a task gives its coordinates; None for the default of each kind of shape."""
    declared = None if task.description is None else task.description["geometry_unit"]
    return declared or (openscad.UNIT if task.kind == "openscad" else None)


def _outcome(task: Task, message: Mapping[str, Any], blobs: Sequence[bytearray]) -> Outcome:
    """Build the outcome of a task without its geometry."""
    if message.get("status") == "failed":
        return _failure(task, message)
    if message.get("status") != "completed":
        raise DamagedError
    if task.mode == "describe":
        (code,) = blobs
        return Outcome("completed", description=_description(_dict(message.get("description"))), code=bytes(code))
    if task.description is None:
        raise ValueError("an evaluation is judged by the description of its model")
    metrics = results.metrics(results.numbers(_dict(message.get("metrics"))), task.description)
    constraints = results.constraints(metrics, task.description, task.parameters)
    tables = results.tables(_dict(message.get("tables")))
    charts = outputs.charts(_dict(message.get("charts", {})), tables)
    _check_size(metrics, constraints, tables, charts)
    return Outcome(
        "completed",
        metrics=metrics,
        constraints=constraints,
        tables=tables,
        charts=charts,
        unmade=[] if task.geometry else _unmade(_list(message.get("unmade", []))),
    )


def _failure(task: Task, message: Mapping[str, Any]) -> Outcome:
    exhausted = _flag(message.get("exhausted", False))
    # No code of the model has run where it is described: what is told is ours.
    further = _further(message.get("further", [])) if task.mode == "describe" else []
    return Outcome("failed", error=_error(_dict(message.get("error"))), exhausted=exhausted, remarks=further)


def _unmade(listed: Sequence[Any]) -> list[tuple[str, str]]:
    """Return the name and format of each file of the geometry that was not made."""
    found: list[tuple[str, str]] = []
    for item in map(_dict, listed):
        if not is_name(item.get("name")):
            raise DamagedError
        name = str(item["name"])
        found += [(name, "glb"), *([(name, "step")] if _flag(item.get("step")) else [])]
    if len(listed) > MOST_PARTS or len(set(found)) < len(found):
        raise DamagedError
    return found


def _description(lists: Mapping[str, Any]) -> Description:
    try:
        parameters, metrics, constraints = (
            [Entry(_dict(entry)) for entry in _list(lists.get(name))]
            for name in ("parameters", "metrics", "constraints")
        )
        described = validate(parameters, metrics, constraints, lists.get("geometry_unit"))
    except (ModelFaultError, ValueError, TypeError, KeyError) as error:
        raise DamagedError from error
    _check_size(described)
    return described


def _check_size(*values: object) -> None:
    """Refuse values that have more than RESULT_BYTES together as they are sent to the core.

    A number of a few characters can have many more in the form in which it is sent.

    Raises:
        ModelFaultError: They have more.
    """
    if sum(len(orjson.dumps(value)) for value in values) > RESULT_BYTES:
        raise ModelFaultError(results.TOO_LARGE)


def _dict(value: object) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise DamagedError
    return value


def _list(value: object) -> list[Any]:
    if not isinstance(value, list):
        raise DamagedError
    return value


def _error(error: Mapping[str, Any]) -> ModelError:
    line = error.get("line")
    if line is not None and (type(line) is not int or not 0 <= line < 2**31):
        raise DamagedError
    try:
        return ModelError("MODEL_FAILED", check_text(error.get("message"), "", TEXT), line)
    except ModelFaultError as fault:
        raise DamagedError from fault


def _further(listed: object) -> list[str]:
    """Return the sentences about further faults of a model's declarations."""
    texts = _list(listed)
    if len(texts) > MOST_FURTHER:
        raise DamagedError
    try:
        return [check_text(text, "", TEXT) for text in texts]
    except ModelFaultError as fault:
        raise DamagedError from fault


def _file_names(message: Mapping[str, Any]) -> list[Any]:
    """Return the names of the files behind the geometry, still unchecked."""
    return _list(message.get("files", []))


def _geometry(geometry: Mapping[str, Any], sizes: Iterator[int]) -> AnnouncedGeometry:
    """Read one geometry of the header; take the sizes of its blobs."""
    name, parts = check_name(geometry["name"], ""), _list(geometry["parts"])
    if not parts:
        raise DamagedError
    made = [_part(_dict(part), sizes) for part in parts]
    step = next(sizes) if _flag(geometry["step"]) else None
    if step == 0:
        raise DamagedError
    return AnnouncedGeometry(name, made, step)


def _part(part: Mapping[str, Any], sizes: Iterator[int]) -> AnnouncedPart:
    points = _rows(next(sizes), files.POINT_BYTES)
    triangles = None if _flag(part["lines"]) else _rows(next(sizes), files.TRIANGLE_BYTES)
    density, color = part["density"], part["color"]
    if density is not None and (density := results.number(density, "")) <= 0:
        raise DamagedError
    if color is not None:
        color = [results.number(channel, "") for channel in _list(color)]
        if len(color) not in (CHANNELS, CHANNELS_WITH_ALPHA) or not all(0 <= channel <= 1 for channel in color):
            raise DamagedError
    return AnnouncedPart(check_name(part["name"], ""), points, triangles, density, color, _exact(part.get("exact")))


def _exact(value: object) -> Exact | None:
    """Read what the child says of a solid."""
    if value is None:
        return None
    given = _dict(value)
    volume, area, *centre = (
        results.number(one, "") for one in (given["volume"], given["area"], *_list(given["centre"]))
    )
    if len(centre) != 3:
        raise DamagedError
    return Exact(float(volume), float(area), np.array(centre, np.float64))


def _flag(value: object) -> bool:
    if not isinstance(value, bool):
        raise DamagedError
    return value


def _rows(size: int, row: int) -> int:
    """Return the number of rows in an array of `size` bytes, at least one."""
    if not size or size % row:
        raise DamagedError
    return size // row
