"""The files that a project's evaluations may name, beside the declared parameters that take them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from catenary_core.call.errors import DomainError
from catenary_core.database.statements import Row
from catenary_core.database.transactions import Transaction
from catenary_core.services.evaluations.files import queries
from catenary_core.services.evaluations.queries import DEPLOYED
from catenary_wire import input_files


@dataclass(frozen=True, slots=True)
class KnownFile:
    """A file of the project, as the rules of values need it."""

    value: str
    """Canonical value: the digest of the content, then the suffix."""
    suffix: str
    """Suffix of the name, in lower case."""
    size: int
    """Size in bytes."""


def takes_files(declared: Sequence[Mapping[str, Any]]) -> bool:
    """Return whether a model has a parameter of the type `file`."""
    return any(parameter["type"] == "file" for parameter in declared)


async def deployed(tx: Transaction, project_id: str) -> Row | None:
    """Return the version that a project evaluates as `with_files` does; None without one."""
    version = await tx.one_or_none(DEPLOYED, project_id=project_id)
    return None if version is None else await with_files(tx, project_id, version)


async def with_files(tx: Transaction, project_id: str, version: Row) -> Row:
    """Return a version whose parameters of the type `file` have `files`: each file of the project by its id and its value.

    A version without such a parameter costs no statement.

    Args:
        tx: the transaction.
        project_id: id of the project whose files count; no file of another one is known.
        version: a row with `parameters`.
    """
    if not takes_files(version["parameters"]):
        return version
    return {**version, "parameters": beside(version["parameters"], await files_of(tx, project_id))}


async def files_of(tx: Transaction, project_id: str) -> dict[str, KnownFile]:
    """Return the files of a project, each by its id and by its value."""
    files: dict[str, KnownFile] = {}
    for row in await tx.all(queries.KNOWN, project_id=project_id):
        file = KnownFile(row["sha256"] + row["suffix"], row["suffix"], row["size"])
        files[row["file_id"]] = files[file.value] = file
    return files


def beside(declared: Sequence[Mapping[str, Any]], files: Mapping[str, KnownFile]) -> list[Mapping[str, Any]]:
    """Return declared parameters, those of the type `file` with the files that they may take."""
    return [{**parameter, "files": files} if parameter["type"] == "file" else parameter for parameter in declared]


def digests(declared: Sequence[Mapping[str, Any]], values: Iterable[Mapping[str, Any]]) -> set[str]:
    """Return the digests of the files that sets of canonical values name; a default's path in the model's zip is none."""
    names = [parameter["name"] for parameter in declared if parameter["type"] == "file"]
    named = {one.get(name) for one in values for name in names} if names else set()
    return {found[0] for value in named if (found := input_files.split(value)) is not None}


async def are_held(tx: Transaction, project_id: str, hashes: set[str]) -> bool:
    """Hold files until the end of the transaction, which adds work that needs them; return False if one was deleted.

    From the commit on the work under way holds them. No file costs no statement.

    Args:
        tx: the transaction, which has not yet locked an account.
        project_id: the project.
        hashes: what `digests` returns.
    """
    if not hashes:
        return True
    rows = await tx.all(queries.HOLD, project_id=project_id, hashes=sorted(hashes))
    return hashes == {row["sha256"] for row in rows}


async def hold(tx: Transaction, project_id: str, hashes: set[str]) -> None:
    """Hold files as `are_held`.

    Raises CONFLICT: one was deleted since the values were read.
    """
    if not await are_held(tx, project_id, hashes):
        raise DomainError(
            "CONFLICT", "A file that the values name was deleted meanwhile; upload it again, or give another one."
        )
