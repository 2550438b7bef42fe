"""The gRPC port and what is for edges and workers alone: users are refused, and reflection does not tell of it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import grpc
import httpx
import pytest
from google.protobuf.descriptor_pb2 import FileDescriptorProto
from google.rpc import error_details_pb2, status_pb2
from grpc_reflection.v1alpha import reflection_pb2, reflection_pb2_grpc

from catenary_cli.installation import clients
from catenary_core.bootstrap import Core, running_core
from catenary_core.call.methods import Binding
from factories.installations.serving import SECRET, core_settings, grpc_port, open_edge, over_grpc

pytestmark = pytest.mark.sampled

ALONE = "/catenary.audit.v1.RefusalService/ReportRefusals"
INTERNAL = {
    ALONE,
    "/catenary.caching.v1.VersionService/GetVersions",
    "/catenary.environment.v2.OlderService/ReadRegionCodes",
    "/catenary.limits.v1.LimitService/GiveBackCalls",
    "/catenary.limits.v1.LimitService/TakeCalls",
    "/catenary.parameter.v1.OlderService/ReadItemTypeMakers",
    "/catenary.parameter.v1.OlderService/ReadParameterMakers",
    "/catenary.parameter.v1.OlderService/ReadRevisionDetails",
    "/catenary.platform.v1.AuthService/Identify",
}
WORKERS = "/catenary.worker.v1.WorkerService/"
# A good request of each method whose fields may not be empty.
GOOD = {"/catenary.limits.v1.LimitService/TakeCalls": {"wanted": 1}}
GOOD["/catenary.limits.v1.LimitService/GiveBackCalls"] = {"lease_id": "x"}
GOOD[ALONE] = {"refusals": [{"action": "http", "reason": "PERMISSION_DENIED", "count": 1}]}


@pytest.fixture
async def core(dsn: str, tmp_path: Path) -> AsyncIterator[Core]:
    async with running_core(core_settings(dsn, tmp_path)) as running:
        yield running


async def _token(core: Core, dsn: str, channel: grpc.aio.Channel, *, admin: bool = False) -> str:
    made = await clients.create(dsn, SECRET, "Someone", admin=admin)
    binding = core.dispatch.bindings["/catenary.platform.v1.AuthService/IssueToken"]
    request = binding.request(grant_type="client_credentials", **made)
    answer = await _method(channel, binding)(request)
    return str(answer.access_token)


def _method(channel: grpc.aio.Channel, binding: Binding) -> grpc.aio.UnaryUnaryMultiCallable:
    return channel.unary_unary(binding.path, binding.request.SerializeToString, binding.response.FromString)


async def _reason(channel: grpc.aio.Channel, binding: Binding, *metadata: tuple[str, str]) -> str:
    request = binding.request(**GOOD.get(binding.path, {}))
    call = _method(channel, binding)(request, metadata=metadata, timeout=60)
    if await call.code() is grpc.StatusCode.OK:
        return ""
    status = status_pb2.Status.FromString(dict(await call.trailing_metadata())["grpc-status-details-bin"])
    return error_details_pb2.ErrorInfo.FromString(status.details[0].value).reason


def test_methods_without_a_rest_path_are_those_of_edges_and_workers(core: Core) -> None:
    found = {path for path, binding in core.dispatch.bindings.items() if binding.verb is None}
    assert {path for path in found if not path.startswith(WORKERS)} == INTERNAL


@pytest.mark.parametrize("admin", [False, True], ids=["a user", "an Admin"])
async def test_a_user_is_refused_what_is_for_edges_and_workers_and_a_trusted_edge_is_not(
    core: Core, dsn: str, *, admin: bool
) -> None:
    bindings = core.dispatch.bindings
    for trusted in ([], ["127.0.0.0/8"]):
        async with (
            grpc_port(core.dispatch, trusted) as port,
            grpc.aio.insecure_channel(f"127.0.0.1:{port}") as channel,
        ):
            bearer = ("authorization", f"Bearer {await _token(core, dsn, channel, admin=admin)}")
            for path in sorted(INTERNAL):
                assert await _reason(channel, bindings[path], bearer) == "PERMISSION_DENIED", path
                said = await _reason(channel, bindings[path], bearer, ("catenary-edge", "1"))
                assert said == ("" if trusted else "PERMISSION_DENIED"), path
                alone = await _reason(channel, bindings[path], ("catenary-edge", "1"))
                assert alone == (said if path == ALONE else "AUTHENTICATION_REQUIRED"), path
            for path, binding in bindings.items():
                if path.startswith(WORKERS) and not binding.descriptor.client_streaming:
                    assert await _reason(channel, binding, bearer) in ("PERMISSION_DENIED", "VALIDATION_ERROR"), path


async def _ask(
    channel: grpc.aio.Channel, request: reflection_pb2.ServerReflectionRequest
) -> reflection_pb2.ServerReflectionResponse:
    async def once() -> AsyncIterator[reflection_pb2.ServerReflectionRequest]:
        yield request

    return await reflection_pb2_grpc.ServerReflectionStub(channel).ServerReflectionInfo(once()).read()


async def test_reflection_tells_of_the_services_of_callers_alone(core: Core) -> None:
    bindings = core.dispatch.bindings.values()
    public = {binding.descriptor.containing_service.full_name for binding in bindings if binding.verb is not None}
    internal = {binding.descriptor.containing_service.full_name for binding in bindings} - public
    asked = reflection_pb2.ServerReflectionRequest
    async with grpc_port(core.dispatch) as port, grpc.aio.insecure_channel(f"127.0.0.1:{port}") as channel:
        listed = (await _ask(channel, asked(list_services=""))).list_services_response.service
        names = {service.name for service in listed}
        assert names == public | {"grpc.health.v1.Health", "grpc.reflection.v1alpha.ServerReflection"}
        for name in names:
            found = (await _ask(channel, asked(file_containing_symbol=name))).file_descriptor_response
            files = [FileDescriptorProto.FromString(one) for one in found.file_descriptor_proto]
            assert name in {f"{file.package}.{service.name}" for file in files for service in file.service}
            assert "Identify" not in {
                method.name for file in files for service in file.service for method in service.method
            }
        hidden = [*internal, "catenary.platform.v1.IdentifyResponse", "catenary.limits.v1.TakeCallsRequest"]
        for name in hidden:
            answer = await _ask(channel, asked(file_containing_symbol=name))
            assert answer.error_response.error_code == grpc.StatusCode.NOT_FOUND.value[0], name
        name = "catenary/worker/v1/worker_service.proto"
        assert (await _ask(channel, asked(file_by_filename=name))).HasField("error_response")


async def test_an_edge_outside_the_trusted_networks_says_what_its_operator_must_set(core: Core, dsn: str) -> None:
    made = await clients.create(dsn, SECRET, "Someone", admin=True)
    async with grpc_port(core.dispatch, ["192.0.2.0/24"]) as port:
        edge = await open_edge(over_grpc(port))
        async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{edge.port}", timeout=60) as http:
            granted = await http.post("/v1/auth/token", json={"grant_type": "client_credentials", **made})
            token = granted.json()["access_token"]
            refused = await http.get("/v1/projects", headers={"Authorization": f"Bearer {token}"})
        await edge.stop()
    assert (refused.status_code, refused.json()["error"]["code"]) == (403, "PERMISSION_DENIED")
    assert "CATENARY_TRUSTED_EDGES" in refused.json()["error"]["message"]
