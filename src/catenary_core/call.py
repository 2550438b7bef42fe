"""Who calls, and what a servicer knows of the call beside its request."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from catenary_core.preconditions import Condition


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


@dataclass(slots=True)
class Call:
    """One call on its way through the pipeline.

    `deadline` is in seconds of `time.monotonic()`. `project_id` and `role` are set by the policy for methods with a
    project's privilege. `condition` is its If-Match, which `preconditions.check` compares. What a servicer puts into `reply` goes
    out as response metadata (headers, over HTTP).
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

    @property
    def caller(self) -> Identity:
        """The identity of a call that has passed authentication."""
        if self.identity is None:
            raise RuntimeError(f"{self.method} is public and has no caller")
        return self.identity
