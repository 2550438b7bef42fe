"""Responses and events of views, built from rows."""

from __future__ import annotations

from catenary.platform.v1 import view_service_pb2, view_shapes
from catenary_core.call.call import Call
from catenary_core.call.resource_paths import resource_path
from catenary_core.database.statements import Row
from catenary_core.database.transactions import Transaction
from catenary_core.event_log import events
from catenary_core.services.views import content, fitting

_VIEW_PATH = resource_path(view_service_pb2, "GetView")
_OF_EVENTS = ("view_id", "project_id", "name", "is_default", "created_by", "created_at", "updated_at", "deleted_at")
"""Fields that events have. All others are large, and what they show follows from the deployed version."""


def view(row: Row, known: fitting.DeclaredNames | None) -> view_shapes.View:
    """Build a view: of its content what fits the deployed version, without one all of it."""
    saved: content.ViewContent = row["content"]
    fits, omitted = (saved, []) if known is None else fitting.fitting(saved, known)
    return {
        "view_id": row["view_id"],
        "project_id": row["project_id"],
        "name": row["name"],
        "is_default": row["is_default"],
        "viewer": fits["viewer"],
        "charts": fits["charts"],
        "controls": fits["controls"],
        "metrics": fits["metrics"],
        "omitted": omitted,
        "created_by": row["created_by"],
        "created_at": row["created_at"],
        "updated_at": row["updated_at"],
        "deleted_at": row["deleted_at"],
    }


async def write_event(tx: Transaction, call: Call, change: str, row: Row) -> None:
    """Write the event of a view that was `created`, `updated` or `deleted`."""
    data = events.without_names({name: row[name] for name in _OF_EVENTS})
    subject = _VIEW_PATH.format(row["view_id"])
    await events.write(
        tx, call, f"project.view.{change}", subject=subject, data={"view": data}, project_id=row["project_id"]
    )
