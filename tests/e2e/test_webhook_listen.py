"""`catenary webhook listen`, as those who integrate run it; messages are signed by the scheme's own library."""

from __future__ import annotations

import datetime
import json
import re
import signal
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from standardwebhooks.webhooks import Webhook

from catenary_core.services.webhooks import signatures, signing_secrets
from catenary_core.services.webhooks.deliveries.sender import Sender
from factories.installations.installation import ANSWER_SECONDS, Running, catenary
from factories.installations.processes import Part

pytestmark = pytest.mark.slow

SECRET = signing_secrets.shown(bytes(range(32)))
EVENT = {
    "id": "01990000-0000-7000-8000-000000000001",
    "type": "project.updated",
    "occurred_at": "2026-11-21T12:00:00.123456Z",
    "project_id": None,
    "actor_id": None,
    "subject": "/v1/projects/1",
    "data": {"project": {"name": "Tower [bold] :bomb: \\[x] \x1b[31m \\"}},
}


def _headers(id_: str, body: bytes, *, secret: str = SECRET, age: float = 0) -> dict[str, str]:
    sent = datetime.datetime.now(datetime.UTC) - datetime.timedelta(seconds=age)
    signature = Webhook(secret).sign(id_, sent, body.decode())
    return {"webhook-id": id_, "webhook-timestamp": str(int(sent.timestamp())), "webhook-signature": signature}


@contextmanager
def _listening(folder: Path, *arguments: str, **variables: str) -> Iterator[tuple[Part, str]]:
    """Yield the running command and its address.

    The command must end by Ctrl-C, without a word of Python.
    """
    part = Part(folder, "listen", "webhook", "listen", "--port", "0", *arguments, **variables)
    try:
        found = part.wait_for(r"Receiving at (http://127\.0\.0\.1:\d+/);", part.log)
        yield part, found[1]
    finally:
        code = part.stop(signal.SIGINT)
    assert code == 130
    assert "Traceback" not in part.log.read_text()


def _until(read: Callable[[], list[str]], count: int) -> list[str]:
    end = time.monotonic() + 60
    while len(read()) < count:
        assert time.monotonic() < end, read()
        time.sleep(0.02)
    return read()


def test_messages_are_verified_answered_and_printed(tmp_path: Path) -> None:
    body = json.dumps(EVENT).encode()
    with (
        _listening(tmp_path, CATENARY_WEBHOOK_SECRET=SECRET) as (part, url),
        httpx.Client(timeout=ANSWER_SECONDS) as client,
    ):
        sent: list[tuple[dict[str, str], bytes, int]] = [
            (_headers("msg_1", body), body, 204),
            (_headers("msg_1", body), body, 204),
            (_headers("msg_2", body, secret=signing_secrets.shown(bytes(32))), body, 401),
            (_headers("msg_3", body, age=301), body, 401),
            ({}, body, 401),
            (_headers("msg_4", b"[1]"), b"[1]", 400),
            (_headers("msg_2", body), body, 204),
            (_headers("msg_5", body) | {"webhook-id": "\xff"}, body, 401),
        ]
        for headers, content, status in sent:
            raw = {name: value.encode("latin-1") for name, value in headers.items()}
            answer = client.post(f"{url}any/path?x=1", content=content, headers=raw)
            assert answer.status_code == status
        assert client.get(url).status_code == 405
        lines = _until(lambda: part.out.read_text().splitlines(), len(sent))
    start = "2026-11-21T12:00:00  "
    event = "project.updated               /v1/projects/1"
    assert lines == [
        f"{start}valid      {event}  msg_1",
        f"{start}valid      {event}  msg_1  sent again",
        f"{start}invalid    {event}  msg_2  no signature is made with this secret over this body",
        f"{start}invalid    {event}  msg_3  the message is {_age(lines[3])} s old; 300 s are allowed",
        f"{start}invalid    {event}  -  the header webhook-id is missing",
        f"{'-':<19}  valid      {'-':<28}  -  msg_4  the body is not an event",
        f"{start}valid      {event}  msg_2",
        f"{start}invalid    {event}  ?  no signature is made with this secret over this body",
    ]


def _age(line: str) -> str:
    found = re.search(r"is (\d+) s old", line)
    assert found, line
    return found[1]


def test_json_has_the_whole_event_and_no_secret_means_unchecked(tmp_path: Path) -> None:
    body = json.dumps(EVENT).encode()
    with _listening(tmp_path, "--json") as (part, url):
        assert "signatures are not verified" in part.wait_for(r".* not verified.*", part.log)[0]
        for headers in (_headers("msg_1", body), _headers("msg_1", body), {}):
            assert httpx.post(url, content=body, headers=headers, timeout=ANSWER_SECONDS).status_code == 204
        assert httpx.post(url, content=b"not JSON", timeout=ANSWER_SECONDS).status_code == 400
        found: list[dict[str, Any]] = [
            json.loads(line) for line in _until(lambda: part.out.read_text().splitlines(), 4)
        ]
    common = {"signature": "unchecked", "problem": None, "event": EVENT}
    assert found == [
        {"webhook_id": "msg_1", "again": False} | common,
        {"webhook_id": "msg_1", "again": True} | common,
        {"webhook_id": None, "again": False} | common,
        {"webhook_id": None, "again": False} | common | {"problem": "the body is not an event", "event": None},
    ]


def test_a_server_with_the_flag_reaches_it(running: Running, tmp_path: Path) -> None:
    with _listening(tmp_path, "--json", "--secret", SECRET) as (part, url):
        asked = {"url": f"{url}hook", "events": ["project.created"], "secret": SECRET}
        made = running.http.post("webhooks", json=asked).json()["data"]
        try:
            assert made["secret"] == SECRET
            project = running.http.post("projects", json={"name": "Listened to"}).json()["data"]["project"]
            (line,) = _until(lambda: part.out.read_text().splitlines(), 1)
        finally:
            running.http.delete(f"webhooks/{made['webhook']['webhook_id']}")
    found = json.loads(line)
    assert (found["signature"], found["problem"], found["again"]) == ("valid", None, False)
    assert found["webhook_id"] == found["event"]["id"]
    assert found["event"]["type"] == "project.created"
    assert found["event"]["subject"] == f"/v1/projects/{project['project_id']}"


async def test_it_takes_what_our_own_sender_sends(tmp_path: Path) -> None:
    body = json.dumps(EVENT).encode()
    with _listening(tmp_path, "--secret", "a secret of one's own") as (part, url):
        key = signing_secrets.read("a secret of one's own")
        headers = signatures.headers([bytes(24), key], "msg_1", int(time.time()), body)
        async with Sender(allow_private=True) as sender:
            outcome = await sender.send(url, headers, body)
        assert outcome.status == 204
        assert "valid" in _until(lambda: part.out.read_text().splitlines(), 1)[0]


def test_nothing_that_comes_steers_the_terminal(tmp_path: Path) -> None:
    event = EVENT | {"type": "\x1b[2J\x07[red]x", "subject": "a\nb"}
    with _listening(tmp_path) as (part, url):
        headers = {"webhook-id": "m"}
        httpx.post(url, content=json.dumps(event).encode(), headers=headers, timeout=ANSWER_SECONDS)
        (line,) = _until(lambda: part.out.read_text().splitlines(), 1)
    assert "\ufffd[2J\ufffd[red]x" in line
    assert "a\ufffdb" in line


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--secret", "short"), "secret must have 16 to 255 characters"),
        (("--secret", "whsec_short"), "secret must have base64 after whsec_"),
    ],
)
def test_a_wrong_secret_is_said_in_one_sentence(arguments: tuple[str, ...], said: str) -> None:
    refused = catenary("webhook", "listen", "--port", "0", *arguments)
    assert refused.returncode == 1
    assert refused.stderr.startswith(f"Error: {said}")
    assert "short" not in refused.stderr


def test_a_port_that_is_taken_is_said_in_one_sentence() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        refused = catenary("webhook", "listen", "--port", str(port))
    assert refused.returncode == 1
    assert refused.stderr == (
        f"Error: can't listen on 127.0.0.1:{port}: address already in use; give another --port, or 0 for a free port\n"
    )
