"""The header Prefer (RFC 7240): how long a caller is willing to wait."""

from __future__ import annotations

import re
import time
from dataclasses import dataclass

from catenary_core.call.call import Call

DEFAULT_WAIT = 20
"""Seconds that a request waits without a preference."""
MAX_WAIT = 60
"""Maximum seconds of `wait`."""
RETRY_AFTER = "1"
"""Seconds after which a caller asks again for unfinished work."""
_MARGIN = 0.25
"""Seconds before the call's deadline at which a waiting call responds."""

_TOKEN = r"[!#$%&'*+.^_`|~0-9A-Za-z-]+"  # noqa: S105 (RFC 9110's token, no secret)
_WORD = rf'(?:{_TOKEN}|"(?:[^"\\]|\\.)*")'
_PREFERENCE = re.compile(
    rf"\s*(?P<name>{_TOKEN})(?:\s*=\s*(?P<value>{_WORD})?)?(?:\s*;\s*(?:{_TOKEN}(?:\s*=\s*{_WORD}?)?)?)*\s*(?:,|$)",
    re.ASCII,
)
_SECONDS = re.compile(r"\d{1,2}", re.ASCII)


@dataclass(frozen=True, slots=True)
class Preference:
    """The preferences of a header."""

    wait: int | None = None
    """Seconds of `wait=N`; None without it."""
    respond_async: bool = False
    """True if the header has `respond-async`."""

    def seconds(self) -> int:
        """Return the seconds that a request for work waits: `wait`, 0 for `respond-async` alone, else the default."""
        if self.wait is not None:
            return self.wait
        return 0 if self.respond_async else DEFAULT_WAIT

    def of_read(self) -> Preference:
        """Return the part that a read honours: `wait` alone, since a read starts no work."""
        return Preference(self.wait)

    def applied(self, *, final: bool) -> dict[str, str]:
        """Return the response metadata that lists the honoured preferences (RFC 7240, section 3)."""
        honoured = [] if final or not self.respond_async else ["respond-async"]
        if self.wait is not None:
            honoured.append(f"wait={self.wait}")
        return {"preference-applied": ", ".join(honoured)} if honoured else {}


def parse(header: str) -> Preference:
    """Return the preferences of a header, of two equal names the first.

    Malformed and unknown preferences and values out of range are ignored (RFC 7240, section 2).
    """
    found: dict[str, str] = {}
    position = 0
    while position < len(header):
        match = _PREFERENCE.match(header, position)
        if match is None:
            return Preference()
        found.setdefault(match["name"].lower(), (match["value"] or "").strip('"'))
        position = match.end()
    wait = found.get("wait", "")
    seconds = int(wait) if _SECONDS.fullmatch(wait) and int(wait) <= MAX_WAIT else None
    return Preference(seconds, found.get("respond-async") == "")


def wait_end(call: Call, seconds: float) -> float:
    """Return when a call that may wait `seconds` must respond (`time.monotonic()`); 0 if it doesn't wait."""
    return min(time.monotonic() + seconds, call.deadline - _MARGIN) if seconds else 0.0
