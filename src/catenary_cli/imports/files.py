"""The file of `catenary import`: its type by its name, its kind by the name's end."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from catenary_core.services.parameter.imports import columns
from catenary_core.services.parameter.imports import files as contents
from catenary_core.services.parameter.imports.faults import Faults, Row


class FileError(ValueError):
    """The file cannot be imported; the sentence gives the reason and the remedy."""


def read(path: Path, kind: str | None, faults: Faults) -> dict[str, list[Row]]:
    """Return the rows of a file by kind, in the order of `columns.KINDS`; other problems become faults.

    Args:
        path: A .csv or .json file.
        kind: Kind of the rows of a CSV file or JSON list; None takes it from the end of the file's name.
        faults: Collects the faults.

    Raises:
        FileError: The file has a wrong type or size, or its kind is unknown.
        TooManyFaultsError: The number of faults has reached its limit.
    """
    file = load(path, kind)
    try:
        return contents.read(file.content, file.kind, faults, is_json=file.is_json)
    except contents.KindNeededError:
        raise kind_needed(path.name) from None


@dataclass(frozen=True, slots=True)
class ImportFile:
    """A file as it is, whose rows nobody has read."""

    content: bytes
    """Content."""
    kind: str | None
    """Kind of its rows; None where neither the caller nor the name tells."""
    is_json: bool
    """False for CSV."""


def load(path: Path, kind: str | None) -> ImportFile:
    """Return a file with its kind, which the end of its name tells where the caller doesn't.

    Raises:
        FileError: The file has a wrong type or size.
    """
    suffix = path.suffix.lower()
    if suffix not in (".csv", ".json"):
        raise FileError(f"{path.name} is neither .csv nor .json; save the file as one of the two")
    if path.stat().st_size > contents.MAX_BYTES:
        raise FileError(f"{path.name} has over {contents.MAX_BYTES // 2**20} MiB; split it into several files")
    kind = kind or next((kind for kind in columns.KINDS if path.stem.lower().endswith(kind)), None)
    return ImportFile(path.read_bytes(), kind, suffix == ".json")


def kind_needed(name: str) -> FileError:
    """Return the error of a file whose kind nobody tells."""
    kinds = f"{', '.join(columns.KINDS[:-1])} or {columns.KINDS[-1]}"
    return FileError(f"give --kind: the rows of {name} may be {kinds}")
