"""The parts that the webhooks service adds to a core."""

from __future__ import annotations

from catenary_core.frame import Assembly, CoreParts, Frame
from catenary_core.services.webhooks import tables
from catenary_core.services.webhooks.deliveries.deliverer import Deliverer
from catenary_core.services.webhooks.deliveries.fan_out import DeliveryFanOut
from catenary_core.services.webhooks.servicer import WebhookServicer


def assemble(frame: Frame, parts: CoreParts) -> None:
    """Add the service's parts."""
    parts.servicers["catenary.platform.v1.WebhookService"] = WebhookServicer(frame, parts.bindings)
    parts.background += [DeliveryFanOut(frame, parts.recheck), Deliverer(frame, parts.recheck)]


ASSEMBLY = Assembly(
    assemble=assemble,
    channels=(tables.CHANNEL,),
    sealed=(tables.secret.c.sealed,),
    unwatched={
        "webhooks.webhook": "the platform may disable it, so edges don't cache responses that show it",
        "webhooks.secret": "shown only in the response that creates it",
        "webhooks.delivery": "its state changes without a caller's write, so edges don't cache responses that show it",
    },
)
