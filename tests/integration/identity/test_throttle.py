"""Guessing a client's secret."""

from __future__ import annotations

import asyncio

import pytest
import sqlalchemy as sa

from catenary.platform.v1 import auth_service_pb2 as pb
from catenary_core.database.statements import Statement
from catenary_core.frame import Frame
from catenary_core.services.identity.tokens import throttle
from catenary_core.services.identity.tokens.throttle import FAILURES_A_MINUTE
from catenary_wire import limit_sentences
from factories.services.identity import Clock, IdentityService
from factories.services.refusals import Refused, refusal

_AGE = Statement(sa.text("UPDATE identity.failed_grant SET failed_at = failed_at - interval '61 s'"))
_COUNT = Statement(sa.text("SELECT count(*) AS n FROM identity.failed_grant"))


async def _guess(node: IdentityService, client_id: str, address: str) -> Refused:
    request = pb.IssueTokenRequest(grant_type="client_credentials", client_id=client_id, client_secret="guess")
    return await refusal(node.call("Auth", "IssueToken", request, catenary_client_address=address))


async def test_20_failures_a_minute_of_a_client_over_all_nodes_and_then_429_while_the_right_secret_still_works(
    frame: Frame,
) -> None:
    nodes = [IdentityService(frame, Clock()) for _ in range(2)]
    row, secret = await nodes[0].client()
    answers = await asyncio.gather(
        *(_guess(nodes[number % 2], row["client_id"], f"192.0.2.{number}") for number in range(30))
    )
    reasons = [answer.reason for answer in answers]
    assert reasons.count("INVALID_CLIENT") == FAILURES_A_MINUTE
    assert reasons.count("RATE_LIMIT_EXCEEDED") == 10
    late = next(answer for answer in answers if answer.reason == "RATE_LIMIT_EXCEEDED")
    assert late.retry_after is not None
    assert 0 < late.retry_after <= 60
    assert late.message == limit_sentences.failed_attempts(late.retry_after), "header and text agree"
    await nodes[0].token_of(row["client_id"], secret)
    other, _ = await nodes[0].client()
    assert (await _guess(nodes[0], other["client_id"], "198.51.100.1")).reason == "INVALID_CLIENT"


async def test_an_unknown_client_is_throttled_like_a_known_one_and_an_address_over_all_clients(frame: Frame) -> None:
    node = IdentityService(frame)
    for number in range(FAILURES_A_MINUTE):
        assert (await _guess(node, f"unknown-{number}", "2001:db8::1")).reason == "INVALID_CLIENT"
    assert (await _guess(node, "one-more", "2001:db8::2")).reason == "RATE_LIMIT_EXCEEDED"
    assert (await _guess(node, "one-more", "2001:db8:0:1::2")).reason == "INVALID_CLIENT"
    async with frame.db.read() as tx:
        rows = (await tx.one(_COUNT))["n"]
    for number in range(30):
        assert (await _guess(node, f"more-{number}", "2001:db8::3")).reason == "RATE_LIMIT_EXCEEDED"
    async with frame.db.read() as tx:
        assert (await tx.one(_COUNT))["n"] == rows


async def test_a_minute_later_the_client_is_asked_again_and_old_rows_go(frame: Frame) -> None:
    node = IdentityService(frame)
    row, _ = await node.client()
    for _ in range(FAILURES_A_MINUTE):
        await _guess(node, row["client_id"], "192.0.2.1")
    assert (await _guess(node, row["client_id"], "192.0.2.1")).reason == "RATE_LIMIT_EXCEEDED"
    async with frame.db.transaction() as tx:
        await tx.execute(_AGE)
    assert (await _guess(node, row["client_id"], "192.0.2.1")).reason == "RATE_LIMIT_EXCEEDED"  # as the node remembers
    node.clock.now += 60
    assert (await _guess(node, row["client_id"], "192.0.2.1")).reason == "INVALID_CLIENT"
    async with frame.db.read() as tx:
        assert (await tx.one(_COUNT))["n"] == 2


async def test_without_the_throttle_guessing_goes_on(frame: Frame, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(throttle, "FAILURES_A_MINUTE", 10**6)
    node = IdentityService(frame)
    row, _ = await node.client()
    reasons = {(await _guess(node, row["client_id"], "192.0.2.1")).reason for _ in range(FAILURES_A_MINUTE + 5)}
    assert reasons == {"INVALID_CLIENT"}
