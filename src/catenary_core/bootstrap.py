"""Assembly of a core: with `bootstrap_data`, the only shared modules that know the services."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any

import sqlalchemy as sa

from catenary_core import metrics
from catenary_core.access.policy import Policy
from catenary_core.audit import entries
from catenary_core.audit.chain import Chain
from catenary_core.audit.entries import AuditEntry
from catenary_core.audit.minute_counts import MinuteCounts
from catenary_core.audit.trail import Trail
from catenary_core.background.periodic import Periodic
from catenary_core.bootstrap_data import DATA_SERVICES, dispatch_of
from catenary_core.call.methods import bindings_of, service_descriptors
from catenary_core.database import change_counts
from catenary_core.database.transactions import Database
from catenary_core.database.wakeups import Wakeups
from catenary_core.event_log import events, reader
from catenary_core.frame import Assembly, CoreParts, Frame, Streams
from catenary_core.idempotency import records
from catenary_core.idempotency.replay import Idempotency
from catenary_core.jobs import queue
from catenary_core.keyring.ring import Member
from catenary_core.limits.free_space import WARN_SECONDS, FreeSpace
from catenary_core.limits.gate import Limits
from catenary_core.objects import Objects
from catenary_core.secrets import read_secret
from catenary_core.server.dispatch import Dispatch
from catenary_core.services.audit import assembly as audit_service
from catenary_core.services.caching import assembly as caching
from catenary_core.services.comments.discussion import assembly as discussion
from catenary_core.services.evaluations import assembly as evaluations
from catenary_core.services.events import assembly as events_service
from catenary_core.services.identity import assembly as identity
from catenary_core.services.limits import assembly as limits_service
from catenary_core.services.models import assembly as models
from catenary_core.services.notifications import assembly as notifications
from catenary_core.services.parameter.imports import assembly as imports
from catenary_core.services.projects import assembly as projects
from catenary_core.services.refusals import assembly as refusals_service
from catenary_core.services.usage import assembly as usage
from catenary_core.services.variants import assembly as variants
from catenary_core.services.views import assembly as views
from catenary_core.services.webhooks import assembly as webhooks
from catenary_core.services.worker import assembly as worker
from catenary_core.settings import CoreSettings
from catenary_core.storage.collector import Collector
from catenary_wire.spans import Begin

# In order: a service stands after those whose parts it takes, and its background work stops before theirs.
SERVICES: tuple[Assembly, ...] = (
    *DATA_SERVICES,
    imports.ASSEMBLY,
    identity.ASSEMBLY,  # gives `authenticator` and `standing`
    projects.ASSEMBLY,  # gives `role_of`
    models.ASSEMBLY,
    evaluations.ASSEMBLY,  # takes `recheck` and `role_of`, gives `evaluations`
    variants.ASSEMBLY,  # takes `evaluations`
    discussion.ASSEMBLY,  # takes `evaluations`
    views.ASSEMBLY,
    worker.ASSEMBLY,  # takes `job_owners`
    events_service.ASSEMBLY,  # takes `standing`, gives `streams`
    notifications.ASSEMBLY,
    usage.ASSEMBLY,  # takes `role_of`
    webhooks.ASSEMBLY,  # takes `standing`
    audit_service.ASSEMBLY,
    caching.ASSEMBLY,
    limits_service.ASSEMBLY,
    refusals_service.ASSEMBLY,  # takes `counts`
)
CHANNELS = (queue.CHANNEL, events.CHANNEL, reader.CHANNEL, *(name for one in SERVICES for name in one.channels))
"""Channels on which a core listens."""
SEALED: tuple[sa.Column[Any], ...] = (records.record.c.answer, *(column for one in SERVICES for column in one.sealed))
"""Columns with values of `Secrets.encrypt`, which a retirement of the secret encrypts anew."""
RENEWALS = tuple(step for one in SERVICES for step in one.at_retirement)
"""Steps at the end of a retirement, which renew what the old secret could open."""
UNWATCHED = {**change_counts.UNWATCHED, **{table: why for one in SERVICES for table, why in one.unwatched.items()}}


@dataclass(frozen=True, slots=True)
class Core:
    """A running core."""

    frame: Frame
    """The parts that services share."""
    dispatch: Dispatch
    """Handles the calls."""
    feed: Streams
    """Streams of events."""
    closers: Sequence[Callable[[], None]]
    """Called before the servers stop, so that no stream delays a stop."""


@asynccontextmanager
async def running_core(
    settings: CoreSettings, trace: Begin | None = None, *, demo: bool = False
) -> AsyncIterator[Core]:
    """Run a core with its background work on a migrated database, until the block ends.

    When a start or a stop fails, all else that has started is stopped.

    Args:
        settings: must contain the database and the secret.
        trace: starts a span per call; None for no traces.
        demo: whether the demo guest may sign in.

    Raises:
        ValueError: the settings can't be used, or the secret is not the database's.
        psycopg.OperationalError: the database refuses the connection.
        PoolTimeout: the database can't be reached in time.
    """
    if settings.database_url is None or settings.secret_key is None:
        raise ValueError("the core needs CATENARY_DATABASE_URL and CATENARY_SECRET_KEY")
    dsn, secret = settings.database_url.get_secret_value(), read_secret(settings.secret_key.get_secret_value())
    async with AsyncExitStack() as stack:
        db = Database(dsn, max_connections=settings.max_connections)
        stack.push_async_callback(db.close)
        await db.open()
        member = await Member.join(db, secret)
        stack.push_async_callback(member.stop)
        frame = Frame(
            settings=settings,
            db=db,
            secrets=member.secrets,
            objects=Objects(settings.object_store, settings.data_dir),
            wakeups=Wakeups(dsn, CHANNELS),
            space=FreeSpace(settings.data_dir, settings.free_space),
            demo=demo,
        )
        parts = CoreParts(bindings_of(service_descriptors()))
        parts.counts = MinuteCounts(db)
        parts.data_calls = partial(dispatch_of, frame)
        for service in SERVICES:
            service.assemble(frame, parts)
        limits = Limits(settings, db, frame.space)
        policy = Policy(parts.role_of, parts.project_of, parts.shared_role_of, parts.variant_of)
        idempotency = Idempotency(db, frame.secrets)
        trail = Trail(db, parts.bindings, parts.counts)
        dispatch = Dispatch(
            parts.bindings, parts.servicers, parts.authenticator, policy, limits, idempotency, trace, trail
        )
        parts.background += [
            parts.counts,
            Chain(db, frame.secrets, settings.audit_days),
            Periodic("removing old responses of idempotency keys", 60, lambda: records.remove_old(db)),
            limits,
            Collector(db, frame.objects),
            Periodic("looking at the free disk space", WARN_SECONDS, frame.space.warn),
            Periodic("sampling jobs and connections", metrics.SAMPLE_SECONDS, lambda: metrics.sample(db)),
        ]
        await _prepare(db)
        await _record_start(frame)
        await member.start()
        for work in (frame.wakeups, *parts.background):
            stack.push_async_callback(work.stop)  # first, so that a start that fails half-way is stopped too
            await work.start()
        yield Core(frame, dispatch, parts.streams, parts.closers)


async def _prepare(db: Database) -> None:
    """Do what stands before all work: count changes, load catalogues at the first start, and the services' own steps."""
    await change_counts.watch(db, UNWATCHED)
    for service in SERVICES:
        for step in (*(catalogue.load_at_first_start for catalogue in service.catalogues), *service.at_start):
            async with db.transaction() as tx:
                await step(tx)


async def _record_start(frame: Frame) -> None:
    """Write the names of the settings that are set to the audit trail, without any value."""
    settings, fields = frame.settings, CoreSettings.model_fields
    names = sorted(name for name in settings.model_fields_set if getattr(settings, name) != fields[name].default)
    async with frame.db.transaction() as tx:
        await entries.write(tx, AuditEntry(entries.NODE_STARTED, details={"settings": names}))
