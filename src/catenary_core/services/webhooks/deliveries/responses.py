"""Responses of receivers, read only as far as is safe, and reasons of failures for the webhook's owner."""

from __future__ import annotations

import errno
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

import aiohttp

from catenary_core.services.webhooks.deliveries.schedule import LONGEST_WAIT
from catenary_core.services.webhooks.targets.connections import ResponseTooLongError
from catenary_core.services.webhooks.targets.guard import ForbiddenTargetError

KEPT_BYTES = 1024
"""Maximum bytes that are stored of a request's and of a response's body."""
_PLAIN = ("", "identity")
"""The content encodings whose body is stored."""


class ReceiverResponse:
    """A response as far as received: the status counts even if the body never ends."""

    def __init__(self) -> None:
        self.status: int | None = None
        self.retry_after: float | None = None
        self._excerpt = b""

    async def read(self, response: aiohttp.ClientResponse) -> None:
        """Read status, headers and body; keep 1 KiB of the body. The connection limits the total."""
        self.status = response.status
        self.retry_after = retry_after(response.headers.get("Retry-After"), datetime.now(UTC))
        plain = response.headers.get("Content-Encoding", "").lower() in _PLAIN
        while part := await response.content.readany():
            if plain:
                self._excerpt += part[: KEPT_BYTES - len(self._excerpt)]

    @property
    def excerpt(self) -> str:
        """The stored part of the body as text, without U+0000, of at most as many bytes in UTF-8."""
        text = self._excerpt.decode(errors="replace").replace("\0", "\N{REPLACEMENT CHARACTER}")
        return text.encode()[:KEPT_BYTES].decode(errors="ignore")

    @property
    def reason(self) -> str | None:
        """The reason why the status is a failure; None for 2xx."""
        if self.status is None or 200 <= self.status < 300:
            return None
        if 300 <= self.status < 400:
            return f"The receiver answered {self.status}; redirects are not followed, so give the webhook its new url."
        return f"The receiver answered {self.status}."


def retry_after(header: str | None, now: datetime) -> float | None:
    """Return the seconds of a Retry-After header (RFC 9110, section 10.2.3), 0 to 86,400; None if absent or invalid."""
    if header is None:
        return None
    text = header.strip()
    if text.isascii() and text.isdecimal():
        seconds = float(text) if len(text) < 10 else LONGEST_WAIT
    else:
        try:
            at = parsedate_to_datetime(text)
        except (ValueError, TypeError, OverflowError):
            return None
        seconds = ((at if at.tzinfo else at.replace(tzinfo=UTC)) - now).total_seconds()
    return min(max(seconds, 0.0), LONGEST_WAIT)


def reason(error: Exception, total: float) -> str | None:
    """Return why there is no response, without details of the server's own side.

    None stands for an error that no receiver should be able to cause.
    """
    found = error.os_error if isinstance(error, aiohttp.ClientConnectorError) else error
    match error:
        case _ if isinstance(found, ForbiddenTargetError):
            return str(found)
        case TimeoutError():
            return f"No answer came within {total:g} s."
        case aiohttp.ClientConnectorCertificateError():
            problem = getattr(error.certificate_error, "verify_message", "") or "it can't be verified"
            return f"The receiver's certificate is not valid: {problem.rstrip('.')}."
        case aiohttp.ClientSSLError():
            return "The TLS handshake failed."
        case aiohttp.ClientConnectorDNSError():
            return "The host name can't be resolved."
        case aiohttp.ClientConnectorError():
            refused = error.errno == errno.ECONNREFUSED
            return "The connection was refused." if refused else "No connection could be made."
        case OSError() | aiohttp.ServerConnectionError():
            return "The connection was closed before an answer came."
        case ResponseTooLongError():
            return "The head of the answer is too long."
        case aiohttp.ClientError():
            return "The answer is not valid HTTP."
    return None
