"""How many random examples tests draw: all in the nightly run, which draws new ones each time, and a quarter in the gate."""

from __future__ import annotations

import os

ARE_NEW = os.environ.get("CATENARY_RANDOM_EXAMPLES") == "true"
"""True in the nightly run: else the examples are the same each time, so that a red test is red by the change."""


def at_most(number: int) -> int:
    """Return the number of examples of this run, of so many in the nightly one."""
    return number if ARE_NEW else number // 4
