"""Sessions in the database: begun, used and ended by their refresh tokens."""

from __future__ import annotations

from dataclasses import dataclass

import uuid_utils

from catenary_core.audit import entries
from catenary_core.audit.entries import AuditEntry
from catenary_core.call.call import Call, Identity
from catenary_core.database.transactions import Transaction
from catenary_core.secrets import Secrets, random_session_token
from catenary_core.services.identity.people import logins
from catenary_core.services.identity.sessions import queries, rotation
from catenary_core.services.identity.sessions.rotation import SessionState, Use

_KEPT_GENERATIONS = 10_000
"""Newest generations whose tokens are kept, so that nobody fills the disk by refreshing."""
REFRESH = "catenary-refresh-token"
"""Metadata of requests and responses with a refresh token; of a response it is empty once the session has ended."""
SECONDS = "catenary-refresh-seconds"
"""Response metadata with the seconds after which the refresh token ends."""


@dataclass(frozen=True, slots=True)
class UsedSession:
    """A session for which an access token is due."""

    session_id: str
    user_id: str
    ends_at: float
    """Unix seconds at which the session ends in any case."""


class RefreshTokens:
    """The sessions of an installation."""

    def __init__(self, secrets: Secrets) -> None:
        self._secrets = secrets

    async def begin(self, tx: Transaction, call: Call, user_id: str) -> UsedSession:
        """Begin a session of a user, who is held; put its refresh token into the call's reply."""
        await tx.execute(queries.DROP_ENDED)
        session_id = str(uuid_utils.uuid7())
        row = await tx.one(queries.ADD_SESSION, id=session_id, user_id=user_id, lifetime_seconds=rotation.MAX_SECONDS)
        state = SessionState(1, row["now"], row["now"], row["ends_at"], has_ended=False)
        await self._give(tx, call, session_id, state, row["now"])
        await logins.record(tx, call, user_id)
        return UsedSession(session_id, user_id, row["ends_at"])

    async def find(self, tx: Transaction, call: Call) -> str | None:
        """Return the id of the session of a call's refresh token; None if there never was one."""
        row = await tx.one_or_none(queries.SESSION, digest=self._digest(call))
        return None if row is None else str(row["session_id"])

    async def use(self, tx: Transaction, call: Call) -> UsedSession | None:
        """Use the refresh token of a call; put the next one into the reply.

        None if the token is of no session that goes on; a token that was used before has then ended its session.
        """
        row = await tx.one_or_none(queries.LOCK_SESSION, digest=self._digest(call))
        if row is None:
            return None
        now, session_id = row["now"], row["id"]
        state = SessionState(
            row["generation"], row["rotated_at"], row["used_at"], row["ends_at"], has_ended=row["has_ended"]
        )
        match rotation.use_of(state, row["token_generation"], now):
            case Use.ENDED:
                return None
            case Use.COPIED:
                await tx.execute(queries.END, id=session_id)
                owner = Identity(row["user_id"], "session", credential_id=session_id)
                caller = entries.caller_of(owner, call.metadata)
                await entries.write(tx, AuditEntry(entries.SESSION_COPIED, request_id=call.request_id, **caller))
                return None
            case Use.NEXT:
                state = SessionState(state.generation + 1, now, now, state.ends_at, has_ended=False)
                await tx.execute(queries.ROTATE, id=session_id, generation=state.generation)
                oldest = state.generation - _KEPT_GENERATIONS
                if oldest > 0:
                    await tx.execute(queries.DROP_OLDEST_TOKENS, session_id=session_id, kept_from=oldest)
            case Use.AGAIN:
                state = SessionState(state.generation, state.rotated_at, now, state.ends_at, has_ended=False)
                await tx.execute(queries.USE_AGAIN, id=session_id)
        await self._give(tx, call, session_id, state, now)
        return UsedSession(session_id, row["user_id"], state.ends_at)

    async def end(self, tx: Transaction, call: Call) -> UsedSession | None:
        """End the session of a call's refresh token, whichever of its tokens that is; None without such a session."""
        row = await tx.one_or_none(queries.LOCK_SESSION, digest=self._digest(call))
        if row is None or not await tx.execute(queries.END, id=row["id"]):
            return None
        return UsedSession(row["id"], row["user_id"], row["ends_at"])

    def _digest(self, call: Call) -> bytes:
        return self._secrets.digest(call.metadata.get(REFRESH, ""))

    async def _give(self, tx: Transaction, call: Call, session_id: str, state: SessionState, now: float) -> None:
        token = random_session_token()
        digest = self._secrets.digest(token)
        await tx.execute(queries.ADD_TOKEN, digest=digest, session_id=session_id, generation=state.generation)
        call.reply[REFRESH] = token
        call.reply[SECONDS] = str(int(rotation.ends_at(state) - now))
