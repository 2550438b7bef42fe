"""Events as share links get them: of what a link reads, and without the ids of people (guide/shares.md).

A type that stands here for no resource reaches no link.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from google.protobuf.descriptor import Descriptor

from catenary.platform.v1 import (
    batch_pb2,
    comment_pb2,
    evaluation_pb2,
    model_pb2,
    project_pb2,
    study_pb2,
    variant_pb2,
    view_pb2,
)
from catenary.platform.v1.event_shapes import Event
from catenary_core.access import nameless
from catenary_core.call.call import SharedPart

_RESOURCES: Mapping[str, Descriptor] = {
    "project": project_pb2.DESCRIPTOR.message_types_by_name["Project"],
    "parameter": model_pb2.DESCRIPTOR.message_types_by_name["ModelParameter"],
    "evaluation": evaluation_pb2.DESCRIPTOR.message_types_by_name["Evaluation"],
    "batch": batch_pb2.DESCRIPTOR.message_types_by_name["Batch"],
    "study": study_pb2.DESCRIPTOR.message_types_by_name["Study"],
    "variant": variant_pb2.DESCRIPTOR.message_types_by_name["Variant"],
    "comment": comment_pb2.DESCRIPTOR.message_types_by_name["Comment"],
    "view": view_pb2.DESCRIPTOR.message_types_by_name["View"],
}
_PLANS = {name: nameless.plan_of(descriptor) for name, descriptor in _RESOURCES.items()}
"""Fields of resources that name a person, by the resource's key in the data of an event."""
_IDS: Mapping[str, dict[str, Any]] = {"project": {"owner_user_id": None}, "comment": {"mentions": []}}
"""Values in place of fields with ids of users, by the resource's key."""
_VARIANTS = ("created", "updated", "deleted", "published")
_CHANGES = ("created", "updated", "deleted")
SHOWN: Mapping[str, tuple[str, ...]] = {
    "project.updated": ("project", "parameter"),
    "project.deleted": ("project",),
    "model.evaluation.completed": ("evaluation",),
    "model.evaluation.failed": ("evaluation",),
    "model.batch.completed": ("batch",),
    "model.study.progressed": ("study",),
    "model.study.completed": ("study",),
    **{f"project.variant.{change}": ("variant",) for change in _VARIANTS},
    **{f"project.view.{change}": ("view",) for change in _CHANGES},
    **{f"comment.{change}": ("comment",) for change in _CHANGES},
}
"""Types of the events that links get, with the keys that the resource may have."""


def without_people(event: Event) -> Event | None:
    """Return an event as links see it: without its actor, names and ids of users; None for one that no link gets."""
    data = cast("Mapping[str, Any]", event["data"])
    if len(data) != 1:
        return None
    ((key, resource),) = data.items()
    if key not in SHOWN.get(event["type"], ()):
        return None
    shown = nameless.without_names(resource, _PLANS[key]) | _IDS.get(key, {})
    return {**event, "actor_id": None, "data": {key: shown}}


def is_shown(part: SharedPart, event: Event) -> bool:
    """Return whether an event of `without_people` is of the part of a project that a link shows."""
    if event["project_id"] != part.project_id:
        return False
    if part.variant_id is None:
        return True
    ((key, resource),) = cast("Mapping[str, Any]", event["data"]).items()
    match key:
        case "variant" | "comment":
            return bool(resource["variant_id"] == part.variant_id)
        case "evaluation":
            return bool(resource["evaluation_id"] == part.evaluation_id)
        case _:
            return False
