"""The wait for the check of an uploaded model version."""

from __future__ import annotations

import asyncio
from typing import Any

from catenary_cli.remote.api import Api

_CHECK_SECONDS = 120.0


class CheckFailedError(ValueError):
    """The model failed its check; the text is the model's own error."""


async def until_ready(api: Api, version_path: str) -> dict[str, Any]:
    """Return the version once its check is done.

    Raises:
        CheckFailedError: The model failed its check.
        TimeoutError: The check is not done after 2 minutes.
    """
    async with asyncio.timeout(_CHECK_SECONDS):
        while True:
            version: dict[str, Any] = (await api.get(version_path))["model_version"]
            if version["status"] == "ready":
                return version
            if version["status"] == "failed":
                line = f" (line {version['error']['line']})" if version["error"]["line"] else ""
                raise CheckFailedError(f"the check failed: {version['error']['message']}{line}")
            await asyncio.sleep(0.05)
