"""The parts that the variants service adds to a core."""

from __future__ import annotations

from catenary_core.frame import Assembly, CoreParts, Frame
from catenary_core.services.variants.servicer import VariantServicer


def assemble(frame: Frame, parts: CoreParts) -> None:
    """Add the service's parts."""
    servicer = VariantServicer(frame, parts.evaluations)
    parts.servicers["catenary.platform.v1.VariantService"] = servicer
    parts.project_of["variant_id"] = servicer.project_of


ASSEMBLY = Assembly(
    assemble=assemble,
    unwatched={
        "variants.variant": "shown with its evaluation, whose state changes without a caller's write, so edges don't cache it"
    },
)
