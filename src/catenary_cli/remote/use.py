"""The commands that call a running server."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import orjson
import typer

from catenary_cli import show
from catenary_cli.remote.api import Access, Api
from catenary_cli.remote.checks import until_ready


async def token(access: Access) -> None:
    """Print an access token."""
    async with Api(access) as api:
        typer.echo((await api.token())["access_token"])


async def model_push(access: Access, file: Path, project_id: str, name: str | None, *, deploy: bool) -> None:
    """Upload a version of the named model, made if it does not exist, and wait for its check."""
    wanted = name or file.stem
    with show.progress(f"Uploading {file.name}") as say:
        async with Api(access) as api:
            models = f"projects/{project_id}/models"
            model = await api.find_or_create(models, "model", {"name": wanted})
            path = f"{models}/{model['model_id']}/versions"
            version = (await api.upload(path, file))["model_version"]
            say("Checking the model")
            version = await until_ready(api, f"{path}/{version['model_version_id']}")
            if deploy:
                say("Deploying")
                await api.post(f"projects/{project_id}/deployments", {"model_version_id": version["model_version_id"]})
    show.version(wanted, version, deployed=deploy)


async def evaluate(access: Access, project_id: str, values: Sequence[str], out: Path | None, *, force: bool) -> None:
    """Evaluate, print the result and write the geometry.

    Raises:
        typer.Exit: With code 1 if the evaluation did not complete.
    """
    parameters = dict(map(parse_value, values))
    with show.progress("Evaluating") as say:
        async with Api(access) as api:
            body = {"parameters": parameters, "force": force}
            answer = await api.post(f"projects/{project_id}/evaluate", body, {"Prefer": "wait=60"})
            evaluation = answer["evaluation"]
            while evaluation["status"] in ("queued", "running"):
                answer = await api.get(f"evaluations/{evaluation['evaluation_id']}", {"Prefer": "wait=60"})
                evaluation = answer["evaluation"]
            written = []
            if out is not None:
                say("Downloading")
                written = await _write_geometry(api, evaluation, out)
    show.evaluation(evaluation)
    for path, size in written:
        show.line(f"{path}: {size:,} bytes")
    if evaluation["status"] != "completed":
        raise typer.Exit(1)


async def _write_geometry(api: Api, evaluation: dict[str, Any], out: Path) -> list[tuple[Path, int]]:
    """Write one geometry to `out`, several to files with their names before its suffix."""
    parts = evaluation["geometry"]
    written = []
    for part in parts:
        target = out if len(parts) == 1 else out.with_name(f"{out.stem}-{part['name']}{out.suffix}")
        wanted = out.suffix.lstrip(".").lower()
        suffix = f".{wanted}" if wanted and wanted != part["format"] else ""
        written.append((target, await api.download(part["url"] + suffix, target)))
    return written


def parse_value(text: str) -> tuple[str, Any]:
    """Parse `name=value`: JSON as it is, `3 ft` as a value with a unit, anything else as text.

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
    number, _, unit = value.strip().partition(" ")
    try:
        return name, {"value": orjson.loads(number), "unit": unit.strip()}
    except orjson.JSONDecodeError:
        return name, value
