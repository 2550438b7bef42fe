"""Assembly of a core: with `bootstrap_data`, the only shared modules that know the services."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass

from catenary_core import bootstrap_data, metrics
from catenary_core.access.policy import Policy
from catenary_core.background.periodic import Periodic
from catenary_core.call.methods import bindings_of, service_descriptors
from catenary_core.database.transactions import Database
from catenary_core.database.wakeups import Wakeups
from catenary_core.event_log import events, notifications, reader
from catenary_core.event_log.consumer import Consumer
from catenary_core.frame import Frame
from catenary_core.idempotency import records
from catenary_core.idempotency.replay import Idempotency
from catenary_core.jobs import queue
from catenary_core.limits.gate import Limits
from catenary_core.objects import Objects
from catenary_core.secrets import Secrets, read_secret
from catenary_core.server.dispatch import Dispatch
from catenary_core.services.caching.servicer import VersionServicer
from catenary_core.services.evaluations import tables as evaluation_tables
from catenary_core.services.evaluations.endings import EvaluationEnds
from catenary_core.services.evaluations.owner import EvaluationOwner
from catenary_core.services.evaluations.servicer import EvaluationServicer
from catenary_core.services.events import releases
from catenary_core.services.events.feed import Feed
from catenary_core.services.events.sequencer import Sequencer
from catenary_core.services.events.servicer import EventServicer
from catenary_core.services.identity.clients.api_key_servicer import ApiKeyServicer
from catenary_core.services.identity.clients.client_servicer import ClientServicer
from catenary_core.services.identity.people.team_servicer import TeamServicer
from catenary_core.services.identity.people.user_servicer import UserServicer
from catenary_core.services.identity.tokens.access_tokens import AccessTokens
from catenary_core.services.identity.tokens.credentials import Credentials
from catenary_core.services.identity.tokens.enterprise_issuers import EnterpriseIssuers
from catenary_core.services.identity.tokens.servicer import AuthServicer
from catenary_core.services.identity.tokens.signing_keys import SigningKeys
from catenary_core.services.limits.servicer import LimitServicer
from catenary_core.services.models.checks import Checks
from catenary_core.services.models.servicer import DeploymentServicer, ModelParameterServicer, ModelServicer
from catenary_core.services.notifications import fan_out
from catenary_core.services.notifications.servicer import NotificationServicer
from catenary_core.services.projects.servicer import ProjectServicer
from catenary_core.services.webhooks import tables as webhook_tables
from catenary_core.services.webhooks.deliveries.deliverer import Deliverer
from catenary_core.services.webhooks.deliveries.fan_out import DeliveryFanOut
from catenary_core.services.webhooks.servicer import WebhookServicer
from catenary_core.services.worker.reaper import Reaper
from catenary_core.services.worker.servicer import WorkerServicer
from catenary_core.settings import CoreSettings
from catenary_wire.spans import Begin

CHANNELS = (queue.CHANNEL, events.CHANNEL, reader.CHANNEL, evaluation_tables.CHANNEL, webhook_tables.CHANNEL)
"""Channels on which a core listens."""


@dataclass(frozen=True, slots=True)
class Core:
    """A running core."""

    frame: Frame
    """The parts that services share."""
    dispatch: Dispatch
    """Handles the calls."""
    feed: Feed
    """Streams of events; closed before the servers, so that no stream delays a stop."""


@asynccontextmanager
async def running_core(settings: CoreSettings, trace: Begin | None = None) -> AsyncIterator[Core]:
    """Run a core with its background work on a migrated database, until the block ends.

    Args:
        settings: must contain the database and the secret.
        trace: starts a span per call; None for no traces.

    Raises:
        ValueError: the settings can't be used.
        psycopg.OperationalError: the database refuses the connection.
        PoolTimeout: the database can't be reached in time.
    """
    if settings.database_url is None or settings.secret_key is None:
        raise ValueError("the core needs CATENARY_DATABASE_URL and CATENARY_SECRET_KEY")
    dsn = settings.database_url.get_secret_value()
    frame = Frame(
        settings=settings,
        db=Database(dsn, max_connections=settings.max_connections),
        secrets=Secrets(read_secret(settings.secret_key.get_secret_value())),
        objects=Objects(settings.object_store, settings.data_dir),
        wakeups=Wakeups(dsn, CHANNELS),
    )
    endings = EvaluationEnds(frame.db, frame.wakeups)
    owners: Mapping[str, queue.Owner] = {"check": Checks(), "evaluate": EvaluationOwner(endings)}
    issuers = EnterpriseIssuers(settings.oidc_issuers)
    limits = Limits(settings, frame.db)
    dispatch, credentials, feed = _dispatch(frame, owners, issuers, endings, limits, trace)
    core = Core(frame, dispatch, feed)
    reaper = Reaper(frame, owners)
    sequencer = Sequencer(frame)
    maker = DeliveryFanOut(frame, credentials.standing)
    deliverer = Deliverer(frame, credentials.standing)
    notifier = Consumer(frame, fan_out.NAME, fan_out.WANTED, fan_out.make)
    cleaner = Periodic("removing old responses of idempotency keys", 60, lambda: records.remove_old(frame.db))
    sweeper = Periodic("removing old notifications", 600, lambda: notifications.remove_old(frame.db))
    looks = Periodic("sampling jobs and connections", metrics.LOOK_SECONDS, lambda: metrics.look(frame.db))
    try:
        await frame.db.open()
        await bootstrap_data.load_at_first_start(frame.db)
        async with frame.db.transaction() as tx:
            await releases.announce(tx, releases.installed())
        await frame.wakeups.start()
        await sequencer.start()
        await notifier.start()
        await feed.start()
        await maker.start()
        await deliverer.start()
        await reaper.start()
        await cleaner.start()
        await sweeper.start()
        await limits.start()
        await looks.start()
        yield core
    finally:
        await looks.stop()
        await limits.stop()
        await sweeper.stop()
        await cleaner.stop()
        await reaper.stop()
        await deliverer.stop()
        await maker.stop()
        await feed.stop()
        await notifier.stop()
        await sequencer.stop()
        await issuers.close()
        await frame.wakeups.stop()
        await frame.db.close()


def _dispatch(
    frame: Frame,
    owners: Mapping[str, queue.Owner],
    issuers: EnterpriseIssuers,
    endings: EvaluationEnds,
    limits: Limits,
    trace: Begin | None,
) -> tuple[Dispatch, Credentials, Feed]:
    bindings = bindings_of(service_descriptors())
    keys = SigningKeys(frame.db, frame.secrets)
    tokens = AccessTokens(frame.settings, frame.secrets, keys)
    credentials = Credentials(frame, tokens, issuers)
    projects = ProjectServicer(frame)
    evaluations = EvaluationServicer(frame, endings)
    feed = Feed(frame, credentials.standing)
    platform = {
        "ApiKeyService": ApiKeyServicer(frame),
        "AuthService": AuthServicer(frame, tokens, keys),
        "ClientService": ClientServicer(frame),
        "DeploymentService": DeploymentServicer(frame),
        "EvaluationService": evaluations,
        "EventService": EventServicer(frame, feed, bindings),
        "ModelService": ModelServicer(frame),
        "NotificationService": NotificationServicer(frame),
        "ParameterService": ModelParameterServicer(frame),
        "ProjectService": projects,
        "TeamService": TeamServicer(frame),
        "UserService": UserServicer(frame),
        "WebhookService": WebhookServicer(frame, bindings),
    }
    servicers: dict[str, object] = {f"catenary.platform.v1.{name}": servicer for name, servicer in platform.items()}
    servicers |= bootstrap_data.servicers(frame)
    servicers["catenary.caching.v1.VersionService"] = VersionServicer(frame)
    servicers["catenary.limits.v1.LimitService"] = LimitServicer(frame)
    servicers["catenary.worker.v1.WorkerService"] = WorkerServicer(frame, owners)
    policy = Policy(projects.role_of, {"evaluation_id": evaluations.project_of})
    idempotency = Idempotency(frame.db, frame.secrets)
    return Dispatch(bindings, servicers, credentials, policy, limits, idempotency, trace), credentials, feed
