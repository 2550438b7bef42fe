"""SessionService: how people without an identity provider sign in, go on and sign out."""

from __future__ import annotations

import time
from collections.abc import Callable

import uuid_utils

from catenary.platform.v1 import session_service_pb2 as pb
from catenary.platform.v1 import session_service_shapes as shapes
from catenary_core.call.base_url import base_url
from catenary_core.call.call import Authenticator, Call, Identity
from catenary_core.call.errors import DomainError
from catenary_core.frame import Frame, Invitations
from catenary_core.services.identity import scopes
from catenary_core.services.identity.sessions import queries
from catenary_core.services.identity.sessions.links import SignInLinks
from catenary_core.services.identity.sessions.refresh_tokens import REFRESH, SECONDS, RefreshTokens, UsedSession
from catenary_core.services.identity.tokens.access_tokens import AccessTokens
from catenary_core.services.identity.tokens.authorization import split
from catenary_core.services.identity.tokens.throttle import FailureThrottle
from catenary_wire.sentences import Fields, Sentence

_NEEDED_SCOPE = "platform:write"


class SessionServicer:
    """`catenary.platform.v1.SessionService`."""

    def __init__(
        self,
        frame: Frame,
        tokens: AccessTokens,
        authenticator: Authenticator,
        invitations: Callable[[], Invitations],
        clock: Callable[[], float] = time.time,
    ) -> None:
        """Create the servicer.

        Args:
            frame: the parts of the core.
            tokens: issues access tokens.
            authenticator: identifies the callers who take an invitation for themselves.
            invitations: returns the invitations, which a later service gives.
            clock: returns Unix seconds.
        """
        self._db = frame.db
        self._public_url = frame.settings.public_url
        self._tokens = tokens
        self._authenticator = authenticator
        self._invitations = invitations
        self._clock = clock
        self._throttle = FailureThrottle(frame.db)
        self._sessions = RefreshTokens(frame.secrets)
        self._links = SignInLinks(frame.secrets)

    async def create_session(self, request: pb.CreateSessionRequest, call: Call) -> shapes.CreateSessionResponse:
        """Take an invitation or a sign-in link."""
        _check_one(request)
        if request.HasField("sign_in"):
            return await self._answer(await self._signed_in(request.sign_in, call), call)
        if request.authorization:
            return await self._joined(request, call)
        return await self._answer(await self._new_person(request.invitation, call), call)

    async def refresh_session(self, request: pb.RefreshSessionRequest, call: Call) -> shapes.RefreshSessionResponse:
        """Use the refresh token."""
        if not call.metadata.get(REFRESH):
            raise DomainError(
                "AUTHENTICATION_REQUIRED", "There is no session here; sign in by an invitation or a link."
            )
        await self._tokens.prepare()
        async with self._db.read() as tx:
            session_id = await self._sessions.find(tx, call)
        if session_id is not None:
            await self._throttle.refreshed(session_id)
        async with self._db.transaction() as tx:
            used = await self._sessions.use(tx, call)
        if used is None:
            await self._throttle.failed_sign_in(call.metadata)
            raise DomainError("INVALID_TOKEN", "The session has ended; sign in by a link, or ask an Admin for one.")
        return await self._answer(used, call)

    async def end_session(self, request: pb.EndSessionRequest, call: Call) -> shapes.EndSessionResponse:
        """End the session of the refresh token."""
        call.reply |= {REFRESH: "", SECONDS: "0"}
        if call.metadata.get(REFRESH):
            async with self._db.transaction() as tx:
                ended = await self._sessions.end(tx, call)
            if ended is not None:
                call.identity = Identity(ended.user_id, "session", credential_id=ended.session_id)
        return {}

    async def create_my_sign_in_link(
        self, request: pb.CreateMySignInLinkRequest, call: Call
    ) -> shapes.CreateMySignInLinkResponse:
        """Make a link for another device of the caller."""
        async with self._db.transaction() as tx:
            token, ends_at = await self._links.make_own(tx, call.caller)
        return {"url": self._url(call, token), "expires_at": ends_at}

    async def create_sign_in_link(
        self, request: pb.CreateSignInLinkRequest, call: Call
    ) -> shapes.CreateSignInLinkResponse:
        """Make a link for a person who can't sign in any more."""
        async with self._db.transaction() as tx:
            token, ends_at = await self._links.make_for(tx, request.user_id, call.caller.user_id)
        return {"url": self._url(call, token), "expires_at": ends_at}

    async def _signed_in(self, token: str, call: Call) -> UsedSession:
        await self._tokens.prepare()
        used: UsedSession | None = None
        async with self._db.transaction() as tx:
            user_id = await self._links.take(tx, token)
            if user_id is not None:
                used = await self._sessions.begin(tx, call, user_id)
        if used is None:
            await self._throttle.failed_sign_in(call.metadata)
            raise DomainError(
                "INVALID_TOKEN", "This sign-in link does not hold: it works once, for an hour; make another."
            )
        return used

    async def _new_person(self, token: str, call: Call) -> UsedSession:
        await self._tokens.prepare()
        user_id, used = str(uuid_utils.uuid7()), None
        invitations = self._invitations()
        async with self._db.transaction() as tx:
            taken = await invitations.take(tx, token, user_id)
            if taken is not None:
                await tx.execute(queries.ADD_PERSON, id=user_id, staff_name=taken.staff_name, email=taken.email)
                call.identity = Identity(user_id, "session")
                await invitations.join(tx, call, taken, user_id)
                used = await self._sessions.begin(tx, call, user_id)
        if used is None:
            raise await self._no_invitation(call)
        return used

    async def _joined(self, request: pb.CreateSessionRequest, call: Call) -> shapes.CreateSessionResponse:
        """Give an invitation's role to the caller with the bearer token, which stays the caller's only credential."""
        caller = await self._authenticator.authenticate({"authorization": request.authorization})
        if not caller.is_user or _NEEDED_SCOPE not in caller.scopes:
            raise DomainError("PERMISSION_DENIED", f"The credential lacks the scope {_NEEDED_SCOPE}.")
        invitations = self._invitations()
        async with self._db.transaction() as tx:
            held = await tx.one_or_none(queries.HOLD_ENABLED, id=caller.user_id)
            taken = None if held is None else await invitations.take(tx, request.invitation, caller.user_id)
            if taken is not None:
                call.identity = caller
                await invitations.join(tx, call, taken, caller.user_id)
        if taken is None:
            raise await self._no_invitation(call)
        ends_at = self._clock() + self._tokens.lifetime if caller.expires_at is None else caller.expires_at
        return {
            "access_token": split(request.authorization)[1],
            "token_type": "Bearer",
            "expires_in": max(0, int(ends_at - self._clock())),
            "scope": " ".join(scope for scope in scopes.ALL if scope in caller.scopes),
        }

    async def _no_invitation(self, call: Call) -> DomainError:
        """Count a failure, and build the one refusal of all invitations that can't be taken."""
        await self._throttle.failed_sign_in(call.metadata)
        return DomainError(
            "INVALID_TOKEN",
            "This invitation does not hold: it works once, for 7 days, while its inviter owns the project; ask for another.",
        )

    async def _answer(self, used: UsedSession, call: Call) -> shapes.CreateSessionResponse:
        call.identity = Identity(used.user_id, "session", credential_id=used.session_id)
        token, seconds = await self._tokens.issue_to_session(used.user_id, used.session_id, used.ends_at)
        return {
            "access_token": token,
            "token_type": "Bearer",
            "expires_in": seconds,
            "scope": " ".join(scopes.ALL),
        }

    def _url(self, call: Call, token: str) -> str:
        return f"{base_url(self._public_url, call)}/studio/#sign_in={token}"


def _check_one(request: pb.CreateSessionRequest) -> None:
    """Refuse a request that does not have exactly one of the two tokens.

    Raises VALIDATION_ERROR, without any token.
    """
    if request.HasField("invitation") != request.HasField("sign_in"):
        return
    sentence = Sentence("Give exactly one of {fields}.", {"fields": Fields("invitation", "sign_in")})
    details = {"parameter": "invitation", "value": None, "constraint": "oneof"}
    raise DomainError("VALIDATION_ERROR", sentence, details=details)
