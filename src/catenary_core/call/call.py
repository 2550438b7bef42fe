"""Who calls, and what a servicer knows of the call beside its request."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from catenary_core.tracing import Span


@dataclass(frozen=True, slots=True)
class Identity:
    """A verified caller.

    `user_id` is the user that it is or acts as; `scopes` are `<surface>:read` and `<surface>:write`; `admin` is never set
    for an API key. `credential_id` names the token, key or client for the log; `expires_at` is in Unix seconds.
    `trusted_seconds` is how long it may still be relied on without a look at whether the credential was revoked.
    """

    user_id: str
    kind: Literal["person", "client", "api_key", "worker"]
    admin: bool = False
    scopes: frozenset[str] = frozenset()
    credential_id: str = ""
    expires_at: float | None = None
    trusted_seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class Condition:
    """The condition of an If-Match header: one of these tags, or with None (`*`) any object that exists."""

    tags: frozenset[str] | None


@dataclass(slots=True)
class Call:
    """One call on its way through the pipeline.

    `deadline` is in seconds of `time.monotonic()`. `project_id` and `role` are set by the policy for methods with a
    project's privilege. `condition` is its If-Match, which `preconditions.check` compares. What a servicer puts into `reply`
    goes out as response metadata (headers, over HTTP). `settling` is set for a call with an Idempotency-Key.
    """

    method: str
    metadata: Mapping[str, str]
    request_id: str
    deadline: float
    identity: Identity | None = None
    project_id: str | None = None
    role: int = 0
    condition: Condition | None = None
    reply: dict[str, str] = field(default_factory=dict)
    span: Span | None = None
    settling: Callable[[dict[str, Any] | None, dict[str, str], float], Awaitable[None]] | None = None

    @property
    def caller(self) -> Identity:
        """The identity of a call that has passed authentication."""
        if self.identity is None:
            raise RuntimeError(f"{self.method} is public and has no caller")
        return self.identity

    async def settle(
        self, body: Mapping[str, Any] | None, reply: Mapping[str, str] | None = None, seconds: float = 0.0
    ) -> None:
        """Commits what the call did, before it waits for others; needed only by a servicer that waits.

        `body` with `reply` is the answer that a repetition of the call gets if this one doesn't come to its end, which it has
        `seconds` for; None when the call has changed nothing yet.
        """
        if self.settling is not None:
            await self.settling(None if body is None else dict(body), dict(reply or {}), seconds)
