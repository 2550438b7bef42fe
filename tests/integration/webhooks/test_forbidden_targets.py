"""The addresses forbidden to webhooks: made, changed, delivered, redirected. None touches a canary of this machine."""

from __future__ import annotations

import asyncio
import contextlib
import os
import socket
import ssl
from pathlib import Path

import aiohttp
import pytest

from catenary_core.call.errors import DomainError
from catenary_core.services.webhooks.deliveries.sender import Sender
from catenary_core.services.webhooks.targets import guard
from factories.webhooks.receivers import Canary, fixed, receiver
from factories.webhooks.targets import ROWS, Row, ours, reaches
from integration.webhooks.conftest import INTERNET

every_row = pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
OPEN = [row for row in ROWS if row.reached == "open"]
NAIVE = [row for row in ROWS if row.reached == "naive"]
REDIRECTS = (301, 302, 303, 307, 308)
_BODY = b'{"id": "1"}'


def test_the_table_has_at_least_sixty_urls_each_once() -> None:
    assert len(ROWS) >= 60
    assert len({row.name for row in ROWS}) == len({row.url for row in ROWS}) == len(ROWS)


@every_row
async def test_a_webhook_is_neither_made_with_nor_changed_to_a_forbidden_url(row: Row, canary: Canary) -> None:
    with pytest.raises(DomainError) as refused:
        await guard.check(row.at(canary.port), allow_private=False)
    assert refused.value.reason == "VALIDATION_ERROR"
    assert refused.value.details["parameter"] == "url"
    assert refused.value.message.startswith("url must ")
    # The url may have a password in it, and what a name resolves to is nobody's business.
    assert refused.value.details["value"] is None
    assert "password" not in refused.value.message.replace("user name or password", "")
    assert await canary.touched() == 0


@pytest.mark.parametrize("url", ["http://127.0.0.1:8090/", "ftp://hooks.example/", "https://127.0.0.1:8090/"])
async def test_a_refusal_of_a_local_receiver_names_the_setting_that_allows_it(url: str) -> None:
    with pytest.raises(DomainError) as refused:
        await guard.check(url, allow_private=False)
    assert refused.value.message.endswith("--webhook-allow-private to allow private addresses and plain http")


@every_row
async def test_nothing_is_delivered_to_a_forbidden_url(row: Row, canary: Canary) -> None:
    async with Sender(allow_private=False) as sender:
        outcome = await sender.send(row.at(canary.port), {}, _BODY)
    assert outcome.status is None
    assert outcome.reason is not None
    if row.name != "a name under localhost":  # which a machine may not know at all
        assert outcome.reason.startswith("url must ")
    assert await canary.touched() == 0


@pytest.mark.parametrize(
    "status",
    [301, 302, 307, *(pytest.param(status, marks=pytest.mark.slow) for status in (303, 304, 305, 306, 308))],
)
async def test_a_redirect_to_a_forbidden_url_is_not_followed(
    status: int, internet: ssl.SSLContext, canary: Canary
) -> None:
    location = ""

    async def answer(head: bytes, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await fixed(f"HTTP/1.1 {status} Elsewhere\nLocation: {location}")(head, reader, writer)

    async with receiver(answer, internet, INTERNET) as port, Sender(allow_private=False) as sender:
        for row in (*ROWS, *ours()):
            location = row.at(canary.port).translate({10: "%0A", 13: "%0D", 0: "%00"})
            outcome = await sender.send(f"https://{INTERNET}:{port}/hook", {}, _BODY)
            assert outcome.status == status, row.name
            assert not outcome.delivered
            assert await canary.touched() == 0, row.name


@pytest.mark.parametrize("status", REDIRECTS)
async def test_a_client_that_follows_redirects_would_touch_the_canary(
    status: int, internet: ssl.SSLContext, canary: Canary
) -> None:
    location = ""

    async def answer(head: bytes, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await fixed(f"HTTP/1.1 {status} Elsewhere\nLocation: {location}")(head, reader, writer)

    connector = aiohttp.TCPConnector(ssl=ssl.create_default_context())
    async with receiver(answer, internet, INTERNET) as port, aiohttp.ClientSession(connector=connector) as session:
        for row in filter(lambda row: reaches(row.host), (*OPEN, *ours())):
            location = row.at(canary.port)
            with contextlib.suppress(aiohttp.ClientError):
                await session.post(f"https://{INTERNET}:{port}/hook", data=_BODY)
            assert await canary.touched(), row.name


@pytest.mark.parametrize("row", OPEN, ids=lambda row: row.name)
async def test_without_the_guard_our_own_sender_would_touch_the_canary(row: Row, canary: Canary) -> None:
    if not reaches(row.host):
        pytest.skip("this machine has no such address")
    await guard.check(row.at(canary.port), allow_private=True)
    async with Sender(allow_private=True) as sender:
        await sender.send(row.at(canary.port), {}, _BODY)
    assert await canary.touched()


async def test_what_this_machine_calls_its_own_is_forbidden_like_the_rest(canary: Canary) -> None:
    """The three tests above for its name and the addresses of its interfaces."""
    rows = list(ours())
    if not rows:  # as in a container without a network; the table of fixed addresses is tried there too
        pytest.skip("this machine has no name and no address but loopback")
    for row in rows:
        await test_a_webhook_is_neither_made_with_nor_changed_to_a_forbidden_url(row, canary)
        await test_nothing_is_delivered_to_a_forbidden_url(row, canary)
        await test_without_the_guard_our_own_sender_would_touch_the_canary(row, canary)


@pytest.mark.parametrize("row", NAIVE, ids=lambda row: row.name)
async def test_a_client_that_leaves_the_host_to_the_c_library_would_touch_the_canary(row: Row, canary: Canary) -> None:
    def connect() -> None:
        socket.create_connection((row.host, canary.port), timeout=60).close()

    await asyncio.to_thread(connect)
    assert await canary.touched()


async def test_proxy_variables_and_netrc_are_ignored(
    internet: ssl.SSLContext, canary: Canary, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    netrc = tmp_path / "netrc"
    netrc.write_text(f"machine {INTERNET} login somebody password secret\n")
    netrc.chmod(0o600)
    monkeypatch.setenv("NETRC", str(netrc))
    heads: list[bytes] = []

    async def answer(head: bytes, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        heads.append(head.lower())
        await fixed("HTTP/1.1 204 No Content")(head, reader, writer)

    def to_the_canary() -> None:
        for name in ("https_proxy", "http_proxy", "all_proxy"):
            monkeypatch.setenv(name, f"http://127.0.0.1:{canary.port}")
            monkeypatch.setenv(name.upper(), f"http://127.0.0.1:{canary.port}")
        monkeypatch.delenv("NO_PROXY", raising=False)
        monkeypatch.delenv("no_proxy", raising=False)

    async with receiver(answer, internet, INTERNET) as port:
        url = f"https://{INTERNET}:{port}/hook"
        connector = aiohttp.TCPConnector(ssl=ssl.create_default_context())
        async with (
            Sender(allow_private=False) as sender,
            aiohttp.ClientSession(connector=connector, trust_env=True) as trusting,
        ):
            for name in [name for name in os.environ if name.lower().endswith("_proxy")]:
                monkeypatch.delenv(name)
            assert (await sender.send(url, {}, _BODY)).delivered
            assert b"authorization" not in heads[-1]
            await trusting.post(url, data=_BODY)
            assert b"authorization: basic" in heads[-1]

            to_the_canary()
            assert (await sender.send(url, {}, _BODY)).delivered
            assert await canary.touched() == 0
            with contextlib.suppress(aiohttp.ClientError):
                await trusting.post(url, data=_BODY)
            assert await canary.touched() == 1
