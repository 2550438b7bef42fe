"""The parts that the projects service adds to a core: who has a role in a project, beside its own methods."""

from __future__ import annotations

from catenary_core.background.periodic import Periodic
from catenary_core.event_log.consumer import Consumer
from catenary_core.frame import Assembly, CoreParts, Frame
from catenary_core.services.projects.invitations import revocation
from catenary_core.services.projects.invitations.erasure import erase_from_invitations
from catenary_core.services.projects.invitations.servicer import InvitationServicer
from catenary_core.services.projects.invitations.taking import Taking
from catenary_core.services.projects.servicer import ProjectServicer
from catenary_core.services.projects.shares import expiry, variant_ends
from catenary_core.services.projects.shares.erasure import end_shares
from catenary_core.services.projects.shares.servicer import ShareServicer


def assemble(frame: Frame, parts: CoreParts) -> None:
    """Add the service's parts."""
    servicer = ProjectServicer(frame)
    parts.servicers["catenary.platform.v1.ProjectService"] = servicer
    parts.role_of = servicer.role_of
    shares = ShareServicer(frame)
    parts.servicers["catenary.platform.v1.ShareService"] = shares
    parts.shared_role_of = shares.shared_role_of
    parts.erasers += [end_shares, erase_from_invitations]
    parts.servicers["catenary.platform.v1.InvitationService"] = InvitationServicer(frame)
    parts.invitations = Taking(frame.secrets)
    parts.background += [
        Periodic("ending expired shares", expiry.SECONDS, lambda: expiry.end_expired(frame.db)),
        Periodic("revoking invitations", revocation.SECONDS, lambda: revocation.revoke_orphans(frame.db)),
        Consumer(frame.db, frame.wakeups, variant_ends.NAME, variant_ends.WANTED, variant_ends.end_shares),
    ]


ASSEMBLY = Assembly(
    assemble=assemble, unwatched={"projects.access": "no response shows it; it only decides who sees an event"}
)
