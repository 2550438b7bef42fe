"""Shell commands for the first calls of a new user, which fit the deployed model of the demo's project."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson

from catenary_wire.steps import on_step


@dataclass(frozen=True, slots=True, kw_only=True)
class Commands:
    """The objects of the demo that the commands name."""

    root_url: str
    """Address of the edge without a version, ending in `/`."""
    client_id: str
    client_secret: str
    project_id: str | None
    """The platform's project; None if there is none."""
    parameters: Sequence[Mapping[str, Any]] | None
    """Parameters of the deployed version, as the REST API returns them; None without one."""
    environment_project_id: str | None
    """The tower's project; None if there is none."""
    certificate: Path | None
    """Certificate of the server; None without TLS."""

    def lines(self) -> list[tuple[str, str]]:
        """Return the commands in order, each with its purpose; the first one sets TOKEN, which the others need."""
        curl = "curl -s" if self.certificate is None else f"curl -s --cacert {shlex.quote(str(self.certificate))}"
        header = "Authorization: Bearer $TOKEN"
        credentials = {
            "grant_type": "client_credentials",
            "client_id": self.client_id,
            "client_secret": self.client_secret,
        }
        ask = f"{curl} {self.root_url}v1/auth/token -H 'Content-Type: application/json' -d {_quoted(credentials)}"
        read = "python3 -c 'import json,sys; print(json.load(sys.stdin)[\"access_token\"])'"
        found = [("get a token", f"TOKEN=$({ask} | {read})")]
        project = f"{self.root_url}v1/projects/{self.project_id}"
        if self.project_id is None:
            found.append(("list the projects", f'{curl} {self.root_url}v1/projects -H "{header}"'))
        elif self.parameters is None:
            found.append(("list the project's models", f'{curl} {project}/models -H "{header}"'))
        else:
            body = _quoted({"parameters": example_values(self.parameters)})
            found.append(
                (
                    "evaluate the deployed model",
                    f"{curl} {project}/evaluate -H \"{header}\" -H 'Content-Type: application/json' -d {body}",
                )
            )
        if self.environment_project_id is not None:
            query = f"project_id={self.environment_project_id}&qa_status=rejected&page_limit=5"
            url = f"{self.root_url}parameter/v1/parameters?{query}"
            found.append(("list the tower's rejected parameters", f'{curl} "{url}" -H "{header}"'))
        return found


def example_values(parameters: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return a value that differs from the default for the first parameter that has one; empty if none has."""
    for parameter in parameters:
        for value in _candidates(parameter):
            if value != parameter["default"]:
                return {parameter["name"]: value}
    return {}


def _candidates(parameter: Mapping[str, Any]) -> list[Any]:
    """Return values that the parameter takes."""
    match parameter["type"]:
        case "boolean":
            return [False, True]
        case "choice":
            return list(parameter["choices"])
        case "number" | "integer":
            default, step = parameter["default"], _step(parameter) or 0
            near = [default * 7 / 8, default * 9 / 8, default + step, default - step]
            values = [*(_on_grid(parameter, value) for value in near), parameter["min"], parameter["max"]]
            return [value for value in values if _is_taken(parameter, value)]
        case _:
            return []


def _step(parameter: Mapping[str, Any]) -> float | None:
    return parameter["step"] or (1 if parameter["type"] == "integer" else None)


def _on_grid(parameter: Mapping[str, Any], value: float) -> float:
    """Return the value on the parameter's steps nearest to another one."""
    start, step = parameter["min"] or 0, _step(parameter)
    if step is not None:
        value = start + round((value - start) / step) * step
    return round(value) if parameter["type"] == "integer" else float(f"{value:.12g}")


def _is_taken(parameter: Mapping[str, Any], value: float | None) -> bool:
    low, high, step = parameter["min"], parameter["max"], parameter["step"]
    if value is None or (low is not None and value < low) or (high is not None and value > high):
        return False
    return (value > 0 or not parameter["positive"]) and (step is None or on_step(value, low or 0, step))


def _quoted(body: Mapping[str, Any]) -> str:
    return shlex.quote(orjson.dumps(body).decode())
