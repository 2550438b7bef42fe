"""One address of this machine that stands for the Internet, with a certificate that is trusted."""

from __future__ import annotations

import ssl
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from catenary_core.services.webhooks import addresses
from factories.receivers import Canary
from factories.tls import make_tls

INTERNET = "127.0.0.9"
_is_public = addresses.is_public


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
