"""The identity service on a database of the test's own."""

from __future__ import annotations

import pytest

from catenary_core.frame import Frame
from factories.services.identity import IdentityService


@pytest.fixture
async def identity(frame: Frame) -> IdentityService:
    return IdentityService(frame)
