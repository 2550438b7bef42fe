"""The refusal of a call: the rich error of gRPC, read once for all examples."""

from __future__ import annotations

from typing import Any

import grpc
from google.rpc import error_details_pb2
from grpc_status import rpc_status

LONGEST_WAIT = 30.0  # seconds; a program that is told to wait longer gives up


class CallRefusedError(Exception):
    """A refused or failed call.

    `reason` names the refusal, such as `NOT_FOUND`. `fields` are the fields of the request that break a rule. `wait` is
    the number of seconds after which the same call may succeed, None when waiting does not help. `request_id` finds the call in
    the server's log; it is empty when the call did not reach the server.
    """

    def __init__(self, error: Any) -> None:
        """`error`: the `grpc.RpcError` that a stub raised."""
        super().__init__(error.details())
        self.reason: str = error.code().name
        self.fields: list[str] = []
        self.request_id = ""
        # A lost connection and a passed deadline are found here: no server says how long to wait.
        is_lost = error.code() in (grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.DEADLINE_EXCEEDED)
        self.wait: float | None = 1.0 if is_lost else None
        status = rpc_status.from_call(error)
        for detail in status.details if status else ():
            if detail.Is(error_details_pb2.ErrorInfo.DESCRIPTOR):
                self.reason = error_details_pb2.ErrorInfo.FromString(detail.value).reason
            elif detail.Is(error_details_pb2.BadRequest.DESCRIPTOR):
                violations = error_details_pb2.BadRequest.FromString(detail.value).field_violations
                self.fields = [violation.field for violation in violations]
            elif detail.Is(error_details_pb2.RetryInfo.DESCRIPTOR):
                delay = error_details_pb2.RetryInfo.FromString(detail.value).retry_delay
                self.wait = delay.ToMilliseconds() / 1000
            elif detail.Is(error_details_pb2.RequestInfo.DESCRIPTOR):
                self.request_id = error_details_pb2.RequestInfo.FromString(detail.value).request_id

    @property
    def is_passing(self) -> bool:
        """True if the same call is worth sending again after `wait`."""
        return self.wait is not None and self.wait <= LONGEST_WAIT
