"""Whom a call's metadata speaks for, and how soon an ending shows."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any

import jwt
import pytest
import sqlalchemy as sa
from google.protobuf import timestamp_pb2

from catenary.platform.v1 import (
    api_key_service_pb2,
    auth_service_pb2,
    client_service_pb2,
    user_service_pb2,
    worker_token_service_pb2,
)
from catenary_core.call.errors import DomainError
from catenary_core.database.statements import Statement
from catenary_core.secrets import Roots, Secrets
from catenary_core.services.identity import queries
from catenary_core.services.identity.tables import client
from catenary_core.services.identity.tokens import credentials
from catenary_core.services.identity.tokens.signing_keys import SigningKey
from catenary_core.services.identity.workers import tokens as worker_tokens
from factories.checks.timestamps import moment
from factories.services.identity import IdentityService
from factories.services.refusals import refusal
from factories.services.tokens import ec_key, write

_KEY = api_key_service_pb2.CreateApiKeyRequest(name="k", scopes=["platform:write"])


async def _key(identity: IdentityService, token: str, **fields: Any) -> tuple[str, str]:
    request = api_key_service_pb2.CreateApiKeyRequest(**{"name": "k", "scopes": ["platform:write"], **fields})
    body = (await identity.call("ApiKey", "CreateApiKey", request, token)).body
    return body["api_key"]["api_key_id"], body["key"]


async def _reason(identity: IdentityService, metadata: dict[str, str]) -> str:
    with pytest.raises(DomainError) as refused:
        await identity.who(metadata)
    return refused.value.reason


async def test_credentials_stand_in_their_own_header_alone_and_once(identity: IdentityService) -> None:
    token = await identity.token()
    _, key = await _key(identity, token)
    good = {"authorization": f"Bearer {token}"}
    assert await _reason(identity, {}) == "AUTHENTICATION_REQUIRED"
    assert await _reason(identity, {"cookie": f"token={token}", "access_token": token}) == "AUTHENTICATION_REQUIRED"
    for bad in (
        {**good, "x-api-key": key},
        {"authorization": f"Bearer {token}, Bearer {token}"},
        {"authorization": f"Bearer {token} "},
        {"authorization": f"Basic {token}"},
        {"authorization": token},
        {"authorization": "Bearer"},
        {"authorization": "Bearer "},
        {"authorization": ""},
        {"authorization": f"Bearer {key}"},
        {"authorization": f"Bearer {token}é"},
        {"authorization": "Bearer " + "x" * 2**21},
        {"x-api-key": token},
        {"x-api-key": f"{key}, {key}"},
        {"x-api-key": key[:10]},
        {"x-api-key": key[:-1] + ("A" if key[-1] != "A" else "B")},
        {"x-api-key": key + "\n"},
        {"x-api-key": ""},
    ):
        assert await _reason(identity, bad) == "INVALID_TOKEN", bad
        assert (await identity.who(good)).kind == "client"
    for scheme in ("bearer", "BEARER", "bEaReR", "Bearer "):
        await identity.who({"authorization": f"{scheme} {token}"})
    assert (await identity.who({"x-api-key": key})).kind == "api_key"


async def _worker_token(identity: IdentityService, boss: str) -> tuple[str, str]:
    request = worker_token_service_pb2.CreateWorkerTokenRequest(name="Machine 7")
    body = (await identity.call("WorkerToken", "CreateWorkerToken", request, boss)).body
    assert body["worker_token"]["prefix"] in body["token"]
    return body["worker_token"]["worker_token_id"], body["token"]


async def test_a_worker_token_is_a_worker_and_nothing_near_it_is(identity: IdentityService) -> None:
    token_id, worker = await _worker_token(identity, await identity.token("boss", admin=True))
    caller = await identity.who({"authorization": f"Bearer {worker}"})
    assert (caller.kind, caller.admin, caller.scopes, caller.credential_id) == ("worker", False, frozenset(), token_id)
    for near in (worker[:-1], worker + "A", worker.swapcase(), worker[:-1] + ("A" if worker[-1] != "A" else "B")):
        assert await _reason(identity, {"authorization": f"Bearer {near}"}) == "INVALID_TOKEN"
    request = user_service_pb2.GetMeRequest()
    assert (await refusal(identity.call("User", "GetMe", request, worker))).reason == "PERMISSION_DENIED"


async def test_worker_tokens_are_shown_once_listed_and_revoked_by_admins_alone(identity: IdentityService) -> None:
    boss, plain = await identity.token("boss", admin=True), await identity.token("plain")
    token_id, worker = await _worker_token(identity, boss)
    _, kept = await _worker_token(identity, boss)
    pb = worker_token_service_pb2
    one = {"worker_token_id": token_id}

    async def listed() -> list[dict[str, Any]]:
        body = (await identity.call("WorkerToken", "ListWorkerTokens", pb.ListWorkerTokensRequest(), boss)).body
        return list(body["worker_tokens"])

    for method, request in (
        ("ListWorkerTokens", pb.ListWorkerTokensRequest()),
        ("CreateWorkerToken", pb.CreateWorkerTokenRequest(name="x")),
        ("GetWorkerToken", pb.GetWorkerTokenRequest(**one)),
        ("DeleteWorkerToken", pb.DeleteWorkerTokenRequest(**one)),
    ):
        for caller in (plain, worker):
            assert (await refusal(identity.call("WorkerToken", method, request, caller))).reason == "PERMISSION_DENIED"
    first, second = await listed()
    assert (first["worker_token_id"], second["last_used_at"]) == (token_id, None)
    assert first["last_used_at"] is not None, "it called just now"
    assert worker not in str([first, second])
    caller = await identity.who({"authorization": f"Bearer {worker}"})
    assert await identity.credentials.recheck_worker(caller)
    delete = pb.DeleteWorkerTokenRequest(**one)
    await identity.call("WorkerToken", "DeleteWorkerToken", delete, boss)
    assert not await identity.credentials.recheck_worker(caller)
    identity.clock.now += 5
    assert await _reason(identity, {"authorization": f"Bearer {worker}"}) == "INVALID_TOKEN"
    assert (await identity.who({"authorization": f"Bearer {kept}"})).kind == "worker"
    assert [row["worker_token_id"] for row in await listed()] == [second["worker_token_id"]]
    assert (await refusal(identity.call("WorkerToken", "DeleteWorkerToken", delete, boss))).reason == "NOT_FOUND"


async def test_worker_tokens_do_not_depend_on_the_secret_and_a_revoked_one_never_returns(
    identity: IdentityService,
) -> None:
    text = worker_tokens.random_token()
    other = IdentityService(replace(identity.frame, secrets=Secrets(Roots.derived(b"x" * 32))), identity.clock)
    for _ in range(2):
        async with identity.frame.db.transaction() as tx:
            await worker_tokens.add_known(tx, "serve", text)
    caller = await other.who({"authorization": f"Bearer {text}"})
    async with identity.frame.db.transaction() as tx:
        await worker_tokens.revoke(tx, caller.credential_id)
    async with identity.frame.db.transaction() as tx:
        await worker_tokens.add_known(tx, "serve", text)
    assert await _reason(identity, {"authorization": f"Bearer {text}"}) == "INVALID_TOKEN"


async def test_a_token_ends_half_a_minute_after_its_time_even_while_it_is_trusted(identity: IdentityService) -> None:
    token = await identity.token()
    sent = {"authorization": f"Bearer {token}"}
    identity.clock.now += 3600 + 27
    await identity.who(sent)
    identity.clock.now += 4
    assert await _reason(identity, sent) == "TOKEN_EXPIRED"
    identity.clock.now += 10
    assert await _reason(identity, sent) == "TOKEN_EXPIRED"


async def test_tokens_of_other_keys_and_changed_claims_are_refused_at_the_door(identity: IdentityService) -> None:
    token = await identity.token()
    key = await identity.keys.current()
    claims = jwt.decode(token, options={"verify_signature": False})
    header = jwt.get_unverified_header(token)

    def forged(signer: Any = None, **changes: Any) -> dict[str, str]:
        return {"authorization": f"Bearer {write(header, claims | changes, signer or key.private)}"}

    await identity.who(forged())
    assert await _reason(identity, forged(ec_key())) == "INVALID_TOKEN"
    for changes in (
        {"jti": "x"},
        {"jti": None},
        {"client_id": "x"},
        {"client_id": claims["jti"]},
        {"sub": "someone"},
        {"sub": claims["jti"]},
        {"scope": ["platform:read"]},
        {"scope": None},
        *({"token_generation": value} for value in (1, -1, 2**31, 10**400, 0.0, "0", True, None)),
    ):
        assert await _reason(identity, forged(**changes)) == "INVALID_TOKEN", changes


async def test_an_unknown_kid_reads_the_keys_again_at_most_once_a_second(
    identity: IdentityService, monkeypatch: pytest.MonkeyPatch
) -> None:
    token = await identity.token()
    claims = jwt.decode(token, options={"verify_signature": False})
    header = {**jwt.get_unverified_header(token), "kid": "unknown"}
    attack = {"authorization": f"Bearer {write(header, claims, ec_key())}"}
    taken: list[int] = []
    take = type(identity.keys)._take

    def counted(self: Any, rows: Any) -> None:
        taken.append(1)
        take(self, rows)

    monkeypatch.setattr(type(identity.keys), "_take", counted)
    identity.clock.now += 2
    for _ in range(20):
        assert await _reason(identity, attack) == "INVALID_TOKEN"
    assert len(taken) == 1


async def test_what_was_verified_is_trusted_for_5_s_without_sql_and_not_longer(
    identity: IdentityService, monkeypatch: pytest.MonkeyPatch
) -> None:
    token = await identity.token()
    _, key = await _key(identity, token)
    reads: list[int] = []
    read = type(identity.frame.db).read

    def counted(self: Any) -> Any:
        reads.append(1)
        return read(self)

    monkeypatch.setattr(type(identity.frame.db), "read", counted)
    identity.clock.now += 10
    for metadata in ({"authorization": f"Bearer {token}"}, {"x-api-key": key}):
        reads.clear()
        for _ in range(10):
            await identity.who(metadata)
        assert len(reads) == 1
        identity.clock.now += 5
        await identity.who(metadata)
        assert len(reads) == 2


async def test_the_memory_of_trusted_credentials_is_bounded(
    identity: IdentityService, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(credentials, "_TRUSTED", 3)
    small = IdentityService(identity.frame, identity.clock)
    row, secret = await small.client()
    for _ in range(6):
        token = await small.token_of(row["client_id"], secret)
        await small.who({"authorization": f"Bearer {token}"})
    assert len(small.credentials._trusted) == 3


@pytest.mark.parametrize("how", ["disable client", "disable user", "delete client", "delete user", "unmake admin"])
async def test_an_ending_takes_effect_within_5_s(identity: IdentityService, how: str) -> None:
    boss = await identity.token("boss", admin=True)
    row, secret = await identity.client("c", admin=True)
    token = await identity.token_of(row["client_id"], secret)
    _, key = await _key(identity, token)
    for metadata in ({"authorization": f"Bearer {token}"}, {"x-api-key": key}):
        await identity.who(metadata)
    client_id, user_id = row["client_id"], row["user_id"]
    requests: dict[str, tuple[str, str, Any]] = {
        "disable client": (
            "Client",
            "UpdateClient",
            client_service_pb2.UpdateClientRequest(client_id=client_id, disabled=True),
        ),
        "disable user": ("User", "UpdateUser", user_service_pb2.UpdateUserRequest(user_id=user_id, disabled=True)),
        "delete client": ("Client", "DeleteClient", client_service_pb2.DeleteClientRequest(client_id=client_id)),
        "delete user": ("User", "DeleteUser", user_service_pb2.DeleteUserRequest(user_id=user_id)),
        "unmake admin": ("User", "UpdateUser", user_service_pb2.UpdateUserRequest(user_id=user_id, admin=False)),
    }
    service, method, request = requests[how]
    await identity.call(service, method, request, boss)
    identity.clock.now += 5
    if how == "unmake admin":
        assert not (await identity.who({"authorization": f"Bearer {token}"})).admin
        return
    assert await _reason(identity, {"authorization": f"Bearer {token}"}) == "INVALID_TOKEN"
    assert await _reason(identity, {"x-api-key": key}) == "INVALID_TOKEN"
    grant = auth_service_pb2.IssueTokenRequest(
        grant_type="client_credentials", client_id=client_id, client_secret=secret
    )
    assert (await refusal(identity.call("Auth", "IssueToken", grant))).reason == "INVALID_CLIENT"


_ENDS = {
    "RotateClientSecret": client_service_pb2.RotateClientSecretRequest,
    "RevokeClientTokens": client_service_pb2.RevokeClientTokensRequest,
}


@pytest.mark.parametrize("method", _ENDS)
async def test_all_tokens_of_a_client_end_within_5_s_on_every_node_and_the_next_one_works_at_once(
    identity: IdentityService, method: str
) -> None:
    other_node = IdentityService(identity.frame, identity.clock)
    boss = await identity.token("boss", admin=True)
    row, secret = await identity.client()
    untouched = await identity.token("another")
    tokens = [await node.token_of(row["client_id"], secret) for node in (identity, other_node)]
    callers = [await identity.who({"authorization": f"Bearer {token}"}) for token in tokens]
    for _ in range(2):
        body = (await identity.call("Client", method, _ENDS[method](client_id=row["client_id"]), boss)).body
    assert await identity.credentials.recheck(callers) == [None, None], "streams ask without a cache"
    now = body.get("client_secret", secret)
    for node in (identity, other_node):
        fresh = await node.token_of(row["client_id"], now)
        await node.who({"authorization": f"Bearer {fresh}"})
        assert None not in await node.credentials.recheck([await node.who({"authorization": f"Bearer {fresh}"})])
    identity.clock.now += 5
    for node in (identity, other_node):
        for token in tokens:
            assert await _reason(node, {"authorization": f"Bearer {token}"}) == "INVALID_TOKEN"
        await node.who({"authorization": f"Bearer {untouched}"})


async def test_a_token_granted_by_a_node_that_still_takes_the_old_secret_ends_with_the_others(
    identity: IdentityService, monkeypatch: pytest.MonkeyPatch
) -> None:
    boss = await identity.token("boss", admin=True)
    row, secret = await identity.client()
    await identity.token_of(row["client_id"], secret)
    lagging = IdentityService(identity.frame, identity.clock)
    monkeypatch.setattr(identity.frame.wakeups, "ticket", lambda channel: asyncio.Event())  # no notification comes
    await lagging.token_of(row["client_id"], secret)
    request = client_service_pb2.RotateClientSecretRequest(client_id=row["client_id"])
    await identity.call("Client", "RotateClientSecret", request, boss)
    late = await lagging.token_of(row["client_id"], secret)
    assert await _reason(lagging, {"authorization": f"Bearer {late}"}) == "INVALID_TOKEN"


async def test_without_the_generation_of_tokens_a_rotated_client_s_tokens_go_on(
    identity: IdentityService, monkeypatch: pytest.MonkeyPatch
) -> None:
    only_secret = sa.update(client).where(client.c.id == sa.bindparam("client_id", type_=client.c.id.type))
    digest = sa.bindparam("secret_digest", type_=client.c.secret_digest.type)
    monkeypatch.setattr(queries, "SET_CLIENT_SECRET", Statement(only_secret.values(secret_digest=digest)))
    boss = await identity.token("boss", admin=True)
    row, secret = await identity.client()
    token = await identity.token_of(row["client_id"], secret)
    request = client_service_pb2.RotateClientSecretRequest(client_id=row["client_id"])
    await identity.call("Client", "RotateClientSecret", request, boss)
    identity.clock.now += 5
    assert (await identity.who({"authorization": f"Bearer {token}"})).user_id == row["user_id"]


async def test_an_api_key_is_never_admin_keeps_its_scopes_and_ends_by_itself_or_by_deletion(
    identity: IdentityService,
) -> None:
    boss = await identity.token("boss", admin=True)
    ends = timestamp_pb2.Timestamp(seconds=int(identity.clock.now) + 60)
    key_id, key = await _key(identity, boss, scopes=["platform:read"], expires_at=ends)
    caller = await identity.who({"x-api-key": key})
    assert (caller.kind, caller.admin, caller.scopes, caller.credential_id) == (
        "api_key",
        False,
        {"platform:read"},
        key_id,
    )
    assert caller.expires_at == identity.clock.now + 60
    users = identity.call("User", "ListUsers", user_service_pb2.ListUsersRequest(), x_api_key=key)
    assert (await refusal(users)).reason == "PERMISSION_DENIED"
    identity.clock.now += 58
    await identity.who({"x-api-key": key})
    identity.clock.now += 3
    assert await _reason(identity, {"x-api-key": key}) == "TOKEN_EXPIRED"
    other_id, other = await _key(identity, boss)
    await identity.who({"x-api-key": other})
    await identity.call("ApiKey", "DeleteApiKey", api_key_service_pb2.DeleteApiKeyRequest(api_key_id=other_id), boss)
    identity.clock.now += 5
    assert await _reason(identity, {"x-api-key": other}) == "INVALID_TOKEN"


async def test_the_use_of_a_key_is_noted_once_a_minute_and_keys_are_kept_as_digests(identity: IdentityService) -> None:
    token = await identity.token()
    key_id, key = await _key(identity, token)

    async def row() -> dict[str, Any]:
        async with identity.frame.db.read() as tx:
            return await tx.one(Statement(sa.text("SELECT * FROM identity.api_key")))

    assert (await row())["last_used_at"] is None
    await identity.who({"x-api-key": key})
    first = await row()
    assert first["last_used_at"] is not None
    assert key.encode() not in bytes(first["digest"])
    assert first["prefix"] == key[:10]
    identity.clock.now += 6
    await identity.who({"x-api-key": key})
    assert (await row())["last_used_at"] == first["last_used_at"]
    async with identity.frame.db.transaction() as tx:
        await tx.execute(
            Statement(sa.text("UPDATE identity.api_key SET last_used_at = last_used_at - interval '61 s'"))
        )
    identity.clock.now += 6
    await asyncio.gather(*(identity.who({"x-api-key": key}) for _ in range(3)))
    assert moment((await row())["last_used_at"]) >= moment(first["last_used_at"])
    shown = await identity.call("ApiKey", "GetApiKey", api_key_service_pb2.GetApiKeyRequest(api_key_id=key_id), token)
    assert key not in str(shown.body)


async def test_identify_says_who_calls(identity: IdentityService) -> None:
    row, secret = await identity.client(admin=True)
    token = await identity.token_of(row["client_id"], secret, "platform:read")
    body = (await identity.call("Auth", "Identify", auth_service_pb2.IdentifyRequest(), token, catenary_edge="1")).body
    assert body == {
        "user_id": row["user_id"],
        "admin": True,
        "scopes": ["platform:read"],
        "expires_at": int(identity.clock.now) + 3600,
        "trusted_seconds": 5.0,
        "share_id": "",
    }
    identity.clock.now += 3
    again = (await identity.call("Auth", "Identify", auth_service_pb2.IdentifyRequest(), token, catenary_edge="1")).body
    assert again["trusted_seconds"] == pytest.approx(2.0), "what is left of the 5 s in which a revocation takes effect"


def test_a_signing_key_shows_no_private_part(identity: IdentityService) -> None:
    private = ec_key()
    assert "d" not in SigningKey("k", private, private.public_key(), 0, 1, 2).jwk()
