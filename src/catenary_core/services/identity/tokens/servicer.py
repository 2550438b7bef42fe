"""AuthService: tokens, and the keys and metadata that others need to verify them."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from catenary.platform.v1 import auth_service_pb2 as pb
from catenary.platform.v1 import auth_service_shapes as shapes
from catenary_core.call.base_url import base_url
from catenary_core.call.call import Call, Identity
from catenary_core.call.errors import DomainError, invalid
from catenary_core.call.resource_paths import posted_path
from catenary_core.database.statements import Row
from catenary_core.frame import Frame
from catenary_core.services.identity import scopes
from catenary_core.services.identity.people import demo_guest, logins
from catenary_core.services.identity.tokens import queries
from catenary_core.services.identity.tokens.access_tokens import AccessTokens
from catenary_core.services.identity.tokens.client_authentication import ClientAuthentication, oauth_error
from catenary_core.services.identity.tokens.signing_keys import SigningKeys

_GRANT = "client_credentials"
_METHODS = ["client_secret_post", "client_secret_basic"]
_TOKEN = posted_path(pb, "IssueToken")
_REVOKE = posted_path(pb, "RevokeToken")


class AuthServicer:
    """Issues and revokes access tokens, and publishes keys and metadata."""

    def __init__(
        self, frame: Frame, tokens: AccessTokens, keys: SigningKeys, clock: Callable[[], float] = time.monotonic
    ) -> None:
        """Create the servicer; `clock` is monotonic, for the cache of clients."""
        self._db = frame.db
        self._demo = frame.demo
        self._public_url = frame.settings.public_url
        self._tokens = tokens
        self._keys = keys
        self._clients = ClientAuthentication(frame, clock)

    async def issue_token(self, request: pb.IssueTokenRequest, call: Call) -> shapes.IssueTokenResponse:
        """Issue a token for client credentials."""
        if request.grant_type != _GRANT:
            raise oauth_error(
                "unsupported_grant_type",
                "grant_type",
                "{field} must be {grant}.",
                value=request.grant_type,
                constraint="in",
                grant=_GRANT,
            )
        client = await self._clients.authenticate(request, call.metadata)
        call.identity = Identity(client["user_id"], "client", credential_id=client["id"])
        granted = _granted(request.scope)
        return {
            "access_token": await self._log_in(client, granted, call),
            "token_type": "Bearer",
            "expires_in": self._tokens.lifetime,
            "scope": " ".join(granted),
        }

    async def issue_demo_token(self, request: pb.IssueDemoTokenRequest, call: Call) -> shapes.IssueDemoTokenResponse:
        """Issue a token of the demo guest."""
        guest = await self._clients.guest() if self._demo else None
        if guest is None:
            raise DomainError(
                "NOT_FOUND", "There is no demo guest; start the server with --demo on loopback without TLS."
            )
        await self._clients.throttle.granted_to_guest(call.metadata)
        call.identity = Identity(guest["user_id"], "client", credential_id=guest["id"])
        return {
            "access_token": await self._log_in(guest, demo_guest.SCOPES, call),
            "token_type": "Bearer",
            "expires_in": self._tokens.lifetime,
            "scope": " ".join(demo_guest.SCOPES),
        }

    async def _log_in(self, client: Row, granted: Sequence[str], call: Call) -> str:
        """Return a token for a client, whose first login of the hour is an event."""
        await self._tokens.prepare()
        if not client["logged_in"]:
            async with self._db.transaction() as tx:
                await logins.record(tx, call, client["user_id"])
            client["logged_in"] = True
        return await self._tokens.issue(client, granted)

    async def revoke_token(self, request: pb.RevokeTokenRequest, call: Call) -> shapes.RevokeTokenResponse:
        """Revoke a token of the client. Any other text changes nothing."""
        client = await self._clients.authenticate(request, call.metadata)
        call.identity = Identity(client["user_id"], "client", credential_id=client["id"])
        claims = await self._tokens.read_own(request.token, client["id"])
        if claims is not None:
            async with self._db.transaction() as tx:
                await tx.execute(queries.DROP_ENDED_REVOCATIONS)
                await tx.execute(queries.REVOKE, id=claims.token_id, expires_at=float(claims.expires_at))
        return {}

    async def get_jwks(self, request: pb.GetJwksRequest, call: Call) -> shapes.GetJwksResponse:
        """Return the public keys."""
        return {"keys": await self._keys.published()}

    async def get_server_metadata(
        self, request: pb.GetServerMetadataRequest, call: Call
    ) -> shapes.GetServerMetadataResponse:
        """Return the authorization server's metadata.

        Addresses start with the public address, or else with the address at which the edge was called.
        """
        base = base_url(self._public_url, call)
        if not base:
            raise invalid(
                "host",
                "The address of the platform isn't known; send a Host header, or set CATENARY_PUBLIC_URL.",
                value=None,
                constraint="required",
            )
        return {
            "issuer": self._tokens.issuer.name,
            "token_endpoint": f"{base}{_TOKEN}",
            "revocation_endpoint": f"{base}{_REVOKE}",
            "jwks_uri": f"{base}/.well-known/jwks.json",
            "grant_types_supported": [_GRANT],
            "response_types_supported": [],
            "token_endpoint_auth_methods_supported": _METHODS,
            "revocation_endpoint_auth_methods_supported": _METHODS,
            "scopes_supported": list(scopes.ALL),
        }

    async def identify(self, request: pb.IdentifyRequest, call: Call) -> shapes.IdentifyResponse:
        """Return the caller's identity."""
        caller = call.caller
        return {
            "user_id": caller.user_id if caller.is_user else "",
            "admin": caller.admin,
            "scopes": sorted(caller.scopes),
            "expires_at": None if caller.expires_at is None else int(caller.expires_at),
            "trusted_seconds": max(0.0, caller.trusted_seconds),
            "share_id": caller.credential_id if caller.kind == "link" else "",
        }


def _granted(asked: str) -> tuple[str, ...]:
    """Return the scopes of a new token: the requested ones, or all of them."""
    if not asked.strip():
        return scopes.ALL
    wanted = tuple(dict.fromkeys(asked.split()))
    unknown = [scope for scope in wanted if scope not in scopes.ALL]
    if unknown:
        raise oauth_error(
            "invalid_scope",
            "scope",
            "{field} takes, separated by blanks: {scopes}.",
            value=asked,
            constraint="in",
            scopes=", ".join(scopes.ALL),
        )
    return wanted
