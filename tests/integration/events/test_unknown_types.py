"""Types of events that there are not, wherever types are given: 400 with a list of those that there are."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import aiohttp
import grpc
import pytest

from catenary.platform.v1 import event_service_pb2, event_service_pb2_grpc
from catenary_core.event_log.event_types import PLATFORM
from factories.events.world import world

UNKNOWN = ["project.share", "model.version.done", "comments.comment.read", "nothing.*", "webhook.test", "project"]


def _is_a_refusal_with_a_list(status: int, body: dict[str, Any], field: str) -> None:
    error = body["error"]
    assert (status, error["code"]) == (400, "VALIDATION_ERROR")
    assert error["details"]["parameter"] == field
    said = str(error["message"])
    assert all(type_ in said for type_ in PLATFORM)
    assert "parameter.entry.created|deleted|updated" in said


@pytest.mark.parametrize(
    "remote", [False, pytest.param(True, marks=pytest.mark.slow)], ids=["in one process", "over gRPC"]
)
async def test_an_unknown_type_is_refused_in_webhooks_streams_and_sockets(
    started_dsn: str, tmp_path: Path, *, remote: bool
) -> None:
    async with world(started_dsn, tmp_path, remote=remote, webhook_allow_private=True) as here:
        owner = await here.caller("o")
        good = {"url": "http://127.0.0.1:9/", "events": ["project.shared"]}
        webhook = (await here.call(owner, "POST", "/v1/webhooks", 201, json=good))["data"]["webhook"]
        for unknown in UNKNOWN:
            bad = {"events": ["user.login", unknown]}
            refused = await here.call(owner, "POST", "/v1/webhooks", 400, json={**good, **bad})
            _is_a_refusal_with_a_list(400, refused, "events[1]")
            refused = await here.call(owner, "PATCH", f"/v1/webhooks/{webhook['webhook_id']}", 400, json=bad)
            _is_a_refusal_with_a_list(400, refused, "events[1]")
            refused = await here.call(owner, "GET", f"/v1/events?types={unknown}", 400)
            _is_a_refusal_with_a_list(400, refused, "types[0]")
            with pytest.raises(aiohttp.WSServerHandshakeError) as handshake:
                await here.socket(owner, types=unknown)
            assert handshake.value.status == 400


async def test_an_unknown_type_is_refused_to_grpc_callers(started_dsn: str, tmp_path: Path) -> None:
    async with world(started_dsn, tmp_path, remote=True) as here:
        owner = await here.caller("o")
        async with grpc.aio.insecure_channel(f"127.0.0.1:{here.node.grpc_port}") as channel:
            stub = event_service_pb2_grpc.EventServiceStub(channel)
            metadata = [(name.lower(), value) for name, value in owner.headers.items()]
            for unknown in UNKNOWN:
                request = event_service_pb2.SubscribeRequest(types=[unknown])
                with pytest.raises(grpc.aio.AioRpcError) as refused:
                    await stub.Subscribe(request, metadata=metadata, timeout=60).read()
                assert refused.value.code() is grpc.StatusCode.INVALID_ARGUMENT
                said = str(refused.value.details())
                assert all(type_ in said for type_ in PLATFORM)
