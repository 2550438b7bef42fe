"""The conversion of a child's message to an `Outcome`, with every value checked.

The model has controlled the whole process, so nothing in the message is trusted: every name, number and text is checked
again, and anything else is a damaged result. Compiled code cannot be checked: it is taken from a `describe` only, whose
child has run none of the model.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from catenary_worker import results
from catenary_worker.geometry import files
from catenary_worker.geometry.files import AnnouncedGeometry, AnnouncedPart
from catenary_worker.models.description import Entry, check_name, check_text, validate
from catenary_worker.task import CODE_BYTES, TEXT, ModelError, ModelFaultError, Outcome, Task

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
    geometry = []
    try:
        if message.get("status") == "completed" and task.mode == "describe":
            if next(waiting) > CODE_BYTES:
                raise DamagedError
        elif message.get("status") == "completed":
            geometry = [_geometry(_dict(item), waiting) for item in _list(message.get("geometry"))]
    except (ModelFaultError, ValueError, TypeError, KeyError, StopIteration) as error:
        raise DamagedError from error
    if next(waiting, None) is not None or len({item.name for item in geometry}) < len(geometry):
        raise DamagedError
    files.check_announced(geometry)
    return Announced(sizes, geometry)


def outcome(task: Task, header: object, geometry: Sequence[AnnouncedGeometry], blobs: Sequence[bytearray]) -> Outcome:
    """Build the outcome of a task from the child's header and blobs.

    Raises:
        DamagedError: A value is missing, malformed or over a limit.
        ModelFaultError: The geometry is faulty or over a limit.
    """
    checked = _outcome(task, _dict(header), blobs)
    return replace(checked, geometry=files.write(geometry, blobs)) if geometry else checked


def _outcome(task: Task, message: Mapping[str, Any], blobs: Sequence[bytearray]) -> Outcome:
    """Build the outcome of a task without its geometry."""
    try:
        duration = float(results.number(message.get("duration_ms"), "duration"))
        if message.get("status") == "failed":
            return Outcome("failed", error=_error(_dict(message.get("error"))), duration_ms=duration)
        if message.get("status") != "completed":
            raise DamagedError
        if task.mode == "describe":
            lists = _dict(message.get("description"))
            parameters, metrics, constraints = (
                [Entry(_dict(entry)) for entry in _list(lists.get(name))]
                for name in ("parameters", "metrics", "constraints")
            )
            described = validate(parameters, metrics, constraints, lists.get("geometry_unit"))
            (code,) = blobs
            return Outcome("completed", description=described, code=bytes(code), duration_ms=duration)
        return Outcome(
            "completed",
            metrics={check_name(name, ""): _metric(value) for name, value in _dict(message.get("metrics")).items()},
            constraints={
                check_name(name, ""): _constraint(value) for name, value in _dict(message.get("constraints")).items()
            },
            tables=results.tables(_dict(message.get("tables"))),
            duration_ms=duration,
        )
    except (ModelFaultError, ValueError, TypeError, KeyError) as error:
        raise DamagedError from error


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
    return ModelError("MODEL_FAILED", check_text(error.get("message"), "", TEXT), line)


def _metric(value: object) -> dict[str, Any]:
    metric = _dict(value)
    unit = metric.get("unit")
    return {
        "value": results.number(metric.get("value"), ""),
        "unit": unit if unit is None else check_text(unit, "", 64, multiline=False),
    }


def _constraint(value: object) -> dict[str, Any]:
    constraint = _dict(value)
    if not isinstance(constraint.get("satisfied"), bool):
        raise DamagedError
    number = constraint.get("value")
    return {
        "value": number if number is None else results.number(number, ""),
        "satisfied": constraint["satisfied"],
    }


def _geometry(geometry: Mapping[str, Any], sizes: Iterator[int]) -> AnnouncedGeometry:
    """Read one geometry of the header; take the sizes of its blobs."""
    name, parts = check_name(geometry["name"], ""), _list(geometry["parts"])
    if not parts:
        raise DamagedError
    return AnnouncedGeometry(
        name, [_part(_dict(part), sizes) for part in parts], next(sizes) if _flag(geometry["step"]) else None
    )


def _part(part: Mapping[str, Any], sizes: Iterator[int]) -> AnnouncedPart:
    points = _rows(next(sizes), files.POINT_BYTES)
    triangles = None if _flag(part["lines"]) else _rows(next(sizes), files.TRIANGLE_BYTES)
    density, color = part["density"], part["color"]
    if density is not None and (density := results.number(density, "")) <= 0:
        raise DamagedError
    if color is not None:
        color = [results.number(channel, "") for channel in _list(color)]
        if len(color) != 3 or not all(0 <= channel <= 1 for channel in color):
            raise DamagedError
    return AnnouncedPart(check_name(part["name"], ""), points, triangles, density, color)


def _flag(value: object) -> bool:
    if not isinstance(value, bool):
        raise DamagedError
    return value


def _rows(size: int, row: int) -> int:
    """Return the number of rows in an array of `size` bytes, at least one."""
    if not size or size % row:
        raise DamagedError
    return size // row
