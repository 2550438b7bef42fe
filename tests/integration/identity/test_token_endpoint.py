"""Granting and revoking tokens, their keys and their metadata."""

from __future__ import annotations

import asyncio
import base64
from typing import Any

import jwt
import pytest
import sqlalchemy as sa

from catenary.platform.v1 import auth_service_pb2 as pb
from catenary_core.call.errors import DomainError
from catenary_core.database.statements import Statement
from catenary_core.frame import Frame
from catenary_core.services.identity import scopes
from catenary_core.services.identity.tokens.access_tokens import AccessTokens
from catenary_core.services.identity.tokens.signing_keys import DAY, renew
from catenary_core.settings import CoreSettings
from factories.services.calls import events_of
from factories.services.identity import START, Clock, IdentityService
from factories.services.refusals import refusal

_GOOD = {"grant_type": "client_credentials"}


def _basic(client_id: str, secret: str) -> str:
    return "Basic " + base64.b64encode(f"{client_id}:{secret}".encode()).decode()


async def _jwks(identity: IdentityService) -> list[dict[str, Any]]:
    return list((await identity.call("Auth", "GetJwks", pb.GetJwksRequest())).body["keys"])


async def test_a_grant_is_a_token_by_rfc_9068_that_others_verify_by_the_published_keys(
    identity: IdentityService,
) -> None:
    row, secret = await identity.client()
    request = pb.IssueTokenRequest(**_GOOD, client_id=row["client_id"], client_secret=secret)
    body = (await identity.call("Auth", "IssueToken", request)).body
    assert (body["token_type"], body["expires_in"], body["scope"]) == ("Bearer", 3600, " ".join(scopes.ALL))
    header = jwt.get_unverified_header(body["access_token"])
    assert (header["alg"], header["typ"]) == ("ES256", "at+jwt")
    (published,) = [key for key in await _jwks(identity) if key["kid"] == header["kid"]]
    claims = jwt.decode(
        body["access_token"],
        jwt.PyJWK(published),
        audience=identity.tokens.issuer.name,
        options={"verify_exp": False, "verify_iat": False},
    )
    assert claims["iss"].startswith("urn:catenary:")
    assert (claims["sub"], claims["client_id"]) == (row["user_id"], row["client_id"])
    assert claims["exp"] - claims["iat"] == 3600
    caller = await identity.who({"authorization": f"bearer {body['access_token']}"})
    assert (caller.user_id, caller.kind, caller.admin) == (row["user_id"], "client", False)
    assert caller.scopes == frozenset(scopes.ALL)


async def test_basic_credentials_are_taken_and_upper_case_ids_too(identity: IdentityService) -> None:
    row, secret = await identity.client()
    twice = pb.IssueTokenRequest(**_GOOD, client_id=row["client_id"], authorization=_basic(row["client_id"], secret))
    await identity.call("Auth", "IssueToken", twice)  # RFC 6749, section 3.2.1
    for client_id in (row["client_id"], row["client_id"].upper()):
        await identity.call(
            "Auth", "IssueToken", pb.IssueTokenRequest(**_GOOD, authorization=_basic(client_id, secret))
        )


@pytest.mark.parametrize("scheme", ["Basic  ", "basic   ", "BASIC    "])
async def test_blanks_after_the_scheme_are_passed_over(identity: IdentityService, scheme: str) -> None:
    """RFC 9110, section 11.4: `1*SP`."""
    row, secret = await identity.client()
    header = _basic(row["client_id"], secret).replace("Basic ", scheme)
    await identity.call("Auth", "IssueToken", pb.IssueTokenRequest(**_GOOD, authorization=header))
    wrong = pb.IssueTokenRequest(**_GOOD, authorization=_basic(row["client_id"], "wrong").replace("Basic ", scheme))
    assert (await refusal(identity.call("Auth", "IssueToken", wrong))).reason == "INVALID_CLIENT"


@pytest.mark.parametrize(
    ("fields", "reason", "oauth_error"),
    [
        ({"grant_type": "password"}, "VALIDATION_ERROR", "unsupported_grant_type"),
        ({"grant_type": "client_credentials "}, "VALIDATION_ERROR", "unsupported_grant_type"),
        ({"grant_type": ""}, "VALIDATION_ERROR", None),
        ({"scope": "platform:read everything"}, "VALIDATION_ERROR", "invalid_scope"),
        ({"client_secret": "wrong"}, "INVALID_CLIENT", "invalid_client"),
        ({"client_secret": ""}, "INVALID_CLIENT", "invalid_client"),
        ({"client_id": ""}, "INVALID_CLIENT", "invalid_client"),
        ({"client_id": "nobody"}, "INVALID_CLIENT", "invalid_client"),
        ({"client_id": "00000000-0000-0000-0000-000000000000"}, "INVALID_CLIENT", "invalid_client"),
        ({"client_id": "x' OR '1'='1"}, "INVALID_CLIENT", "invalid_client"),
        ({"authorization": _basic("a", "b")}, "VALIDATION_ERROR", "invalid_request"),
        ({"client_id": "", "client_secret": "", "authorization": "Basic !"}, "INVALID_CLIENT", "invalid_client"),
        ({"client_id": "", "client_secret": "", "authorization": "Basic"}, "INVALID_CLIENT", "invalid_client"),
        ({"client_id": "", "client_secret": "", "authorization": "Basic  "}, "INVALID_CLIENT", "invalid_client"),
        ({"client_id": "", "client_secret": "", "authorization": "Basic\tYTpi"}, "INVALID_CLIENT", "invalid_client"),
        ({"client_id": "", "client_secret": "", "authorization": "Bearer x"}, "INVALID_CLIENT", "invalid_client"),
        ({"client_id": "", "client_secret": "", "authorization": _basic("a", "b")}, "INVALID_CLIENT", "invalid_client"),
    ],
)
async def test_a_bad_grant_is_refused_with_its_code_and_the_next_good_one_works(
    identity: IdentityService, fields: dict[str, str], reason: str, oauth_error: str | None
) -> None:
    row, secret = await identity.client()
    good = {**_GOOD, "client_id": row["client_id"], "client_secret": secret}
    refused = await refusal(identity.call("Auth", "IssueToken", pb.IssueTokenRequest(**(good | fields))))
    assert (refused.reason, refused.oauth_error) == (reason, oauth_error)
    assert secret not in refused.message
    assert "wrong" not in str(refused.details)
    await identity.call("Auth", "IssueToken", pb.IssueTokenRequest(**good))


@pytest.mark.parametrize(
    ("fields", "parameter", "value"),
    [
        ({"grant_type": "password"}, "grant_type", "password"),
        ({"scope": "platform:read " + "x" * 300}, "scope", '"platform:read ' + "x" * 185 + "…"),
        ({"client_id": "an id", "authorization": _basic("a", "b")}, "client_id", "an id"),
        ({"client_id": "", "authorization": _basic("a", "b")}, "client_id", None),
    ],
)
async def test_a_refused_grant_names_its_value_and_never_a_secret(
    identity: IdentityService, fields: dict[str, str], parameter: str, value: str | None
) -> None:
    row, secret = await identity.client()
    good = {**_GOOD, "client_id": row["client_id"], "client_secret": secret}
    refused = await refusal(identity.call("Auth", "IssueToken", pb.IssueTokenRequest(**(good | fields))))
    assert (refused.details["parameter"], refused.details["value"]) == (parameter, value)
    assert secret not in str(refused.details)


@pytest.mark.parametrize("header", ["Bearer x", "bearer " + "x" * 4000, "Bearer"])
async def test_a_token_that_comes_along_changes_nothing_for_credentials_in_the_body(
    identity: IdentityService, header: str
) -> None:
    row, secret = await identity.client()
    good = {**_GOOD, "client_id": row["client_id"], "client_secret": secret, "authorization": header}
    answer = await identity.call("Auth", "IssueToken", pb.IssueTokenRequest(**good))
    assert answer.body["token_type"] == "Bearer"
    refused = await refusal(
        identity.call("Auth", "IssueToken", pb.IssueTokenRequest(**good | {"client_secret": "wrong"}))
    )
    assert refused.reason == "INVALID_CLIENT"


async def test_an_unknown_client_and_a_wrong_secret_get_the_same_answer_for_the_same_statements(
    identity: IdentityService, monkeypatch: pytest.MonkeyPatch
) -> None:
    row, _ = await identity.client()
    seen: list[list[str]] = []
    run = identity.frame.db.read

    def counted() -> Any:
        seen[-1].append("read")
        return run()

    monkeypatch.setattr(type(identity.frame.db), "read", lambda self: counted())
    answers = []
    for client_id in (row["client_id"], "0199aaaa-0000-7000-8000-000000000000", "nobody"):
        seen.append([])
        request = pb.IssueTokenRequest(**_GOOD, client_id=client_id, client_secret="wrong")
        answers.append(await refusal(identity.call("Auth", "IssueToken", request)))
    assert answers[0] == answers[1] == answers[2]
    assert seen[0] == seen[1] == seen[2] == ["read"]


async def test_a_narrowed_token_has_the_asked_scopes_alone(identity: IdentityService) -> None:
    token = await identity.token(scope="platform:read qa:write platform:read")
    caller = await identity.who({"authorization": f"Bearer {token}"})
    assert caller.scopes == {"platform:read", "qa:write"}


async def test_a_login_is_an_event_once_an_hour_and_names_nobody(identity: IdentityService) -> None:
    row, secret = await identity.client("Ada's robot")
    await asyncio.gather(*(identity.token_of(row["client_id"], secret) for _ in range(5)))
    identity.clock.now += 6
    await identity.token_of(row["client_id"], secret)
    (event,) = await events_of(identity.frame.db)
    assert (event["type"], event["actor_id"]) == ("user.login", row["user_id"])
    assert event["subject"] == f"/v1/users/{row['user_id']}"
    assert event["data"]["user"]["user_id"] == row["user_id"]
    assert "Ada" not in str(event)
    async with identity.frame.db.transaction() as tx:
        await tx.execute(
            Statement(sa.text("UPDATE identity.\"user\" SET last_login_at = last_login_at - interval '61 min'"))
        )
    identity.clock.now += 6
    await identity.token_of(row["client_id"], secret)
    assert len(await events_of(identity.frame.db)) == 2


async def test_steady_grants_run_no_sql(identity: IdentityService, monkeypatch: pytest.MonkeyPatch) -> None:
    database = type(identity.frame.db)
    opened: list[str] = []

    def note(name: str) -> None:
        whole = getattr(database, name)

        def noted(*arguments: object) -> object:
            opened.append(name)
            return whole(*arguments)

        monkeypatch.setattr(database, name, noted)

    row, secret = await identity.client()
    note("read")
    note("transaction")
    first = await identity.token_of(row["client_id"], secret)
    assert opened
    opened.clear()
    second = await identity.token_of(row["client_id"], secret)
    assert opened == []
    assert second != first
    assert jwt.decode(second, options={"verify_signature": False})["sub"] == row["user_id"]


async def test_a_revoked_token_is_refused_within_5_s_and_others_go_on(identity: IdentityService) -> None:
    row, secret = await identity.client()
    other, other_secret = await identity.client("other")
    token, second = [await identity.token_of(row["client_id"], secret) for _ in range(2)]
    sent = {"authorization": f"Bearer {token}"}
    await identity.who(sent)
    stranger = pb.RevokeTokenRequest(token=token, client_id=other["client_id"], client_secret=other_secret)
    assert (await identity.call("Auth", "RevokeToken", stranger)).body == {}
    await IdentityService(identity.frame, identity.clock).who(sent)
    request = pb.RevokeTokenRequest(token=token, client_id=row["client_id"], client_secret=secret)
    for _ in range(2):
        assert (await identity.call("Auth", "RevokeToken", request)).body == {}
    await identity.who(sent)  # trusted for the rest of the 5 s
    identity.clock.now += 5
    with pytest.raises(DomainError, match="revoked") as refused:
        await identity.who(sent)
    assert refused.value.reason == "INVALID_TOKEN"
    await identity.who({"authorization": f"Bearer {second}"})


@pytest.mark.parametrize("token", ["x", "a.b.c", "x" * 8000])
async def test_revoking_what_is_no_token_changes_nothing_and_is_no_error(identity: IdentityService, token: str) -> None:
    row, secret = await identity.client()
    request = pb.RevokeTokenRequest(token=token, client_id=row["client_id"], client_secret=secret, token_type_hint="x")
    assert (await identity.call("Auth", "RevokeToken", request)).body == {}
    wrong = pb.RevokeTokenRequest(token=token, client_id=row["client_id"], client_secret="wrong")
    assert (await refusal(identity.call("Auth", "RevokeToken", wrong))).reason == "INVALID_CLIENT"


async def test_every_node_signs_with_one_key_and_a_new_key_is_known_before_it_signs(frame: Frame) -> None:
    clock = Clock()
    first, second = IdentityService(frame, clock), IdentityService(frame, clock)
    row, secret = await first.client()
    tokens = await asyncio.gather(*(node.token_of(row["client_id"], secret) for node in (first, second, first, second)))
    (old,) = {jwt.get_unverified_header(token)["kid"] for token in tokens}
    assert [key["kid"] for key in await _jwks(first)] == [old]
    clock.now = START + 29 * DAY + 1
    await first.token_of(row["client_id"], secret)
    new = {key["kid"] for key in await _jwks(second)} - {old}
    assert len(new) == 1
    token = await second.token_of(row["client_id"], secret)
    assert jwt.get_unverified_header(token)["kid"] == old
    clock.now = START + 30 * DAY + 1
    fresh = await second.token_of(row["client_id"], secret)
    assert {jwt.get_unverified_header(fresh)["kid"]} == new
    await first.who({"authorization": f"Bearer {fresh}"})


async def test_a_retired_key_verifies_its_last_tokens_and_nothing_after_them(frame: Frame) -> None:
    clock = Clock()
    frame = Frame(
        settings=CoreSettings(token_lifetime=86400),
        db=frame.db,
        secrets=frame.secrets,
        objects=frame.objects,
        wakeups=frame.wakeups,
    )
    identity = IdentityService(frame, clock)
    row, secret = await identity.client()
    await identity.token_of(row["client_id"], secret)
    retired = await identity.keys.current()
    clock.now = START + 30 * DAY - 60
    last = await identity.token_of(row["client_id"], secret)
    clock.now = START + 31 * DAY - 120
    await identity.token_of(row["client_id"], secret)
    await identity.who({"authorization": f"Bearer {last}"})
    clock.now = START + 31 * DAY + 60
    forged = jwt.encode(
        {**jwt.decode(last, options={"verify_signature": False}), "iat": int(clock.now), "exp": int(clock.now) + 60},
        retired.private,
        "ES256",
        headers={"kid": retired.kid, "typ": "at+jwt"},
    )
    with pytest.raises(DomainError, match="signature"):
        await identity.who({"authorization": f"Bearer {forged}"})
    assert retired.kid not in {key["kid"] for key in await _jwks(identity)}


@pytest.mark.parametrize("day", [3, 29.5])
async def test_a_retirement_replaces_the_keys_and_their_tokens_go_on(frame: Frame, day: float) -> None:
    """Also a key that is published and has not begun, which an earlier dump of the database holds too."""
    clock = Clock()
    first, second = IdentityService(frame, clock), IdentityService(frame, clock)
    row, secret = await first.client()
    await first.token_of(row["client_id"], secret)
    clock.now = START + day * DAY
    before = await second.token_of(row["client_id"], secret)
    leaked = {key["kid"] for key in await _jwks(first)}
    assert len(leaked) == (1 if day == 3 else 2)
    async with frame.db.transaction() as tx:
        await renew(tx, frame.secrets, lambda: clock.now)
    for _ in range(3):
        clock.now += 61
        for node in (first, second):
            token = await node.token_of(row["client_id"], secret)
            await (second if node is first else first).who({"authorization": f"Bearer {token}"})
    assert jwt.get_unverified_header(token)["kid"] not in leaked
    await first.who({"authorization": f"Bearer {before}"})
    clock.now += DAY + 60
    token = await second.token_of(row["client_id"], secret)
    assert leaked.isdisjoint({key["kid"] for node in (first, second) for key in await _jwks(node)})
    clock.now += 4 * DAY
    assert jwt.get_unverified_header(await first.token_of(row["client_id"], secret))["kid"] not in leaked


async def test_without_the_renewal_a_key_that_leaked_verifies_for_a_month(frame: Frame) -> None:
    clock = Clock()
    identity = IdentityService(frame, clock)
    row, secret = await identity.client()
    leaked = jwt.get_unverified_header(await identity.token_of(row["client_id"], secret))["kid"]
    clock.now += 28 * DAY
    assert leaked in {key["kid"] for key in await _jwks(identity)}


async def test_a_retirement_makes_no_key_where_none_was(frame: Frame) -> None:
    async with frame.db.transaction() as tx:
        await renew(tx, frame.secrets)
        assert await tx.all(Statement(sa.text("SELECT id FROM identity.signing_key"))) == []


async def test_private_keys_are_encrypted_at_rest_and_of_another_secret_left_out(frame: Frame) -> None:
    identity = IdentityService(frame)
    key = await identity.keys.current()
    async with frame.db.read() as tx:
        (row,) = await tx.all(Statement(sa.text("SELECT private_key FROM identity.signing_key")))
    assert b"PRIVATE" not in bytes(row["private_key"])
    assert frame.secrets.decrypt(bytes(row["private_key"]))[:1] == b"\x30"
    from catenary_core.secrets import Roots, Secrets

    other = IdentityService(
        Frame(frame.settings, frame.db, Secrets(Roots.derived(b"x" * 32)), frame.objects, frame.wakeups)
    )
    assert (await other.keys.current()).kid != key.kid


async def test_the_metadata_names_the_addresses_below_the_public_one_or_that_of_the_request(
    identity: IdentityService, frame: Frame
) -> None:
    async def metadata(service: IdentityService, base: str) -> dict[str, Any]:
        sent = {"catenary_base_url": base} if base else {}
        return (await service.call("Auth", "GetServerMetadata", pb.GetServerMetadataRequest(), **sent)).body

    for base in ("http://localhost:8080", "https://[::1]:80", "http://design.example"):
        body = await metadata(identity, base)
        assert [body["token_endpoint"], body["revocation_endpoint"], body["jwks_uri"]] == [
            f"{base}/v1/auth/token",
            f"{base}/v1/auth/revoke",
            f"{base}/.well-known/jwks.json",
        ]
    refused = await refusal(metadata(identity, ""))
    assert (refused.reason, refused.details["parameter"]) == ("VALIDATION_ERROR", "host")
    settings = CoreSettings(public_url="https://design.example/")
    public = IdentityService(Frame(settings, frame.db, frame.secrets, frame.objects, frame.wakeups))
    body = await metadata(public, "http://other.example")
    assert (body["issuer"], body["jwks_uri"]) == (
        "https://design.example",
        "https://design.example/.well-known/jwks.json",
    )
    token = await identity.token()
    with pytest.raises(DomainError, match="issuer"):
        await public.who({"authorization": f"Bearer {token}"})


async def test_the_issuer_is_the_same_on_every_node_and_another_in_every_installation(frame: Frame) -> None:
    from catenary_core.secrets import Roots, Secrets

    names = {
        AccessTokens(frame.settings, secrets, IdentityService(frame).keys).issuer.name
        for secrets in (
            Secrets(Roots.derived(bytes(32))),
            Secrets(Roots.derived(bytes(32))),
            Secrets(Roots.derived(b"x" * 32)),
        )
    }
    assert len(names) == 2
