"""A running installation, as the commands see it that started it."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

from catenary_cli.installation.prepared import Prepared


@dataclass(frozen=True, slots=True)
class Serving:
    """A running installation."""

    base_url: str
    """Address for callers, ending in `/v1/`."""
    local_url: str
    """Address for this machine, ending in `/v1/`."""
    grpc_address: str
    admin_url: str
    ready: Prepared
    stopped: asyncio.Event
    """Set when the installation is told to stop."""

    @property
    def root_url(self) -> str:
        """Address for callers without a version, ending in `/`."""
        return self.base_url.removesuffix("v1/")
