"""The files of the Studio's bundle, as they are served under `/studio`."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable

PATH = "/studio"
"""Path of the page."""
MEDIA_TYPES: Mapping[str, str] = {
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".txt": "text/plain; charset=utf-8",
}
"""Media types of files by their ending; files with another ending are not served."""


def folder() -> Traversable:
    """Return the folder of the bundle; it is missing where none was built."""
    return resources.files("catenary_edge.studio").joinpath("dist")


@cache
def names() -> frozenset[str]:
    """Return the names of the served files; none where no bundle was built."""
    found = folder()
    if not found.joinpath("index.html").is_file() or not found.joinpath("stamp").is_file():
        return frozenset()
    return frozenset(file.name for file in found.iterdir() if media_type(file.name))


def media_type(name: str) -> str:
    """Return the media type of a file's name; empty if it is not served."""
    return next((kind for ending, kind in MEDIA_TYPES.items() if name.endswith(ending)), "")


@cache
def read(name: str) -> bytes:
    """Return the bytes of a file of the bundle."""
    return folder().joinpath(name).read_bytes()
