"""Geometry for download: the stored bytes behind a name, and other formats converted from a glb on request."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from catenary_core.call.errors import DomainError, invalid, not_found
from catenary_core.services.evaluations.conversions import Conversions, Failure, NotConvertedError

CONTENT_TYPES = {"glb": "model/gltf-binary", "stl": "model/stl", "3mf": "model/3mf", "step": "model/step"}
"""Media type of each format."""
MADE_OF_GLB = frozenset({"stl", "3mf"})
"""The formats that a glb can be converted to."""


@dataclass(frozen=True, slots=True)
class File:
    """A file in the object store."""

    sha256: str
    """The file's address."""
    size: int
    """Size in bytes."""
    format: str
    """A key of `CONTENT_TYPES`."""
    name: str
    """File name, with the format as its suffix."""
    unit: str | None = None
    """Unit of an STL that was made of a glb; None for all others."""


class Geometries:
    """Finds geometry, and has it converted where needed."""

    def __init__(self, conversions: Conversions) -> None:
        self._conversions = conversions

    async def find(self, geometry: Sequence[Mapping[str, Any]], name: str, unit: str, principal_id: str) -> File:
        """Return the file of a geometry: `tower` is its glb (else its first format), `tower.step` that format.

        Conversions of users take turns.

        Args:
            geometry: The geometry of the evaluation.
            name: Name with or without a format.
            unit: Unit of an STL that is made of a glb; empty for metres.
            principal_id: The caller.

        Raises NOT_FOUND: the evaluation has no such geometry. Raises VALIDATION_ERROR: the format isn't available for
        it. Raises UNAVAILABLE: a conversion has too little disk space.
        """
        base, _, form = name.partition(".")
        formats = {item["format"]: item for item in geometry if item["name"] == base}
        if not formats:
            raise not_found("geometry")
        wanted = form or ("glb" if "glb" in formats else next(iter(formats)))
        if unit and (wanted != "stl" or wanted in formats or "glb" not in formats):
            raise invalid(
                "unit",
                "{field} is for an STL that is made of a GLB, such as {name}.stl; leave it out.",
                value=unit,
                constraint="format",
                name=base,
            )
        if wanted in formats:
            item = formats[wanted]
            return File(item["sha256"], item["size"], wanted, f"{base}.{wanted}")
        if wanted in MADE_OF_GLB and "glb" in formats:
            glb = formats["glb"]
            made_in = unit or "m" if wanted == "stl" else ""
            try:
                found = await self._conversions.converted(glb["sha256"], glb["size"], wanted, made_in, principal_id)
            except NotConvertedError as error:
                raise _refusal(error.failure, base, wanted) from None
            return File(*found, wanted, f"{base}.{wanted}", made_in or None)
        known = sorted(formats.keys() | (MADE_OF_GLB if "glb" in formats else set()))
        raise invalid(
            "name",
            "{base} is not given as {form}; ask for {known}.",
            value=name,
            constraint="format",
            base=base,
            form=form[:20],
            known=", ".join(known),
        )


def _refusal(failure: Failure, base: str, form: str) -> DomainError:
    if failure == "no triangles":
        return invalid(
            "name",
            "{base} has no triangles to give as {form}; ask for its glb.",
            value=base,
            constraint="format",
            base=base,
            form=form,
        )
    return invalid(
        "name",
        "{base} can't be given as {form}; ask for its glb.",
        value=base,
        constraint="format",
        base=base,
        form=form,
    )
