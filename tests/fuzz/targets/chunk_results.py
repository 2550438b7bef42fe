"""The reading of the results of points that a worker sends: its models are other people's, and so may its bytes be.

An input: a serialized `catenary.worker.v1.CompletePointsRequest`.
"""

from __future__ import annotations

from google.protobuf.message import DecodeError

from catenary.worker.v1 import worker_service_pb2 as pb
from catenary_core.call import validation
from catenary_core.call.errors import DomainError
from catenary_core.services.worker import outcome


def run(data: bytes) -> str:
    """Read one message: what is refused is a VALIDATION_ERROR; what is taken has an error or a result, never both."""
    request = pb.CompletePointsRequest()
    try:
        request.ParseFromString(data)
    except DecodeError:
        return "refused"
    try:
        validation.check(request)
        ends = [outcome._read(point.outcome, request.runtime_digest) for point in request.points]
    except DomainError as refused:
        assert refused.reason == "VALIDATION_ERROR", refused.reason
        return "refused"
    for ended in ends:
        assert (ended.status == "completed") == (ended.error is None)
        assert ended.error is None or not (ended.metrics or ended.constraints or ended.tables or ended.stored)
    return "taken"
