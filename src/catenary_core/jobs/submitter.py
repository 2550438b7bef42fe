"""The user in whose name work is done: with a call, or without one as batches, studies and live sessions go on."""

from __future__ import annotations

from dataclasses import dataclass

from catenary_core.call.call import Call


@dataclass(frozen=True, slots=True)
class Submitter:
    """A user who has work done in a project."""

    user_id: str
    """Id of the user, whose turns the work takes."""
    project_id: str
    """Id of the project, whose owner pays for it."""
    request_id: str
    """Id of the request that wanted the work first, for the log."""
    traceparent: str | None = None
    """Trace of that request, as W3C Trace Context writes it; None without tracing."""

    @classmethod
    def of(cls, call: Call) -> Submitter:
        """Return the user of a call in the project of the call."""
        return cls(
            user_id=call.caller.user_id,
            project_id=str(call.project_id),
            request_id=call.request_id,
            traceparent=None if call.span is None else call.span.traceparent,
        )
