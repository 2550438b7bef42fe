"""Strict reading of a job's outcome: a worker runs other people's models and isn't trusted."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, cast

from catenary.type.v1 import json_pb2
from catenary.worker.v1 import worker_service_pb2 as pb
from catenary_core.call import json_text
from catenary_core.call.errors import DomainError, invalid
from catenary_core.jobs.queue import Artefact, JobEnd, OutputFile, failed_end
from catenary_wire import charts as chart_form
from catenary_wire import model_limits
from catenary_wire.characters import refused_character
from catenary_wire.printable import escape_controls

_LARGE_TEXT = 64 * 1024
"""Characters of JSON above which a thread reads outcomes, so that the event loop isn't blocked."""
_MANY_POINTS = 64
"""Number of points above which a thread reads them, however small they are."""
_ERROR_CODES = {"failed": "MODEL_FAILED", "timed_out": "EVALUATION_TIMEOUT"}
_MEASURES = ("area", "length", "volume", "density", "mass")
_COMPARED = ("metric", "op", "limit", "unit")
_PART_KINDS = ("solid", "surface", "lines")


async def read(outcome: pb.Outcome, runtime_digest: str) -> JobEnd:
    """Return the outcome with its JSON parsed and its artefacts as announced.

    A result's parts (metrics, constraints, tables, charts, artefacts, files) come only with `completed`, an error only
    with other statuses.

    Raises VALIDATION_ERROR, for the first fault.
    """
    if _size(outcome) > _LARGE_TEXT:
        return await asyncio.to_thread(_read, outcome, runtime_digest)
    return _read(outcome, runtime_digest)


def _result_size(outcome: pb.Outcome) -> int:
    return sum(len(part.text) for part in (outcome.metrics, outcome.constraints, outcome.tables, outcome.charts))


def _size(outcome: pb.Outcome) -> int:
    """Return the characters of an outcome's JSON."""
    return _result_size(outcome) + len(outcome.description.text) + len(outcome.error.text)


def _read(outcome: pb.Outcome, runtime_digest: str) -> JobEnd:
    for field, size in (("metrics", _result_size(outcome)), ("description", len(outcome.description.text))):
        if size > model_limits.RESULT_BYTES:
            raise _bad(
                field, f"has more than {model_limits.RESULT_BYTES} bytes, constraints, tables and charts among them"
            )
    completed = outcome.status == "completed"
    error = _json(outcome, "error")
    if completed != (error is None):
        raise _bad("error", "stands exactly where the job is not completed")
    for field in ("artefacts", "files", "unmade"):
        if getattr(outcome, field) and not completed:
            raise _bad(field, "come with a completed job only")
    metrics, constraints, tables = (
        _named(_json(outcome, part), part, read_item, most)
        for part, read_item, most in (
            ("metrics", _metric, model_limits.MOST_METRICS),
            ("constraints", _constraint, model_limits.MOST_CONSTRAINTS),
            ("tables", _table, model_limits.MOST_TABLES),
        )
    )
    if sum(map(len, tables.values())) > model_limits.MOST_ROWS:
        raise _bad("tables", f"have over {model_limits.MOST_ROWS} rows")
    charts = _charts(_json(outcome, "charts"), tables)
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
        repeatable=outcome.repeatable if outcome.HasField("repeatable") else None,
        not_repeatable=outcome.not_repeatable,
        charts=charts if completed else {},
        files=_files(outcome.files),
        unmade=_unmade(outcome.unmade),
        remarks=tuple(outcome.remarks),
    )


async def read_points(points: Sequence[pb.PointOutcome], runtime_digest: str) -> dict[int, JobEnd]:
    """Return the ends of points by their numbers; a point whose outcome breaks a rule has failed with that rule.

    Raises VALIDATION_ERROR: a point is named twice.
    """
    if len(points) > _MANY_POINTS or sum(_size(point.outcome) for point in points) > _LARGE_TEXT:
        return await asyncio.to_thread(_read_points, points, runtime_digest)
    return _read_points(points, runtime_digest)


def _read_points(points: Sequence[pb.PointOutcome], runtime_digest: str) -> dict[int, JobEnd]:
    ends: dict[int, JobEnd] = {}
    for place, point in enumerate(points):
        if point.index in ends:
            raise invalid(f"points[{place}].index", "{field} is there twice.", value=point.index, constraint="unique")
        ends[point.index] = _read_point(point.outcome, runtime_digest)
    return ends


def _read_point(found: pb.Outcome, runtime_digest: str) -> JobEnd:
    try:
        ended = _read(found, runtime_digest)
    except DomainError as refusal:
        return not_taken(refusal, found.duration_ms, runtime_digest)
    return replace(ended, description=None, deterministic=None, artefacts=(), charts={}, files=(), log="")


def not_taken(refusal: DomainError, duration_ms: float, runtime_digest: str) -> JobEnd:
    """Return the failure of a point or design whose outcome breaks a rule, with the rule for the model's author."""
    message = f"The platform does not take the result: {refusal.message} Change what the model returns."
    error = {"code": _ERROR_CODES["failed"], "message": message[: model_limits.TEXT], "line": None}
    return failed_end(error, duration_ms, runtime_digest)


def refused(ended: JobEnd, refusal: DomainError) -> JobEnd:
    """Return the end of a job whose result is not kept: failed, with the refusal as its error."""
    return replace(
        ended,
        status="failed",
        error={"code": refusal.reason, "message": refusal.message, "line": None},
        metrics={},
        constraints={},
        tables={},
        artefacts=(),
        charts={},
        files=(),
        unmade=(),
    )


def without_files(ended: JobEnd) -> JobEnd:
    """Return the end of a job of which neither geometry nor files are wanted."""
    return replace(ended, artefacts=(), files=())


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
        if not model_limits.is_name(name):
            raise _bad(field, "has a name that is none", name)
    return {name: read_item(items[name], f"{field}.{name}") for name in sorted(items)}


def _number(value: Any, field: str) -> int | float:
    """Return a number; `json_text` gives finite doubles, and integers in ±2^63."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise _bad(field, "must be a number", value)
    return value


def _metric(value: Any, field: str) -> dict[str, Any]:
    metric = _only(value, field, {"value", "unit"})
    return {"value": _number(metric["value"], f"{field}.value"), "unit": _unit(metric["unit"], field)}


def _constraint(value: Any, field: str) -> dict[str, Any]:
    if isinstance(value, dict):
        value = {**dict.fromkeys(_COMPARED), **value}  # which workers of an older release do not give
    constraint = _only(value, field, {"value", "satisfied", *_COMPARED})
    if not isinstance(constraint["satisfied"], bool):
        raise _bad(f"{field}.satisfied", "must be true or false", constraint["satisfied"])
    metric, op, limit, unit = (constraint[key] for key in _COMPARED)
    if metric is not None and not model_limits.is_name(metric):
        raise _bad(f"{field}.metric", "is no name of a metric", metric)
    if op is not None and op not in model_limits.OPERATORS:
        raise _bad(f"{field}.op", f"is none of {', '.join(model_limits.OPERATORS)}", op)
    return {
        "value": _number(constraint["value"], f"{field}.value"),
        "satisfied": constraint["satisfied"],
        "metric": metric,
        "op": op,
        "limit": None if limit is None else _number(limit, f"{field}.limit"),
        "unit": _unit(unit, field),
    }


def _unit(unit: Any, field: str) -> str | None:
    if unit is not None and not _is_text(unit, model_limits.UNIT):
        raise _bad(f"{field}.unit", f"must be null or one line of text of at most {model_limits.UNIT} characters", unit)
    return cast("str | None", unit)


def _table(value: Any, field: str) -> list[Any]:
    if not isinstance(value, list):
        raise _bad(field, "must be a list of rows", value)
    for row in value:
        if not isinstance(row, dict) or any(isinstance(cell, dict | list) for cell in row.values()):
            raise _bad(field, "must have rows that are objects of text, numbers, booleans and null", row)
        if not all(_is_text(column, model_limits.LABEL) for column in row):
            raise _bad(field, f"must have columns of one line of at most {model_limits.LABEL} characters", row)
        for cell in row.values():
            if isinstance(cell, str) and not _is_text(cell, model_limits.TEXT, multiline=True):
                raise _bad(field, f"must have texts without control characters of at most {model_limits.TEXT}", cell)
    return value


def _charts(value: Any, tables: Mapping[str, Any]) -> dict[str, Any]:
    """Return the charts, each of a table of the same outcome."""
    columns = {name: chart_form.columns(rows) for name, rows in tables.items()} if value else {}

    def read_chart(chart: Any, field: str) -> Any:
        if fault := chart_form.problem(chart, columns):
            raise _bad(field, fault, chart)
        return chart

    return _named(value, "charts", read_chart, model_limits.MOST_CHARTS)


def _files(files: Sequence[pb.ResultFile]) -> list[OutputFile]:
    """Return the announced files; the proto limits the name and size of each."""
    if len(files) > model_limits.MOST_FILES:
        raise _bad("files", f"are over {model_limits.MOST_FILES}")
    if sum(file.size for file in files) > model_limits.FILES_TOTAL_BYTES:
        raise _bad("files", f"have over {model_limits.FILES_TOTAL_BYTES} bytes together")
    if len({file.name for file in files}) < len(files):
        raise _bad("files", "have a name twice")
    return [OutputFile(file.name, file.size, file.sha256) for file in files]


def _unmade(named: Sequence[pb.UnmadeGeometry]) -> list[dict[str, str]]:
    """Return what is told of geometry that was not made; the proto limits names, formats and their number."""
    if len({(one.name, one.format) for one in named}) < len(named):
        raise _bad("unmade", "has a name and format twice")
    return [{"name": one.name, "format": one.format} for one in named]


def _is_text(value: Any, longest: int, *, multiline: bool = False) -> bool:
    return isinstance(value, str) and len(value) <= longest and refused_character(value, multiline=multiline) is None


def _error(value: Any, status: str) -> dict[str, Any]:
    error = _only(value, "error", {"code", "message", "line"})
    message, line = error["message"], error["line"]
    if error["code"] != _ERROR_CODES[status]:
        raise _bad("error.code", f"must be {_ERROR_CODES[status]} of what is {status}", error["code"])
    if not _is_text(message, model_limits.TEXT, multiline=True):
        raise _bad("error.message", f"must be text of at most {model_limits.TEXT} characters", message)
    if line is not None and (isinstance(line, bool) or not isinstance(line, int) or not 0 <= line < 2**31):
        raise _bad("error.line", "must be null or a line's number", line)
    return {"code": error["code"], "message": message, "line": line}


def _artefacts(outcome: pb.Outcome) -> list[Artefact]:
    if len(outcome.artefacts) > model_limits.MOST_ARTEFACTS:
        raise _bad("artefacts", f"are over {model_limits.MOST_ARTEFACTS}")
    if sum(artefact.size for artefact in outcome.artefacts) > model_limits.GEOMETRY_TOTAL_BYTES:
        raise _bad("artefacts", f"have over {model_limits.GEOMETRY_TOTAL_BYTES} bytes together")
    if len({(artefact.name, artefact.format) for artefact in outcome.artefacts}) < len(outcome.artefacts):
        raise _bad("artefacts", "have a name and format twice")
    return [
        Artefact(one.name, one.format, one.size, one.sha256, _parts(_json(one, "parts")), one.unit or None)
        for one in outcome.artefacts
    ]


def _parts(value: Any) -> list[Mapping[str, Any]]:
    """Return the measures of a geometry's parts, as catenary.platform.v1.GeometryPart."""
    if not isinstance(value, list) or len(value) > model_limits.MOST_PARTS:
        raise _bad("artefacts.parts", f"must be a list of at most {model_limits.MOST_PARTS} parts")
    return [_part(item) for item in value]


def _part(value: Any) -> dict[str, Any]:
    field = "artefacts.parts"
    if isinstance(value, dict):
        value = {"opening": None, "measured": None, **value}  # which workers of an older release do not give
    part = _only(
        value,
        field,
        {"name", "kind", "triangles", *_MEASURES, "bounding_box", "centre_of_gravity", "opening", "measured"},
    )
    if not model_limits.is_name(part["name"]):
        raise _bad(field, "has a name that is none", part["name"])
    if part["kind"] not in _PART_KINDS:
        raise _bad(field, f"has a kind that is none of {', '.join(_PART_KINDS)}", part["kind"])
    if not isinstance(_number(part["triangles"], f"{field}.triangles"), int) or part["triangles"] < 0:
        raise _bad(field, "has a number of triangles that is none", part["triangles"])
    if part["measured"] not in (None, "mesh", "exact"):
        raise _bad(field, "has an origin of measures that is none of mesh and exact", part["measured"])
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
        "opening": None if part["opening"] is None else _opening(part["opening"], f"{field}.opening"),
        "measured": part["measured"],
    }


def _opening(value: Any, field: str) -> dict[str, Any]:
    found = _only(value, field, {"edges", "gap"})
    if not isinstance(_number(found["edges"], f"{field}.edges"), int) or found["edges"] < 1:
        raise _bad(field, "has a number of edges that is none", found["edges"])
    return {
        "edges": found["edges"],
        "gap": None if found["gap"] is None else float(_number(found["gap"], f"{field}.gap")),
    }


def _point(value: Any) -> list[float]:
    if not isinstance(value, list) or len(value) != 3:
        raise _bad("artefacts.parts", "has a point that is not three numbers", value)
    return [float(_number(number, "artefacts.parts")) for number in value]
