"""Words of people about themselves and others stay out of the logs and the event log (guide/conventions.md, "Events").

Canaries stand where names, e-mail addresses and comments do, while they are written, read, refused, and while the database fails
at them in a way that nothing foresees.
"""

from __future__ import annotations

import asyncio
import base64
import dataclasses
import signal
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import grpc
import httpx
import orjson
import psycopg
import pytest
import uuid_utils

from catenary.comments.v2 import comment_service_pb2, comment_service_pb2_grpc
from catenary_cli.installation import clients, worker_tokens
from catenary_edge.transcoding import services
from factories.installations.installation import ANSWER_SECONDS, free_port
from factories.installations.processes import Part, running

pytestmark = pytest.mark.slow

CANARY = "Zebedee-Canary"
EMAIL = f"{CANARY}@example.com"
# Text that is nobody's but the caller's: events may have it, logs may not.
TEXT = "Quagga-Canary"
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
MODEL = f"""
import sys
PARAMETERS = [{{"name": "note", "type": "string", "default": ""}}]
METRICS = []

def evaluate(p):
    print("{TEXT}", p["note"])
    print("{TEXT}", p["note"], file=sys.stderr)
    if "fault" in p["note"]:
        raise ValueError(p["note"])
    return {{"metrics": {{}}}}
"""
# Each fails on a write that the service takes for good; PostgreSQL's words then show the whole row.
FAULTS = (
    "ALTER TABLE comments.comment ADD CONSTRAINT fault CHECK (content NOT LIKE '%fault%') NOT VALID",
    "ALTER TABLE environment.project ADD CONSTRAINT fault CHECK (project_director_name NOT LIKE '%fault%') NOT VALID",
    "ALTER TABLE parameter.revision ADD CONSTRAINT fault CHECK (concat(comment, review_comment) NOT LIKE '%fault%') NOT VALID",
    "ALTER TABLE identity.\"user\" ADD CONSTRAINT fault CHECK (location_name NOT LIKE '%fault%') NOT VALID",
    "ALTER TABLE qa.record ADD CONSTRAINT fault CHECK (reference_table NOT LIKE '%fault%') NOT VALID",
    "ALTER TABLE reference.source ADD CONSTRAINT fault CHECK (title NOT LIKE '%fault%') NOT VALID",
    "ALTER TABLE metadata.tag ADD CONSTRAINT fault CHECK (name NOT LIKE '%fault%') NOT VALID",
    "ALTER TABLE projects.project ADD CONSTRAINT fault CHECK (description NOT LIKE '%fault%') NOT VALID",
)


class Caller:
    """Calls the node, checking each status."""

    def __init__(self, http: httpx.Client) -> None:
        self.http = http

    def __call__(self, method: str, path: str, status: int, **given: Any) -> Any:
        answer = self.http.request(method, path, **given)
        assert answer.status_code == status, f"{method} {path}: {answer.status_code} {answer.text}"
        return answer.json()


@dataclass(frozen=True)
class Served:
    """A client of an installation, the logs of its parts, and the gRPC address of its core."""

    http: httpx.Client
    logs: list[Path]
    grpc_address: str
    worker_token: str = ""

    def wait_until_up(self) -> None:
        deadline = time.monotonic() + 60
        while True:
            shown = "\n".join(log.read_text() for log in self.logs)
            assert time.monotonic() < deadline, shown
            try:
                if self.http.get("/.well-known/jwks.json").status_code == 200:
                    return
            except httpx.TransportError:
                pass
            time.sleep(0.1)


@contextmanager
def _node(dsn: str, folder: Path) -> Iterator[Served]:
    """Yield a node, as `serve` starts it, and a worker, all with `--verbose`."""
    port, grpc_port = free_port(), free_port()
    ports = ("--port", str(port), "--grpc-port", str(grpc_port), "--socket", str(folder / "w"))
    with (
        running(folder, "node", "node", *ports, "--dev", "--verbose", **_variables(dsn, folder)) as node,
        httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=ANSWER_SECONDS) as http,
    ):
        served = Served(http, [node.log], f"127.0.0.1:{grpc_port}")
        served.wait_until_up()
        token = _worker_token(dsn)
        with _worker(folder, f"unix:{folder / 'w'}", token) as worker:
            yield dataclasses.replace(served, logs=[node.log, worker.log], worker_token=token)
            worker.stop()
        # The second signal, which ends the block, is for the workers' door, as from the supervisor.
        node.process.send_signal(signal.SIGTERM)
        time.sleep(0.2)


@contextmanager
def _apart(dsn: str, folder: Path) -> Iterator[Served]:
    """Core, edge and worker as processes of their own, all with `--verbose`."""
    line = ["core", "--grpc-port", "0", "--verbose"]
    with running(folder, "core", *line, **_variables(dsn, folder)) as core:
        address = core.wait_for(r"gRPC core on (127\.0\.0\.1:\d+)\n")[1]
        line = ["edge", "--core", address, "--port", "0", "--dev", "--verbose"]
        token = _worker_token(dsn)
        with running(folder, "edge", *line) as edge, _worker(folder, address, token) as worker:
            port = edge.wait_for(r"HTTP edge on 127\.0\.0\.1:(\d+)")[1]
            with httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=ANSWER_SECONDS) as http:
                served = Served(http, [core.log, edge.log, worker.log], address, token)
                served.wait_until_up()
                yield served


def _variables(dsn: str, folder: Path) -> dict[str, str]:
    secret = base64.b64encode(SECRET).decode()
    return {"CATENARY_DATABASE_URL": dsn, "CATENARY_SECRET_KEY": secret, "CATENARY_DATA_DIR": str(folder / "data")}


def _worker(folder: Path, address: str, token: str) -> AbstractContextManager[Part]:
    return running(folder, "worker", "worker", "--core", address, "--verbose", CATENARY_WORKER_TOKEN=token)


def _worker_token(dsn: str) -> str:
    return asyncio.run(worker_tokens.create(dsn, "Personal data"))


def _add_user(dsn: str) -> str:
    """Add a person as an enterprise login does."""
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
    assert EMAIL in str(call("GET", "/v1/users", 200, params={"search": CANARY.upper()}))
    call("GET", "/v1/users", 400, params={"search": CANARY * 50})
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


def _qa(call: Caller) -> None:
    kind = call("POST", "/qa/v2/record_types", 201, json={"name": TEXT})["record_type"]["id"]
    given = {"type_id": kind, "reference_id": NOBODY, "reference_table": TEXT, "reference_url": f"{URL}/{TEXT}"}
    made = call("POST", "/qa/v2/records", 201, json=[given])["records"][0]
    # Who made it is a person.
    assert CANARY in str(made["created_by"])
    call("POST", "/qa/v2/records", 400, json=[{**given, "reference_url": TEXT}])
    call("POST", "/qa/v2/records", 500, json=[{**given, "reference_table": f"{TEXT} fault"}])
    assert CANARY in str(call("GET", "/qa/v2/records", 200, params={"type_id": kind}))
    call("POST", "/qa/v2/record_types", 409, json={"name": TEXT})


def _sources(call: Caller) -> None:
    kind = call("POST", "/reference/v2/source_types", 201, json={"name": TEXT})["source_type"]["id"]
    given = {"source_type_id": kind, "title": TEXT, "reference": TEXT, "scope": TEXT}
    made = call("POST", "/reference/v2/sources", 201, json=given)["source"]["id"]
    call("POST", "/reference/v2/sources", 400, json={**given, "date_year": TEXT})
    call("POST", "/reference/v2/sources", 500, json={**given, "title": f"{TEXT} fault"})
    call("PATCH", f"/reference/v2/sources/{made}", 200, json={"title": f"{TEXT} II"})
    assert TEXT in str(call("GET", "/reference/v2/sources", 200, params={"title": f"{TEXT} II"}))
    call("GET", "/reference/v2/sources", 400, params={"source_id": TEXT})
    call("POST", "/reference/v2/source_types", 409, json={"name": TEXT})
    call("DELETE", f"/reference/v2/sources/{made}", 200)


def _tags(call: Caller, project: str) -> None:
    kind = call("POST", "/metadata/v1/tag_types", 201, json={"name": TEXT, "allow_custom": True})["tag_type"]["id"]
    given = {"name": TEXT, "tag_type_id": kind, "tag_scope": project}
    tag = call("POST", "/metadata/v1/tags", 201, json=given)["tag"]["id"]
    call("POST", "/metadata/v1/tags", 409, json=given)
    call("POST", "/metadata/v1/tags", 400, json={**given, "tag_scope": TEXT})
    call("POST", "/metadata/v1/tags", 500, json={**given, "name": f"{TEXT} fault"})
    link = {"tag_id": tag, "reference_id": NOBODY, "reference_table": TEXT, "reference_url": f"{URL}/{TEXT}"}
    call("PUT", "/metadata/v1/tag_links", 200, json={"tag_links": [link]})
    call("PUT", "/metadata/v1/tag_links", 400, json={"tag_links": [{**link, "reference_url": TEXT}]})
    call("GET", f"/metadata/v1/tags/{tag}/links/{TEXT}", 400)
    call("DELETE", f"/metadata/v1/tags/{tag}", 200)


def _platform(call: Caller, user_id: str) -> list[str]:
    """Projects, teams, clients, keys, and a model that says what it should keep to itself; the secrets that were given."""
    client = call("POST", "/v1/clients", 201, json={"name": CANARY})["data"]
    key = call("POST", "/v1/api_keys", 201, json={"name": TEXT, "scopes": ["platform:read"]})["data"]["key"]
    call("GET", "/v1/projects", 401, headers={"X-API-Key": f"cat_{CANARY}", "Authorization": ""})
    team = call("POST", "/v1/teams", 201, json={"name": TEXT})["data"]["team"]["team_id"]
    call("PUT", f"/v1/teams/{team}/members/{user_id}", 200)
    assert CANARY in str(call("GET", f"/v1/teams/{team}/members", 200))
    project = call("POST", "/v1/projects", 201, json={"name": TEXT, "description": TEXT})["data"]["project"][
        "project_id"
    ]
    call("POST", "/v1/projects", 500, json={"name": TEXT, "description": f"{TEXT} fault"})
    path = f"/v1/projects/{project}"
    assert call("POST", f"{path}/members", 201, json={"email": EMAIL, "role": "evaluator"})["data"]["member"]["name"]
    call("POST", f"{path}/members", 409, json={"email": EMAIL, "role": "evaluator"})
    call("POST", f"{path}/members", 400, json={"email": f"x{EMAIL}", "role": "evaluator"})
    call("POST", f"{path}/members", 400, json={"email": EMAIL * 30, "role": "evaluator"})
    call("PUT", f"{path}/members/{user_id}", 200, json={"role": "viewer"})
    assert CANARY in str(call("GET", f"{path}/members", 200))
    model = call("POST", f"{path}/models", 201, json={"name": TEXT})["data"]["model"]["model_id"]
    versions = f"{path}/models/{model}/versions"
    python = {"Content-Type": "text/x-python"}
    call("POST", versions, 201, content=f"PARAMETERS = [{TEXT}\n".encode(), headers=python)
    version = call("POST", versions, 201, content=MODEL.encode(), headers=python)["data"]["model_version"]
    deadline = time.monotonic() + 60
    while call("GET", f"{versions}/{version['model_version_id']}", 200)["data"]["model_version"]["status"] != "ready":
        assert time.monotonic() < deadline
        time.sleep(0.1)
    call("POST", f"{path}/deployments", 201, json={"model_version_id": version["model_version_id"]})
    for note, status in ((TEXT, "completed"), (f"{TEXT} fault", "failed")):
        done = call("POST", f"{path}/evaluate", 200, json={"parameters": {"note": note}})["data"]["evaluation"]
        assert done["status"] == status, done
    call("POST", f"{path}/evaluate", 400, json={"parameters": {"note": [TEXT], TEXT: 1}})
    _notifications(call, path)
    return [key, client["client_secret"]]


def _notifications(call: Caller, project: str) -> None:
    asked = {"parameters": {"note": f"{TEXT} later"}}
    call("POST", f"{project}/evaluate", 202, json=asked, headers={"Prefer": "respond-async"})
    deadline = time.monotonic() + 60
    while not (told := call("GET", "/v1/notifications", 200)["data"]["notifications"]):
        assert time.monotonic() < deadline
        time.sleep(0.1)
    assert TEXT in told[0]["title"], "the project's name"
    assert CANARY not in told[0]["title"]
    assert told[0]["actor"]["staff_name"] == CANARY
    call("PATCH", f"/v1/notifications/{told[0]['notification_id']}", 200, json={"read": True})
    call("PATCH", f"/v1/notifications/{CANARY}", 400, json={"read": True})


def _over_grpc(served: Served, token: str) -> None:
    """Call over gRPC, with requests that are taken and requests that are refused."""
    given = {"reference_id": NOBODY, "reference_table": "asset", "reference_url": URL, "content": CANARY}
    with grpc.insecure_channel(served.grpc_address) as channel:
        stub = comment_service_pb2_grpc.CommentServiceStub(channel)
        for item, credential, code in (
            (given, token, grpc.StatusCode.OK),
            ({**given, "reference_url": CANARY}, token, grpc.StatusCode.INVALID_ARGUMENT),
            (given, CANARY, grpc.StatusCode.UNAUTHENTICATED),
        ):
            request = comment_service_pb2.CreateCommentsRequest(comments=[item])
            metadata = [("authorization", f"Bearer {credential}")]
            call = stub.CreateComments.future(request, metadata=metadata, timeout=ANSWER_SECONDS)
            assert call.code() == code


PARTS = {"node": _node, "apart": _apart}


# Slow in processes apart: the same calls, log lines and events as of one node.
@pytest.mark.parametrize("parts", ["node", pytest.param("apart", marks=pytest.mark.slow)])
def test_no_persons_data_is_in_the_logs_or_the_events(dsn: str, data_root: Path, parts: str) -> None:
    folder = data_root / f"canary-{parts}"
    folder.mkdir(mode=0o711)
    made = asyncio.run(clients.create(dsn, SECRET, CANARY, admin=True))
    user_id, other_id = _add_user(dsn), _add_user(dsn)
    with psycopg.connect(dsn, autocommit=True) as connection:
        for fault in FAULTS:
            connection.execute(fault)
        # What a log of the database's own words would show: the attack works without the guard.
        with pytest.raises(psycopg.errors.CheckViolation, match=CANARY):
            connection.execute('UPDATE identity."user" SET location_name = %s', (f"{CANARY} fault",))
    with PARTS[parts](dsn, folder) as served:
        http = served.http
        call = Caller(http)
        token = call("POST", "/v1/auth/token", 200, json={"grant_type": "client_credentials", **made})["access_token"]
        call("POST", "/v1/auth/token", 401, json={"grant_type": "client_credentials", **made, "client_secret": CANARY})
        call("GET", "/v1/users/me", 401, headers={"Authorization": f"Bearer {CANARY}"})
        http.headers["Authorization"] = f"Bearer {token}"
        _users(call, user_id)
        call("PATCH", "/v1/users/me", 500, json={"location_name": f"{CANARY} fault"})
        _comments(call)
        project = _projects(call)
        _entries(call, project)
        _qa(call)
        _sources(call)
        _tags(call, project)
        given = _platform(call, other_id)
        _over_grpc(served, token)
    secrets = [token, token.rpartition(".")[2], made["client_secret"], served.worker_token, *given]
    logs = [log.read_text() for log in served.logs]
    for log in logs:
        for canary in (CANARY, TEXT, *secrets):
            assert [line for line in log.splitlines() if canary.lower() in line.lower()] == []
    lines = [orjson.loads(line) for log in logs for line in log.splitlines()]
    assert {"call", "request", "job done"} <= {line["event"] for line in lines}
    faults = [line for line in lines if line["event"] == "unexpected fault"]
    assert [line["error"] for line in faults] == ["CheckViolation"] * 9
    # A fault can be found without its words: where it arose is there.
    assert all("servicer.py" in " ".join(line["frames"]) for line in faults)
    with psycopg.connect(dsn) as connection:
        events = connection.execute("SELECT type, subject, data::text FROM events.event").fetchall()
    written = {type_ for type_, _, _ in events}
    # Every service has written some.
    assert {name.partition(".")[0] for name in written} >= {
        "user", "project", "model", "comments", "reference", "qa", "environment", "parameter", "metadata",
    }  # fmt: skip
    assert [event for event in events if CANARY.lower() in " ".join(event).lower()] == []


def test_every_field_of_a_person_says_so_in_its_proto() -> None:
    """`debug_redact` keeps it out of a message's text; the fields are those that hold personal data."""
    persons = {
        "staff_name",
        "email",
        "staff_id",
        "company_centre_unit",
        "location_name",
        "grade_level",
        "my_people_page_url",
    }
    persons |= PEOPLE.keys()
    found = [
        field
        for file in services.generated_files()
        for message in file.message_types_by_name.values()
        for field in message.fields
        if field.name in persons
    ]
    assert {field.name for field in found} == persons
    assert [field.full_name for field in found if not field.GetOptions().debug_redact] == []
