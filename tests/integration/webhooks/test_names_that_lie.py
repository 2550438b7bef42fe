"""Names of receivers that lead, or come to lead, where a webhook may not go. The look-up is a fake; connections are real."""

from __future__ import annotations

import asyncio
import socket
import ssl

import psutil
import pytest

from catenary_core.call.errors import DomainError
from catenary_core.services.webhooks.deliveries.sender import Sender
from catenary_core.services.webhooks.targets import addresses, guard
from catenary_core.services.webhooks.targets.guard import Guard
from catenary_core.services.webhooks.targets.name_lookup import LookUp
from factories.webhooks.receivers import Canary, fixed, receiver
from integration.webhooks.conftest import INTERNET

NAME = "hooks.example.com"
PUBLIC = "8.8.8.8"
_BODY = b'{"id": "1"}'
FORBIDDEN = (
    "127.0.0.1",
    "0.0.0.0",
    "::1",
    "::ffff:127.0.0.1",
    "169.254.169.254",
    "10.0.0.1",
    "fe80::1%1",
    "64:ff9b::7f00:1",
)


def names(*answers: list[str]) -> LookUp:
    """Return a name server that gives these answers in turn, and then the last one for ever."""
    left = list(answers)

    async def look_up(host: str) -> list[str]:
        return left.pop(0) if len(left) > 1 else left[0]

    return look_up


async def _refused(look_up: LookUp, url: str, public_url: str | None = None) -> None:
    with pytest.raises(DomainError) as refused:
        await guard.check(url, allow_private=False, public_url=public_url, look_up=look_up)
    assert refused.value.details["parameter"] == "url"
    assert not any(address in refused.value.message for address in FORBIDDEN)


@pytest.mark.parametrize("address", FORBIDDEN)
async def test_a_name_of_a_forbidden_address_is_refused_and_gets_nothing(address: str, canary: Canary) -> None:
    url = f"https://{NAME}:{canary.port}/hook"
    await _refused(names([address]), url)
    async with Sender(allow_private=False, look_up=names([address])) as sender:
        outcome = await sender.send(url, {}, _BODY)
    assert outcome.status is None
    assert (outcome.reason or "").startswith("url must go to a public address")
    assert await canary.touched() == 0


@pytest.mark.parametrize("found", [[PUBLIC, "127.0.0.1"], ["127.0.0.1", PUBLIC], [PUBLIC, "::1"]], ids=str)
async def test_a_name_with_one_public_and_one_private_record_is_refused_whole(found: list[str], canary: Canary) -> None:
    url = f"https://{NAME}:{canary.port}/hook"
    await _refused(names(found), url)
    async with Sender(allow_private=False, look_up=names(found)) as sender:
        assert (await sender.send(url, {}, _BODY)).status is None
    assert await canary.touched() == 0


async def test_without_the_guard_the_private_record_would_be_dialled(canary: Canary) -> None:
    # The other record is a port of this machine where nobody listens: no test calls the Internet.
    look_up = names(["127.0.0.8", "127.0.0.1"])
    async with Sender(allow_private=True, look_up=look_up) as sender:
        await sender.send(f"https://{NAME}:{canary.port}/hook", {}, _BODY)
    assert await canary.touched()


async def test_a_name_that_changes_after_it_was_checked_gets_nothing(canary: Canary) -> None:
    url, look_up = f"https://{NAME}:{canary.port}/hook", names([PUBLIC], ["127.0.0.1"])
    await guard.check(url, allow_private=False, look_up=look_up)
    async with Sender(allow_private=False, look_up=look_up) as sender:
        assert (await sender.send(url, {}, _BODY)).status is None
    assert await canary.touched() == 0


async def test_a_name_that_changes_between_look_up_and_connection_gets_nothing(
    canary: Canary, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The look-up says what it likes, and nobody checks it: what is dialled is refused all the same."""

    async def unchecked(self: Guard, host: str) -> list[str]:
        return ["127.0.0.1"]

    monkeypatch.setattr(Guard, "addresses", unchecked)
    url = f"https://{NAME}:{canary.port}/hook"
    async with Sender(allow_private=False) as sender:
        outcome = await sender.send(url, {}, _BODY)
        assert (outcome.reason or "").startswith("url must go to a public address")
        assert await canary.touched() == 0
        monkeypatch.setattr(Guard, "check_address", lambda self, address: None)
        await sender.send(url, {}, _BODY)
        assert await canary.touched() == 1


async def test_each_connection_asks_again(internet: ssl.SSLContext, monkeypatch: pytest.MonkeyPatch) -> None:
    async with receiver(fixed("HTTP/1.1 204 No Content"), internet, INTERNET) as port:
        url = f"https://{NAME}:{port}/hook"
        async with Sender(allow_private=False, look_up=names([INTERNET])) as sender:
            assert (await sender.send(url, {}, _BODY)).delivered
            monkeypatch.setattr(addresses, "is_public", lambda address: False)
            assert (await sender.send(url, {}, _BODY)).status is None


async def test_our_own_name_and_its_addresses_are_refused(
    internet: ssl.SSLContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    ours = f"https://catenary.{NAME}"
    calls: list[bytes] = []

    async def answer(head: bytes, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        calls.append(head)
        await fixed("HTTP/1.1 204 No Content")(head, reader, writer)

    async with receiver(answer, internet, INTERNET) as port:
        look_up = names([INTERNET])
        urls = (
            f"{ours}:{port}/v1/",
            f"https://CATENARY.{NAME}.:{port}/",
            f"https://{NAME}:{port}/",
            f"https://{INTERNET}:{port}/",
        )
        async with Sender(allow_private=False, public_url=ours, look_up=look_up) as sender:
            for url in urls:
                await _refused(look_up, url, ours)
                assert (await sender.send(url, {}, _BODY)).status is None
        assert calls == []
        async with Sender(allow_private=False, look_up=look_up) as sender:
            assert (await sender.send(f"https://{NAME}:{port}/", {}, _BODY)).delivered
        assert len(calls) == 1


async def test_an_address_of_this_machine_is_refused_even_when_it_is_public(
    canary: Canary, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(addresses, "is_public", lambda address: True)
    found = [one.address for all_ in psutil.net_if_addrs().values() for one in all_ if one.family == socket.AF_INET]
    assert "127.0.0.1" in found
    async with Sender(allow_private=False) as sender:
        for host in found:
            assert (await sender.send(f"https://{host}:{canary.port}/", {}, _BODY)).status is None
        assert await canary.touched() == 0
        monkeypatch.setattr(addresses, "is_local", lambda address: False)
        for host in found:
            await sender.send(f"https://{host}:{canary.port}/", {}, _BODY)
        assert await canary.touched() == len(found)


async def test_a_name_that_nobody_knows_is_taken_and_its_delivery_says_so() -> None:
    async def nobody(host: str) -> list[str]:
        raise OSError("unknown")

    url = f"https://{NAME}/hook"
    await guard.check(url, allow_private=False, look_up=nobody)
    async with Sender(allow_private=False, look_up=nobody) as sender:
        outcome = await sender.send(url, {}, _BODY)
    assert outcome.reason == "The host name can't be resolved."


async def test_a_name_server_that_never_answers_holds_nobody_up(monkeypatch: pytest.MonkeyPatch) -> None:
    async def silence(host: str) -> list[str]:
        await asyncio.Event().wait()
        return []

    monkeypatch.setattr(guard, "_CHECK_SECONDS", 0.1)
    async with asyncio.timeout(60):
        await guard.check(f"https://{NAME}/hook", allow_private=False, look_up=silence)
        async with Sender(allow_private=False, look_up=silence, total=0.1) as sender:
            outcome = await sender.send(f"https://{NAME}/hook", {}, _BODY)
    assert outcome.reason == "No answer came within 0.1 s."


async def test_our_own_name_that_cannot_be_looked_up_holds_nothing_up(
    internet: ssl.SSLContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []

    async def silence(host: str) -> list[str]:
        asked.append(host)
        await asyncio.Event().wait()
        return []

    monkeypatch.setattr(guard, "_OWN_WAIT_SECONDS", 0.1)
    async with (
        receiver(fixed("HTTP/1.1 204 No Content"), internet, INTERNET) as port,
        Sender(allow_private=False, public_url=f"https://{NAME}/", look_up=silence, total=60) as sender,
    ):
        url = f"https://{INTERNET}:{port}/hook"
        found = await asyncio.gather(*(sender.send(url, {}, _BODY) for _ in range(5)))
    assert all(outcome.delivered for outcome in found)
    assert asked == [NAME]
