"""A new secret for a running installation: whatever was issued goes on, and the old secret ends."""

from __future__ import annotations

import os
import pty
import re
import stat
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import httpx
import orjson
import pytest
import standardwebhooks

from catenary_core.secrets import random_secret, secret_text
from factories.installations.installation import ANSWER_SECONDS, UNLIMITED, catenary, environment
from factories.installations.processes import Part, running

pytestmark = pytest.mark.slow  # an installation of its own, started four times


class _Receiver:
    """A receiver of webhooks on loopback."""

    def __init__(self) -> None:
        self.got: list[tuple[bytes, dict[str, str]]] = []
        self._changed = threading.Condition()
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            def log_message(self, *_: object) -> None:
                pass

            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                self.send_response(204)
                self.end_headers()
                with receiver._changed:
                    receiver.got.append((body, dict(self.headers)))
                    receiver._changed.notify_all()

        self.server = HTTPServer(("127.0.0.1", 0), Handler)

    def verified(self, secret: str, name: str) -> bool:
        """Wait for the event of a project's making; return whether the webhook's secret signed it."""

        def of_name() -> list[tuple[bytes, dict[str, str]]]:
            return [one for one in self.got if name.encode() in one[0]]

        with self._changed:
            assert self._changed.wait_for(of_name, ANSWER_SECONDS)
            body, headers = of_name()[0]
        standardwebhooks.Webhook(secret).verify(body, headers)
        return True


@contextmanager
def _receiving() -> Iterator[_Receiver]:
    receiver = _Receiver()
    thread = threading.Thread(target=receiver.server.serve_forever)
    thread.start()
    try:
        yield receiver
    finally:
        receiver.server.shutdown()
        thread.join()
        receiver.server.server_close()


@contextmanager
def _server(folder: Path, name: str, data_dir: Path, **variables: str) -> Iterator[str]:
    """Run `serve` until the block ends; yield its address."""
    line = ["serve", "--port", "0", "--grpc-port", "0", "--workers", "0", "--dev", "--webhook-allow-private"]
    with running(folder, name, *line, "--data-dir", str(data_dir), **UNLIMITED, **variables) as part:
        yield part.wait_for(r"REST +(http://\S+/v1/)\n")[1]


def _refused(*line: str, **variables: str) -> str:
    done = catenary(*line, **variables)
    assert done.returncode == 1, done.stdout
    assert "Traceback" not in done.stderr
    return done.stderr


class _Issued:
    """The credentials and cursors that an installation has issued, for use at each of its nodes."""

    def __init__(self, url: str, made: dict[str, str], receiver: _Receiver) -> None:
        self._made, self._receiver = made, receiver
        with self._http(url) as http:
            self._token = self._new_token(http)
            headers = {"Authorization": f"Bearer {self._token}"}
            key = http.post("api_keys", headers=headers, json={"name": "k", "scopes": ["platform:read"]})
            assert key.status_code == 201, key.text
            self._key = key.json()["data"]["key"]
            for name in ("one", "two"):
                http.post("projects", headers=headers, json={"name": name}).raise_for_status()
            page = http.get("projects", headers=headers, params={"limit": 1})
            self._cursor = page.json()["metadata"]["next_cursor"]
            target = f"http://127.0.0.1:{receiver.server.server_port}/"
            hook = http.post("webhooks", headers=headers, json={"url": target, "events": ["project.created"]})
            assert hook.status_code == 201, hook.text
            self._secret = hook.json()["data"]["secret"]

    def goes_on(self, url: str, name: str) -> bool:
        """Use it all; a project of this name is the event of the webhook."""
        with self._http(url) as http:
            bearer = {"Authorization": f"Bearer {self._token}"}
            for headers in (bearer, {"X-API-Key": self._key}):
                page = http.get("projects", headers=headers, params={"limit": 1, "cursor": self._cursor})
                assert page.status_code == 200, page.text
            assert len(page.json()["data"]["projects"]) == 1
            http.post("projects", headers=bearer, json={"name": name}).raise_for_status()
            assert self._receiver.verified(self._secret, name)
            self._token = self._new_token(http)  # for the next node
        return True

    def _new_token(self, http: httpx.Client) -> str:
        answer = http.post("auth/token", json={"grant_type": "client_credentials", **self._made})
        assert answer.status_code == 200, answer.text
        return str(answer.json()["access_token"])

    def _http(self, url: str) -> httpx.Client:
        return httpx.Client(base_url=url, timeout=ANSWER_SECONDS)


def test_all_goes_on_through_a_rotation_with_the_secret_in_the_data_directory(data_root: Path, tmp_path: Path) -> None:
    data_dir = data_root / "rotated"
    key_file, at = data_dir / "secret.key", ("--data-dir", str(data_dir))
    with _receiving() as receiver:
        with _server(tmp_path, "old", data_dir) as old_url:
            old = key_file.read_text()
            made: dict[str, str] = orjson.loads(catenary("client", "create", "A", "--admin", "--json", *at).stdout)
            issued = _Issued(old_url, made, receiver)
            rotated = catenary("secret", "rotate", *at)
            assert rotated.returncode == 0, rotated.stderr
            new = key_file.read_text()
            assert new != old
            assert new not in rotated.stdout + rotated.stderr
            assert stat.S_IMODE(key_file.stat().st_mode) == 0o600
            assert "a rotation is under way since" in _refused("secret", "rotate", *at)
            with _server(tmp_path, "new", data_dir) as new_url:
                assert issued.goes_on(old_url, "beside-1")
                assert issued.goes_on(new_url, "beside-2")
                assert issued.goes_on(old_url, "beside-3")
                assert "nodes still run with the old secret" in _refused("secret", "retire", *at)
                assert "nodes run with the new secret" in _refused("secret", "cancel", *at)
                shown = catenary("secret", "status", *at).stdout
                assert re.search(r"^\w{16} +current .* \S+-\d+ *-?$", shown, re.MULTILINE), shown
                assert re.search(r"^\w{16} +new .* \S+-\d+ +this command$", shown, re.MULTILINE), shown
                assert old not in shown
                assert new not in shown
        with _server(tmp_path, "again", data_dir) as url:
            retired = catenary("secret", "retire", *at)
            assert retired.returncode == 0, retired.stderr
            assert issued.goes_on(url, "after-1")
            assert "was retired or taken back; put the valid one" in _refused(
                "secret", "status", *at, CATENARY_SECRET_KEY=old
            )
            assert not list(data_dir.glob("secret.key?*"))
        ended = Part(tmp_path, "ended", "serve", "--port", "0", "--grpc-port", "0", *at, CATENARY_SECRET_KEY=old)
        assert ended.process.wait(120) == 1
        assert "was retired or taken back; put the valid one" in ended.log.read_text() + ended.out.read_text()
        with _server(tmp_path, "last", data_dir) as url:
            assert issued.goes_on(url, "after-2")


def _at_terminal(*line: str, **variables: str) -> str:
    """Run a command whose standard output is a terminal; return what it printed there."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "catenary_cli", *line], stdout=theirs, stderr=subprocess.PIPE,
        env={**environment(), "TERM": "dumb", **variables},
    )  # fmt: skip
    os.close(theirs)
    printed = b""
    try:
        while part := os.read(ours, 65536):
            printed += part
    except OSError:  # Linux says so of a terminal that its last process has closed
        pass
    finally:
        os.close(ours)
    _, errors = process.communicate(timeout=120)
    assert process.returncode == 0, errors
    return printed.decode()


def test_a_secret_of_the_environment_is_shown_once_at_a_terminal_and_can_be_given(
    data_root: Path, tmp_path: Path
) -> None:
    at = ("--data-dir", str(data_root / "given"))
    old = {"CATENARY_SECRET_KEY": secret_text(random_secret())}
    assert catenary("db", "upgrade", *at, **old).returncode == 0
    foreign = {"CATENARY_SECRET_KEY": secret_text(random_secret())}
    assert "the secret is not the one of this database; put the right one" in _refused(
        "client", "create", "A", *at, **foreign
    )
    assert "at a terminal only" in _refused("secret", "rotate", *at, **old)
    printed = _at_terminal("secret", "rotate", *at, **old)
    (shown,) = re.findall(r"CATENARY_SECRET_KEY  (\S{44})\r?\n", printed)
    assert shown != old["CATENARY_SECRET_KEY"]
    for one in (old, {"CATENARY_SECRET_KEY": shown}):
        status = catenary("secret", "status", *at, **one)
        assert status.returncode == 0, status.stderr
        assert shown not in status.stdout
    assert "this command still has the old secret" in _refused("secret", "retire", *at, **old)
    taken_back = catenary("secret", "cancel", *at, CATENARY_SECRET_KEY=shown)
    assert taken_back.returncode == 0, taken_back.stderr
    assert "Put the old secret back" in taken_back.stdout
    assert "was retired" in _refused("secret", "status", *at, CATENARY_SECRET_KEY=shown)
    file = tmp_path / "new"
    file.write_text("short")
    assert f"{file} must be 32 bytes in base64" in _refused("secret", "rotate", "--new-file", str(file), *at, **old)
    given: dict[str, Any] = {"CATENARY_SECRET_KEY": secret_text(random_secret())}
    file.write_text(f"{given['CATENARY_SECRET_KEY']}\n")
    rotated = catenary("secret", "rotate", "--new-file", str(file), *at, **old)
    assert rotated.returncode == 0, rotated.stderr
    assert given["CATENARY_SECRET_KEY"] not in rotated.stdout + rotated.stderr
    assert catenary("secret", "retire", *at, **given).returncode == 0
    assert "was retired" in _refused("secret", "status", *at, **old)
    assert not (data_root / "given" / "secret.key").exists()
