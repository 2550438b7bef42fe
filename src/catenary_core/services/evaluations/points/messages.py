"""Points as evaluations, built from rows."""

from __future__ import annotations

from catenary.platform.v1 import evaluation_shapes
from catenary_core.database.statements import Row
from catenary_core.services.evaluations import messages


def geometry(row: Row) -> list[evaluation_shapes.Geometry]:
    """Build the geometry of a point: what was made of it, else its names."""
    items = row["named"] or [] if row["made"] is None else row["made"]
    return [messages.geometry(row["evaluation_id"], item) for item in items]


def evaluation(row: Row, run: Row | None = None, *, with_log: bool = False) -> evaluation_shapes.Evaluation:
    """Build a point as an evaluation.

    Args:
        row: The point.
        run: The evaluation that made its geometry, which adds what a point does not keep.
        with_log: Whether the caller may see what the model printed then.
    """
    added = {} if run is None or run["status"] != "completed" else {key: run[key] for key in ("files", "charts", "log")}
    shown = messages.evaluation({**row, **added, "geometry": []}, cached=row["cached"], with_log=with_log)
    shown["geometry"] = geometry(row)
    shown["study_id" if row["is_study"] else "batch_id"] = row["batch_id"]
    shown["index"] = row["index"]
    return shown
