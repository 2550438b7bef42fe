"""An installation whose disk is nearly full."""

from __future__ import annotations

import uuid
from pathlib import Path

import httpx
import pytest

from factories.installations.installation import ANSWER_SECONDS, Installation, client_of
from factories.installations.started import started

pytestmark = [pytest.mark.slow, pytest.mark.gate]


def test_writes_are_refused_below_the_floor_and_reads_go_on(data_root: Path) -> None:
    data_dir = started(data_root / uuid.uuid4().hex[:12])
    full = Installation(data_dir, ["--workers", "1"], CATENARY_FREE_SPACE=str(2**50))
    try:
        demo = full.wait()
        with client_of(demo) as client:
            project = f"projects/{demo['project_id']}"
            written = client.post("projects", json={"name": "Bridge"})
            assert (written.status_code, written.json()["error"]["code"]) == (503, "UNAVAILABLE")
            assert written.headers["Retry-After"] == "60"
            assert client.post(f"{project}/evaluate", json={"parameters": {}, "force": True}).status_code == 503
            assert client.get(project).status_code == 200
            assert client.delete(project).status_code == 200
        told = httpx.get(f"http://127.0.0.1:{full.admin_port}/readyz", timeout=ANSWER_SECONDS)
        assert told.status_code == 200
        assert "MiB needed" in told.json()["notes"]["disk"]
        assert "too little free disk space" in full.log
    finally:
        full.stop()
