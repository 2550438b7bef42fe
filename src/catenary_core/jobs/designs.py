"""Designs of live sessions and the answers to them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from catenary_core.call.errors import DomainError
from catenary_core.jobs.queue import Artefact, JobEnd


@dataclass(frozen=True, slots=True)
class Design:
    """Parameter values that a caller wants computed."""

    id: int
    """Number given by the caller."""
    values: Mapping[str, Any]
    """Canonical values by parameter name."""
    geometry: bool
    """True if the geometry is wanted."""
    arrived_at: float = field(default=0.0, compare=False)
    """Time of its arrival by the monotonic clock, in seconds."""


@dataclass(frozen=True, slots=True)
class Computed:
    """The result of a design."""

    design: Design
    """The design."""
    ended: JobEnd
    """The outcome."""


@dataclass(frozen=True, slots=True)
class GeometryFiles:
    """The files of a design, whose bytes follow."""

    design_id: int
    """Number of the design."""
    files: Sequence[Artefact]
    """The files, in the order of their bytes."""


@dataclass(frozen=True, slots=True)
class GeometryBytes:
    """The next bytes of the files."""

    chunk: bytes
    """The bytes."""


@dataclass(frozen=True, slots=True)
class FailedGeometry:
    """The fault of a geometry whose design has its result."""

    design_id: int
    """Number of the design."""
    error: Mapping[str, Any]
    """The fault as `{"code", "message", "line"}`."""


@dataclass(frozen=True, slots=True)
class Superseded:
    """A design that was passed over for a newer one, or its geometry was."""

    design_id: int
    """Number of the design."""


@dataclass(frozen=True, slots=True)
class RefusedDesign:
    """A design with a fault."""

    design_id: int | None
    """Number of the design; None where it has none."""
    error: DomainError
    """The fault."""


Answer = Computed | GeometryFiles | GeometryBytes | FailedGeometry | Superseded | RefusedDesign
"""An answer to a caller."""
