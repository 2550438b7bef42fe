"""People's tokens from identity providers: a local one that these tests start, in good and bad health."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import jwt
import pytest
import sqlalchemy as sa
import structlog
from aiohttp import web
from jwt.algorithms import ECAlgorithm

from catenary.platform.v1 import user_service_pb2
from catenary_core.call.errors import DomainError
from catenary_core.database.statements import Row, Statement
from catenary_core.frame import Frame
from catenary_core.services.identity.people import enterprise_users
from catenary_core.services.identity.tokens import enterprise_issuers
from catenary_core.services.identity.tokens.enterprise_issuers import EnterpriseIssuers
from catenary_core.settings import OidcIssuer
from factories.audit import trail_of
from factories.services.calls import events_of
from factories.services.identity import Clock, IdentityService
from factories.services.refusals import refusal
from factories.services.tokens import ec_key, write

pytestmark = pytest.mark.sampled


class Provider:
    """An identity provider on loopback. `answer` stands for its key document while it is set."""

    def __init__(self) -> None:
        self.keys = {"k1": ec_key()}
        self.requests: list[str] = []
        self.answer: Callable[[web.Request], Awaitable[web.StreamResponse]] | None = None
        self.discovery: dict[str, Any] = {}
        self.issuer = ""
        self._runner: web.AppRunner | None = None

    async def start(self, port: int = 0) -> None:
        app = web.Application()
        app.router.add_get("/{path:.*}", self._serve)
        self._runner = web.AppRunner(app, access_log=None)
        await self._runner.setup()
        site = web.TCPSite(self._runner, "127.0.0.1", port)
        await site.start()
        assert self._runner.addresses
        self.port = self._runner.addresses[0][1]
        self.issuer = f"http://127.0.0.1:{self.port}"

    async def stop(self) -> None:
        if self._runner is not None:
            await self._runner.cleanup()
            self._runner = None

    async def _serve(self, request: web.Request) -> web.StreamResponse:
        self.requests.append(request.path)
        if request.path == "/.well-known/openid-configuration":
            return web.json_response({"issuer": self.issuer, "jwks_uri": f"{self.issuer}/keys"} | self.discovery)
        if self.answer is not None:
            return await self.answer(request)
        return web.json_response(self.document())

    def document(self) -> dict[str, Any]:
        return {
            "keys": [
                ECAlgorithm.to_jwk(key.public_key(), as_dict=True) | {"kid": kid, "use": "sig", "alg": "ES256"}
                for kid, key in self.keys.items()
            ]
        }

    def token(
        self, now: float, *, kid: str = "k1", key: Any = None, header: Any = None, **claims: Any
    ) -> dict[str, str]:
        body = {"iss": self.issuer, "aud": "catenary", "sub": "ada", "iat": int(now), "exp": int(now) + 600, **claims}
        given = {"alg": "ES256", "typ": "JWT", "kid": kid} | (header or {})
        head = {name: value for name, value in given.items() if value is not None}
        text = write(head, body, key or self.keys[kid])
        return {"authorization": f"Bearer {text}"}


@pytest.fixture
async def provider() -> AsyncIterator[Provider]:
    started = Provider()
    await started.start()
    try:
        yield started
    finally:
        await started.stop()


@pytest.fixture
async def node(frame: Frame, provider: Provider) -> AsyncIterator[IdentityService]:
    clock = Clock()
    config = OidcIssuer(issuer=provider.issuer, audience="catenary", admin_group="admins", algorithms=["ES256"])
    issuers = EnterpriseIssuers([config], clock.steady)
    try:
        yield IdentityService(frame, clock, issuers)
    finally:
        await issuers.stop()


async def _users(frame: Frame) -> list[Row]:
    async with frame.db.read() as tx:
        return await tx.all(Statement(sa.text('SELECT * FROM identity."user" ORDER BY staff_id')))


async def _refused(node: IdentityService, metadata: dict[str, str]) -> str:
    with pytest.raises(DomainError) as refused:
        await node.who(metadata)
    return refused.value.reason


async def test_a_subject_s_first_sight_makes_one_user_however_many_nodes_see_it(
    frame: Frame, provider: Provider, node: IdentityService
) -> None:
    config = OidcIssuer(issuer=provider.issuer, audience="catenary", algorithms=["ES256"])
    other = IdentityService(frame, node.clock, EnterpriseIssuers([config], node.clock.steady))
    sent = provider.token(node.clock.now, name="Ada Lovelace", email="ada@example.com")
    callers = await asyncio.gather(*(service.who(sent) for service in (node, other) * 10))
    assert {caller.user_id for caller in callers} == {callers[0].user_id}
    assert (callers[0].kind, callers[0].admin) == ("person", False)
    (row,) = await _users(frame)
    assert (row["id"], row["staff_name"], row["email"]) == (callers[0].user_id, "Ada Lovelace", "ada@example.com")
    assert row["staff_id"] >= 1, "those who came second may have used numbers up"
    (event,) = await events_of(frame.db)
    assert (event["type"], event["actor_id"]) == ("user.login", row["id"])
    (login,) = await trail_of(frame.db)
    assert (login["action"], login["actor_id"]) == ("login", row["id"])
    assert "Ada" not in str(event)
    token = sent["authorization"].removeprefix("Bearer ")
    me = await node.call("User", "GetMe", user_service_pb2.GetMeRequest(), token)
    assert me.body["user"]["staff_name"] == "Ada Lovelace"


async def test_control_characters_in_a_name_of_a_provider_become_visible_and_refuse_nobody(
    frame: Frame, provider: Provider, node: IdentityService
) -> None:
    assert await node.who(provider.token(node.clock.now, name="Ada\x1b[31m\n \u202eL.", email="a\x9b@example.com"))
    (row,) = await _users(frame)
    assert (row["staff_name"], row["email"]) == ("Ada\\x1b[31m \\u202eL.", "a\\x9b@example.com")


async def test_name_and_admin_follow_the_newest_token_and_an_older_one_gives_nothing_back(
    frame: Frame, provider: Provider, node: IdentityService
) -> None:
    now = node.clock.now
    first = provider.token(now - 20, name="Ada", groups=["staff", "admins"])
    assert (await node.who(first)).admin
    later = provider.token(now - 10, name="Ada L.", groups=["staff"])
    assert not (await node.who(later)).admin
    node.clock.now += 6
    assert not (await node.who(first)).admin
    assert not (await node.who(provider.token(now - 15, groups=["admins"]))).admin
    (row,) = await _users(frame)
    assert row["staff_name"] == "Ada L."
    for odd in ("staff", {"admins": 1}, None, [["admins"]], "/x/admins"):
        node.clock.now += 1
        assert not (await node.who(provider.token(node.clock.now, groups=odd))).admin
    assert (await _users(frame))[0]["staff_name"] == "Ada L."


@pytest.mark.parametrize(
    ("name", "claims"),
    [
        ("groups", {"groups": "admins"}),
        ("groups", {"groups": ["/admins"]}),
        ("realm_access.roles", {"realm_access": {"roles": ["admins"]}}),
        ("https://example.com/groups", {"https://example.com/groups": ["admins"]}),
    ],
)
async def test_a_group_is_found_in_each_form_of_the_claim(
    frame: Frame, provider: Provider, name: str, claims: dict[str, Any]
) -> None:
    clock = Clock()
    config = OidcIssuer(issuer=provider.issuer, audience="catenary", admin_group="admins", groups_claim=name)
    issuers = EnterpriseIssuers([config], clock.steady)
    try:
        node = IdentityService(frame, clock, issuers)
        assert (await node.who(provider.token(clock.now, **claims))).admin
        clock.now += 6
        assert not (await node.who(provider.token(clock.now, **{name.partition(".")[0]: "/x/admins"}))).admin
    finally:
        await issuers.stop()


async def test_a_token_without_kid_is_taken_of_the_only_key(provider: Provider, node: IdentityService) -> None:
    await node.who(provider.token(node.clock.now, header={"kid": None}, aud=["catenary", "account"], iat=1.8e9))


async def test_a_token_without_kid_is_refused_of_several_keys(provider: Provider, node: IdentityService) -> None:
    provider.keys["k2"] = ec_key()
    assert await _refused(node, provider.token(node.clock.now, header={"kid": None})) == "INVALID_TOKEN"


@pytest.mark.parametrize("stated", [False, None, "false", "TRUE", 1, [True]])
async def test_an_address_that_its_issuer_does_not_call_verified_is_nobody_s(
    frame: Frame, provider: Provider, node: IdentityService, monkeypatch: pytest.MonkeyPatch, stated: object
) -> None:
    """Members are added by address: whoever claims another person's would get that person's places."""

    async def address(**claims: Any) -> str:
        node.clock.now += 1
        await node.who(provider.token(node.clock.now, email="boss@example.com", **claims))
        return str((await _users(frame))[0]["email"])

    assert await address(email_verified=stated) == "", "at the first sight"
    for good in ({}, {"email_verified": True}, {"email_verified": "true"}):
        assert await address(**good) == "boss@example.com"
    assert await address(email_verified=stated) == "", "an address that is no longer verified goes"
    monkeypatch.setattr(enterprise_users, "_is_verified", lambda claims: True)  # the attack without the guard
    assert await address(email_verified=stated) == "boss@example.com"


async def test_two_issuers_people_of_one_subject_are_two_users(frame: Frame, provider: Provider) -> None:
    second = Provider()
    await second.start()
    try:
        configs = [
            OidcIssuer(issuer=issuer.issuer, audience="catenary", algorithms=["ES256"]) for issuer in (provider, second)
        ]
        node = IdentityService(frame, Clock(), EnterpriseIssuers(configs))
        ids = {(await node.who(issuer.token(node.clock.now))).user_id for issuer in (provider, second)}
        assert len(ids) == 2
        crossed = provider.token(node.clock.now, iss=second.issuer)
        assert await _refused(node, crossed) == "INVALID_TOKEN"
    finally:
        await second.stop()


async def test_a_deleted_or_disabled_person_stays_out_with_new_tokens_too(
    provider: Provider, node: IdentityService
) -> None:
    boss = await node.token("boss", admin=True)
    user_id = (await node.who(provider.token(node.clock.now))).user_id
    await node.call("User", "UpdateUser", user_service_pb2.UpdateUserRequest(user_id=user_id, disabled=True), boss)
    node.clock.now += 5
    assert await _refused(node, provider.token(node.clock.now)) == "INVALID_TOKEN"
    await node.call("User", "UpdateUser", user_service_pb2.UpdateUserRequest(user_id=user_id, disabled=False), boss)
    assert (await node.who(provider.token(node.clock.now + 1))).user_id == user_id
    await node.call("User", "DeleteUser", user_service_pb2.DeleteUserRequest(user_id=user_id), boss)
    node.clock.now += 5
    assert await _refused(node, provider.token(node.clock.now + 2, name="New")) == "INVALID_TOKEN"
    assert len(await _users(node.frame)) == 2


@pytest.mark.parametrize(
    "change",
    [
        {"aud": "other"},
        {"aud": ["account", "other"]},
        {"nonce": "n", "aud": "catenary"},
        {"header": {"typ": "logout+jwt"}},
        {"header": {"alg": "RS256"}},
        {"header": {"crit": ["x"]}},
        {"key": ec_key()},
        {"exp": 1},
        {"sub": ""},
    ],
)
async def test_a_provider_s_token_is_held_to_the_same_rules(
    provider: Provider, node: IdentityService, change: dict[str, Any]
) -> None:
    assert await _refused(node, provider.token(node.clock.now, **change)) in {"INVALID_TOKEN", "TOKEN_EXPIRED"}
    assert await _users(node.frame) == []
    await node.who(provider.token(node.clock.now))


async def test_known_keys_serve_an_hour_while_the_provider_is_down_and_come_back_with_it(
    provider: Provider, node: IdentityService
) -> None:
    await node.who(provider.token(node.clock.now))
    port = provider.port
    await provider.stop()
    for minutes in (9, 20, 59):
        node.clock.now = Clock().now + minutes * 60
        await node.who(provider.token(node.clock.now))
        await asyncio.sleep(0.05)
    node.clock.now = Clock().now + 3600
    assert await _refused(node, provider.token(node.clock.now)) == "INVALID_TOKEN"
    await provider.start(port)
    assert await _refused(node, provider.token(node.clock.now)) == "INVALID_TOKEN"  # tried less than 30 s ago
    node.clock.now += 30
    await node.who(provider.token(node.clock.now))


async def test_a_new_key_is_fetched_at_most_every_30_s_and_a_withdrawn_one_ends(
    provider: Provider, node: IdentityService
) -> None:
    await node.who(provider.token(node.clock.now))
    old = provider.keys["k1"]
    provider.keys = {"k2": ec_key()}
    assert provider.requests.count("/keys") == 1
    for _ in range(10):
        assert await _refused(node, provider.token(node.clock.now, kid="k2")) == "INVALID_TOKEN"
    assert provider.requests.count("/keys") == 1
    node.clock.now += 30
    await node.who(provider.token(node.clock.now, kid="k2"))
    assert provider.requests.count("/keys") == 2
    assert await _refused(node, provider.token(node.clock.now, kid="k1", key=old)) == "INVALID_TOKEN"
    assert provider.requests.count("/keys") == 2


async def _html(request: web.Request) -> web.StreamResponse:
    return web.Response(text="<html>Sign in</html>", content_type="text/html")


async def _redirect(request: web.Request) -> web.StreamResponse:
    raise web.HTTPFound("/elsewhere")


async def _huge(request: web.Request) -> web.StreamResponse:
    response = web.StreamResponse()
    await response.prepare(request)
    try:
        while True:
            await response.write(b" " * 65536)
    except ConnectionError:
        pass
    return response


async def _broken(request: web.Request) -> web.StreamResponse:
    return web.Response(status=500, text="{}")


async def _list(request: web.Request) -> web.StreamResponse:
    return web.json_response([])


async def _odd(request: web.Request) -> web.StreamResponse:
    return web.json_response(
        {"keys": [1, None, {"kid": 5}, {"kid": "k1"}, {"kid": "k1", "kty": "oct", "k": "c2VjcmV0"}]}
    )


async def _bomb(request: web.Request) -> web.StreamResponse:
    import gzip

    body = gzip.compress(b" " * 50_000_000)
    return web.Response(body=body, headers={"Content-Encoding": "gzip", "Content-Type": "application/json"})


@pytest.mark.parametrize("answer", [_html, _redirect, _huge, _broken, _list, _odd, _bomb])
async def test_a_provider_that_answers_badly_costs_a_401_and_is_asked_again_later(
    provider: Provider, node: IdentityService, monkeypatch: pytest.MonkeyPatch, answer: Any
) -> None:
    monkeypatch.setattr(enterprise_issuers, "TIMEOUT_SECONDS", 600.0)  # one that waits for it hangs
    provider.answer = answer
    assert await _refused(node, provider.token(node.clock.now)) == "INVALID_TOKEN"
    assert "/elsewhere" not in provider.requests
    provider.answer = None
    node.clock.now += 30
    await node.who(provider.token(node.clock.now))


@pytest.mark.slow
async def test_a_slow_provider_is_left_after_its_time_and_never_delays_a_known_key(
    provider: Provider, node: IdentityService, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(enterprise_issuers, "TIMEOUT_SECONDS", 2.0)
    unread, end = "an identity provider's keys can't be read", asyncio.Event()

    async def slow(request: web.Request) -> web.StreamResponse:
        await end.wait()
        return web.json_response({})

    await node.who(provider.token(node.clock.now))
    provider.answer = slow
    node.clock.now += enterprise_issuers.FRESH_SECONDS
    try:
        with structlog.testing.capture_logs() as logs:
            await node.who(provider.token(node.clock.now))
            assert unread not in [line["event"] for line in logs], "the read still runs"
            assert await _refused(node, provider.token(node.clock.now, kid="k9", key=ec_key())) == "INVALID_TOKEN"
            assert unread in [line["event"] for line in logs]
    finally:
        end.set()


async def test_a_kid_that_stands_twice_and_a_private_key_count_for_nothing(
    provider: Provider, node: IdentityService
) -> None:
    stranger = ec_key()
    document = provider.document()
    twice = ECAlgorithm.to_jwk(stranger.public_key(), as_dict=True) | {"kid": "k1"}
    private = ECAlgorithm.to_jwk(stranger, as_dict=True) | {"kid": "k2"}
    encrypting = ECAlgorithm.to_jwk(stranger.public_key(), as_dict=True) | {"kid": "k3", "use": "enc"}

    async def answer(request: web.Request) -> web.StreamResponse:
        return web.json_response({"keys": [*document["keys"], twice, private, encrypting]})

    provider.answer = answer
    for kid, key in (("k1", None), ("k1", stranger), ("k2", stranger), ("k3", stranger)):
        signer = key or provider.keys["k1"]
        assert await _refused(node, provider.token(node.clock.now, kid=kid, key=signer)) == "INVALID_TOKEN"


@pytest.mark.parametrize(
    "discovery",
    [
        {"issuer": "http://127.0.0.1/other"},
        {"jwks_uri": "http://192.0.2.1/keys"},
        {"jwks_uri": "file:///etc/passwd"},
        {"jwks_uri": None},
    ],
)
async def test_a_discovery_that_points_elsewhere_is_not_followed(
    provider: Provider, node: IdentityService, discovery: dict[str, Any]
) -> None:
    provider.discovery = discovery
    assert await _refused(node, provider.token(node.clock.now)) == "INVALID_TOKEN"
    assert "/keys" not in provider.requests


@pytest.mark.parametrize(
    "config",
    [
        {"issuer": "http://idp.example"},
        {"issuer": "https://idp.example", "jwks_uri": "http://idp.example/keys"},
        {"issuer": "https://idp.example", "jwks_uri": "http://127.0.0.1/keys"},
        {"issuer": "ftp://idp.example"},
        {"issuer": "https://idp.example", "algorithms": ["HS256"]},
        {"issuer": "https://idp.example", "algorithms": ["none"]},
        {"issuer": "https://idp.example", "algorithms": []},
    ],
)
def test_an_unsafe_issuer_is_refused_at_the_start(config: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="must be"):
        EnterpriseIssuers([OidcIssuer(audience="catenary", **config)])


async def test_no_log_line_and_no_refusal_holds_a_person_s_data_or_a_token(
    provider: Provider, node: IdentityService, capfd: pytest.CaptureFixture[str]
) -> None:
    canary = "Zebedee-Canary"
    sent = provider.token(node.clock.now, sub=canary, name=canary, email=f"{canary}@example.com")
    await node.who(sent)
    token = sent["authorization"].removeprefix("Bearer ")
    bad = user_service_pb2.UpdateMeRequest(my_people_page_url=f"ftp://{canary}", location_name=canary)
    refused = await refusal(node.call("User", "UpdateMe", bad, token))
    long = user_service_pb2.UpdateMeRequest(location_name=canary * 50)
    refused_too = await refusal(node.call("User", "UpdateMe", long, token))
    await provider.stop()
    node.clock.now += 4000
    expired = await refusal(node.call("User", "GetMe", user_service_pb2.GetMeRequest(), token))
    out, err = capfd.readouterr()
    for text in (str(refused), str(refused_too), str(expired), out, err, json.dumps(await events_of(node.frame.db))):
        assert canary not in text
        assert token not in text


def test_the_jwk_of_the_tests_is_one_that_libraries_read() -> None:
    key = ec_key()
    jwt.PyJWK(ECAlgorithm.to_jwk(key.public_key(), as_dict=True) | {"kid": "k1"})
