"""Responses and events of variants, built from rows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from catenary.platform.v1 import evaluation_shapes, role_pb2, variant_service_pb2, variant_shapes
from catenary_core.call.call import Call
from catenary_core.call.resource_paths import resource_path
from catenary_core.database.statements import Row
from catenary_core.event_log import events
from catenary_wire.json_form import enum_names

VARIANT_PATH = resource_path(variant_service_pb2, "GetVariant")
_THUMBNAIL_PATH = f"{VARIANT_PATH}/thumbnail"
_STATUSES = {"queued": "evaluating", "running": "evaluating", "completed": "ready"}
"""Statuses of variants by those of their evaluations; by every other one a variant has failed."""
_ROLES = enum_names(role_pb2.Role.DESCRIPTOR)
_OF_EVENTS = ("evaluation_id", "status", "model_version_id")
_NOT_OF_EVENTS = frozenset({"note", "role"})


def status(evaluation: evaluation_shapes.Evaluation) -> str:
    """Return the status of a variant with an evaluation."""
    return _STATUSES.get(str(evaluation["status"]), "failed")


def variant(
    row: Row, evaluation: evaluation_shapes.Evaluation, pictures: Mapping[str, int | None], call: Call
) -> variant_shapes.Variant:
    """Build a variant for a caller from its row, its evaluation, and the sizes of pictures by evaluation."""
    return {
        "variant_id": row["variant_id"],
        "project_id": row["project_id"],
        "name": row["name"],
        "note": row["note"],
        "status": status(evaluation),
        "evaluation": evaluation,
        "thumbnail": _thumbnail(row, pictures),
        "created_by": row["created_by"],
        "created_at": row["created_at"],
        "updated_at": row["updated_at"],
        "deleted_at": row["deleted_at"],
        "role": _ROLES.get(call.shared_role or call.role),
    }


def _thumbnail(row: Row, pictures: Mapping[str, int | None]) -> variant_shapes.VariantThumbnail | None:
    if row["evaluation_id"] not in pictures:
        return None
    return {"url": _THUMBNAIL_PATH.format(row["variant_id"]), "size": pictures[row["evaluation_id"]]}


def event_data(shown: variant_shapes.Variant) -> dict[str, Any]:
    """Build the `data` of an event: the variant without note and role, and of its evaluation the ids and the status."""
    data = events.without_names({name: value for name, value in shown.items() if name not in _NOT_OF_EVENTS})
    return {"variant": {**data, "evaluation": {name: data["evaluation"][name] for name in _OF_EVENTS}}}
