"""Strict reading of a job's outcome: a worker runs other people's models and isn't trusted."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Mapping
from typing import Any

from catenary.type.v1 import json_pb2
from catenary.worker.v1 import worker_service_pb2 as pb
from catenary_core.call import json_text
from catenary_core.call.errors import DomainError, invalid
from catenary_core.jobs.queue import Artefact, JobEnd
from catenary_wire.characters import refused_character
from catenary_wire.printable import escape_controls

MAX_ARTEFACTS = 128
"""Maximum number of artefacts of a job."""
MAX_ARTEFACT_BYTES = 128 * 1024 * 1024
"""Maximum bytes of all artefacts of a job together."""
MAX_METRICS = 1_000
"""Maximum number of metrics, and of constraints."""
MAX_TABLES = 64
"""Maximum number of tables."""
MAX_PARTS = 64
"""Maximum number of parts of a geometry."""
MAX_MESSAGE = 2_000
"""Maximum length, in characters, of an error's message."""
_LARGE_TEXT = 64 * 1024
"""Characters of JSON above which a thread reads the outcome, so that the event loop isn't blocked."""
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,63}", re.ASCII)
_ERROR_CODES = {"failed": "MODEL_FAILED", "timed_out": "EVALUATION_TIMEOUT"}
_MEASURES = ("area", "length", "volume", "density", "mass")
_PART_KINDS = ("solid", "surface", "lines")


async def read(outcome: pb.Outcome, runtime_digest: str) -> JobEnd:
    """Return the outcome with its JSON parsed and its artefacts as announced.

    A result's parts (metrics, constraints, tables, artefacts) come only with `completed`, an error only with other
    statuses.

    Raises VALIDATION_ERROR, for the first fault.
    """
    size = sum(
        len(part.text)
        for part in (outcome.error, outcome.description, outcome.metrics, outcome.constraints, outcome.tables)
    )
    if size > _LARGE_TEXT:
        return await asyncio.to_thread(_read, outcome, runtime_digest)
    return _read(outcome, runtime_digest)


def _read(outcome: pb.Outcome, runtime_digest: str) -> JobEnd:
    completed = outcome.status == "completed"
    error = _json(outcome, "error")
    if completed != (error is None):
        raise _bad("error", "stands exactly where the job is not completed")
    if outcome.artefacts and not completed:
        raise _bad("artefacts", "come with a completed job only")
    metrics, constraints, tables = (
        _named(_json(outcome, part), part, read_item, most)
        for part, read_item, most in (
            ("metrics", _metric, MAX_METRICS),
            ("constraints", _constraint, MAX_METRICS),
            ("tables", _table, MAX_TABLES),
        )
    )
    description = _json(outcome, "description")
    return JobEnd(
        status=outcome.status,
        error=None if error is None else _error(error, outcome.status),
        description=None if description is None else _object(description, "description"),
        deterministic=outcome.deterministic if outcome.HasField("deterministic") else None,
        metrics=metrics if completed else {},
        constraints=constraints if completed else {},
        tables=tables if completed else {},
        artefacts=_artefacts(outcome),
        duration_ms=outcome.duration_ms,
        runtime_digest=runtime_digest,
        log=_log(outcome.log),
    )


def _log(text: str) -> str:
    """Return a log; the proto limits its length."""
    if escape_controls(text) != text:
        raise _bad("log", "has characters that control a terminal")
    return text


def _bad(field: str, why: str, value: Any = None) -> DomainError:
    return invalid(f"outcome.{field}", "{field} {why}.", value=value, constraint="outcome", why=why)


def _json(message: pb.Outcome | pb.Artefact, field: str) -> Any:
    """Return the value of a Json field, or None if absent."""
    if not message.HasField(field):
        return None
    text: json_pb2.Json = getattr(message, field)
    return json_text.parse(text.text, f"outcome.{field}")


def _object(value: Any, field: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise _bad(field, "must be an object", value)
    return value


def _only(value: Any, field: str, keys: set[str]) -> dict[str, Any]:
    if not isinstance(value, dict) or value.keys() != keys:
        raise _bad(field, f"must be an object with exactly {', '.join(sorted(keys))}", value)
    return value


def _named(value: Any, field: str, read_item: Callable[[Any, str], Any], most: int) -> dict[str, Any]:
    """Return an object of named items, sorted by name."""
    items = _object(value or {}, field)
    if len(items) > most:
        raise _bad(field, f"has over {most} names")
    for name in items:
        if not _NAME.fullmatch(name):
            raise _bad(field, "has a name that is none", name)
    return {name: read_item(items[name], f"{field}.{name}") for name in sorted(items)}


def _number(value: Any, field: str) -> int | float:
    """Return a number; `json_text` gives finite doubles, and integers in ±2^63."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise _bad(field, "must be a number", value)
    return value


def _metric(value: Any, field: str) -> dict[str, Any]:
    metric = _only(value, field, {"value", "unit"})
    unit = metric["unit"]
    if unit is not None and not (isinstance(unit, str) and len(unit) <= 64 and refused_character(unit) is None):
        raise _bad(f"{field}.unit", "must be null or one line of text of at most 64 characters", unit)
    return {"value": _number(metric["value"], f"{field}.value"), "unit": unit}


def _constraint(value: Any, field: str) -> dict[str, Any]:
    constraint = _only(value, field, {"value", "satisfied"})
    if not isinstance(constraint["satisfied"], bool):
        raise _bad(f"{field}.satisfied", "must be true or false", constraint["satisfied"])
    return {"value": _number(constraint["value"], f"{field}.value"), "satisfied": constraint["satisfied"]}


def _table(value: Any, field: str) -> list[Any]:
    if not isinstance(value, list):
        raise _bad(field, "must be a list of rows", value)
    for row in value:
        if not isinstance(row, dict) or any(isinstance(cell, dict | list) for cell in row.values()):
            raise _bad(field, "must have rows that are objects of text, numbers, booleans and null", row)
    return value


def _error(value: Any, status: str) -> dict[str, Any]:
    error = _only(value, "error", {"code", "message", "line"})
    message, line = error["message"], error["line"]
    if error["code"] != _ERROR_CODES[status]:
        raise _bad("error.code", f"must be {_ERROR_CODES[status]} of what is {status}", error["code"])
    if not isinstance(message, str) or len(message) > MAX_MESSAGE:
        raise _bad("error.message", f"must be text of at most {MAX_MESSAGE} characters", message)
    if line is not None and (isinstance(line, bool) or not isinstance(line, int) or not 0 <= line < 2**31):
        raise _bad("error.line", "must be null or a line's number", line)
    return {"code": error["code"], "message": message, "line": line}


def _artefacts(outcome: pb.Outcome) -> list[Artefact]:
    if len(outcome.artefacts) > MAX_ARTEFACTS:
        raise _bad("artefacts", f"are over {MAX_ARTEFACTS}")
    if sum(artefact.size for artefact in outcome.artefacts) > MAX_ARTEFACT_BYTES:
        raise _bad("artefacts", f"have over {MAX_ARTEFACT_BYTES} bytes together")
    if len({(artefact.name, artefact.format) for artefact in outcome.artefacts}) < len(outcome.artefacts):
        raise _bad("artefacts", "have a name and format twice")
    return [
        Artefact(artefact.name, artefact.format, artefact.size, artefact.sha256, _parts(_json(artefact, "parts")))
        for artefact in outcome.artefacts
    ]


def _parts(value: Any) -> list[Mapping[str, Any]]:
    """Return the measures of a geometry's parts, as catenary.platform.v1.GeometryPart."""
    if not isinstance(value, list) or len(value) > MAX_PARTS:
        raise _bad("artefacts.parts", f"must be a list of at most {MAX_PARTS} parts")
    return [_part(item) for item in value]


def _part(value: Any) -> dict[str, Any]:
    field = "artefacts.parts"
    part = _only(value, field, {"name", "kind", "triangles", *_MEASURES, "bounding_box", "centre_of_gravity"})
    if not isinstance(part["name"], str) or not _NAME.fullmatch(part["name"]):
        raise _bad(field, "has a name that is none", part["name"])
    if part["kind"] not in _PART_KINDS:
        raise _bad(field, f"has a kind that is none of {', '.join(_PART_KINDS)}", part["kind"])
    if not isinstance(_number(part["triangles"], f"{field}.triangles"), int) or part["triangles"] < 0:
        raise _bad(field, "has a number of triangles that is none", part["triangles"])
    box = _only(part["bounding_box"], f"{field}.bounding_box", {"min", "max"})
    measured = {key: None if part[key] is None else float(_number(part[key], f"{field}.{key}")) for key in _MEASURES}
    return {
        "name": part["name"],
        "kind": part["kind"],
        "triangles": part["triangles"],
        "area": measured["area"],
        "length": measured["length"],
        "volume": measured["volume"],
        "bounding_box": {"min": _point(box["min"]), "max": _point(box["max"])},
        "centre_of_gravity": _point(part["centre_of_gravity"]),
        "density": measured["density"],
        "mass": measured["mass"],
    }


def _point(value: Any) -> list[float]:
    if not isinstance(value, list) or len(value) != 3:
        raise _bad("artefacts.parts", "has a point that is not three numbers", value)
    return [float(_number(number, "artefacts.parts")) for number in value]
