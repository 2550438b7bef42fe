"""The evaluation that a request wants: its version, its values, and the stored results that serve."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from catenary.platform.v1 import evaluation_service_pb2 as pb
from catenary_core.database.statements import Row
from catenary_core.services.evaluations import rules
from catenary_core.services.evaluations.files import known


@dataclass(frozen=True, slots=True)
class WantedEvaluation:
    """The evaluation that a request wants."""

    version: Row
    """The model version, as `versions.wanted` returns it."""
    values: Mapping[str, Any]
    """The canonical values."""
    geometry: bool
    """True if the geometry is made and kept."""
    keys: list[bytes]
    """Keys of stored results that serve: the own first, then without geometry that with it; none if forced."""
    files: set[str]
    """Digests of the files that the values name."""


async def read(request: pb.EvaluateRequest, version: Row, given: Mapping[str, Any]) -> WantedEvaluation:
    """Return what a request wants of a version, with `given_values.read` of it.

    Raises VALIDATION_ERROR, UNKNOWN_PARAMETER or PARAMETER_OUT_OF_RANGE: as `rules.resolve`.
    """
    # The cells of tables take long to check and to hash, other values less than a change of threads.
    if any(parameter["type"] == "table" for parameter in version["parameters"]):
        return await asyncio.to_thread(_read, request, version, given)
    return _read(request, version, given)


def _read(request: pb.EvaluateRequest, version: Row, given: Mapping[str, Any]) -> WantedEvaluation:
    values = rules.resolve(version["parameters"], given)
    geometry = request.geometry or not request.HasField("geometry")
    of = (request.project_id, version["model_version_id"], version["runtime_digest"], values)
    keys = [] if request.force else [rules.cache_key(*of)]
    if keys and not geometry:
        keys.insert(0, rules.cache_key(*of, geometry=False))
    files = known.digests(version["parameters"], [values])
    return WantedEvaluation(version, values, geometry=geometry, keys=keys, files=files)
