"""The setup of `serve --demo` on a new server: a client, a project with the demo models, and one evaluation."""

from __future__ import annotations

import asyncio
import os
import shlex
import ssl
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any

import orjson

from catenary_cli import show
from catenary_cli.remote.api import DEMO_FILE, Access, Api
from catenary_cli.remote.checks import until_ready

if TYPE_CHECKING:
    from catenary_cli.installation.prepared import Prepared
    from catenary_cli.installation.serving import Serving

MODELS = ("twisted_tower", "truss_bridge", "space_frame_roof")
DEPLOYED = "twisted_tower"
Progress = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Demo:
    """The addresses and credentials that a new user needs, and the evaluation of the demo."""

    base_url: str
    """Address of the REST API, ending in `/v1/`."""
    grpc_address: str
    client_id: str
    client_secret: str
    project_id: str
    environment_project_id: str | None
    """The tower's project; None if it could not be made or was deleted."""
    evaluation: dict[str, Any]
    """The evaluation, as the REST API returns it."""
    file: Path
    """The file that holds the demo's addresses and credentials."""
    certificate: Path | None
    """Certificate of the server; None without TLS."""

    @property
    def curl(self) -> str:
        """Shell commands that get a token, evaluate with it, and list the tower's rejected parameters, if any."""
        curl = "curl -s" if self.certificate is None else f"curl -s --cacert {shlex.quote(str(self.certificate))}"
        evaluation = (
            f"TOKEN=$({curl} {self.base_url}auth/token -H 'Content-Type: application/json'"
            f' -d \'{{"grant_type":"client_credentials","client_id":"{self.client_id}","client_secret":"{self.client_secret}"}}\''
            " | python3 -c 'import json,sys; print(json.load(sys.stdin)[\"access_token\"])')\n"
            f'{curl} {self.base_url}projects/{self.project_id}/evaluate -H "Authorization: Bearer $TOKEN"'
            " -H 'Content-Type: application/json' -d '{\"parameters\":{\"storeys\":42}}'"
        )
        if self.environment_project_id is None:
            return evaluation
        query = f"project_id={self.environment_project_id}&qa_status=rejected&page_limit=5"
        return (
            f"{evaluation}\n"
            f'{curl} "{_root(self.base_url)}parameter/v1/parameters?{query}" -H "Authorization: Bearer $TOKEN"'
        )


async def ensure(ready: Prepared, running: Serving, certificate: Path | None, progress: Progress) -> Demo:
    """Make the demo, or reuse the one of the data directory, and evaluate the deployed model once.

    Args:
        ready: The prepared installation.
        running: The running server.
        certificate: The server's certificate; None without TLS.
        progress: Called with each step's description.
    """
    path = ready.data_dir / DEMO_FILE
    known: dict[str, str] = orjson.loads(path.read_bytes()) if path.exists() else {}
    if not known:
        progress("Making the demo client")
        from catenary_cli.installation import clients

        known = await clients.create(ready.dsn, ready.secret, "Demo", admin=True)
        _write_private(path, known)
    known |= {"base_url": running.base_url, "grpc_address": running.grpc_address}
    own = Access(running.local_url, known["client_id"], known["client_secret"])
    async with Api(own, None if certificate is None else _own_context(certificate)) as api:
        # Together: checks of the models keep the workers busy, the data keep this process busy.
        project_id, (environment_project_id, is_new) = await asyncio.gather(
            _ensure_project(api, known, progress), _ensure_data(api, ready, known, progress)
        )
        if is_new:
            await api.patch(f"projects/{project_id}", {"environment_project_id": environment_project_id})
        known["project_id"] = project_id
        _write_private(path, known)
        progress("Evaluating the twisted tower")
        answer = await api.post(f"projects/{known['project_id']}/evaluate", {"parameters": {}})
    return Demo(
        base_url=known["base_url"],
        grpc_address=known["grpc_address"],
        client_id=known["client_id"],
        client_secret=known["client_secret"],
        project_id=known["project_id"],
        environment_project_id=environment_project_id,
        evaluation=answer["evaluation"],
        file=path,
        certificate=certificate,
    )


async def _ensure_data(
    api: Api, ready: Prepared, known: Mapping[str, str], progress: Progress
) -> tuple[str | None, bool]:
    """Return the id of the environment project with its tower, and whether this call made it.

    The project is made only if the database never had one. The id is None if a user deleted the project, or if its data
    conflict with the data in the database.
    """
    from catenary_cli.demo import environment, tower

    number = tower.PROJECT["project_number"]
    found = await api.rows(f"/environment/v2/projects?number={number}&show_deleted=true", "projects")
    if found:
        return next((str(row["project_id"]) for row in found if row["deleted_at"] is None), None), False
    progress("Making a tower of 500 parameters")
    try:
        return await environment.make(ready, known["client_id"], _root(known["base_url"])), True
    except environment.DemoDataError as error:
        show.line(f"The demo has no tower with parameters: {error}.")
        return None, False


def _root(base_url: str) -> str:
    """Return the address of the edge without the version at the end of base addresses."""
    return base_url.removesuffix("v1/")


def _own_context(certificate: Path) -> ssl.SSLContext:
    """Return a TLS context that trusts exactly our own certificate.

    Its name is not checked: we call ourselves by loopback.
    """
    context = ssl.create_default_context(cafile=certificate)
    context.check_hostname = False
    context.verify_flags |= ssl.VERIFY_X509_PARTIAL_CHAIN
    return context


async def _ensure_project(api: Api, known: Mapping[str, str], progress: Progress) -> str:
    if "project_id" in known:
        return known["project_id"]
    project = (await api.post("projects", {"name": "Demo", "description": "The models that come with Catenary."}))[
        "project"
    ]
    project_id = str(project["project_id"])
    folder = resources.files("catenary_cli.demo") / "models"
    versions = {}
    for name in MODELS:
        progress(f"Uploading {name.replace('_', ' ')}")
        model = (await api.post(f"projects/{project_id}/models", {"name": name.replace("_", " ").capitalize()}))[
            "model"
        ]
        versions_path = f"projects/{project_id}/models/{model['model_id']}/versions"
        with resources.as_file(folder / f"{name}.py") as file:
            version = (await api.upload(versions_path, file))["model_version"]
        versions[name] = f"{versions_path}/{version['model_version_id']}"
    for name, version_path in versions.items():
        progress(f"Checking {name.replace('_', ' ')}")
        await until_ready(api, version_path)
    version_id = versions[DEPLOYED].rsplit("/", 1)[1]
    await api.post(f"projects/{project_id}/deployments", {"model_version_id": version_id})
    return project_id


def _write_private(path: Path, content: dict[str, str]) -> None:
    draft = path.with_suffix(".new")
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        file.write(orjson.dumps(content, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE))
    draft.replace(path)
