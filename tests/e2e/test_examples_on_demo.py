"""The examples of the documents work on the demo, with its ids in the place of theirs."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from factories.installations.installation import ANSWER_SECONDS, Installation
from factories.installations.started import started

pytestmark = [pytest.mark.slow, pytest.mark.gate]

CURRENT = ("platform/v1", "comments/v2", "reference/v2", "qa/v2", "environment/v2", "metadata/v1", "parameter/v1")
METHODS = ("get", "post", "put")
# What an example alone can't do, by the reason.
LEFT_OUT = {
    "PUT /v1/projects/{project_id}/members/{user_id}": "its only owner would become a viewer",
    "POST /v1/clients/{client_id}/revoke_tokens": "the newcomer's own token would end within seconds",
    "POST /v1/clients/{client_id}/rotate_secret": "the newcomer's own token would end within seconds",
    "POST /v1/auth/session": "an invitation is a secret that no answer repeats, and works once",
    "POST /v1/auth/session/refresh": "it needs a cookie",
    "POST /v1/users/me/sign_in_links": "it needs a session",
    "POST /v1/users/{user_id}/sign_in_links": "the demo's users are clients",
    "POST /v1/projects/{project_id}/evaluations/purge": "the evaluations that later examples read would be gone",
    "GET /v1/shares/current": "it answers share links alone",
    "GET /v1/projects/{project_id}/variants/compare": "it needs two variants, and the example saves one",
    "GET /v1/evaluations/{evaluation_id}/files/{name}": "the tower gives no file",
    "POST /v1/webhooks/{webhook_id}/deliveries/{delivery_id}/redeliver": "a delivery that is being sent is not sent again",
    "POST /v1/import": "a file has no example",
    "PUT /parameter/v1/entries": "each parameter of the demo has an entry with an id of its own",
    "POST /parameter/v1/item_types": "the demo's first types are an item already",
    "POST /parameter/v1/parameters": "the demo's first asset has a parameter of the first type",
    "POST /parameter/v1/asset_types/{asset_type_id}/asset_sub_types": "only some types of the demo have sub types",
    "POST /parameter/v1/parameter_set_types/{parameter_set_type_id}/items": "the type has the item of its own example",
}
NAMED_OTHERWISE = {"type_id": "record_type_id", "parent_ids": "asset_id", "asset_ids": "asset_id"}
"""Ids of rows by other names than their own."""


class Explorer:
    """A newcomer who sends the example of each operation, with the ids that answers have shown."""

    def __init__(self, demo: dict[str, str], http: httpx.Client) -> None:
        self.demo = demo
        self.http = http
        self.root = demo["base_url"].removesuffix("/v1/")
        self.sent: set[str] = set()
        self.failed: dict[str, str] = {}
        self._ids: dict[str, str] = {}

    def explore(self, document: str) -> None:
        """Send the examples of a document's operations, those that need ids of others after them."""
        paths = self.http.get(f"{self.root}/openapi/{document}.json").json()["paths"]
        # The tower's project is another one than the project of the models.
        self._ids = {"project_id": self.demo["project_id"]} if document == "platform/v1" else {}
        for _ in range(4):
            for method in METHODS:
                for path in sorted(paths, key=lambda one: (one.count("{"), one)):
                    name = f"{method.upper()} {path}"
                    if method in paths[path] and name not in self.sent and name not in LEFT_OUT:
                        self._try(name, method, path, paths[path][method])

    def _try(self, name: str, method: str, path: str, operation: dict[str, Any]) -> None:
        content = operation.get("requestBody", {}).get("content", {})
        if (content and "application/json" not in content) or "text/event-stream" in _types_of(operation):
            return  # an upload has no example, a stream no end
        query = {}
        for parameter in (one for one in operation["parameters"] if one["required"]):
            is_id = parameter["name"].endswith(("_id", "_ids"))
            value = self._known(parameter["name"]) if is_id else parameter["example"]
            if value is None:
                return
            if parameter["in"] == "path":
                path = path.replace(f"{{{parameter['name']}}}", str(value))
            else:
                query[parameter["name"]] = value
        options: dict[str, Any] = {}
        if content:
            options["json"] = self._filled(content["application/json"]["example"])
        self.sent.add(name)
        answer = self.http.request(method, f"{self.root}{path}", params=query, **options)
        if not answer.is_success:
            self.failed[name] = f"{answer.status_code} {answer.text[:300]} for {options}"
        elif answer.headers.get("content-type", "").startswith("application/json"):
            for key, value in _ids(answer.json().get("data", answer.json())):
                self._ids.setdefault(key, value)

    def _filled(self, example: Any, key: str = "") -> Any:
        """Return the example with known ids; an unknown one is None, which means absent."""
        if isinstance(example, dict):
            return {name: self._filled(value, name) for name, value in example.items()}
        if key == "start_from":
            return []  # the demo has no study that has ended
        if isinstance(example, list):
            return [self._known(key) if key.endswith("_ids") else self._filled(value) for value in example]
        if example is None:
            return None
        if key in ("id", "entry_id"):
            return str(uuid.uuid4())
        if key == "reference_id":
            return self._ids.setdefault(key, str(uuid.uuid4()))
        if key in ("client_id", "client_secret"):
            return self.demo[key]
        return self._known(key) if key.endswith("_id") else example

    def _known(self, name: str) -> str | None:
        return self._ids.get(NAMED_OTHERWISE.get(name, name.removesuffix("s")))


def _types_of(operation: dict[str, Any]) -> set[str]:
    return {name for answer in operation["responses"].values() for name in answer.get("content", {})}


def _ids(content: Any, key: str = "") -> Iterator[tuple[str, str]]:
    """Yield the ids in an answer, `id` with the name of its row before it."""
    if isinstance(content, dict):
        for name, value in content.items():
            if name == "id" and key and key not in ("parent", "value"):
                yield f"{key}_id", value
            elif name.endswith("_id") and name not in ("parent_id", "reference_id") and isinstance(value, str):
                yield name, value
            yield from _ids(value, name)
    elif isinstance(content, list):
        for one in content:
            yield from _ids(one, key.removesuffix("ies") + "y" if key.endswith("ies") else key.removesuffix("s"))


def test_the_examples_of_the_documents_work_on_the_demo(data_root: Path) -> None:
    installation = Installation(started(data_root / "examples"), ["--workers", "1"])
    try:
        demo = installation.wait()
        with httpx.Client(timeout=ANSWER_SECONDS) as http:
            asked = {"grant_type": "client_credentials", "client_id": demo["client_id"]}
            given = http.post(f"{demo['base_url']}auth/token", json={**asked, "client_secret": demo["client_secret"]})
            http.headers["Authorization"] = f"Bearer {given.json()['access_token']}"
            http.headers["Prefer"] = "wait=60"  # an evaluation must be done before its geometry is asked for
            explorer = Explorer(demo, http)
            for document in CURRENT:
                explorer.explore(document)
    finally:
        installation.stop()
    assert not explorer.failed, "\n".join(f"{name}: {why}" for name, why in explorer.failed.items())
    assert "POST /v1/projects/{project_id}/evaluate" in explorer.sent
    assert len(explorer.sent) > 90
