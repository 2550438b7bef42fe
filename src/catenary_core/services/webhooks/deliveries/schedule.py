"""The retry schedule of failed deliveries.

See guide/webhooks.md, "Attempts".
"""

from __future__ import annotations

import random

RETRIES = (5.0, 300.0, 1800.0, 7200.0, 18_000.0, 36_000.0, 36_000.0)
"""Seconds from each attempt to the next: 27.6 hours in all."""
ATTEMPTS = 1 + len(RETRIES)
"""Maximum number of attempts."""
JITTER = 0.2
"""Maximum part by which a pause is lengthened, so that deliveries that failed together aren't sent together again."""
LONGEST_WAIT = 86_400.0
"""The longest `Retry-After`, in seconds, that is honoured."""
KEPT_ATTEMPTS = 10
"""Number of latest attempts that a delivery keeps."""


def pause(attempts: int, retry_after: float | None, jitter: float | None = None) -> float | None:
    """Return the seconds until the next attempt after `attempts` attempts; None if there is none.

    The pause is the schedule's, longer by up to JITTER of it (`jitter` from 0 to 1, random if None), or the receiver's
    Retry-After if that is longer.
    """
    if attempts >= ATTEMPTS:
        return None
    share = random.random() if jitter is None else jitter  # noqa: S311 (no secret)
    return max(RETRIES[attempts - 1] * (1 + JITTER * share), min(retry_after or 0.0, LONGEST_WAIT))
