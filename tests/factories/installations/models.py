"""Models on a running installation."""

from __future__ import annotations

import httpx


def deployed(http: httpx.Client, name: str, source: str) -> str:
    """Make a project with a deployed model; return the project's id."""
    project = http.post("projects", json={"name": name}).json()["data"]["project"]["project_id"]
    model = http.post(f"projects/{project}/models", json={"name": name}).json()["data"]["model"]["model_id"]
    versions = f"projects/{project}/models/{model}/versions"
    made = http.post(versions, content=source, headers={"Content-Type": "text/x-python"}).json()
    version = made["data"]["model_version"]["model_version_id"]
    ended = http.get(f"{versions}/{version}", headers={"Prefer": "wait=60"}).json()["data"]["model_version"]
    assert ended["status"] == "ready", ended
    assert http.post(f"projects/{project}/deployments", json={"model_version_id": version}).status_code == 201
    return str(project)
