"""The parts that the identity service adds to a core: who calls, beside its own methods."""

from __future__ import annotations

from catenary_core.frame import Assembly, CoreParts, Frame
from catenary_core.services.identity import tables
from catenary_core.services.identity.clients.api_key_servicer import ApiKeyServicer
from catenary_core.services.identity.clients.client_servicer import ClientServicer
from catenary_core.services.identity.people.team_servicer import TeamServicer
from catenary_core.services.identity.people.user_servicer import UserServicer
from catenary_core.services.identity.sessions.servicer import SessionServicer
from catenary_core.services.identity.tokens.access_tokens import AccessTokens
from catenary_core.services.identity.tokens.client_authentication import CHANNEL
from catenary_core.services.identity.tokens.credentials import Credentials
from catenary_core.services.identity.tokens.enterprise_issuers import EnterpriseIssuers
from catenary_core.services.identity.tokens.servicer import AuthServicer
from catenary_core.services.identity.tokens.signing_keys import SigningKeys, renew
from catenary_core.services.identity.tokens.studio_servicer import StudioServicer
from catenary_core.services.identity.workers.worker_token_servicer import WorkerTokenServicer


def assemble(frame: Frame, parts: CoreParts) -> None:
    """Add the service's parts, and with them the callers that the other services know."""
    issuers = EnterpriseIssuers(frame.settings.oidc_issuers)
    keys = SigningKeys(frame.db, frame.secrets)
    tokens = AccessTokens(frame.settings, frame.secrets, keys)
    credentials = Credentials(frame, tokens, issuers)
    parts.authenticator = credentials
    parts.recheck = credentials.recheck
    parts.recheck_worker = credentials.recheck_worker
    parts.background.append(issuers)
    parts.servicers |= {
        "catenary.platform.v1.ApiKeyService": ApiKeyServicer(frame),
        "catenary.platform.v1.AuthService": AuthServicer(frame, tokens, keys),
        "catenary.platform.v1.ClientService": ClientServicer(frame),
        "catenary.platform.v1.SessionService": SessionServicer(frame, tokens, credentials, lambda: parts.invitations),
        "catenary.platform.v1.StudioService": StudioServicer(frame),
        "catenary.platform.v1.TeamService": TeamServicer(frame),
        "catenary.platform.v1.UserService": UserServicer(frame, parts.erasers),
        "catenary.platform.v1.WorkerTokenService": WorkerTokenServicer(frame),
    }


ASSEMBLY = Assembly(
    assemble=assemble,
    channels=(CHANNEL,),
    sealed=(tables.signing_key.c.private_key,),
    at_retirement=(renew,),
    unwatched={
        "identity.api_key": "its last use changes without a caller's write, so edges don't cache it; they verify keys every 5 s",
        "identity.failed_grant": "no response shows it",
        "identity.revoked_token": "no response shows it; edges ask every 5 s whether a token is revoked",
        "identity.worker_token": "its last use changes without a caller's write, so edges don't cache it",
        "identity.session": "no response shows it; edges ask every 5 s whether a session lasts",
        "identity.session_token": "no response shows it",
        "identity.sign_in_link": "no response shows it",
        "identity.signing_key": "shown only without credentials, and edges don't cache such responses",
    },
)
