"""One installation for the tests that don't break it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from factories.installations.installation import ANSWER_SECONDS, Installation, Running
from factories.installations.started import started


@pytest.fixture(scope="session")
def running(data_root: Path) -> Iterator[Running]:
    installation = Installation(started(data_root / "e2e"), ["--nodes", "2", "--verbose", "--webhook-allow-private"])
    try:
        demo = installation.wait()
        with httpx.Client(base_url=demo["base_url"], timeout=ANSWER_SECONDS) as http:
            answer = http.post(
                "auth/token",
                json={
                    "grant_type": "client_credentials",
                    "client_id": demo["client_id"],
                    "client_secret": demo["client_secret"],
                },
            )
            assert answer.status_code == 200, answer.text
            http.headers["Authorization"] = f"Bearer {answer.json()['access_token']}"
            yield Running(installation, demo, http)
    finally:
        installation.stop()
