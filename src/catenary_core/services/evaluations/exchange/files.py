"""The files of evaluations, out and in."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from typing import Any, Protocol

from catenary_core.call.errors import DomainError, invalid
from catenary_core.database.statements import Row
from catenary_core.services.evaluations import messages, rules
from catenary_core.services.evaluations.plans import csv_files
from catenary_core.services.evaluations.plans.layout import MAX_EVALUATIONS
from catenary_wire.characters import refused_character

MAX_BYTES = 64 * 1024 * 1024
"""Maximum size of an imported file."""
_Columns = Sequence[Mapping[str, Any]]


class FilePart(Protocol):
    """A message of an upload."""

    @property
    def chunk(self) -> bytes:
        """The next bytes."""
        ...


def metrics(declared: _Columns, names: Iterable[str]) -> list[dict[str, Any]]:
    """Return name and unit of the metrics with a column.

    Args:
        declared: The declared metrics, which come first.
        names: The metrics that evaluations have; undeclared ones have no unit.
    """
    units = {one["name"]: one["unit"] for one in declared} | dict.fromkeys(
        set(names) - {one["name"] for one in declared}
    )
    order = [one["name"] for one in declared]
    return [{"name": name, "unit": units[name]} for name in [*order, *sorted(units.keys() - set(order))]]


def header(parameters: _Columns, outputs: _Columns) -> bytes:
    """Build the line with the names of the columns."""
    names = [csv_files.name("in", one) for one in parameters] + [csv_files.name("out", one) for one in outputs]
    return csv_files.line([*names, "img", "threeD"]).encode()


def lines(rows: Iterable[Row], parameters: _Columns, outputs: _Columns, base: str) -> bytes:
    """Build the lines of evaluations; `base` stands before the paths of geometry."""
    cells = (_cells(row, parameters, outputs, base) for row in rows)
    return "".join(csv_files.line(map(csv_files.cell, one)) for one in cells).encode()


def _cells(row: Row, parameters: _Columns, outputs: _Columns, base: str) -> list[Any]:
    found = row["metrics"]
    return [
        *(row["parameters"].get(one["name"]) for one in parameters),
        *(found[one["name"]]["value"] if one["name"] in found else None for one in outputs),
        None,  # evaluations have no pictures
        next((base + messages.geometry_path(row["evaluation_id"], one) for one in row["geometry"]), None),
    ]


async def receive(first: bytes, rest: AsyncIterator[FilePart]) -> bytes:
    """Collect an upload.

    Raises:
        DomainError: PAYLOAD_TOO_LARGE for more than MAX_BYTES.
    """
    content = bytearray(first)
    async for part in rest:
        content += part.chunk
        if len(content) > MAX_BYTES:
            raise DomainError(
                "PAYLOAD_TOO_LARGE", f"A file of evaluations has at most {MAX_BYTES >> 20} MiB; this one has more."
            )
    return bytes(content)


def read(declared: _Columns, content: bytes) -> list[dict[str, Any]]:
    """Return the resolved values of a file's rows, in their order.

    Raises:
        DomainError: VALIDATION_ERROR, UNKNOWN_PARAMETER or PARAMETER_OUT_OF_RANGE, with the lines of the faults.
    """
    try:
        text = content.decode()
    except UnicodeDecodeError:
        raise invalid(
            csv_files.FIELD, "{field} is not UTF-8; save it in that encoding.", value=None, constraint="utf8"
        ) from None
    character = refused_character(text, multiline=True)
    if character is not None:
        raise invalid(
            csv_files.FIELD,
            "{field} has the character {character}, which a text can't have; remove it.",
            value=None,
            constraint="characters",
            character=character,
        )
    return rules.resolve_all(declared, csv_files.rows(declared, text, MAX_EVALUATIONS), csv_files.FIELD)
