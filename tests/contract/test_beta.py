"""Responses of the platform's beta version hold paths of the beta version, on every route."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import orjson
import pytest

from catenary_cli.installation import clients
from catenary_edge import versions
from catenary_edge.settings import EdgeSettings
from catenary_edge.versions.beta import BetaRoute
from factories.installations.installation import ANSWER_SECONDS
from factories.installations.serving import PUBLIC_URL, SECRET, serving, working
from factories.walks.platform import walk
from factories.walks.recording import Walk

UNREACHED = {
    # Its answer has no end; tests/integration/events/test_server_sent.py reads it.
    "/catenary.platform.v1.EventService/Subscribe",
    # Its answer is a stream too; tests/integration/events/test_batch_stream.py reads it.
    "/catenary.platform.v1.BatchService/StreamBatchResults",
    # Only where the demo runs; tests/integration/identity/test_demo_guest.py reads it.
    "/catenary.platform.v1.AuthService/IssueDemoToken",
}


class Beta(httpx.AsyncBaseTransport):
    """Sends what is asked of `/v1` to `/v2`, and looks at the paths in each response."""

    def __init__(self) -> None:
        self._inner = httpx.AsyncHTTPTransport()
        self._table = versions.build()
        self.reached: set[str] = set()
        self.paths: set[str] = set()

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        path = request.url.raw_path
        if path.startswith(b"/v1/"):
            request.url = request.url.copy_with(raw_path=b"/v2/" + path.removeprefix(b"/v1/"))
        answer = await self._inner.handle_async_request(request)
        await answer.aread()
        match = self._table.match(request.method, request.url.raw_path.decode().partition("?")[0])
        if match is None or not match.route.template.text.startswith("/v2/") or answer.status_code >= 300:
            return answer
        self.reached.add(match.route.rpc.path)
        found = [answer.headers["Location"]] if "Location" in answer.headers else []
        if answer.headers.get("Content-Type") == "application/json":
            found += _texts(orjson.loads(answer.content))
        for text in found:
            assert not text.startswith("/v1/"), f"{request.method} {request.url.path} answers with {text}"
        self.paths.update(text for text in found if text.startswith("/v2/"))
        return answer

    async def aclose(self) -> None:
        await self._inner.aclose()


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for item in value.values():
            yield from _texts(item)
    elif isinstance(value, list):
        for item in value:
            yield from _texts(item)


async def _nothing(_: Walk) -> None:
    return None


@pytest.mark.slow
async def test_responses_of_the_beta_hold_no_path_of_the_stable_version(started_dsn: str, tmp_path: Path) -> None:
    made = await clients.create(started_dsn, SECRET, "Contract", admin=True)
    beta = Beta()
    edge = EdgeSettings(dev=True, public_url=PUBLIC_URL)
    async with (
        serving(
            started_dsn, tmp_path, remote=False, edge=edge, public_url=PUBLIC_URL, webhook_allow_private=True
        ) as node,
        working(node),
        httpx.AsyncClient(base_url=node.url, timeout=ANSWER_SECONDS, transport=beta) as http,
    ):
        await walk(http, made["client_id"], made["client_secret"], _nothing)
    served = {route.rpc.path for route in versions.build().routes if route.template.text.startswith("/v2/")}
    assert served - beta.reached == UNREACHED
    assert any("/geometry/" in path for path in beta.paths), "a geometry was seen"
    assert any(path.count("/") == 3 for path in beta.paths), "a Location was seen"


def test_routes_whose_responses_hold_no_path_answer_as_the_stable_ones_do() -> None:
    """Their bodies stay as the core made them."""
    names = {route.rpc.path.rpartition("/")[2] for route in versions.build().routes if isinstance(route, BetaRoute)}
    assert names == {
        "CancelEvaluation",
        "CreateVariant",
        "DeleteVariant",
        "Evaluate",
        "GetEvaluation",
        "GetNotification",
        "GetVariant",
        "ListAuditEntries",
        "ListBatchResults",
        "ListEvaluations",
        "ListNotifications",
        "ListStudyFront",
        "ListStudyResults",
        "ListVariants",
        "StreamBatchResults",
        "Subscribe",
        "UpdateNotification",
        "UpdateVariant",
    }
