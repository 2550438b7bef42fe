"""The files that a command writes of an evaluation: its geometry, and into a folder its other files too."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from catenary_cli.remote.api import Api
from catenary_wire.model_limits import is_file_name, is_name

FORMATS = ("glb", "stl", "step", "3mf")
"""The formats of geometry, as suffixes of files."""
OTHER_FILES = "files"
"""The folder of the files beside geometry, in the given one."""


@dataclass(frozen=True)
class Destination:
    """A file whose suffix is the format, or a folder for every format that a model gives."""

    path: Path
    is_folder: bool
    unit: str | None = None
    """Unit of STL files; None for that in which the model gives its coordinates."""

    @classmethod
    def of(cls, text: str, unit: str | None = None) -> Destination:
        """Return the destination that a path names: a folder without a suffix, at an existing folder or before a `/`.

        Raises:
            ValueError: The suffix is no format, or has its unit in itself.
        """
        path = Path(text)
        if unit is not None and path.suffix.lower() != ".stl":
            raise ValueError("--unit is for a file that ends in .stl; other formats have their unit in themselves")
        if text.endswith("/") or path.is_dir() or not path.suffix:
            return cls(path, is_folder=True)
        if path.suffix[1:].lower() not in FORMATS:
            formats = ", ".join(f".{name}" for name in FORMATS)
            raise ValueError(f"{path.suffix} is not a format of geometry: give one of {formats}, or a folder ({path}/)")
        return cls(path, is_folder=False, unit=unit)


async def write(api: Api, evaluation: Mapping[str, Any], destination: Destination) -> AsyncIterator[tuple[Path, int]]:
    """Write the files of an evaluation; yield the path and the size in bytes of each when it is there.

    Missing folders are made. A single geometry takes the given name, several take their own names behind it. A folder gets
    the other files too, in a folder `files` of their own, since one may have the name of a geometry.

    Raises:
        ValueError: The server gave a name that is none, which could lead out of the folder.
    """
    _check_names(evaluation)
    urls = {(one["name"], one["format"]): one["url"] for one in evaluation["geometry"]}
    names = list(dict.fromkeys(name for name, _ in urls))
    path = destination.path
    if destination.is_folder:
        wanted = {path / f"{name}.{form}": url for (name, form), url in urls.items()}
        wanted |= {path / OTHER_FILES / file["name"]: file["url"] for file in evaluation["files"]}
    else:
        form = path.suffix[1:].lower()
        units = {one["name"]: destination.unit or one["unit"] or "m" for one in evaluation["geometry"]}
        query = {name: f"?unit={units[name]}" if form == "stl" else "" for name in names}
        wanted = {
            path if len(names) == 1 else path.with_name(f"{path.stem}-{name}{path.suffix}"): urls.get(
                (name, form), f"{urls.get((name, 'glb'), '')}.{form}{query[name]}"
            )
            for name in names
        }
    for target, url in wanted.items():
        target.parent.mkdir(parents=True, exist_ok=True)
        yield target, await api.download(url, target)


def _check_names(evaluation: Mapping[str, Any]) -> None:
    """Refuse names that no server of ours gives: they become paths here."""
    named = [
        *(is_name(one["name"]) and one["format"] in FORMATS for one in evaluation["geometry"]),
        *(is_file_name(one["name"]) for one in evaluation["files"]),
    ]
    if not all(named):
        raise ValueError("the server gave a file whose name is none, so nothing is written; is it the right server?")
