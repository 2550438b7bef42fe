"""The conversion of a child's message to an `Outcome`, with every value checked.

The model has controlled the whole process, so nothing in the message is trusted: every name, number and text is checked
again, and anything else is a damaged result. Compiled code cannot be checked: it is taken from a `describe` only, whose
child has run none of the model.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from catenary_worker import results
from catenary_worker.models.description import Entry, check_name, check_text, validate
from catenary_worker.task import (
    CODE_BYTES,
    CONTENT_TYPES,
    GEOMETRY_BYTES,
    GEOMETRY_TOTAL_BYTES,
    PARTS,
    TEXT,
    Geometry,
    ModelError,
    ModelFaultError,
    Outcome,
    Task,
)

DAMAGED = "The model's process sent a damaged result."
MOST_FILES = 2 * PARTS
_PART_NUMBERS = ("triangles", "area", "length", "volume", "density", "mass")
_KINDS = ("solid", "surface", "lines")


class DamagedError(Exception):
    """A child's message is not one that our own code would have written."""


def blob_sizes(header: object) -> list[int]:
    """Return the sizes in bytes of the blobs that follow a header.

    Raises:
        DamagedError: A size is no whole number, or the sizes are over the limits.
    """
    sizes = _dict(header).get("blobs")
    if not isinstance(sizes, list) or len(sizes) > MOST_FILES or not all(type(size) is int for size in sizes):
        raise DamagedError
    if any(not 0 <= size <= GEOMETRY_BYTES for size in sizes) or sum(sizes) > GEOMETRY_TOTAL_BYTES:
        raise DamagedError
    return sizes


def outcome(task: Task, header: object, blobs: Sequence[bytes]) -> Outcome:
    """Build the outcome of a task from the child's header and blobs.

    Raises:
        DamagedError: A value is missing, malformed or over a limit.
    """
    message = _dict(header)
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
            if len(code) > CODE_BYTES:
                raise DamagedError
            return Outcome("completed", description=described, code=code, duration_ms=duration)
        return Outcome(
            "completed",
            metrics={check_name(name, ""): _metric(value) for name, value in _dict(message.get("metrics")).items()},
            constraints={
                check_name(name, ""): _constraint(value) for name, value in _dict(message.get("constraints")).items()
            },
            geometry=_geometry(_list(message.get("geometry")), blobs),
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
        "unit": unit if unit is None else check_text(unit, "", 64),
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


def _geometry(files: list[Any], blobs: Sequence[bytes]) -> list[Geometry]:
    found: list[Geometry] = []
    for file, data in zip(map(_dict, files), blobs, strict=True):
        name, form = check_name(file.get("name"), ""), file["format"]
        if any((known.name, known.format) == (name, form) for known in found):
            raise DamagedError
        found.append(Geometry(name, form, CONTENT_TYPES[form], data, [_part(part) for part in _list(file["parts"])]))
    return found


def _part(value: object) -> dict[str, Any]:
    part = _dict(value)
    if part["kind"] not in _KINDS:
        raise DamagedError
    box = _dict(part["bounding_box"])
    plain = {name: None if part[name] is None else results.number(part[name], "") for name in _PART_NUMBERS}
    return {
        "name": check_name(part["name"], ""),
        "kind": part["kind"],
        **plain,
        "bounding_box": {"min": _point(box["min"]), "max": _point(box["max"])},
        "centre_of_gravity": _point(part["centre_of_gravity"]),
    }


def _point(value: object) -> list[float]:
    point = [float(results.number(coordinate, "")) for coordinate in _list(value)]
    if len(point) != 3:
        raise DamagedError
    return point
