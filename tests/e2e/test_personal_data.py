"""What people write about themselves and others stays out of the logs and the event log (contract, section 8).

Canaries stand where names, e-mail addresses and comments do, while they are written, read, refused, and while the database fails
at them in a way that nothing foresees.
"""

from __future__ import annotations

import asyncio
import base64
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import orjson
import psycopg
import pytest
import uuid_utils

from catenary_cli import clients
from factories.installation import environment, free_port

CANARY = "Zebedee-Canary"
EMAIL = f"{CANARY}@example.com"
SECRET = bytes(range(32))
NOBODY = "00000000-0000-7000-8000-000000000000"
URL = "https://example.com/x"
PROJECTS, COMMENTS, ENTRIES = "/environment/v2/projects", "/comments/v2/comments", "/parameter/v1/entries"
PEOPLE = {
    "project_director_name": CANARY,
    "project_director_email": EMAIL,
    "project_manager_name": CANARY,
    "project_manager_email": EMAIL,
}
# Each fails on a write that the service takes for good; PostgreSQL's words then show the whole row.
FAULTS = (
    "ALTER TABLE comments.comment ADD CONSTRAINT fault CHECK (content NOT LIKE '%fault%') NOT VALID",
    "ALTER TABLE environment.project ADD CONSTRAINT fault CHECK (project_director_name NOT LIKE '%fault%') NOT VALID",
    "ALTER TABLE parameter.revision ADD CONSTRAINT fault CHECK (comment NOT LIKE '%fault%') NOT VALID",
    "ALTER TABLE identity.\"user\" ADD CONSTRAINT fault CHECK (location_name NOT LIKE '%fault%') NOT VALID",
)


class Caller:
    """Calls the node, checking each status."""

    def __init__(self, http: httpx.Client) -> None:
        self.http = http

    def __call__(self, method: str, path: str, status: int, **given: Any) -> Any:
        answer = self.http.request(method, path, **given)
        assert answer.status_code == status, f"{method} {path}: {answer.status_code} {answer.text}"
        return answer.json()


@contextmanager
def _node(dsn: str, folder: Path, log: Path) -> Iterator[httpx.Client]:
    """A node with `--verbose` on the database, as `serve` starts it; its standard error is the log."""
    port, grpc_port = free_port(), free_port()
    arguments = [
        "--port",
        str(port),
        "--grpc-port",
        str(grpc_port),
        "--socket",
        str(folder / "w"),
        "--dev",
        "--verbose",
    ]
    secrets = {"CATENARY_DATABASE_URL": dsn, "CATENARY_SECRET_KEY": base64.b64encode(SECRET).decode()}
    with log.open("wb") as out:
        process = subprocess.Popen(
            [sys.executable, "-m", "catenary_cli", "node", *arguments],
            stdout=out,
            stderr=subprocess.STDOUT,
            env={**environment(), **secrets, "CATENARY_DATA_DIR": str(folder)},
        )
        try:
            with httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=30) as http:
                _wait(http, process, log)
                yield http
        finally:
            # The second signal is for the workers' door, as from the supervisor.
            for _ in range(2):
                process.send_signal(signal.SIGTERM)
                time.sleep(0.2)
            try:
                process.wait(20)
            finally:
                process.kill()


def _wait(http: httpx.Client, process: subprocess.Popen[bytes], log: Path) -> None:
    deadline = time.monotonic() + 60
    while True:
        assert process.poll() is None, log.read_text()
        assert time.monotonic() < deadline, log.read_text()
        try:
            http.get("/.well-known/jwks.json")
        except httpx.TransportError:
            time.sleep(0.1)
        else:
            return


def _add_user(dsn: str) -> str:
    """A person, as an enterprise login makes one."""
    user_id = str(uuid_utils.uuid7())
    with psycopg.connect(dsn, autocommit=True) as connection:
        statement = 'INSERT INTO identity."user" (id, staff_name, email, admin) VALUES (%s, %s, %s, false)'
        connection.execute(statement, (user_id, CANARY, EMAIL))
    return user_id


def _users(call: Caller, user_id: str) -> None:
    assert CANARY in str(call("GET", "/v1/users", 200))
    assert call("GET", f"/v1/users/{user_id}", 200)["data"]["user"]["email"] == EMAIL
    for path in ("/v1/users/me", f"/v1/users/{user_id}"):
        call("PATCH", path, 200, json={"location_name": CANARY, "my_people_page_url": f"https://example.com/{CANARY}"})
        call("PATCH", path, 400, json={"location_name": CANARY * 50})
        call("PATCH", path, 400, json={"my_people_page_url": f"ftp://{CANARY}"})
    call("GET", f"/v1/users/{EMAIL}", 400)
    call("GET", f"/v1/users/{CANARY}/{CANARY}", 404)
    call("GET", "/v1/users", 400, params={"email": EMAIL})
    call("DELETE", f"/v1/users/{user_id}", 200)


def _comments(call: Caller) -> None:
    given = {"reference_id": NOBODY, "reference_table": "asset", "reference_url": URL, "content": CANARY}
    made = call("POST", COMMENTS, 201, json=[given])["comments"][0]
    assert made["content"] == CANARY
    call("PATCH", f"{COMMENTS}/{made['id']}", 200, json={"content": f"{CANARY}!"})
    call("PATCH", f"{COMMENTS}/{made['id']}", 400, json={"content": CANARY * 1000})
    call("POST", COMMENTS, 400, json=[{**given, "author": CANARY}])
    call("POST", COMMENTS, 400, json=[{**given, "reference_id": CANARY}])
    call(
        "POST", COMMENTS, 400, content=f'[{{"content":"{CANARY}"'.encode(), headers={"Content-Type": "application/json"}
    )
    assert CANARY in str(call("GET", COMMENTS, 200))
    call("GET", COMMENTS, 400, params={"after": CANARY})
    call("DELETE", f"{COMMENTS}/{made['id']}", 200)
    call("POST", COMMENTS, 500, json=[{**given, "content": f"{CANARY} fault"}])


def _projects(call: Caller) -> str:
    made = call("POST", PROJECTS, 201, json={"number": "1", **PEOPLE})["project"]
    assert made["project_director_email"] == EMAIL
    project = str(made["project_id"])
    call("POST", PROJECTS, 409, json={"number": "1", **PEOPLE})
    call("POST", PROJECTS, 400, json={"number": "2", **PEOPLE, "project_manager_email": f"{CANARY} at home"})
    call("PATCH", f"{PROJECTS}/{project}", 200, json={**PEOPLE, "project_manager_name": f"{CANARY} II"})
    call("PATCH", f"{PROJECTS}/{project}", 500, json={"project_director_name": f"{CANARY} fault"})
    assert EMAIL in str(call("GET", PROJECTS, 200))
    assert call("GET", PROJECTS, 200, params={"number": CANARY})["projects"] == []
    call("GET", PROJECTS, 400, params={"project_manager_name": CANARY})
    return project


def _entries(call: Caller, project: str) -> None:
    kind = call("GET", "/reference/v2/source_types", 200)["source_types"][0]["id"]
    source = call(
        "POST",
        "/reference/v2/sources",
        201,
        json={"source_type_id": kind, "title": "Survey", "reference": "1", "date_year": "2028"},
    )
    text = call("POST", "/parameter/v1/parameter_types", 201, json={"name": "Finish", "data_type": "string"})
    content = {"source_id": source["source"]["id"], "values": [{"value": "fair"}], "comment": CANARY}
    item = {"project_id": project, "parameter_type_id": text["parameter_types"][0]["id"], "entries": [content]}
    parameter = call("POST", "/parameter/v1/parameters", 201, json=item)["parameters"][0]
    entry = {**content, "parameter_id": parameter["id"], "entry_id": parameter["selected_entry"]["entry_id"]}
    call("PUT", ENTRIES, 200, json={"entries": [{**entry, "comment": f"{CANARY} II"}]})
    call("PUT", ENTRIES, 400, json={"entries": [{**entry, "comment": CANARY * 1000}]})
    call("PUT", ENTRIES, 409, json={"entries": [{**entry, "entry_id": NOBODY}]})
    call("PUT", ENTRIES, 500, json={"entries": [{**entry, "comment": f"{CANARY} fault"}]})
    revisions = f"{ENTRIES}/{entry['entry_id']}/revisions"
    latest = {"revision_id": call("GET", revisions, 200)["revisions"][0]["revision_id"], "status": "rejected"}
    call("PATCH", "/parameter/v1/revisions", 200, json={"revisions": [{**latest, "comment": CANARY}]})
    call("PATCH", "/parameter/v1/revisions", 500, json={"revisions": [{**latest, "comment": f"{CANARY} fault"}]})
    assert CANARY in str(call("GET", ENTRIES, 200))
    call("DELETE", f"{ENTRIES}/{entry['entry_id']}", 200)
    call("DELETE", f"/parameter/v1/parameters/{parameter['id']}", 200)


def test_no_persons_data_is_in_the_logs_or_the_events(dsn: str, tmp_path: Path) -> None:
    made = asyncio.run(clients.create(dsn, SECRET, CANARY, admin=True))
    user_id = _add_user(dsn)
    with psycopg.connect(dsn, autocommit=True) as connection:
        for fault in FAULTS:
            connection.execute(fault)
        # What a log of the database's own words would show: the attack works without the guard.
        with pytest.raises(psycopg.errors.CheckViolation, match=CANARY):
            connection.execute('UPDATE identity."user" SET location_name = %s', (f"{CANARY} fault",))
    log = tmp_path / "node.log"
    with _node(dsn, tmp_path, log) as http:
        call = Caller(http)
        token = call("POST", "/v1/auth/token", 200, json={"grant_type": "client_credentials", **made})["access_token"]
        call("POST", "/v1/auth/token", 401, json={"grant_type": "client_credentials", **made, "client_secret": CANARY})
        call("GET", "/v1/users/me", 401, headers={"Authorization": f"Bearer {CANARY}"})
        http.headers["Authorization"] = f"Bearer {token}"
        _users(call, user_id)
        call("PATCH", "/v1/users/me", 500, json={"location_name": f"{CANARY} fault"})
        _comments(call)
        _entries(call, _projects(call))
    told = [line for line in log.read_text().splitlines() if CANARY.lower() in line.lower()]
    assert told == []
    lines = [orjson.loads(line) for line in log.read_bytes().splitlines()]
    faults = [line for line in lines if line["event"] == "unexpected fault"]
    assert [line["error"] for line in faults] == ["CheckViolation"] * 5
    # A fault can be found without its words: where it arose is there.
    assert all("servicer.py" in " ".join(line["frames"]) for line in faults)
    assert {"call", "request"} <= {line["event"] for line in lines}
    with psycopg.connect(dsn) as connection:
        events = connection.execute("SELECT type, subject, data::text FROM events.event").fetchall()
    of = {"user.login", "comments.comment.created", "environment.project.updated", "parameter.entry.updated"}
    assert of <= {type_ for type_, _, _ in events}, sorted({type_ for type_, _, _ in events})
    assert [event for event in events if CANARY.lower() in " ".join(event).lower()] == []
