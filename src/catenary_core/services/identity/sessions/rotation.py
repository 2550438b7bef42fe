"""The rules of refresh tokens that follow each other (RFC 9700, section 4.14.2).

Each use gives a token of the next generation. The one before stays good for a minute, or until its successor is used, since
two tabs may use one token at once and an answer may be lost. Whoever comes with an older one, or later, has a copy: two
parties hold the session, nobody knows which is the right one, and so it ends.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

IDLE_SECONDS = 30 * 86400.0
"""Seconds after its last use at which a session ends."""
MAX_SECONDS = 180 * 86400.0
"""Longest time of a session in seconds."""
GRACE_SECONDS = 60.0
"""Seconds for which the token before the newest stays good."""


class Use(Enum):
    """The effect of the use of a refresh token."""

    NEXT = "next"
    """The next generation begins."""
    AGAIN = "again"
    """Another token of the newest generation is given, since that one was lost or is not used yet."""
    COPIED = "copied"
    """The session ends: the token was used before."""
    ENDED = "ended"
    """Nothing: the session has ended."""


@dataclass(frozen=True, slots=True)
class SessionState:
    """A session at the time of a use; all times are Unix seconds."""

    generation: int
    """Generation of the newest token."""
    rotated_at: float
    """Time at which that generation began."""
    used_at: float
    """Time of the last use."""
    ends_at: float
    """Time at which the session ends in any case."""
    has_ended: bool
    """True after a sign-out, or after a use of a copy."""


def use_of(state: SessionState, generation: int, now: float) -> Use:
    """Return what the use of a token of this generation does now."""
    if state.has_ended or now >= ends_at(state):
        return Use.ENDED
    if generation == state.generation:
        return Use.NEXT
    if generation == state.generation - 1 and now < state.rotated_at + GRACE_SECONDS:
        return Use.AGAIN
    return Use.COPIED


def ends_at(state: SessionState) -> float:
    """Return the time at which a session ends unless it is used again."""
    return min(state.ends_at, state.used_at + IDLE_SECONDS)
