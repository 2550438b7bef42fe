"""Sentences of refusals for a limit, the same of the core and of an edge.

Each says when to try again, and names the setting of the limit if there is one.
"""

from __future__ import annotations

import math


def requests(limit: int, seconds: float) -> str:
    """Return the sentence for a user without requests, who has to wait for some seconds."""
    return _sentence(
        f"You have had your {counted(limit, 'request')} of the hour", seconds, "CATENARY_REQUESTS_PER_HOUR"
    )


def evaluations(limit: int, seconds: float) -> str:
    """Return the sentence for a project without evaluations."""
    what = f"The project has had its {counted(limit, 'evaluation')} of the hour"
    return _sentence(what, seconds, "CATENARY_EVALUATIONS_PER_HOUR")


def bulk_operations(limit: int, seconds: float) -> str:
    """Return the sentence for a user whose bulk operations are all running."""
    what = f"You have {counted(limit, 'bulk operation')} running, which is all you may"
    return _sentence(what, seconds, "CATENARY_BULK_OPERATIONS")


def failed_attempts(seconds: float) -> str:
    """Return the sentence for a client or an address with too many failed attempts; their number has no setting."""
    return _sentence("Too many failed attempts of this client or from this address", seconds)


def guest_tokens(seconds: float) -> str:
    """Return the sentence for an address with too many tokens of the demo guest; their number has no setting."""
    return _sentence("This address has had too many tokens of the demo guest", seconds)


def refreshes(seconds: float) -> str:
    """Return the sentence for a session that is refreshed too often; the number has no setting."""
    return _sentence("This session was refreshed too often", seconds)


def _sentence(what: str, seconds: float, setting: str | None = None) -> str:
    way_out = "" if setting is None else f" An operator may raise {setting}."
    return f"{what}; try again in {_duration(seconds)}.{way_out}"


def _duration(seconds: float) -> str:
    """Return a duration in whole minutes, rounded up, or in seconds if it is under a minute."""
    whole = max(1, math.ceil(seconds))
    if whole < 60:
        return f"{whole} s"
    minutes = math.ceil(whole / 60)
    return counted(minutes, "minute")


def counted(number: int, noun: str) -> str:
    """Return a number with its noun, in the singular for one."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
