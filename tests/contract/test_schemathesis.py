"""schemathesis sends what each document allows and forbids, as three roles, and holds the answers against it."""

from __future__ import annotations

import os
import subprocess
import sysconfig
import uuid
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import orjson
import pytest

from catenary.options.v1 import options_pb2
from catenary_edge import surfaces, versions
from catenary_edge.openapi import document
from catenary_edge.transcoding import routes
from catenary_edge.transcoding.routes import Route
from catenary_edge.versions.view import OlderRoute
from factories.installations.installation import ANSWER_SECONDS, ROOT, UNLIMITED, Installation, environment
from factories.installations.started import started

pytestmark = pytest.mark.slow

PROGRAM = str(Path(sysconfig.get_path("scripts")) / "schemathesis")
EXAMPLES = "4"
STALL = "120"
"""Seconds for one answer. "All checks" has a limit of 10, which a shared machine that stands still for a moment breaks."""
SECONDS = 1500
"""Only against a hang: three roles on one document took over 600 s of a machine that eight others shared."""


@dataclass(frozen=True)
class Run:
    """A run that was started, and where its report comes."""

    process: subprocess.Popen[str]
    report: Path

    def passed(self, *, least_generated: int, least_accepted: int) -> None:
        """Wait for the end, and check that nothing failed.

        At least so many requests were accepted, so that the run reached the core.
        """
        try:
            printed, _ = self.process.communicate(timeout=SECONDS)
        except subprocess.TimeoutExpired:
            self.process.kill()
            raise
        assert self.process.returncode == 0, printed
        told = orjson.loads(self.report.read_bytes())
        assert told["operations"]["tested"] == told["operations"]["selected"] > 0, printed
        assert told["test_cases"]["generated"] >= least_generated, printed
        accepted = sum(phase["accepted"] for rates in told["valid_rates"].values() for phase in rates.values())
        assert accepted >= least_accepted, printed


@pytest.fixture
def demo(data_root: Path) -> Iterator[dict[str, Any]]:
    """Yield an installation of the test's own: its Admin may delete the rows that another test needs."""
    installation = Installation(started(data_root / uuid.uuid4().hex[:12]), ["--nodes", "1"], **UNLIMITED)
    try:
        yield installation.wait()
    finally:
        for process in _started:
            process.kill()  # of a test that failed before it waited for all
            process.wait()
        _started.clear()
        installation.stop()


PLATFORM = "platform/v1"
_started: list[subprocess.Popen[str]] = []


def _data(served: Sequence[Route]) -> list[str]:
    """Return the addresses of the data services' documents."""
    found = document.by_document(served)
    return [f"{surfaces.name_of(kind)}/{version}" for kind, version in found if kind != options_pb2.SURFACE_PLATFORM]


CURRENT = _data(routes.build().routes)
OLDER = _data([route for route in versions.build().routes if isinstance(route, OlderRoute)])


@pytest.mark.parametrize(("role", "least_accepted"), [("nobody", 3), ("user", 40), ("admin", 60)])
def test_no_role_makes_the_platform_break_its_document(
    role: str, least_accepted: int, demo: dict[str, Any], tmp_path: Path
) -> None:
    """Each role has an installation and a time limit of its own: the platform's document is by far the longest."""
    caller = None if role == "nobody" else _new_client(demo, admin=role == "admin")
    _start(demo, PLATFORM, tmp_path / "report.json", caller).passed(least_generated=1000, least_accepted=least_accepted)


@pytest.mark.parametrize("name", [*CURRENT, *OLDER])
def test_no_role_makes_a_data_service_break_its_document(name: str, demo: dict[str, Any], tmp_path: Path) -> None:
    without_roles, admin = (_new_client(demo, admin=admin) for admin in (False, True))
    nobody = _start(demo, name, tmp_path / "anonymous.json")
    user = _start(demo, name, tmp_path / "user.json", without_roles)
    # Beside the others: no data service lets an Admin take anything away from them.
    by_admin = _start(demo, name, tmp_path / "admin.json", admin)
    nobody.passed(least_generated=100, least_accepted=0)
    user.passed(least_generated=100, least_accepted=1)
    by_admin.passed(least_generated=100, least_accepted=3)


def _token(demo: dict[str, Any], client: dict[str, Any]) -> str:
    named = {name: client[name] for name in ("client_id", "client_secret")}
    body = {"grant_type": "client_credentials", **named}
    answer = httpx.post(demo["base_url"] + "auth/token", json=body, timeout=ANSWER_SECONDS)
    assert answer.status_code == 200, answer.text
    return str(answer.json()["access_token"])


@dataclass(frozen=True)
class Client:
    """A caller: its token, and the ids of its client and user."""

    token: str
    ids: tuple[str, str]


def _new_client(demo: dict[str, Any], *, admin: bool) -> Client:
    """Create a client without a role in any project."""
    headers = {"Authorization": f"Bearer {_token(demo, demo)}"}
    body = {"name": "schemathesis", "admin": admin}
    made = httpx.post(demo["base_url"] + "clients", headers=headers, json=body, timeout=ANSWER_SECONDS)
    data = made.json()["data"]
    token = _token(demo, {**data["client"], "client_secret": data["client_secret"]})
    return Client(token, (data["client"]["client_id"], data["client"]["user_id"]))


def _start(demo: dict[str, Any], name: str, report: Path, caller: Client | None = None) -> Run:
    address = demo["base_url"].removesuffix("/v1/") + f"/openapi/{name}.json"
    excluded = ["positive_data_acceptance"]  # schemathesis_hooks.py has ours
    if name != PLATFORM:
        excluded.append("use_after_free")  # `show_deleted=true` shows what is deleted
    line = [PROGRAM, "run", address, "--checks", "all", "--exclude-checks", ",".join(excluded)]
    line += ["--max-examples", EXAMPLES, "--seed", "1", "--no-shrink", "--continue-on-failure", "--no-color"]
    line += [
        "--suppress-health-check",
        "all",
        "--request-timeout",
        STALL,
        "--max-response-time",
        STALL,
        "--generation-database",
        "none",
    ]
    line += ["--exclude-path", "/v1/events"]  # its answer has no end; tests/integration/events has it
    line += ["--report", "json", "--report-json-path", str(report)]
    if caller is not None:
        # The token routes take a client's credentials, which a bearer token beside them contradicts.
        line += ["--header", f"Authorization: Bearer {caller.token}", "--exclude-tag", "Auth"]
    hooks = {
        "PYTHONPATH": os.pathsep.join([environment()["PYTHONPATH"], str(ROOT / "tests")]),
        "SCHEMATHESIS_HOOKS": "contract.schemathesis_hooks",
        "KEPT_IDS": ",".join(caller.ids) if caller is not None else "",
    }
    process = subprocess.Popen(
        line,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        cwd=report.parent,
        env={**environment(), **hooks},
    )
    _started.append(process)
    return Run(process, report)
