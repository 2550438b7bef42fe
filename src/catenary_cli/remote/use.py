"""The commands that call a running server: tokens, projects, parameters, evaluations."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import orjson
import typer

from catenary_cli import show
from catenary_cli.remote import geometry_files
from catenary_cli.remote.api import Access, Api


async def token(access: Access) -> None:
    """Print an access token."""
    async with Api(access) as api:
        show.line((await api.token())["access_token"])


async def list_projects(access: Access, *, as_json: bool) -> None:
    """Print the projects that the client may see."""
    async with Api(access) as api:
        projects = await api.pages("projects", "projects")
    if as_json:
        show.json({"projects": projects})
    else:
        keys = ("name", "project_id", "role", "deployed_model_version_id")
        rows = [[project[key] for key in keys] for project in projects]
        show.rows(("Project", "Id", "Role", "Deployed version"), rows, "The client is in no project.")


async def list_parameters(access: Access, project_id: str, *, as_json: bool) -> None:
    """Print the parameters of a project's deployed model."""
    async with Api(access) as api:
        parameters = await api.pages(f"projects/{project_id}/parameters", "parameters")
    if as_json:
        show.json({"parameters": parameters})
    else:
        show.parameters(parameters, "The project has no deployed model, or its model has no parameters.")


async def evaluate(
    access: Access,
    project_id: str,
    values: Sequence[str],
    out: geometry_files.Destination | None,
    *,
    force: bool,
    as_json: bool,
) -> None:
    """Evaluate, print the result, then write its files.

    Raises:
        typer.Exit: With code 1 if the evaluation did not complete.
    """
    parameters = dict(map(parse_value, values))
    async with Api(access) as api:
        with show.progress("Evaluating"):
            evaluation = await _evaluated(api, project_id, parameters, force=force)
        if as_json:
            show.json({"evaluation": evaluation})
        else:
            show.evaluation(evaluation)
        if evaluation["status"] != "completed":
            raise typer.Exit(1)
        if out is not None:
            if not evaluation["geometry"] and not (out.is_folder and evaluation["files"]):
                show.note("The evaluation has no geometry, so no file is written.")
            async for path, size in geometry_files.write(api, evaluation, out):
                (show.note if as_json else show.line)(f"{path}: {size:,} bytes")


async def _evaluated(api: Api, project_id: str, parameters: dict[str, Any], *, force: bool) -> dict[str, Any]:
    body = {"parameters": parameters, "force": force}
    answer = await api.post(f"projects/{project_id}/evaluate", body, {"Prefer": "wait=60"})
    evaluation: dict[str, Any] = answer["evaluation"]
    while evaluation["status"] in ("queued", "running"):
        answer = await api.get(f"evaluations/{evaluation['evaluation_id']}", {"Prefer": "wait=60"})
        evaluation = answer["evaluation"]
    return evaluation


def parse_value(text: str) -> tuple[str, Any]:
    """Parse `name=value`: JSON as it is, `3 ft` and `[1, 2, 3] ft` as a value with a unit, anything else as text.

    Raises:
        ValueError: The text has no `=`, or no name before it.
    """
    name, separator, value = text.partition("=")
    if not separator or not name:
        raise ValueError(f"{text!r} is not a parameter value; write name=value")
    try:
        return name, orjson.loads(value)
    except orjson.JSONDecodeError:
        pass
    bare, end = value.strip(), value.strip().find("]") + 1
    number, _, unit = (bare[:end], "", bare[end:]) if bare.startswith("[") and end else bare.partition(" ")
    try:
        return name, {"value": orjson.loads(number), "unit": unit.strip()}
    except orjson.JSONDecodeError:
        return name, value
