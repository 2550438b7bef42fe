"""WebhookService: webhooks, their secrets and deliveries."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import uuid_utils

from catenary.platform.v1 import webhook_pb2
from catenary.platform.v1 import webhook_service_pb2 as pb
from catenary.platform.v1 import webhook_service_shapes as shapes
from catenary_core.access.audience import is_narrowed
from catenary_core.call import field_masks, preconditions
from catenary_core.call.call import Call
from catenary_core.call.errors import DomainError, invalid, not_found
from catenary_core.call.methods import Binding
from catenary_core.database.statements import Row, json_value
from catenary_core.database.transactions import Transaction
from catenary_core.event_log.event_types import covered, known_types
from catenary_core.frame import Frame
from catenary_core.resources.platform_pages import page_of
from catenary_core.services.webhooks import messages, queries, signing_secrets
from catenary_core.services.webhooks.tables import CHANNEL
from catenary_core.services.webhooks.targets import guard
from catenary_wire.json_form import enum_names
from catenary_wire.timestamps import now_text

MAX_WEBHOOKS = 100
"""Maximum number of webhooks of a user: each event is compared with every webhook."""
OVERLAP_HOURS = 24
"""Hours for which messages are also signed with a secret after its rotation (guide/webhooks.md, "Make one")."""
TEST_TYPE = "webhook.test"
"""The type of the event that `test_webhook` sends."""
_STATUS = webhook_pb2.WebhookStatus.DESCRIPTOR


class WebhookServicer:
    """`catenary.platform.v1.WebhookService`."""

    def __init__(self, frame: Frame, bindings: Mapping[str, Binding]) -> None:
        self._settings = frame.settings
        self._db = frame.db
        self._secrets = frame.secrets
        self._known = known_types(bindings)

    async def list_webhooks(self, request: pb.ListWebhooksRequest, call: Call) -> shapes.ListWebhooksResponse:
        """List a page of the caller's webhooks, or of all users' webhooks for an Admin."""
        page, admin = page_of(request), call.caller.admin
        user = {} if admin else {"user_id": call.caller.user_id}
        async with self._db.read() as tx:
            rows, next_cursor = await queries.LIST[admin].read(tx, page, **user)
        return {"webhooks": [messages.webhook(row) for row in rows], "next_cursor": next_cursor}

    async def create_webhook(self, request: pb.CreateWebhookRequest, call: Call) -> shapes.CreateWebhookResponse:
        """Create a webhook of the caller. With a narrowed credential, it sees what the credential may see."""
        covered(request.events, self._known, "events")
        secret = _secret(request)
        await call.settle(None)  # the look-up of the host name may take seconds
        await self._check_target(request.url)
        caller = call.caller
        async with self._db.transaction() as tx:
            await tx.one(queries.LOCK_WEBHOOKS_OF_USER, user_id=caller.user_id)
            if (await tx.one(queries.COUNT, user_id=caller.user_id))["count"] >= MAX_WEBHOOKS:
                raise DomainError("CONFLICT", f"You have {MAX_WEBHOOKS} webhooks; delete one to make another.")
            row = await tx.one(
                queries.INSERT,
                webhook_id=str(uuid_utils.uuid7()),
                url=request.url,
                events=list(request.events),
                user_id=caller.user_id,
                scopes=sorted(caller.scopes) if is_narrowed(caller) else None,
                api_key_id=caller.credential_id if caller.kind == "api_key" else None,
            )
            await self._add_secret(tx, row["webhook_id"], secret)
        return {"webhook": messages.webhook(row), "secret": signing_secrets.shown(secret)}

    async def get_webhook(self, request: pb.GetWebhookRequest, call: Call) -> shapes.GetWebhookResponse:
        """Return one webhook."""
        async with self._db.read() as tx:
            row = await tx.one_or_none(queries.GET, webhook_id=request.webhook_id)
        return {"webhook": messages.webhook(_visible(row, call))}

    async def update_webhook(self, request: pb.UpdateWebhookRequest, call: Call) -> shapes.UpdateWebhookResponse:
        """Change the given fields. Without any, the webhook stays as it is."""
        given = field_masks.changed_fields(request)
        if "events" in given:
            if not request.events:  # protovalidate treats an empty list as absent
                raise invalid("events", "{field} must have at least one item.", value=[], constraint="min_items")
            covered(request.events, self._known, "events")
        if "url" in given:
            async with self._db.read() as tx:
                _changeable(await tx.one_or_none(queries.GET, webhook_id=request.webhook_id), call)
            await self._check_target(request.url)
        async with self._db.transaction() as tx:
            row = await _held(tx, request.webhook_id, call)
            if "status" in given and enum_names(_STATUS).get(request.status) != row["status"]:
                row = await _set_status(tx, request)
            changes: dict[str, Any] = {}
            if "url" in given:
                changes["url"] = request.url
            if "events" in given:
                changes["events"] = list(request.events)
            if changes:
                row = await tx.one(queries.update(changes), webhook_id=request.webhook_id, **changes)
        return {"webhook": messages.webhook(row)}

    async def delete_webhook(self, request: pb.DeleteWebhookRequest, call: Call) -> shapes.DeleteWebhookResponse:
        """Delete a webhook and its secrets, and cancel its pending deliveries."""
        async with self._db.transaction() as tx:
            await _held(tx, request.webhook_id, call)
            await tx.execute(queries.CANCEL_PENDING, webhook_id=request.webhook_id)
            await tx.execute(queries.DROP_SECRETS, webhook_id=request.webhook_id)
            row = await tx.one(queries.DELETE, webhook_id=request.webhook_id)
        return {"webhook": messages.webhook(row)}

    async def rotate_webhook_secret(
        self, request: pb.RotateWebhookSecretRequest, call: Call
    ) -> shapes.RotateWebhookSecretResponse:
        """Give the webhook a new secret. The previous one also signs for OVERLAP_HOURS more."""
        secret = _secret(request)
        async with self._db.transaction() as tx:
            row = await _held(tx, request.webhook_id, call)
            await tx.execute(queries.DROP_ENDED_SECRETS, webhook_id=request.webhook_id)
            await tx.execute(queries.END_SECRET, webhook_id=request.webhook_id, hours=OVERLAP_HOURS)
            await self._add_secret(tx, request.webhook_id, secret)
        return {"webhook": messages.webhook(row), "secret": signing_secrets.shown(secret)}

    async def test_webhook(self, request: pb.TestWebhookRequest, call: Call) -> shapes.TestWebhookResponse:
        """Create the delivery of a test event, which isn't in the event log."""
        event_id = str(uuid_utils.uuid7())
        async with self._db.transaction() as tx:
            row = _enabled(await _held(tx, request.webhook_id, call))
            event = {
                "id": event_id,
                "type": TEST_TYPE,
                "occurred_at": now_text(),
                "project_id": None,
                "actor_id": call.caller.user_id,
                "subject": messages.WEBHOOK_PATH.format(request.webhook_id),
                "data": {"webhook": messages.webhook(row)},
            }
            made = await tx.one(
                queries.ADD_TEST,
                delivery_id=str(uuid_utils.uuid7()),
                webhook_id=request.webhook_id,
                event_id=event_id,
                event_type=TEST_TYPE,
                test_event=json_value(event),
            )
            await tx.notify(CHANNEL)
        return {"delivery": messages.delivery(made)}

    async def list_webhook_deliveries(
        self, request: pb.ListWebhookDeliveriesRequest, call: Call
    ) -> shapes.ListWebhookDeliveriesResponse:
        """List a page of a webhook's deliveries."""
        page = page_of(request)
        async with self._db.read() as tx:
            _changeable(await tx.one_or_none(queries.GET, webhook_id=request.webhook_id), call)
            rows, next_cursor = await queries.LIST_DELIVERIES.read(tx, page, webhook_id=request.webhook_id)
        return {"deliveries": [messages.delivery(row) for row in rows], "next_cursor": next_cursor}

    async def redeliver_webhook(
        self, request: pb.RedeliverWebhookRequest, call: Call
    ) -> shapes.RedeliverWebhookResponse:
        """Restart a delivery."""
        key = {"webhook_id": request.webhook_id, "delivery_id": request.delivery_id}
        async with self._db.transaction() as tx:
            webhook = await _held(tx, request.webhook_id, call)
            if await tx.one_or_none(queries.FIND_DELIVERY, **key) is None:
                raise not_found("delivery")
            _enabled(webhook)
            row = await tx.one_or_none(queries.REDELIVER, **key)
            if row is None:
                raise DomainError("CONFLICT", "The delivery is being sent now; wait for how it goes.")
            await tx.notify(CHANNEL)
        return {"delivery": messages.delivery(row)}

    async def _check_target(self, url: str) -> None:
        settings = self._settings
        await guard.check(url, allow_private=settings.webhook_allow_private, public_url=settings.public_url)

    async def _add_secret(self, tx: Transaction, webhook_id: str, secret: bytes) -> None:
        sealed = self._secrets.encrypt(secret)
        await tx.execute(queries.ADD_SECRET, secret_id=str(uuid_utils.uuid7()), webhook_id=webhook_id, sealed=sealed)


def _secret(request: pb.CreateWebhookRequest | pb.RotateWebhookSecretRequest) -> bytes:
    """Return the given secret, or a new one."""
    return signing_secrets.read(request.secret) if request.HasField("secret") else signing_secrets.make()


def _visible(row: Row | None, call: Call) -> Row:
    """Return the webhook if the caller may see it: its user and Admins may.

    Raises NOT_FOUND: no such webhook for this caller.
    """
    if row is None or (row["user_id"] != call.caller.user_id and not call.caller.admin):
        raise not_found("webhook")
    return row


def _changeable(row: Row | None, call: Call) -> Row:
    """Return the webhook if the caller may change it and read its deliveries.

    A narrowed credential may not if the webhook sees more than the credential does: the caller could redirect such a
    webhook to another address.

    Raises NOT_FOUND: no such webhook for this caller. Raises PERMISSION_DENIED: the credential is too narrow.
    """
    found = _visible(row, call)
    if is_narrowed(call.caller) and (
        found["scopes"] is None or not _surfaces(found["scopes"]) <= _surfaces(call.caller.scopes)
    ):
        raise DomainError(
            "PERMISSION_DENIED", "This webhook sees more than your credential may; use a token of all scopes."
        )
    return found


def _surfaces(scopes: Any) -> set[str]:
    return {scope.partition(":")[0] for scope in scopes}


async def _held(tx: Transaction, webhook_id: str, call: Call) -> Row:
    """Lock a webhook that the caller may change, compare it with If-Match and return the row.

    Raises NOT_FOUND: no such webhook for this caller. Raises PERMISSION_DENIED: the credential is too narrow. Raises
    PRECONDITION_FAILED: the webhook differs from If-Match.
    """
    row = _changeable(await tx.one_or_none(queries.LOCK, webhook_id=webhook_id), call)
    preconditions.check(call, messages.webhook(row))
    return row


async def _set_status(tx: Transaction, request: pb.UpdateWebhookRequest) -> Row:
    """Enable or disable a locked webhook and cancel its pending deliveries."""
    # Also when it is enabled: deliveries created while the webhook was being disabled belong to the time before.
    await tx.execute(queries.CANCEL_PENDING, webhook_id=request.webhook_id)
    if request.status == webhook_pb2.WEBHOOK_STATUS_ENABLED:
        return await tx.one(queries.ENABLE, webhook_id=request.webhook_id)
    return await tx.one(queries.DISABLE, webhook_id=request.webhook_id, new_reason="requested")


def _enabled(row: Row) -> Row:
    if row["status"] != "enabled":
        raise DomainError("CONFLICT", "The webhook is disabled; set its status to enabled first.")
    return row
