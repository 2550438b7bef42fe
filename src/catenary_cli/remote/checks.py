"""The wait for the check of an uploaded model version."""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import Sequence
from typing import Any

from catenary_cli.remote.api import Api

_CHECK_SECONDS = 600.0
_REQUEST_SECONDS = 60
"""Longest wait of one request; the longest that a server takes."""


class CheckFailedError(ValueError):
    """The model failed its check; the text is the model's own error, `further` are sentences about other faults."""

    def __init__(self, message: str, further: Sequence[str] = ()) -> None:
        super().__init__(message)
        self.further = further


class CheckPendingError(ValueError):
    """The check is not done in time."""


async def until_ready(api: Api, version_path: str) -> dict[str, Any]:
    """Return the version once its check is done; one request waits up to a minute.

    Raises:
        CheckFailedError: The model failed its check.
        CheckPendingError: The check is not done after 10 minutes.
    """
    end = time.monotonic() + _CHECK_SECONDS
    while (left := end - time.monotonic()) > 0:
        preference = {"Prefer": f"wait={min(_REQUEST_SECONDS, math.ceil(left))}"}
        version: dict[str, Any] = (await api.get(version_path, preference))["model_version"]
        if version["status"] == "ready":
            return version
        if version["status"] == "failed":
            line = f" (line {version['error']['line']})" if version["error"]["line"] else ""
            raise CheckFailedError(f"the check failed: {version['error']['message']}{line}", version["warnings"])
        await asyncio.sleep(1.0)  # a server that is stopping answers at once
    raise CheckPendingError(
        "the check is not done after 10 minutes, and goes on; `catenary model show` tells its state"
    )
