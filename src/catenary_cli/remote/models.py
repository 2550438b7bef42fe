"""The commands that manage the models of a project on a running server."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from catenary_cli import show
from catenary_cli.remote.api import Access, Api
from catenary_cli.remote.checks import CheckFailedError, until_ready


class UnknownModelError(ValueError):
    """A model or version that is not there; the text says what is."""


@dataclass(frozen=True, slots=True)
class Deletable:
    """A model with its versions, or one version."""

    name: str
    """The name for a person."""
    path: str
    """Path of the REST API."""


async def push(access: Access, file: Path, project_id: str, name: str | None, *, deploy: bool, as_json: bool) -> None:
    """Upload a version of the named model, made if it does not exist, and wait for its check.

    A version that fails its check is followed by the output of the model and by further faults of its lists.

    Raises:
        CheckFailedError: The model failed its check.
    """
    wanted = name or file.stem
    async with Api(access) as api:
        with show.progress(f"Uploading {file.name}") as say:
            models = f"projects/{project_id}/models"
            model = await api.find_or_create(models, "model", {"name": wanted})
            path = f"{models}/{model['model_id']}/versions"
            version = (await api.upload(path, file))["model_version"]
            version_path = f"{path}/{version['model_version_id']}"
            say("Checking the model")
            try:
                version = await until_ready(api, version_path)
            except CheckFailedError as error:
                say(None)
                show.printed((await api.get(f"{version_path}/log"))["log"])
                for fault in error.further:
                    show.note(f"Also {fault}")
                raise
            if deploy:
                say("Deploying")
                await _deploy(api, project_id, version["model_version_id"])
    if as_json:
        show.json({"model_version": version, "deployed": deploy})
    else:
        show.version(wanted, version, deployed=deploy)


async def list_models(access: Access, project_id: str, *, as_json: bool) -> None:
    """Print the models of a project."""
    async with Api(access) as api:
        models = await api.pages(f"projects/{project_id}/models", "models")
    if as_json:
        show.json({"models": models})
    else:
        columns = ("Model", "Id", "Newest ready version", "Created")
        keys = ("name", "model_id", "latest_model_version_id", "created_at")
        show.rows(columns, [[model[key] for key in keys] for model in models], "The project has no models.")


async def show_model(access: Access, project_id: str, wanted: str, *, as_json: bool) -> None:
    """Print a model and its versions, newest first."""
    async with Api(access) as api:
        model = await _found(api, project_id, wanted)
        versions = await _versions(api, model)
        deployed = (await api.get(f"projects/{project_id}"))["project"]["deployed_model_version_id"]
    if as_json:
        show.json({"model": model, "model_versions": versions})
        return
    show.line(f"{model['name']} ({model['model_id']})")
    columns = ("Version", "Id", "State", "Kind", "Deterministic", "Repeatable", "Uploaded")
    answers = {True: "yes", False: "no", None: ""}
    rows = [
        (
            version["number"],
            version["model_version_id"],
            "deployed" if version["model_version_id"] == deployed else version["status"],
            version["kind"],
            answers[version["deterministic"]],
            answers[version["repeatable"]],
            version["created_at"],
        )
        for version in versions
    ]
    show.rows(columns, rows, "The model has no versions.")
    for version in versions:
        remarks = [*([version["error"]["message"]] if version["error"] else []), *version["warnings"]]
        if version["repeatable_reason"]:
            remarks.append(show.not_repeatable(version["repeatable_reason"]))
        for remark in remarks:
            show.line(f"Version {version['number']}: {remark}")


async def deploy(access: Access, project_id: str, wanted: str, number: int | None) -> None:
    """Deploy a version of a model: the newest that is ready, or the one with the number."""
    async with Api(access) as api:
        model = await _found(api, project_id, wanted)
        version = await _version(api, model, number, status="ready" if number is None else None)
        state = await _deploy(api, project_id, version["model_version_id"])
    show.line(f"{model['name']}, version {version['number']} ({version['model_version_id']}): deployment {state}")


async def undeploy(access: Access, project_id: str) -> None:
    """End the deployment of a project."""
    async with Api(access) as api:
        await api.delete(f"projects/{project_id}/deployments/current")
    show.line("Nothing is deployed any more. What the project has narrowed stays.")


async def deletable(access: Access, project_id: str, wanted: str, number: int | None) -> Deletable:
    """Return the model with a name or id, or its version with the number.

    Raises:
        UnknownModelError: There is none.
    """
    async with Api(access) as api:
        model = await _found(api, project_id, wanted)
        if number is None:
            return Deletable(model["name"], _path(model))
        version = await _version(api, model, number)
    return Deletable(f"{model['name']}, version {number}", f"{_path(model)}/versions/{version['model_version_id']}")


async def delete(access: Access, target: Deletable) -> None:
    """Delete a model with its versions, or one version."""
    async with Api(access) as api:
        await api.delete(target.path)
    show.line(f"{target.name}: deleted")


async def log(access: Access, project_id: str, wanted: str, number: int | None) -> None:
    """Print the output of the check of a version: the newest version, or the one with the number."""
    async with Api(access) as api:
        model = await _found(api, project_id, wanted)
        version = await _version(api, model, number)
        text = (await api.get(f"{_path(model)}/versions/{version['model_version_id']}/log"))["log"]
    if text:
        show.lines(text.rstrip("\n"))
    else:
        show.note(f"The check of version {version['number']} printed nothing.")


async def _found(api: Api, project_id: str, wanted: str) -> dict[str, Any]:
    """Return the model with a name or id."""
    models = await api.pages(f"projects/{project_id}/models", "models")
    model = next((model for model in models if wanted in (model["name"], model["model_id"])), None)
    if model is None:
        raise UnknownModelError(
            f"the project has no model {wanted}; `catenary model list --project {project_id}` shows them"
        )
    return model


async def _versions(api: Api, model: dict[str, Any]) -> list[dict[str, Any]]:
    return await api.pages(f"{_path(model)}/versions", "model_versions")


async def _version(api: Api, model: dict[str, Any], number: int | None, *, status: str | None = None) -> dict[str, Any]:
    """Return the version with a number, or the newest one, of a status."""
    for version in await _versions(api, model):
        if number in (None, version["number"]) and status in (None, version["status"]):
            return version
    which = f"version {number}" if number is not None else "version that is ready" if status else "version"
    raise UnknownModelError(f"the model {model['name']} has no {which}; `catenary model show` lists its versions")


async def _deploy(api: Api, project_id: str, model_version_id: str) -> str:
    """Deploy a version; return the status of the deployment."""
    made = await api.post(f"projects/{project_id}/deployments", {"model_version_id": model_version_id})
    return str(made["deployment"]["status"])


def _path(model: dict[str, Any]) -> str:
    return f"projects/{model['project_id']}/models/{model['model_id']}"
