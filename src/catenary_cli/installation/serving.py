"""A running installation, as the commands that started it know it."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

from catenary_cli.installation.prepared import Prepared


@dataclass(frozen=True, slots=True)
class Serving:
    """A running installation. Callers reach it at `base_url`, this machine at `local_url`; both end in `/v1/`."""

    base_url: str
    local_url: str
    grpc_address: str
    admin_url: str
    ready: Prepared
    stopped: asyncio.Event
