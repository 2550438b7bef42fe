"""The points of a study as CSV, in columns of their own for parameters, metrics, objectives and constraints."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import orjson

from catenary.platform.v1 import study_service_shapes as shapes
from catenary_core.call.errors import not_found
from catenary_core.database.statements import Row
from catenary_core.database.transactions import Database
from catenary_core.services.evaluations.batches.servicer import PAGE_BYTES
from catenary_core.services.evaluations.exchange import files
from catenary_core.services.evaluations.plans import csv_files
from catenary_core.services.evaluations.studies import queries

PAGE_ROWS = 500
"""Points that one statement reads."""
_BEFORE = ("index", "generation", "status")
_BEHIND = ("feasible", "rank", "error", "cached", "duration_ms", "completed_at")


@dataclass(frozen=True, slots=True)
class PointsTable:
    """The columns of a study's points."""

    parameters: Sequence[Mapping[str, Any]]
    """Name and unit of each parameter."""
    metrics: Sequence[Mapping[str, Any]]
    """Name and unit of each metric."""
    objectives: Sequence[str]
    """Metric or expression of each objective."""
    constraints: Sequence[str]
    """Names of the constraints that the model declares."""

    def header(self) -> bytes:
        """Build the line with the names of the columns."""
        return csv_files.line(
            [
                *_BEFORE,
                *(csv_files.name("in", one) for one in self.parameters),
                *(csv_files.name("out", one) for one in self.metrics),
                *(f"objective:{one}" for one in self.objectives),
                *(f"met:{one}" for one in self.constraints),
                *_BEHIND,
            ]
        ).encode()

    def lines(self, rows: Iterable[Row]) -> bytes:
        """Build the lines of points."""
        return "".join(csv_files.line(map(csv_files.cell, self._cells(row))) for row in rows).encode()

    def _cells(self, row: Row) -> list[Any]:
        metrics, constraints = row["metrics"], row["constraints"]
        objectives = row["objectives"] or [None] * len(self.objectives)
        error = None if row["error"] is None else row["error"]["code"]
        return [
            *(row[name] for name in _BEFORE),
            *(row["parameters"].get(one["name"]) for one in self.parameters),
            *(metrics[one["name"]]["value"] if one["name"] in metrics else None for one in self.metrics),
            *objectives,
            *(constraints[one]["satisfied"] if one in constraints else None for one in self.constraints),
            *({**row, "error": error}[name] for name in _BEHIND),
        ]


def of_study(study: Row, names: Sequence[Row]) -> PointsTable:
    """Return the table of a study.

    Args:
        study: row of `queries.ONE`.
        names: rows of `queries.RESULT_NAMES`.
    """
    definition = study["definition"]
    # Those of the model come before those of the request; a sensitivity has only those that its points had.
    own = definition["constraints"][: len(definition["constraints"]) - len(study["request"]["constraints"])]
    found = [row["name"] for row in names if not row["is_metric"]]
    return PointsTable(
        parameters=definition["parameters"],
        metrics=files.metrics(definition["metrics"], [row["name"] for row in names if row["is_metric"]]),
        objectives=[one["metric"] or one["expression"] for one in definition["objectives"]],
        constraints=list(dict.fromkeys([*(one["name"] for one in own), *found])),
    )


def entity_tag(study: Row, table: PointsTable) -> str:
    """Return the entity tag of a study's table, which changes as points end."""
    counts = {
        name: study[name] for name in ("total", "done", "failed", "timed_out", "cached", "generation", "updated_at")
    }
    state = orjson.dumps([study["study_id"], study["status"], counts, table.header().decode()], default=str)
    return f'"{hashlib.sha256(state).hexdigest()}"'


async def stream(db: Database, study_id: str, table: PointsTable) -> AsyncIterator[shapes.DownloadStudyResultsResponse]:
    """Stream the file of a study, part by part.

    Raises NOT_FOUND: the study was removed meanwhile, so that the file has no end.
    """
    yield {"chunk": table.header()}
    first, wanted = 0, {"study_id": study_id, "page_rows": PAGE_ROWS, "page_bytes": PAGE_BYTES}
    while True:
        async with db.read() as tx:
            rows = await tx.all(queries.RESULTS, **wanted, from_index=first)
            if await tx.one_or_none(queries.STATE, study_id=study_id) is None:
                raise not_found("study")
        fitting = [row for row in rows if row["before"] < PAGE_BYTES]
        if fitting:
            yield {"chunk": await asyncio.to_thread(table.lines, fitting)}
        if len(fitting) == len(rows) < PAGE_ROWS:
            return
        first = fitting[-1]["number"]
