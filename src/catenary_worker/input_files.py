"""Files that parameters take: written by the child, and read by the model at a path.

The name is the platform's: that of the parameter, with the suffix of the upload. No model sees a name that somebody gave.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from catenary_worker.models.entries import format_value
from catenary_worker.task import Description, InputFile, ModelFaultError, Task

FOLDER = "input-files"
"""The folder of the files in the working folder."""


def write(task: Task, folder: Path) -> None:
    """Write the files of a task below the working folder, to be read only.

    Raises:
        ModelFaultError: The model's zip has the folder.
    """
    if not task.files:
        return
    target = folder / FOLDER
    try:
        target.mkdir()
    except FileExistsError:
        text = f"The zip holds {FOLDER}, the folder of the files that parameters take; rename it."
        raise ModelFaultError(text) from None
    for file in task.files.values():
        path = target / file.name
        path.write_bytes(file.content)
        path.chmod(0o444)


def values(task: Task) -> dict[str, Any]:
    """Return the values that the model's function takes: of a file the path."""
    found = dict(task.parameters)
    for parameter in declared(task):
        name = parameter["name"]
        if name in task.files:
            found[name] = str(Path.cwd() / FOLDER / task.files[name].name)
        elif found.get(name) is not None:
            found[name] = str(Path.cwd() / str(found[name]))
    return found


def declared(task: Task) -> list[dict[str, Any]]:
    """Return the parameters of a described task that take files."""
    parameters = [] if task.description is None else task.description["parameters"]
    return [parameter for parameter in parameters if parameter["type"] == "file"]


def check_defaults(description: Description, folder: Path) -> None:
    """Check that the default of each file is a file of the zip, which is unpacked in `folder`.

    Raises:
        ModelFaultError: A default is not there, or is too large.
    """
    for parameter in description["parameters"]:
        if parameter["type"] != "file" or parameter["default"] is None:
            continue
        what = f"PARAMETERS: {parameter['name']}: default {format_value(parameter['default'])}"
        path = folder / parameter["default"]
        if not path.is_file():
            raise ModelFaultError(
                f"{what} is no file of the model's zip; without a default each evaluation gives a file."
            )
        if path.stat().st_size > parameter["max_bytes"]:
            raise ModelFaultError(f"{what} has more than {parameter['max_bytes']:,} bytes (max_bytes).")


def lacking(description: Description, files: Mapping[str, InputFile]) -> list[str]:
    """Return the names of parameters that take a file and have neither a default nor one of `files`."""
    return [
        parameter["name"]
        for parameter in description["parameters"]
        if parameter["type"] == "file" and parameter["default"] is None and parameter["name"] not in files
    ]
