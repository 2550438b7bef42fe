"""Sends deliveries, on every node, by leases.

One statement leases a delivery, the delivery is sent outside any transaction, and another statement, fenced by the
lease's token, ends it. If a process dies, its lease ends and another process sends again: at least once, with the same
`webhook-id`. At most PER_WEBHOOK deliveries of a webhook are in flight at a time, so that an address that hangs delays
no other, and at most PER_OWNER of a user's webhooks, so that a user whose addresses all hang delays no other user.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping, Sequence
from contextlib import AsyncExitStack
from typing import Any

import orjson
import uuid_utils

from catenary.platform.v1.webhook_shapes import WebhookAttempt
from catenary_core import metrics
from catenary_core.access.audience import Audiences, may_see
from catenary_core.background.failures import end, run_step
from catenary_core.background.periodic import Periodic
from catenary_core.call.call import IdentityCheck
from catenary_core.database.retention import remove
from catenary_core.database.statements import Row, json_value
from catenary_core.database.transactions import Transaction
from catenary_core.database.wakeups import POLL_SECONDS
from catenary_core.event_log import notifications, reader
from catenary_core.frame import Frame
from catenary_core.services.webhooks import messages, signatures
from catenary_core.services.webhooks import queries as webhook_queries
from catenary_core.services.webhooks.deliveries import queries, schedule
from catenary_core.services.webhooks.deliveries.responses import KEPT_BYTES
from catenary_core.services.webhooks.deliveries.sender import TOTAL_SECONDS, AttemptResult, Sender
from catenary_core.services.webhooks.tables import CHANNEL
from catenary_core.services.webhooks.visibility import identities

SLOTS = 256
"""Deliveries that a process sends at a time."""
PER_WEBHOOK = 8
"""Deliveries of one webhook in flight at a time, over all processes.

Two processes that lease at the same moment may exceed it.
"""
PER_OWNER = 64
"""Deliveries of all webhooks of one user in flight at a time, over all processes."""
LEASE_SECONDS = 4 * TOTAL_SECONDS
STOP_SECONDS = 5.0
"""Seconds that a stop waits for deliveries in flight; unfinished ones are then released."""
_GONE = 410
_HEADERS = {"Content-Type": "application/json"}


class Deliverer:
    """Leases and sends deliveries while the process runs."""

    def __init__(self, frame: Frame, standing: IdentityCheck) -> None:
        self._db = frame.db
        self._secrets = frame.secrets
        self._wakeups = frame.wakeups
        self._standing = standing
        self._audiences = Audiences(frame.db)
        settings = frame.settings
        self._sender = Sender(allow_private=settings.webhook_allow_private, public_url=settings.public_url)
        self._sending: dict[asyncio.Task[bool], Row] = {}
        self._held = AsyncExitStack()
        self._task: asyncio.Task[None] | None = None
        self._retention = Periodic(
            "forgetting deliveries of webhooks", 60, lambda: remove(frame.db, queries.REMOVE_OLD)
        )

    async def start(self) -> None:
        """Start sending."""
        await self._held.enter_async_context(self._sender)
        self._held.push_async_callback(self._retention.stop)
        await self._retention.start()
        self._task = asyncio.create_task(self._run(), name="webhooks")

    async def stop(self) -> None:
        """Lease nothing more, wait for deliveries in flight, and release those that don't finish in time."""
        async with self._held:
            await end(self._task)
            if self._sending:
                await asyncio.wait(self._sending, timeout=STOP_SECONDS)
            left = dict(self._sending)
            for task in left:
                task.cancel()
            await asyncio.gather(*left, return_exceptions=True)
            if left:
                await run_step("giving back deliveries of webhooks", lambda: self._release(list(left.values())))

    async def _run(self) -> None:
        while True:
            ticket = self._wakeups.ticket(CHANNEL)
            if not await run_step("sending to webhooks", self._take):
                await asyncio.sleep(POLL_SECONDS)
            await self._wakeups.wait(ticket, POLL_SECONDS)

    async def _take(self) -> None:
        """Lease due deliveries, as many as there are free slots, and start sending them."""
        room = SLOTS - len(self._sending)
        if room <= 0:
            return
        token = str(uuid_utils.uuid7())
        async with self._db.read() as tx:
            rows = await tx.all(
                queries.LEASE,
                most=room,
                per_webhook=PER_WEBHOOK,
                per_owner=PER_OWNER,
                seconds=LEASE_SECONDS,
                token=token,
            )
        if not rows:
            return
        try:
            events = await self._shown(rows)
        except BaseException:  # includes cancellation by a stop
            leased = [row | {"lease_token": token} for row in rows]
            await run_step("giving back deliveries of webhooks", lambda: self._release(leased))
            raise
        hidden = [row["delivery_id"] for row, event in zip(rows, events, strict=True) if event is None]
        if hidden:
            async with self._db.transaction() as tx:
                await tx.execute(queries.GIVE_UP, ids=hidden, token=token)
        for row, event in zip(rows, events, strict=True):
            if event is not None:
                self._begin(row | {"lease_token": token}, event)

    async def _shown(self, rows: Sequence[Row]) -> list[Mapping[str, Any] | None]:
        """Return the event of each delivery.

        None if its owner may not see the event now, or the log no longer has it.
        """
        webhook_identities = await identities(self._standing, rows)
        self._audiences.forget()  # this process doesn't read every event that changes visibility
        logged = [row for row in rows if row["id"] is not None]
        viewers = dict(zip([row["delivery_id"] for row in logged], await self._audiences.of(logged), strict=True))
        found: list[Mapping[str, Any] | None] = []
        for row, identity in zip(rows, webhook_identities, strict=True):
            event = row["test_event"]
            if event is None and row["id"] is not None:
                seen = identity is not None and may_see(identity, row["type"], viewers[row["delivery_id"]])
                event = reader.event_message(row) if seen else None
            found.append(event if identity is not None else None)
        return found

    def _begin(self, row: Row, event: Mapping[str, Any]) -> None:
        # `run_step` logs unforeseen errors, such as an unreadable secret; the delivery is tried again when its lease
        # has ended.
        attempt = run_step("delivering to a webhook", lambda: self._deliver(row, event))
        task = asyncio.create_task(attempt, name="webhook delivery")
        self._sending[task] = row
        task.add_done_callback(self._done)

    def _done(self, task: asyncio.Task[bool]) -> None:
        del self._sending[task]
        self._wakeups.fire(CHANNEL)  # another delivery may have waited for the slot

    async def _deliver(self, row: Row, event: Mapping[str, Any]) -> None:
        body = orjson.dumps(event)
        secrets = [self._secrets.decrypt(sealed) for sealed in row["secrets"]]
        headers = signatures.headers(secrets, row["event_id"], int(time.time()), body)
        outcome = await self._sender.send(row["url"], {**_HEADERS, **headers}, body)
        await self._end(row, body, outcome)

    async def _end(self, row: Row, body: bytes, outcome: AttemptResult) -> None:
        """Store the result of an attempt and its consequence, unless the delivery's lease has changed."""
        metrics.delivery_tried(delivered=outcome.delivered)
        is_test, gone = row["test_event"] is not None, outcome.status == _GONE
        pause = None if outcome.delivered or gone or is_test else schedule.pause(row["attempts"], outcome.retry_after)
        attempt: WebhookAttempt = {
            "attempted_at": row["attempted_at"],
            "response_status": outcome.status,
            "response_excerpt": outcome.excerpt,
            "reason": outcome.reason,
            "duration_ms": outcome.duration_ms,
        }
        noted = {
            "held_id": row["delivery_id"],
            "token": row["lease_token"],
            "new_log": json_value([*row["log"], attempt][-schedule.KEPT_ATTEMPTS :]),
            "sent": body[:KEPT_BYTES].decode(errors="ignore"),
        }
        async with self._db.transaction() as tx:
            if pause is not None:
                await tx.execute(queries.RETRY, **noted, seconds=pause)
            elif outcome.delivered or (is_test and not gone):
                await tx.execute(queries.END, **noted, new_status="delivered" if outcome.delivered else "failed")
            else:
                await tx.one_or_none(webhook_queries.LOCK, webhook_id=row["webhook_id"])
                if await tx.execute(queries.END, **noted, new_status="failed"):
                    await self._disable(tx, row["webhook_id"], "gone" if gone else "failed")

    async def _disable(self, tx: Transaction, webhook_id: str, reason: str) -> None:
        """Disable a locked webhook, cancel its pending deliveries and notify its owner."""
        disabled = await tx.one_or_none(webhook_queries.DISABLE, webhook_id=webhook_id, new_reason=reason)
        if disabled is not None:
            await tx.execute(webhook_queries.CANCEL_PENDING, webhook_id=webhook_id)
            await notifications.notify(
                tx, "webhook_disabled", [disabled["user_id"]], subject=messages.WEBHOOK_PATH.format(webhook_id)
            )

    async def _release(self, rows: Sequence[Row]) -> None:
        async with self._db.transaction() as tx:
            for row in rows:
                await tx.execute(queries.RELEASE, held_id=row["delivery_id"], token=row["lease_token"])
            await tx.notify(CHANNEL)
