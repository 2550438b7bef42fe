"""The gRPC port against what must not get through; after each attack a good call works."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import grpc
import psycopg
import pytest
from google.rpc import error_details_pb2
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection_pb2, reflection_pb2_grpc
from grpc_status import rpc_status

from catenary.platform.v1 import project_service_pb2 as pb
from catenary_core.call.call import Identity
from catenary_core.frame import Frame
from catenary_core.server import grpc_server
from catenary_core.services.projects.servicer import ProjectServicer
from factories.services.dispatchers import ALL_SCOPES, dispatch_of

SERVICE = "catenary.platform.v1.ProjectService"
USER = "0199aaaa-0000-7000-8000-000000000001"
METADATA = (("authorization", "ada"), ("x-request-id", "door-1"))


@pytest.fixture
async def channel(frame: Frame) -> AsyncIterator[grpc.aio.Channel]:
    projects = ProjectServicer(frame)
    callers = {"ada": Identity(USER, "person", scopes=ALL_SCOPES)}
    dispatch = dispatch_of({SERVICE: projects}, callers, projects.role_of)
    server, health = grpc_server.create_server(dispatch)
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    await grpc_server.set_serving(health, dispatch, serving=True)
    async with grpc.aio.insecure_channel(
        f"127.0.0.1:{port}", options=[("grpc.max_send_message_length", -1), ("grpc.max_metadata_size", 1 << 20)]
    ) as opened:
        yield opened
    await server.stop(1)


def _raw(channel: grpc.aio.Channel, method: str) -> Any:
    return channel.unary_unary(f"/{SERVICE}/{method}", lambda data: data, lambda data: data)


async def _good(channel: grpc.aio.Channel) -> pb.ListProjectsResponse:
    answer = await _raw(channel, "ListProjects")(b"", metadata=METADATA, timeout=60)
    return pb.ListProjectsResponse.FromString(answer)


async def _refused(channel: grpc.aio.Channel, method: str, data: bytes, **given: Any) -> grpc.aio.AioRpcError:
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await _raw(channel, method)(data, **{"metadata": METADATA, "timeout": 60, **given})
    assert len((await _good(channel)).projects) == 0
    return caught.value


async def test_a_refusal_carries_reason_field_and_request_id(channel: grpc.aio.Channel) -> None:
    error = await _refused(channel, "CreateProject", pb.CreateProjectRequest(name="").SerializeToString())
    assert error.code() is grpc.StatusCode.INVALID_ARGUMENT
    status = rpc_status.from_call(error)
    assert status is not None
    details = {detail.type_url.rsplit(".", 1)[-1]: detail for detail in status.details}
    info = error_details_pb2.ErrorInfo.FromString(details["ErrorInfo"].value)
    assert (info.reason, info.domain) == ("VALIDATION_ERROR", "catenary")
    bad = error_details_pb2.BadRequest.FromString(details["BadRequest"].value)
    assert [violation.field for violation in bad.field_violations] == ["name"]
    request = error_details_pb2.RequestInfo.FromString(details["RequestInfo"].value)
    assert request.request_id == "door-1"


async def test_a_call_without_credentials_is_unauthenticated_before_its_fields_are_looked_at(
    channel: grpc.aio.Channel,
) -> None:
    data = pb.CreateProjectRequest(name="").SerializeToString()
    error = await _refused(channel, "CreateProject", data, metadata=())
    assert error.code() is grpc.StatusCode.UNAUTHENTICATED


async def test_doubled_credentials_are_seen_both(channel: grpc.aio.Channel) -> None:
    doubled = (("authorization", "ada"), ("authorization", "ada"))
    error = await _refused(channel, "ListProjects", b"", metadata=doubled)
    assert error.code() is grpc.StatusCode.UNAUTHENTICATED


@pytest.mark.parametrize(
    "data", [b"\xff", b"\x0a\x05ab", b"\x0a\x02\xc3\x28"], ids=["no message", "cut", "invalid UTF-8"]
)
async def test_bytes_that_are_no_message_are_refused(channel: grpc.aio.Channel, data: bytes) -> None:
    error = await _refused(channel, "CreateProject", data)
    assert error.code() is grpc.StatusCode.INVALID_ARGUMENT
    assert error.details() == "The request is not a message of this method, or has text that is not UTF-8."


async def test_unknown_fields_change_nothing(channel: grpc.aio.Channel) -> None:
    answer = await _raw(channel, "ListProjects")(b"\xfa\x7f\x03abc", metadata=METADATA, timeout=60)
    assert pb.ListProjectsResponse.FromString(answer).projects == []


async def test_a_message_over_4_mib_is_refused_unread(channel: grpc.aio.Channel) -> None:
    data = pb.CreateProjectRequest(name="x", description="y" * (4 * 1024 * 1024)).SerializeToString()
    error = await _refused(channel, "CreateProject", data)
    assert error.code() is grpc.StatusCode.RESOURCE_EXHAUSTED


async def test_metadata_over_8_kib_is_refused(channel: grpc.aio.Channel) -> None:
    error = await _refused(channel, "ListProjects", b"", metadata=(*METADATA, ("x-large", "y" * 9000)))
    assert error.code() in {grpc.StatusCode.RESOURCE_EXHAUSTED, grpc.StatusCode.INTERNAL, grpc.StatusCode.UNAVAILABLE}


async def test_a_call_without_a_deadline_gets_one(
    channel: grpc.aio.Channel, dsn: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    answer = await _raw(channel, "ListProjects")(b"", metadata=METADATA)
    assert pb.ListProjectsResponse.FromString(answer).projects == []
    monkeypatch.setattr("catenary_core.server.dispatch.DEFAULT_TIMEOUT", 0.3)
    with psycopg.connect(dsn) as connection:
        connection.execute("LOCK TABLE projects.project")  # so that the call would wait for ever
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await asyncio.wait_for(_raw(channel, "ListProjects")(b"", metadata=METADATA), 60)
        assert caught.value.code() is grpc.StatusCode.DEADLINE_EXCEEDED
        connection.rollback()
    await _good(channel)


async def test_an_unknown_method_is_unimplemented(channel: grpc.aio.Channel) -> None:
    error = await _refused(channel, "DropEverything", b"")
    assert error.code() is grpc.StatusCode.UNIMPLEMENTED


@pytest.mark.slow
async def test_more_calls_than_the_port_takes_at_once_are_answered_or_refused(
    channel: grpc.aio.Channel,
) -> None:
    count = grpc_server.MAX_CONCURRENT_STREAMS + 200
    calls = (_raw(channel, "ListProjects")(b"", metadata=METADATA, timeout=60) for _ in range(count))
    answers = await asyncio.gather(*calls, return_exceptions=True)
    refused = [answer for answer in answers if answer != b""]
    assert len(refused) < count
    for answer in refused:
        assert isinstance(answer, grpc.aio.AioRpcError)
        assert answer.code() in {grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.RESOURCE_EXHAUSTED}
    assert len((await _good(channel)).projects) == 0


async def test_health_and_reflection_answer_without_credentials(channel: grpc.aio.Channel) -> None:
    checks = health_pb2_grpc.HealthStub(channel)
    for service in ("", SERVICE):
        answer = await checks.Check(health_pb2.HealthCheckRequest(service=service))
        assert answer.status == health_pb2.HealthCheckResponse.SERVING

    async def ask() -> AsyncIterator[reflection_pb2.ServerReflectionRequest]:
        yield reflection_pb2.ServerReflectionRequest(list_services="")

    reflected = reflection_pb2_grpc.ServerReflectionStub(channel).ServerReflectionInfo(ask())
    names = {service.name for answer in [await reflected.read()] for service in answer.list_services_response.service}
    assert SERVICE in names


@pytest.mark.slow
async def test_ten_thousand_calls_at_once_are_answered_or_refused(channel: grpc.aio.Channel) -> None:
    calls = (_raw(channel, "ListProjects")(b"", metadata=METADATA, timeout=90) for _ in range(10_000))
    answers = await asyncio.gather(*calls, return_exceptions=True)
    assert sum(answer == b"" for answer in answers) >= grpc_server.MAX_CONCURRENT_STREAMS
    for answer in answers:
        if answer != b"":
            assert isinstance(answer, grpc.aio.AioRpcError)
            assert answer.code() in {
                grpc.StatusCode.UNAVAILABLE,
                grpc.StatusCode.RESOURCE_EXHAUSTED,
                grpc.StatusCode.DEADLINE_EXCEEDED,
            }
    assert len((await _good(channel)).projects) == 0
