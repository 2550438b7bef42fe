"""The rules of variants: what a request saves, and who may change which variant."""

from __future__ import annotations

from catenary.platform.v1 import role_pb2
from catenary.platform.v1 import variant_service_pb2 as pb
from catenary_core.call.call import Call
from catenary_core.call.errors import DomainError, invalid
from catenary_core.database.statements import Row
from catenary_wire.sentences import Fields


def check_source(request: pb.CreateVariantRequest) -> None:
    """Check what a request saves.

    Raises VALIDATION_ERROR: it has an evaluation and values, or an evaluation and a version.
    """
    if request.HasField("evaluation_id") and request.parameters:
        raise invalid(
            "evaluation_id",
            "Give either {field} or {parameters}, not both.",
            value=None,
            constraint="oneof",
            parameters=Fields("parameters"),
        )
    if request.HasField("evaluation_id") and request.HasField("model_version_id"):
        raise invalid(
            "model_version_id",
            "{field} goes with {parameters}, since an evaluation has its version; leave it out.",
            value=request.model_version_id,
            constraint="oneof",
            parameters=Fields("parameters"),
        )


def check_owner(row: Row, call: Call) -> None:
    """Check that the caller may change a variant.

    Raises PERMISSION_DENIED: it is another user's, and the caller is no editor.
    """
    if call.role < role_pb2.ROLE_EDITOR and row["created_by"]["user_id"] != call.caller.user_id:
        raise DomainError(
            "PERMISSION_DENIED",
            "This variant is another user's; an editor of the project may change or delete it.",
        )
