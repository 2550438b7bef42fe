"""The rules of new shares: with whom, and in which role."""

from __future__ import annotations

from typing import Literal

from catenary.platform.v1 import role_pb2, share_pb2
from catenary.platform.v1 import share_service_pb2 as pb
from catenary_core.call.errors import invalid
from catenary_wire.json_form import enum_names
from catenary_wire.sentences import Fields

_FIELD: dict[int, Literal["user_id", "team_id"]] = {
    share_pb2.SHARE_KIND_USER: "user_id",
    share_pb2.SHARE_KIND_TEAM: "team_id",
}
LINK_ROLE = role_pb2.ROLE_VIEWER
"""The role of every link."""
_KINDS = enum_names(share_pb2.ShareKind.DESCRIPTOR)
_ROLES = enum_names(role_pb2.Role.DESCRIPTOR)


def naming_field(request: pb.CreateShareRequest) -> Literal["user_id", "team_id"] | None:
    """Return the field that names with whom to share; None for a link.

    Raises VALIDATION_ERROR: the field of the kind is missing, or that of another kind is given.
    """
    wanted = _FIELD.get(request.kind)
    for field in ("user_id", "team_id"):
        if field != wanted and request.HasField(field):
            raise invalid(
                field,
                "{field} must be absent with the {other} {kind}; leave it out.",
                value=getattr(request, field),
                constraint="kind",
                other=Fields("kind"),
                kind=_KINDS[request.kind],
            )
    if wanted is not None and not request.HasField(wanted):
        raise invalid(
            wanted,
            "{field} must be given with the {other} {kind}.",
            value=None,
            constraint="kind",
            other=Fields("kind"),
            kind=_KINDS[request.kind],
        )
    return wanted


def role(request: pb.CreateShareRequest) -> int:
    """Return the role that the share gives.

    Raises VALIDATION_ERROR: there is none, or a share of this kind can't give it.
    """
    is_link = request.kind == share_pb2.SHARE_KIND_LINK
    if is_link and request.role == role_pb2.ROLE_UNSPECIFIED:
        return LINK_ROLE
    highest = role_pb2.ROLE_EVALUATOR if request.HasField("variant_id") else role_pb2.ROLE_EDITOR
    if is_link:
        highest = LINK_ROLE
    if not role_pb2.ROLE_VIEWER <= request.role <= highest:
        known = [_ROLES[number] for number in range(role_pb2.ROLE_VIEWER, highest + 1)]
        raise invalid(
            "role",
            "{field} must be {known} in this share.",
            value=_ROLES.get(request.role),
            constraint="role",
            known=" or ".join(known),
        )
    return request.role
