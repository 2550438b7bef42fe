"""The commands that call a running server: tokens, projects, parameters, evaluations."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import orjson
import typer

from catenary_cli import show
from catenary_cli.remote import declared_order, geometry_files, used_values
from catenary_cli.remote.api import Access, Api
from catenary_wire.csv_cells import MARK, is_formula

WATCHED_SECONDS = 3
"""Seconds between two looks at the progress of an evaluation at a terminal; each look is a request."""


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
    form: show.Form,
    all_rows: bool,
) -> None:
    """Evaluate, print the result, then write its files.

    Args:
        access: The server and the credentials.
        project_id: Id of the project.
        values: The values, as `name=value`.
        out: Where the files go; None for nowhere.
        force: Whether an equal stored evaluation is not taken.
        form: How the result is printed; as CSV its tables alone.
        all_rows: Whether all rows of the tables are printed.

    Raises:
        typer.Exit: With code 1 if the evaluation did not complete.
    """
    parameters = dict(map(parse_value, values))
    async with Api(access) as api:
        with show.progress("Evaluating") as say:
            evaluation = await _evaluated(api, project_id, parameters, say, force=force)
        if form == "json":
            show.json({"evaluation": evaluation})
        elif form == "csv" and evaluation["status"] == "completed":
            _print_tables(evaluation["tables"])
        else:
            declared = await api.pages(f"projects/{project_id}/parameters", "parameters")
            used = used_values.rows(declared, parameters, evaluation["parameters"])
            show.evaluation(await declared_order.ordered(api, evaluation), used, all_rows=all_rows)
        if evaluation["status"] != "completed":
            raise typer.Exit(1)
        if out is not None:
            if not evaluation["geometry"] and not (out.is_folder and evaluation["files"]):
                show.note("The evaluation has no geometry, so no file is written.")
            async for path, size in geometry_files.write(api, evaluation, out):
                (show.line if form == "table" else show.note)(f"{path}: {size:,} bytes")


def _print_tables(tables: Mapping[str, Sequence[Mapping[str, Any]]]) -> None:
    """Print the tables as CSV; with several, their names stand in a first column."""
    columns = list(dict.fromkeys(column for rows in tables.values() for row in rows for column in row))
    several = len(tables) > 1
    lines = [[*(["table"] if several else []), *map(_cell, columns)]]
    for name, rows in tables.items():
        lines += [[*([name] if several else []), *(_cell(row.get(column)) for column in columns)] for row in rows]
    show.csv(lines if tables else [])


def _cell(value: Any) -> str:
    """Return a cell; JSON numbers as they are, and a text that a spreadsheet would take for a formula as a text."""
    if value is None:
        return ""
    if isinstance(value, str):
        return f"{MARK}{value}" if is_formula(value) else value
    return orjson.dumps(value).decode()


async def _evaluated(
    api: Api, project_id: str, parameters: dict[str, Any], say: Callable[[str], None], *, force: bool
) -> dict[str, Any]:
    """Evaluate and wait for the end; tell what the model tells of its progress."""
    wait = {"Prefer": f"wait={WATCHED_SECONDS if show.is_watched() else 60}"}
    body = {"parameters": parameters, "force": force}
    evaluation: dict[str, Any] = (await api.post(f"projects/{project_id}/evaluate", body, wait))["evaluation"]
    while evaluation["status"] in ("queued", "running"):
        if told := evaluation["progress"]:
            say(_progress(told))
        evaluation = (await api.get(f"evaluations/{evaluation['evaluation_id']}", wait))["evaluation"]
    return evaluation


def _progress(told: dict[str, Any]) -> str:
    """Return the line that shows the progress of a model, with the last line that it printed."""
    share = f"{told['fraction']:.0%}" if told["fraction"] else ""
    does = f"{share} {told['message']}".strip()
    return f"Evaluating: {' · '.join(filter(None, (does, told['output'])))}"


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
