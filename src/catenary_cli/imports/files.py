"""The file of `catenary import`: its type by its name, its kind by the name's end."""

from __future__ import annotations

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
    suffix = path.suffix.lower()
    if suffix not in (".csv", ".json"):
        raise FileError(f"{path.name} is neither .csv nor .json; save the file as one of the two")
    if path.stat().st_size > contents.MAX_BYTES:
        raise FileError(f"{path.name} has over {contents.MAX_BYTES // 2**20} MiB; split it into several files")
    kind = kind or next((kind for kind in columns.KINDS if path.stem.lower().endswith(kind)), None)
    try:
        return contents.read(path.read_bytes(), kind, faults, is_json=suffix == ".json")
    except contents.KindNeededError:
        kinds = f"{', '.join(columns.KINDS[:-1])} or {columns.KINDS[-1]}"
        raise FileError(f"give --kind: the rows of {path.name} may be {kinds}") from None
