"""Bounds of the refusals that edges report and the core keeps in the audit trail, one for both sides."""

from __future__ import annotations

STATUSES = frozenset({401, 403, 429})
"""HTTP statuses of the refusals that the trail keeps."""
FURTHER = "further"
"""Action of refusals beyond those that are counted apart."""
MOST_COUNT = 2**31 - 1
"""Largest count of equal refusals."""
