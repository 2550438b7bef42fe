"""The files that a command writes of an evaluation's geometry."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from catenary_cli.remote.api import Api

FORMATS = ("glb", "stl", "step", "3mf")
"""The formats of geometry, as suffixes of files."""


@dataclass(frozen=True)
class Destination:
    """A file whose suffix is the format, or a folder for every format that a model gives."""

    path: Path
    is_folder: bool

    @classmethod
    def of(cls, text: str) -> Destination:
        """Return the destination that a path names: a folder without a suffix, at an existing folder or before a `/`.

        Raises:
            ValueError: The suffix is no format.
        """
        path = Path(text)
        if text.endswith("/") or path.is_dir() or not path.suffix:
            return cls(path, is_folder=True)
        if path.suffix[1:].lower() not in FORMATS:
            formats = ", ".join(f".{name}" for name in FORMATS)
            raise ValueError(f"{path.suffix} is not a format of geometry: give one of {formats}, or a folder ({path}/)")
        return cls(path, is_folder=False)


async def write(api: Api, evaluation: Mapping[str, Any], destination: Destination) -> AsyncIterator[tuple[Path, int]]:
    """Write the geometry of an evaluation; yield the path and the size in bytes of each file when it is there.

    Missing folders are made. A single geometry takes the given name, several take their own names behind it.
    """
    urls = {(one["name"], one["format"]): one["url"] for one in evaluation["geometry"]}
    names = list(dict.fromkeys(name for name, _ in urls))
    path = destination.path
    if destination.is_folder:
        wanted = {path / f"{name}.{form}": url for (name, form), url in urls.items()}
    else:
        form = path.suffix[1:].lower()
        wanted = {
            path if len(names) == 1 else path.with_name(f"{path.stem}-{name}{path.suffix}"): urls.get(
                (name, form), f"{urls.get((name, 'glb'), '')}.{form}"
            )
            for name in names
        }
    for target, url in wanted.items():
        target.parent.mkdir(parents=True, exist_ok=True)
        yield target, await api.download(url, target)
