"""The part of the sampled tests that a commit runs: a third of them, another one for each commit."""

from __future__ import annotations

import hashlib

PARTS = 3
"""Parts of which a commit runs one."""


def is_drawn(node_id: str, commit: str) -> bool:
    """Return whether a commit runs a test; the same ones each time and on each machine."""
    digest = hashlib.sha256(f"{commit} {node_id}".encode()).digest()
    return int.from_bytes(digest[:8]) % PARTS == 0
