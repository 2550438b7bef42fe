"""When a delivery that failed is tried again (guide/webhooks.md, "Attempts")."""

from __future__ import annotations

import random

RETRIES = (5.0, 300.0, 1800.0, 7200.0, 18_000.0, 36_000.0, 36_000.0)
"""Seconds from one attempt to the next: 27.6 hours in all."""
ATTEMPTS = 1 + len(RETRIES)
JITTER = 0.2
"""By which part a pause may be longer, so that what failed together isn't sent together again."""
LONGEST_WAIT = 86_400.0
"""The longest `Retry-After` that an answer is taken to ask for, in seconds."""
KEPT_ATTEMPTS = 10


def pause(attempts: int, retry_after: float | None, jitter: float | None = None) -> float | None:
    """Seconds to the next attempt after so many; None when there is none.

    The pause is what the schedule has, longer by up to JITTER of it (`jitter` from 0 to 1, random when absent), or what the
    receiver asked for if that is longer still.
    """
    if attempts >= ATTEMPTS:
        return None
    share = random.random() if jitter is None else jitter  # noqa: S311 (no secret)
    return max(RETRIES[attempts - 1] * (1 + JITTER * share), min(retry_after or 0.0, LONGEST_WAIT))
