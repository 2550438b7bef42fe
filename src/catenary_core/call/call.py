"""The caller's identity, and the state of one call beside its request."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from catenary_wire.spans import Span


@dataclass(frozen=True, slots=True)
class SharedPart:
    """The part of a project that a share link shows."""

    project_id: str
    """Id of the project."""
    variant_id: str | None
    """Id of the variant that the link shows; None for a link to the whole project."""
    evaluation_id: str | None
    """Id of the variant's evaluation; None for a link to the whole project."""


@dataclass(frozen=True, slots=True)
class Identity:
    """A verified caller."""

    principal_id: str
    """Id under which calls are counted and limited: of the user, or of the share of a link; empty for a worker."""
    kind: Literal["person", "client", "session", "api_key", "worker", "link"]
    """Kind of the credential."""
    admin: bool = False
    """True if the caller is an Admin; never true for an API key."""
    scopes: frozenset[str] = frozenset()
    """`<surface>:read` and `<surface>:write`."""
    credential_id: str = ""
    """Id of the token, key, client or session, for the log."""
    expires_at: float | None = None
    """Expiry in Unix seconds; None for a credential without one."""
    token_generation: int | None = None
    """Generation of a client's tokens that the token belongs to; None for other credentials."""
    trusted_seconds: float = 0.0
    """Time in seconds for which the identity may be used without checking again whether the credential was revoked."""
    shown: SharedPart | None = None
    """Part of a project that a link shows; None for every other caller."""

    @property
    def is_user(self) -> bool:
        """True if the caller is or acts for a user; workers and links do not."""
        return self.kind not in ("worker", "link")

    @property
    def user_id(self) -> str:
        """Id of the user that the caller is or acts for; asking it of a caller without a user is a fault of the code.

        So a link can't pass for a user anywhere: neither in a condition, nor as who wrote a row.
        """
        if not self.is_user:
            raise RuntimeError(f"a caller of the kind {self.kind} has no user")
        return self.principal_id

    def made(self, row: Mapping[str, Any]) -> bool:
        """Return whether the caller's user made a row with a `created_by`; never true for a caller without a user."""
        return self.is_user and bool(row["created_by"]["user_id"] == self.principal_id)


@dataclass(frozen=True, slots=True)
class Condition:
    """The condition in an If-Match header."""

    tags: frozenset[str] | None
    """Entity tags of which one must match; None (`*`): any existing object matches."""


IdentityCheck = Callable[[Sequence[Identity]], Awaitable[Sequence[Identity | None]]]
"""Checks verified identities again: returns each as it is now, None for one that is no longer valid.

Not valid are a disabled or deleted user, and a credential that has expired or was deleted.
"""


class Authenticator(Protocol):
    """Verifies credentials."""

    async def authenticate(self, metadata: Mapping[str, str]) -> Identity:
        """Return the caller with the credentials in the metadata.

        Raises AUTHENTICATION_REQUIRED: there are no credentials.
        Raises INVALID_TOKEN: the credentials are wrong or revoked.
        Raises TOKEN_EXPIRED: the token has expired.
        """
        ...


@dataclass(slots=True)
class Call:
    """One call on its way through the pipeline."""

    method: str
    """gRPC path of the method."""
    metadata: Mapping[str, str]
    """Request metadata by lower-case name."""
    request_id: str
    """Id that names the call in the log and in errors."""
    deadline: float
    """Deadline in seconds of `time.monotonic()`."""
    identity: Identity | None = None
    """The caller; None before authentication, and for public methods until the servicer knows who calls."""
    project_id: str | None = None
    """Project of the call; the policy sets it for methods with a project privilege."""
    role: int = 0
    """The caller's role in the project; the policy sets it with `project_id`."""
    shared_role: int = 0
    """The caller's role by the share of a variant, though reads by it have the `role` of a viewer; 0 without one."""
    linked_roles: dict[str, int] = field(default_factory=dict)
    """The caller's highest role in the projects linked to an environment project, by its id; `access.rights` fills it."""
    condition: Condition | None = None
    """The call's If-Match; `preconditions.check` compares it."""
    reply: dict[str, str] = field(default_factory=dict)
    """Response metadata (headers, over HTTP); servicers add to it."""
    lease_id: str = ""
    """Id of the lease of calls of which this call is one; empty where an edge counted it, and without a limit."""
    is_uncounted: bool = False
    """True if the call costs its caller no request of the hour after all; a servicer sets it."""
    span: Span | None = None
    """Trace span of the call; None without tracing."""
    on_authenticated: Callable[[], None] | None = None
    """Function that is told when the caller has authenticated; None if nobody asks."""
    settler: Callable[[dict[str, Any] | None, dict[str, str], float], Awaitable[None]] | None = None
    """Function behind `settle`, set for a call with an Idempotency-Key."""

    @property
    def caller(self) -> Identity:
        """The identity of an authenticated call."""
        if self.identity is None:
            raise RuntimeError(f"{self.method} is public and has no caller")
        return self.identity

    async def settle(
        self, body: Mapping[str, Any] | None, reply: Mapping[str, str] | None = None, seconds: float = 0.0
    ) -> None:
        """Commit the call's changes before a wait for others; only a servicer with such a wait needs this.

        Args:
            body: response that a repetition of the call gets if this call does not finish; None if nothing has changed
                yet.
            reply: response metadata to `body`.
            seconds: time that the call has to finish.
        """
        if self.settler is not None:
            await self.settler(None if body is None else dict(body), dict(reply or {}), seconds)
