"""The identity service on a database of the test's own."""

from __future__ import annotations

import pytest
from factories.identity import IdentityService

from catenary_core.frame import Frame


@pytest.fixture
async def identity(frame: Frame) -> IdentityService:
    return IdentityService(frame)
