"""Geometry for download: the stored bytes behind a name, and other formats converted from a glb on request."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import structlog

from catenary_core.call.errors import invalid, not_found
from catenary_core.database.transactions import Database
from catenary_core.objects import Objects
from catenary_core.services.evaluations import glb_conversion, queries

_log = structlog.get_logger(__name__)
CONTENT_TYPES = {"glb": "model/gltf-binary", "stl": "model/stl", "3mf": "model/3mf", "step": "model/step"}
"""Media type of each format."""
MADE_OF_GLB = frozenset({"stl", "3mf"})
"""The formats that a glb can be converted to."""
CONVERSION_SECONDS = 60.0
"""Time limit of one conversion."""
_ENVIRONMENT = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "PATH": "/usr/bin:/bin"}


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


class Geometries:
    """Finds and converts geometry. A converted file is stored beside the original."""

    def __init__(self, db: Database, objects: Objects) -> None:
        self._db = db
        self._objects = objects
        self._converting = asyncio.Semaphore(1)

    async def find(self, geometry: Sequence[Mapping[str, Any]], name: str) -> File:
        """Return the file of a geometry: `tower` is its glb (else its first format), `tower.step` that format.

        Raises NOT_FOUND: the evaluation has no such geometry. Raises VALIDATION_ERROR: the format isn't available for
        it.
        """
        base, _, form = name.partition(".")
        formats = {item["format"]: item for item in geometry if item["name"] == base}
        if not formats:
            raise not_found("geometry")
        wanted = form or ("glb" if "glb" in formats else next(iter(formats)))
        if wanted in formats:
            item = formats[wanted]
            return File(item["sha256"], item["size"], wanted, f"{base}.{wanted}")
        if wanted in MADE_OF_GLB and "glb" in formats:
            return await self._converted(formats["glb"], wanted, base)
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

    async def _converted(self, glb: Mapping[str, Any], form: str, base: str) -> File:
        found = await self._known(glb["sha256"], form)
        if found is None:
            async with self._converting:
                found = await self._known(glb["sha256"], form) or await self._convert(glb["sha256"], form, base)
        return File(*found, form, f"{base}.{form}")

    async def _known(self, source_sha256: str, form: str) -> tuple[str, int] | None:
        async with self._db.read() as tx:
            row = await tx.one_or_none(queries.CONVERSION, source_sha256=source_sha256, format=form)
        return None if row is None else (row["sha256"], row["size"])

    async def _convert(self, source_sha256: str, form: str, base: str) -> tuple[str, int]:
        data = await _run(await self._objects.get(source_sha256), form, base)
        # Durable, because the stored row prevents another conversion.
        sha256 = await self._objects.put(data, durable=True)
        async with self._db.transaction() as tx:
            await tx.execute(
                queries.ADD_CONVERSION, source_sha256=source_sha256, format=form, sha256=sha256, size=len(data)
            )
        return sha256, len(data)


async def _run(glb: bytes, form: str, base: str) -> bytes:
    """Convert in a separate process, which ends with the call or after CONVERSION_SECONDS."""
    program = str(Path(glb_conversion.__file__))
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-I", program, form),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        env=_ENVIRONMENT,
        cwd="/",
    )
    try:
        async with asyncio.timeout(CONVERSION_SECONDS):
            data, stderr = await process.communicate(glb)
    except TimeoutError:
        data, stderr = b"", b"it took too long"
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    if process.returncode == glb_conversion.NO_TRIANGLES:
        raise invalid(
            "name",
            "{base} has no triangles to give as {form}; ask for its glb.",
            value=base,
            constraint="format",
            base=base,
            form=form,
        )
    if process.returncode != 0:
        _log.warning("a geometry could not be converted", format=form, stderr=stderr[-500:].decode(errors="replace"))
        raise invalid(
            "name",
            "{base} can't be given as {form}; ask for its glb.",
            value=base,
            constraint="format",
            base=base,
            form=form,
        )
    return data
