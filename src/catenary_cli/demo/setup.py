"""The setup of `serve --demo`: a client, a project with the demo models, a tower, and one evaluation."""

from __future__ import annotations

import asyncio
import os
import ssl
import tempfile
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import orjson

from catenary_cli.demo.commands import Commands
from catenary_cli.remote import declared_order
from catenary_cli.remote.api import DEMO_FILE, Access, Api, demo_of
from catenary_cli.remote.checks import until_ready
from catenary_cli.running import foreseen_errors

if TYPE_CHECKING:
    from catenary_cli.installation.presence import DemoFileOwner
    from catenary_cli.installation.serving import Serving

MODELS = ("twisted_tower", "truss_bridge", "space_frame_roof")
DEPLOYED = "twisted_tower"
PROJECT = {"name": "Demo", "description": "The models that come with Catenary."}
_LOOK_SECONDS = 0.2
"""Time between two looks for the demo that another server is making."""
_WAIT_SECONDS = 600.0
"""Longest wait for the demo of another server: its file may have been removed, and then the server makes none."""
Progress = Callable[[str], None]
ResultT = TypeVar("ResultT")


@dataclass(frozen=True, slots=True, kw_only=True)
class Demo:
    """The facts of the demo for a new user."""

    client_id: str
    client_secret: str
    project_id: str | None
    """The platform's project; None if it is not complete."""
    evaluation: Mapping[str, Any] | None
    """The evaluation, as the REST API returns it; None without one."""
    commands: Sequence[tuple[str, str]]
    """Shell commands, each with its purpose."""
    file: Path
    """The file that holds addresses and credentials."""
    is_in_file: bool
    """True if the file has the addresses of this server, not those of another one that runs."""
    problems: Sequence[str]
    """The steps that failed, each with its reason."""


async def ensure(
    running: Serving, certificate: Path | None, owner: DemoFileOwner, progress: Progress, *, guest: bool = True
) -> Demo:
    """Make the missing parts of the demo, and evaluate the deployed model once.

    A step that fails is a problem of the demo and ends nothing: the server runs all the same, and the next start makes
    what is missing.

    Args:
        running: The running server.
        certificate: The server's certificate; None without TLS.
        owner: The right to write the demo's file.
        progress: Called with each step's description.
        guest: Whether the demo guest may sign in.

    Raises:
        ValueError: The demo's file is damaged, or another server has made none within 10 minutes.
    """
    data_dir = running.ready.data_dir
    path = data_dir / DEMO_FILE
    end = time.monotonic() + _WAIT_SECONDS
    while not owner.try_own() and not path.exists():
        if time.monotonic() > end:
            raise ValueError(
                f"another server holds the demo and {path} is not there; stop that server, then start again"
            )
        progress("Waiting for the demo that another server makes")
        await asyncio.sleep(_LOOK_SECONDS)
    before = demo_of(data_dir)
    known = dict(before) or await _make_client(running, progress)
    known |= {"base_url": running.base_url, "grpc_address": running.grpc_address}
    setup = _Setup(running, known, progress, guest=guest)
    own = Access(running.local_url, known["client_id"], known["client_secret"])
    async with Api(own, None if certificate is None else _own_context(certificate)) as api:
        await setup.run(api)
    if owner.try_own() and known != before:
        _write_private(path, known)
    state = setup.state
    commands = Commands(
        root_url=running.root_url,
        client_id=known["client_id"],
        client_secret=known["client_secret"],
        project_id=None if state is None else setup.project_id,
        parameters=None if state is None else state["parameters"],
        environment_project_id=setup.tower_id,
        certificate=certificate,
    )
    return Demo(
        client_id=known["client_id"],
        client_secret=known["client_secret"],
        project_id=setup.project_id,
        evaluation=setup.evaluation,
        commands=commands.lines(),
        file=path,
        is_in_file=owner.try_own(),
        problems=setup.problems,
    )


class _Setup:
    """The steps of one start, and their results; a failed step is a problem."""

    def __init__(self, running: Serving, known: dict[str, str], progress: Progress, *, guest: bool) -> None:
        self._running = running
        self._has_guest = guest
        self._known = known
        self._progress = progress
        self.problems: list[str] = []
        self.project_id: str | None = None
        """The platform's project."""
        self.tower_id: str | None = None
        """The tower's project."""
        self.state: Mapping[str, Any] | None = None
        """The platform's project with the parameters of the deployed version (None without one)."""
        self.evaluation: Mapping[str, Any] | None = None

    async def run(self, api: Api) -> None:
        """Do every step that is possible."""
        login = "The demo's client can't log in (without demo.json the next start makes another client)"
        if await self._attempt(login, api.token()) is None:
            return
        # Together: checks of the models keep the workers busy, the data keep this process busy.
        project, tower = await asyncio.gather(
            self._attempt("The demo's project is not complete", self._ensure_project(api)),
            self._attempt("The demo has no tower with parameters", self._ensure_tower(api)),
        )
        self.tower_id, is_tower_new = tower or (None, False)
        if project is None:
            return
        project_id, is_project_new = project
        self.project_id = project_id
        self.state = await self._attempt("The demo's project can't be read", _state(api, project_id))
        if self.state is None:
            return
        if self.tower_id is not None and (is_tower_new or is_project_new):
            change = {"environment_project_id": self.tower_id}
            link = api.patch(f"projects/{project_id}", change)
            if await self._attempt("The demo's project is not linked to the tower", link) is None:
                return  # without the id in the file, the next start completes the project
        if self._has_guest:
            guest = self._ensure_guest(api, project_id)
            await self._attempt("The demo's guest does not own the project, so the Studio can't open it", guest)
        self._known["project_id"] = project_id
        if self.state["parameters"] is None:
            self.problems.append("The demo's project has no deployed model, so none was evaluated.")
            return
        self._progress("Evaluating the deployed model")
        asked = api.post(f"projects/{project_id}/evaluate", {"parameters": {}}, {"Prefer": "wait=60"})
        answer = await self._attempt("The demo's model was not evaluated", asked)
        if answer is not None:
            ordered = declared_order.ordered(api, answer["evaluation"])
            shown = await self._attempt("The order of the demo's metrics can't be read", ordered)
            self.evaluation = shown or answer["evaluation"]

    async def _attempt(self, problem: str, work: Awaitable[ResultT]) -> ResultT | None:
        """Return the result of a step; None if it failed, which is noted."""
        try:
            return await work
        except foreseen_errors() as error:
            reason = str(error).strip().rstrip(".") or "no answer in time"
            self.problems.append(f"{problem}: {reason}.")
            return None

    async def _ensure_tower(self, api: Api) -> tuple[str | None, bool]:
        """Return the id of the environment project with its tower, and whether this call made it.

        The project is made only if the database never had one. The id is None if a user deleted the project.
        """
        from catenary_cli.demo import environment, tower

        number = tower.PROJECT["project_number"]
        found = await api.rows(f"/environment/v2/projects?number={number}&show_deleted=true", "projects")
        if found:
            return next((str(row["project_id"]) for row in found if row["deleted_at"] is None), None), False
        self._progress("Making a tower of 500 parameters")
        root_url = self._running.root_url
        return await environment.make(self._running.ready, self._known["client_id"], root_url), True

    async def _ensure_guest(self, api: Api, project_id: str) -> None:
        """Make the demo guest an owner of the project."""
        from catenary_cli.installation import clients

        ready = self._running.ready
        user_id = await clients.ensure_guest(ready.dsn, ready.secret)
        members = await api.pages(f"projects/{project_id}/members", "members")
        if all(one["user_id"] != user_id for one in members):
            await api.post(f"projects/{project_id}/members", {"user_id": user_id, "role": "owner"})

    async def _ensure_project(self, api: Api) -> tuple[str, bool]:
        """Return the id of the project with the models, and whether this call completed it.

        Parts that an earlier start has made are found by their names.
        """
        if "project_id" in self._known:
            return self._known["project_id"], False
        project = await api.find_or_create("projects", "project", PROJECT)
        project_id = str(project["project_id"])
        folder = resources.files("catenary_cli.demo") / "models"
        versions = {}
        for name in MODELS:
            self._progress(f"Uploading {name.replace('_', ' ')}")
            fields = {"name": name.replace("_", " ").capitalize()}
            model = await api.find_or_create(f"projects/{project_id}/models", "model", fields)
            versions_path = f"projects/{project_id}/models/{model['model_id']}/versions"
            version_id = model["latest_model_version_id"]
            if version_id is None:
                with resources.as_file(folder / f"{name}.py") as file:
                    version_id = (await api.upload(versions_path, file))["model_version"]["model_version_id"]
            versions[name] = f"{versions_path}/{version_id}"
        for name, version_path in versions.items():
            self._progress(f"Checking {name.replace('_', ' ')}")
            await until_ready(api, version_path)
        if project["deployed_model_version_id"] is None:
            version_id = versions[DEPLOYED].rsplit("/", 1)[1]
            await api.post(f"projects/{project_id}/deployments", {"model_version_id": version_id})
        return project_id, True


async def _make_client(running: Serving, progress: Progress) -> dict[str, str]:
    progress("Making the demo client")
    from catenary_cli.installation import clients

    return await clients.create(running.ready.dsn, running.ready.secret, "Demo", admin=True)


async def _state(api: Api, project_id: str) -> Mapping[str, Any]:
    """Return the project with the parameters of its deployed version (None without one)."""
    project = (await api.get(f"projects/{project_id}"))["project"]
    if project["deployed_model_version_id"] is None:
        return {**project, "parameters": None}
    return {**project, "parameters": (await api.get(f"projects/{project_id}/parameters"))["parameters"]}


def _own_context(certificate: Path) -> ssl.SSLContext:
    """Return a TLS context that trusts exactly our own certificate.

    Its name is not checked: we call ourselves by loopback.
    """
    context = ssl.create_default_context(cafile=certificate)
    context.check_hostname = False
    context.verify_flags |= ssl.VERIFY_X509_PARTIAL_CHAIN
    return context


def _write_private(path: Path, content: Mapping[str, str]) -> None:
    """Write a file for its owner alone; readers see the old content or the new one, never a part."""
    descriptor, draft = tempfile.mkstemp(dir=path.parent, prefix=f"{path.name}.")
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(orjson.dumps(content, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE))
            file.flush()
            os.fsync(file.fileno())
        Path(draft).replace(path)
    except BaseException:
        Path(draft).unlink(missing_ok=True)
        raise
