"""Ids of points as evaluations: the id of their batch or study, with the point's number in place of its last 20 bits.

So a point needs no column and no index for its id. Ids of batches have 54 random bits before these, beside their time.
"""

from __future__ import annotations

from typing import Any

_DIGITS = 5
"""Hexadecimal digits of the number, which is the index + 1."""

LAST = "ffffffff-ffff-ffff-ffff-ffffffffffff"
"""An id behind those of all points."""


def evaluation_id(batch_id: str, index: int) -> str:
    """Return the id of a point as an evaluation."""
    return f"{batch_id[:-_DIGITS]}{index + 1:0{_DIGITS}x}"


def ids_of(batch_id: str) -> dict[str, str]:
    """Return the lowest and the highest id that points of a batch, or the batch itself, can have."""
    return {"lowest": f"{batch_id[:-_DIGITS]}{'0' * _DIGITS}", "highest": f"{batch_id[:-_DIGITS]}{'f' * _DIGITS}"}


def place(evaluation_id: str) -> dict[str, Any]:
    """Return where the point with an id is: `ids_of` its batch and its `index`, -1 for none."""
    return {**ids_of(evaluation_id), "index": int(evaluation_id[-_DIGITS:], 16) - 1}
