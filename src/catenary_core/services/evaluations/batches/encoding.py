"""Texts and keys of points, as the database has them: seconds of work where points have large tables, so for threads."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import orjson

from catenary_core.call.errors import invalid
from catenary_core.services.evaluations import rules

MAX_BYTES = 16 * 1024**2
"""Maximum bytes of a batch's canonical values as JSON, the defaults among them."""


@dataclass(frozen=True, slots=True)
class EncodedPoint:
    """One point that is not stored yet."""

    text: str
    """The canonical values as JSON."""
    key: bytes
    """The key of a stored result, as `rules.cache_key` gives it."""


def encode(
    project_id: str, model_version_id: str, runtime_digest: str, values: Sequence[Mapping[str, Any]]
) -> list[EncodedPoint]:
    """Encode canonical values of points."""
    return [
        EncodedPoint(orjson.dumps(one).decode(), rules.cache_key(project_id, model_version_id, runtime_digest, one))
        for one in values
    ]


def check_size(values: Sequence[Mapping[str, Any]]) -> None:
    """Check that the values of a batch take at most MAX_BYTES, before their texts and keys are made.

    Raises VALIDATION_ERROR: they take more.
    """
    size = 0
    for one in values:
        size += len(orjson.dumps(one))
        if size > MAX_BYTES:
            raise invalid(
                "evaluations",
                "The values of {field}, with the defaults of those that are not given, take over {most} MiB as JSON; make"
                " several batches of fewer points, or give shorter tables and texts.",
                value=None,
                constraint="max_bytes",
                most=MAX_BYTES >> 20,
            )
