"""Fixtures of the worker's tests."""

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from catenary_worker.host import Zygote
from integration.worker.zygotes import Without


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def zygote() -> AsyncIterator[Zygote]:
    zygote = Zygote()
    await zygote.start()
    yield zygote
    await zygote.close()


@pytest.fixture
def without(monkeypatch: pytest.MonkeyPatch) -> Without:
    return Without(monkeypatch)
