"""The same credentials over the real gRPC door, where metadata can be sent twice."""

from __future__ import annotations

from collections.abc import AsyncIterator

import grpc
import pytest
from google.rpc import error_details_pb2
from grpc_status import rpc_status

from catenary.platform.v1 import auth_service_pb2, auth_service_pb2_grpc, user_service_pb2, user_service_pb2_grpc
from factories.installations.serving import grpc_port
from factories.services.identity import IdentityService


@pytest.fixture
async def channel(identity: IdentityService) -> AsyncIterator[grpc.aio.Channel]:
    async with grpc_port(identity.dispatch) as port, grpc.aio.insecure_channel(f"127.0.0.1:{port}") as opened:
        yield opened


async def _reason(call: grpc.aio.UnaryUnaryCall) -> tuple[str, str]:
    with pytest.raises(grpc.aio.AioRpcError) as refused:
        await call
    status = rpc_status.from_call(refused.value)
    assert status is not None
    info = error_details_pb2.ErrorInfo()
    status.details[0].Unpack(info)
    return refused.value.code().name, info.reason


async def test_a_client_gets_a_token_calls_with_it_and_a_doubled_header_is_refused(
    identity: IdentityService, channel: grpc.aio.Channel
) -> None:
    row, secret = await identity.client("robot")
    auth = auth_service_pb2_grpc.AuthServiceStub(channel)
    users = user_service_pb2_grpc.UserServiceStub(channel)
    request = auth_service_pb2.IssueTokenRequest(
        grant_type="client_credentials", client_id=row["client_id"], client_secret=secret
    )
    issued = await auth.IssueToken(request)
    pair = ("authorization", f"Bearer {issued.access_token}")
    me = await users.GetMe(user_service_pb2.GetMeRequest(), metadata=(pair,))
    assert (me.user.user_id, me.user.staff_name) == (row["user_id"], "robot")
    assert not me.user.HasField("deleted_at")
    assert not me.user.HasField("grade_level")
    for metadata in ((pair, pair), (pair, ("x-api-key", "cat_x")), (("authorization", "Bearer x"),)):
        call = users.GetMe(user_service_pb2.GetMeRequest(), metadata=metadata)
        assert await _reason(call) == ("UNAUTHENTICATED", "INVALID_TOKEN")
    assert await _reason(users.GetMe(user_service_pb2.GetMeRequest())) == ("UNAUTHENTICATED", "AUTHENTICATION_REQUIRED")
    await users.GetMe(user_service_pb2.GetMeRequest(), metadata=(pair,))
    keys = await auth.GetJwks(auth_service_pb2.GetJwksRequest())
    assert [key.crv for key in keys.keys] == ["P-256"]


async def test_the_address_in_the_metadata_is_the_edge_s_word_alone(channel: grpc.aio.Channel) -> None:
    auth, request = auth_service_pb2_grpc.AuthServiceStub(channel), auth_service_pb2.GetServerMetadataRequest()
    base = ("catenary-base-url", "https://design.example")
    said = await auth.GetServerMetadata(request, metadata=(base, ("catenary-edge", "1")))
    assert said.token_endpoint == "https://design.example/v1/auth/token"
    assert await _reason(auth.GetServerMetadata(request, metadata=(base,))) == ("INVALID_ARGUMENT", "VALIDATION_ERROR")


async def test_guesses_over_many_connections_count_for_their_one_address(
    identity: IdentityService, channel: grpc.aio.Channel
) -> None:
    reasons = []
    async with grpc_port(identity.dispatch) as port:
        for number in range(22):
            async with grpc.aio.insecure_channel(
                f"127.0.0.1:{port}", [("grpc.use_local_subchannel_pool", 1)]
            ) as opened:
                request = auth_service_pb2.IssueTokenRequest(
                    grant_type="client_credentials", client_id=f"unknown-{number}", client_secret="x"
                )
                # A caller can't choose its address: the door takes it from the edge alone.
                metadata = (("catenary-client-address", f"192.0.2.{number}"),)
                call = auth_service_pb2_grpc.AuthServiceStub(opened).IssueToken(request, metadata=metadata)
                reasons.append((await _reason(call))[1])
    assert reasons == ["INVALID_CLIENT"] * 20 + ["RATE_LIMIT_EXCEEDED"] * 2
