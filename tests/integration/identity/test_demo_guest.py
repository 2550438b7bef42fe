"""The demo guest: one user, never an Admin, whose credentials count only with the demo."""

from __future__ import annotations

import dataclasses

import pytest

from catenary.platform.v1 import api_key_service_pb2, auth_service_pb2, client_service_pb2, user_service_pb2
from catenary_core.call.errors import DomainError
from catenary_core.frame import Frame
from catenary_core.services.identity.people import demo_guest
from catenary_core.services.identity.tokens.throttle import FAILURES_A_MINUTE
from factories.services.identity import IdentityService
from factories.services.refusals import refusal

_ASK = auth_service_pb2.IssueDemoTokenRequest()


@pytest.fixture
async def demo(frame: Frame) -> IdentityService:
    """Return the service of a node with the demo and its guest."""
    async with frame.db.transaction() as tx:
        assert await demo_guest.ensure(tx, frame.secrets)
        assert not await demo_guest.ensure(tx, frame.secrets), "made once"
    return IdentityService(dataclasses.replace(frame, demo=True))


async def _token(demo: IdentityService) -> str:
    return str((await demo.call("Auth", "IssueDemoToken", _ASK)).body["access_token"])


async def test_the_guest_calls_the_platform_only(demo: IdentityService) -> None:
    body = (await demo.call("Auth", "IssueDemoToken", _ASK)).body
    assert (body["token_type"], body["expires_in"], body["scope"]) == ("Bearer", 3600, "platform:read platform:write")
    caller = await demo.who({"authorization": f"Bearer {body['access_token']}"})
    assert (caller.user_id, caller.admin, caller.scopes) == (
        demo_guest.USER_ID,
        False,
        {"platform:read", "platform:write"},
    )


async def test_without_the_demo_neither_token_nor_key_of_the_guest_counts(
    demo: IdentityService, identity: IdentityService
) -> None:
    assert (await refusal(identity.call("Auth", "IssueDemoToken", _ASK))).reason == "NOT_FOUND"
    token = await _token(demo)
    request = api_key_service_pb2.CreateApiKeyRequest(name="later", scopes=["platform:read"])
    key = (await demo.call("ApiKey", "CreateApiKey", request, token)).body["key"]
    for credential in ({"authorization": f"Bearer {token}"}, {"x-api-key": key}):
        caller = await demo.who(credential)
        with pytest.raises(DomainError) as refused:
            await identity.who(credential)
        assert refused.value.reason == "INVALID_TOKEN"
        assert await identity.credentials.recheck([caller]) == [None]
        assert await demo.credentials.recheck([caller]) != [None]


async def test_a_demo_without_its_guest_has_no_token(frame: Frame) -> None:
    node = IdentityService(dataclasses.replace(frame, demo=True))
    assert (await refusal(node.call("Auth", "IssueDemoToken", _ASK))).reason == "NOT_FOUND"


async def test_a_guest_who_is_disabled_gets_no_token(demo: IdentityService) -> None:
    admin = await demo.token(admin=True)
    request = client_service_pb2.UpdateClientRequest(client_id=demo_guest.CLIENT_ID, disabled=True)
    await demo.call("Client", "UpdateClient", request, admin)
    assert (await refusal(demo.call("Auth", "IssueDemoToken", _ASK))).reason == "NOT_FOUND"


async def test_nobody_makes_the_guest_an_admin(demo: IdentityService) -> None:
    admin, guest = await demo.token(admin=True), await _token(demo)
    as_user = user_service_pb2.UpdateUserRequest(user_id=demo_guest.USER_ID, admin=True)
    as_client = client_service_pb2.UpdateClientRequest(client_id=demo_guest.CLIENT_ID, admin=True)
    for service, method, request in (("User", "UpdateUser", as_user), ("Client", "UpdateClient", as_client)):
        refused = await refusal(demo.call(service, method, request, admin))
        assert (refused.reason, refused.details["parameter"]) == ("VALIDATION_ERROR", "admin")
        assert (await refusal(demo.call(service, method, request, guest))).reason == "PERMISSION_DENIED"
    assert not (await demo.who({"authorization": f"Bearer {guest}"})).admin


async def test_an_address_gets_20_tokens_a_minute_and_clients_go_on(demo: IdentityService) -> None:
    row, secret = await demo.client()
    for _ in range(FAILURES_A_MINUTE):
        await demo.call("Auth", "IssueDemoToken", _ASK, catenary_client_address="192.0.2.1")
    refused = await refusal(demo.call("Auth", "IssueDemoToken", _ASK, catenary_client_address="192.0.2.1"))
    assert (refused.reason, refused.retry_after and refused.retry_after > 0) == ("RATE_LIMIT_EXCEEDED", True)
    assert "demo guest" in refused.message
    await demo.call("Auth", "IssueDemoToken", _ASK, catenary_client_address="192.0.2.2")
    await demo.token_of(row["client_id"], secret)
