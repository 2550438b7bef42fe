"""One address of this machine that stands for the Internet, with a certificate that is trusted; and deliveries that wait."""

from __future__ import annotations

import ssl
from collections.abc import AsyncIterator
from functools import partial
from pathlib import Path

import pytest

from catenary_core.services.webhooks.deliveries import deliverer, schedule
from catenary_core.services.webhooks.deliveries.sender import Sender
from catenary_core.services.webhooks.targets import addresses
from factories.installations.tls import make_tls
from factories.webhooks.receivers import Canary

INTERNET = "127.0.0.9"
_is_public = addresses.is_public


@pytest.fixture(autouse=True)
def patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no delivery go on by itself while a test looks at it.

    This holds on a machine that stands still: the first retry is as late as the second, and an attempt at a receiver
    that hangs ends after ten minutes. Tests that want the retry hurry it.
    """
    monkeypatch.setattr(schedule, "RETRIES", (schedule.RETRIES[1], *schedule.RETRIES[1:]))
    monkeypatch.setattr(deliverer, "Sender", partial(Sender, total=600))
    monkeypatch.setattr(deliverer, "LEASE_SECONDS", 1200)


@pytest.fixture
async def canary() -> AsyncIterator[Canary]:
    async with Canary.listening() as here:
        yield here


@pytest.fixture
def internet(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ssl.SSLContext:
    """For a receiver at INTERNET: the guard takes this one address for public, and its certificate's CA is the system's."""
    monkeypatch.setattr(addresses, "is_public", lambda address: address == INTERNET or _is_public(address))
    files = make_tls(tmp_path, names=(INTERNET, "hooks.example.com"))
    monkeypatch.setenv("SSL_CERT_FILE", str(files.ca))
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(files.cert, files.key)
    return context
