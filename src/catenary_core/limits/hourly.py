"""The hourly limits in the database: of a user's requests, by lease, and of a project's evaluations, one by one."""

from __future__ import annotations

import math
from dataclasses import dataclass

import uuid_utils

from catenary_core.call import Call
from catenary_core.db import Database, Transaction
from catenary_core.errors import DomainError
from catenary_core.limits import counters
from catenary_core.limits.window import LEASE_SECONDS, Standing, Window

REPLY = ("x-ratelimit-limit", "x-ratelimit-remaining", "x-ratelimit-reset")
"""Response metadata that says how the tightest limit of a call stands: calls, calls left, Unix seconds."""


@dataclass(frozen=True, slots=True)
class Grant:
    """Calls that were leased: `calls` (0: none is left) under `lease_id`, to be used within `seconds` of the asking."""

    lease_id: str
    calls: int
    seconds: float
    standing: Standing


async def lease(db: Database, user_id: str, limit: int, wanted: int, ended: str = "", unused: int = 0) -> Grant:
    """Leases up to `wanted` requests of a user; a lease that the holder had before ends, with what it left unused."""
    lease_id = str(uuid_utils.uuid4())  # a random one: who doesn't hold it can't guess it
    async with db.transaction() as tx:
        state, now = await counters.lock(tx, counters.USER_REQUESTS, user_id)
        window = Window(state, limit, now)
        window.give_back(ended, unused)
        calls = window.lease(lease_id, wanted)
        await counters.store(tx, counters.USER_REQUESTS, user_id, window.state())
    return Grant(lease_id if calls else "", calls, LEASE_SECONDS, window.standing(lease_id))


async def give_back(db: Database, user_id: str, limit: int, lease_id: str, unused: int) -> None:
    """Gives back what of a lease wasn't used."""
    async with db.transaction() as tx:
        state, now = await counters.lock(tx, counters.USER_REQUESTS, user_id)
        window = Window(state, limit, now)
        if window.give_back(lease_id, unused):
            await counters.store(tx, counters.USER_REQUESTS, user_id, window.state())


async def charge_evaluation(tx: Transaction, call: Call, limit: int) -> None:
    """Counts an evaluation of the call's project in the transaction that adds it, so that one that isn't added isn't counted.

    Put it last there: the counter stays locked until the transaction ends. RATE_LIMIT_EXCEEDED when none is left.
    """
    project_id = str(call.project_id)
    state, now = await counters.lock(tx, counters.PROJECT_EVALUATIONS, project_id)
    window = Window(state, limit, now)
    charged = window.charge()
    standing = window.standing()
    if not charged:
        raise refused(f"The project has had its {limit} evaluations of the hour", standing, now)
    await counters.store(tx, counters.PROJECT_EVALUATIONS, project_id, window.state())
    tell(call, standing)


async def tell_evaluations(tx: Transaction, call: Call, limit: int) -> None:
    """Says how the evaluations of the call's project stand, where none is charged."""
    state, now = await counters.read(tx, counters.PROJECT_EVALUATIONS, str(call.project_id))
    tell(call, Window(state, limit, now).standing())


def tell(call: Call, standing: Standing) -> None:
    """Notes a limit that applies to a call, for its response metadata; of several the one with the fewest calls left counts."""
    told = call.reply.get(REPLY[1])
    if told is None or standing.remaining < int(told):
        call.reply.update(zip(REPLY, map(str, (standing.limit, standing.remaining, standing.reset)), strict=True))


def refused(what: str, standing: Standing, now: float) -> DomainError:
    """RATE_LIMIT_EXCEEDED; `what` is the beginning of its sentence."""
    seconds = max(1, math.ceil(standing.reset_at - now))
    return DomainError(
        "RATE_LIMIT_EXCEEDED",
        f"{what}; try again in {seconds} s.",
        details={"limit": standing.limit, "remaining": standing.remaining, "reset": standing.reset},
        retry_after=float(seconds),
    )
