"""Clients that generators make of the served documents. Needs npm (`apt-get install npm`) and the package registries."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path
from typing import Any

import httpx
import orjson
import pytest

from factories.installations.installation import ANSWER_SECONDS, ROOT, Running

pytestmark = pytest.mark.slow

NPM_PACKAGES = ("openapi-typescript@^7", "typescript@^5")  # openapi-typescript 7 works with typescript 5 alone
SECONDS = 600.0
METHODS = {"get", "post", "put", "patch", "delete"}


def _run(folder: Path, *line: str | Path, path: Path | None = None) -> str:
    """Run a program to its end and return its output."""
    # A registry's certificate is checked against the system's authorities, which the other tests are spared.
    environment = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "SSL_CERT_FILE")}
    if path is not None:
        environment["PATH"] = f"{path}{os.pathsep}{environment['PATH']}"
    done = subprocess.run(
        [*map(str, line)], cwd=folder, env=environment, capture_output=True, text=True, timeout=SECONDS, check=False
    )
    assert done.returncode == 0, (
        f"{line[0]} ended with {done.returncode}:\n{done.stdout[-4000:]}\n{done.stderr[-4000:]}"
    )
    return done.stdout + done.stderr


def _new_folder(data_root: Path, name: str) -> Path:
    """Make a folder of a new name: a worker of pytest may leave this module and come back, with new fixtures."""
    return Path(tempfile.mkdtemp(prefix=f"{name}-", dir=data_root))


@pytest.fixture(scope="module")
def documents(running: Running, data_root: Path) -> dict[str, Path]:
    """Save the served documents; return the files by names such as `platform_v1`."""
    folder = _new_folder(data_root, "documents")
    root = running.demo["base_url"].removesuffix("v1/")
    found = {}
    for listed in httpx.get(f"{root}openapi.json", timeout=ANSWER_SECONDS).json()["documents"]:
        url = httpx.URL(root).join(listed["url"])
        name = "_".join(Path(url.path).with_suffix("").parts[-2:])
        found[name] = folder / f"{name}.json"
        found[name].write_bytes(httpx.get(url, timeout=ANSWER_SECONDS).content)
    assert len(found) >= 15
    return found


@pytest.fixture(scope="module")
def tools(data_root: Path) -> Path:
    """Install the extra `generators` into an environment of its own; return the folder of its programs."""
    folder = _new_folder(data_root, "generators")
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    _run(data_root, sys.executable, "-m", "venv", folder)
    _run(data_root, folder / "bin/python", "-m", "pip", "install", "-q", *extras["generators"])
    return folder / "bin"


def _operations(document: Path) -> list[dict[str, Any]]:
    paths = orjson.loads(document.read_bytes())["paths"]
    return [operation for item in paths.values() for method, operation in item.items() if method in METHODS]


def _module(name: str) -> str:
    """Return the name of an operation's module: `GetProject` as `get_project`."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[a-z])(?=[0-9])", "_", name).lower()


@pytest.fixture(scope="module")
def python_clients(documents: dict[str, Path], tools: Path, data_root: Path) -> Path:
    """Make a package of each document by openapi-python-client, without a warning; return their folder."""
    folder = _new_folder(data_root, "python_clients")
    overrides = {
        media_type: "application/octet-stream"
        for document in documents.values()
        for operation in _operations(document)
        for media_type in operation["responses"].get("200", {}).get("content", {})
        if media_type not in ("application/json", "text/event-stream")
    }
    config = folder / "config.json"
    config.write_bytes(orjson.dumps({"content_type_overrides": overrides}))
    for name, document in documents.items():
        line = ("--path", document, "--config", config, "--output-path", folder / name, "--meta", "none")
        told = _run(folder, tools / "openapi-python-client", "generate", *line, path=tools)
        assert not re.search("warning|error|skipping", told, re.IGNORECASE), f"{name}: {told}"
    return folder


def test_the_python_clients_have_every_operation_and_import(
    documents: dict[str, Path], python_clients: Path, tools: Path
) -> None:
    for name, document in documents.items():
        made = {path.stem for path in (python_clients / name / "api").rglob("*.py")} - {"__init__"}
        wanted = {_module(operation["operationId"]) for operation in _operations(document)}
        assert {one.replace("_", "") for one in made} == {one.replace("_", "") for one in wanted}, name
    code = """
import importlib, pathlib
files = [path for path in pathlib.Path().rglob("*.py") if path.parts[0] != path.name]
for path in files:
    importlib.import_module(".".join(path.with_suffix("").parts).removesuffix(".__init__"))
print(len(files))
"""
    assert int(_run(python_clients, tools / "python", "-c", code)) > 500


CALLS = """
import sys
from uuid import UUID

from parameter_v1.api.unit import list_units
from platform_v1 import AuthenticatedClient
from platform_v1.api.evaluation import download_geometry, evaluate, get_evaluation, list_evaluations
from platform_v1.api.parameter import list_parameters
from platform_v1.api.project import create_project, get_project, list_projects
from platform_v1.models.create_project_request import CreateProjectRequest
from platform_v1.models.evaluate_request import EvaluateRequest

root, token, project_id = sys.argv[1:]
client = AuthenticatedClient(base_url=root, token=token, raise_on_unexpected_status=True, timeout=120)
project = get_project.sync(UUID(project_id), client=client).data.project
assert str(project.project_id) == project_id, project
assert project.name in {one.name for one in list_projects.sync(client=client, search="demo").data.projects}
made = create_project.sync(client=client, body=CreateProjectRequest(name="Made by a generated client"))
assert made.success is True and made.data.project.description == "", made
names = [one.name for one in list_parameters.sync(UUID(project_id), client=client).data.parameters]
assert "storeys" in names, names
asked = EvaluateRequest.from_dict({"parameters": {"storeys": 12, "storey_height": {"value": 12, "unit": "ft"}}})
done = evaluate.sync(UUID(project_id), client=client, body=asked, prefer="wait=60").data.evaluation
assert done.status == "completed", done
assert done.parameters["storey_height"] == 3.7, done.parameters
same = get_evaluation.sync(UUID(done.evaluation_id), client=client).data.evaluation
assert same.metrics.to_dict() == done.metrics.to_dict()
listed = list_evaluations.sync(UUID(project_id), client=client, limit=1).data.evaluations
assert listed[0].evaluation_id == done.evaluation_id
geometry = download_geometry.sync(UUID(done.evaluation_id), done.geometry[0].name, client=client)
assert geometry.payload.read(4) == b"glTF"
units = list_units.sync(client=client, page_limit=5).units
assert len(units) == 5 and units[0].symbol
refused = evaluate.sync(
    UUID(project_id), client=client, body=EvaluateRequest.from_dict({"parameters": {"span": 1}})
)
assert refused.error.code == "UNKNOWN_PARAMETER", refused
print("done")
"""


def test_a_python_client_makes_calls(running: Running, python_clients: Path, tools: Path) -> None:
    root = running.demo["base_url"].removesuffix("/v1/")
    token = running.http.headers["Authorization"].removeprefix("Bearer ")
    line = (tools / "python", "-c", CALLS, root, token, running.demo["project_id"])
    assert _run(python_clients, *line).strip() == "done"


def test_datamodel_codegen_makes_models_of_every_document_that_import(
    documents: dict[str, Path], tools: Path, data_root: Path
) -> None:
    folder = _new_folder(data_root, "models")
    for name, document in documents.items():
        form = ("--input-file-type", "openapi", "--output-model-type", "pydantic_v2.BaseModel")
        _run(folder, tools / "datamodel-codegen", "--input", document, *form, "--output", folder / f"{name}.py")
    for name, document in documents.items():
        schemas = orjson.loads(document.read_bytes())["components"]["schemas"]
        code = f"import {name}; print(*(one for one in {list(schemas)} if not hasattr({name}, one)))"
        assert _run(folder, tools / "python", "-c", code).strip() == "", name


def test_openapi_typescript_makes_types_of_every_document_that_compile(
    documents: dict[str, Path], data_root: Path
) -> None:
    npm = shutil.which("npm")
    assert npm, "this test needs npm; install it (apt-get install npm)"
    folder = _new_folder(data_root, "typescript")
    (folder / "package.json").write_text("{}")
    _run(folder, npm, "install", "--no-audit", "--no-fund", *NPM_PACKAGES)
    programs = folder / "node_modules/.bin"
    for name, document in documents.items():
        told = _run(folder, programs / "openapi-typescript", document, "-o", folder / f"{name}.ts")
        assert not re.search("warn|error", told, re.IGNORECASE), f"{name}: {told}"
        types = (folder / f"{name}.ts").read_text()
        for operation in _operations(document):
            assert f"    {operation['operationId']}: {{" in types, f"{name}: {operation['operationId']}"
    _run(folder, programs / "tsc", "--noEmit", "--strict", "--target", "es2022", *(f"{name}.ts" for name in documents))
