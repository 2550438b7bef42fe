"""The content of a failed call, read as a remote caller reads it."""

from __future__ import annotations

from collections.abc import Awaitable
from dataclasses import dataclass
from typing import Any

import grpc
import orjson
import pytest
from google.rpc import error_details_pb2
from grpc_status import rpc_status


@dataclass(frozen=True, slots=True)
class Refused:
    """A refusal: reason, sentence, `details`, the OAuth code, and the seconds after which to try again."""

    reason: str
    message: str
    details: dict[str, Any]
    oauth_error: str | None
    retry_after: float | None


async def refusal(call: Awaitable[object]) -> Refused:
    """Await a call that must fail and return its refusal."""
    with pytest.raises(grpc.RpcError) as caught:
        await call
    status: Any = rpc_status.from_call(caught.value)  # type: ignore[arg-type]
    info, retry = error_details_pb2.ErrorInfo(), error_details_pb2.RetryInfo()
    seconds = None
    for detail in status.details:
        detail.Unpack(info)
        if detail.Unpack(retry):
            seconds = retry.retry_delay.ToMilliseconds() / 1000
    oauth_error = info.metadata.pop("oauth_error", "") or None
    details = {key: orjson.loads(text) for key, text in info.metadata.items()}
    return Refused(info.reason, status.message, details, oauth_error, seconds)
