"""The common parts of the edge's WebSockets (RFC 6455): who may connect, with which credentials, and how one is closed.

A refused client gets an ordinary HTTP response before the upgrade.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from urllib.parse import urlsplit

import structlog
from aiohttp import WSCloseCode
from aiohttp.web import BaseRequest, StreamResponse, WebSocketResponse

from catenary_edge.errors.problem import Problem, refusal
from catenary_edge.exchange import Exchange
from catenary_edge.http.credentials import HEADERS, MAX_LENGTH, VISIBLE, credentials
from catenary_edge.responses import Responses

SUBPROTOCOL = "catenary.v1"
BEARER = "bearer."
"""Prefix of the subprotocol with a token, since browsers can't set the header Authorization."""
KEY = "key."
"""Prefix of the subprotocol with an API key."""
SHARE = "share."
"""Prefix of the subprotocol with the token of a share link."""
PING_SECONDS = 30.0
"""Seconds between two pings."""
CLOSE_SECONDS = 5.0
"""Seconds to wait for the client's closing frame."""
TEXT = 0x81
"""First byte of a whole text message (RFC 6455, section 5.2)."""
_PROTOCOLS = "Sec-WebSocket-Protocol"
_METADATA: Mapping[str, tuple[str, str]] = {
    BEARER: ("authorization", "Bearer "),
    KEY: ("x-api-key", ""),
    SHARE: ("x-share-token", ""),
}
"""Metadata with the credential of a subprotocol, and what stands there before it, by the subprotocol's prefix."""

# Ended credential or role: policy violation. Lag, or unreachable core: try again later. Another version is deployed: connect
# again. A session whose time is over ends as agreed.
_CODES: Mapping[int, int] = {
    401: WSCloseCode.POLICY_VIOLATION,
    403: WSCloseCode.POLICY_VIOLATION,
    404: WSCloseCode.POLICY_VIOLATION,
    409: WSCloseCode.SERVICE_RESTART,
    429: WSCloseCode.TRY_AGAIN_LATER,
    503: WSCloseCode.TRY_AGAIN_LATER,
    504: WSCloseCode.OK,
}
log = structlog.get_logger("catenary.edge")


class Handshake:
    """The way of a request up to the upgrade."""

    def __init__(
        self, admit: Callable[[Exchange], Awaitable[None]], responses: Responses, origins: tuple[str, ...]
    ) -> None:
        """Prepare handshakes.

        Args:
            admit: Identifies and counts the caller.
            responses: Builds responses.
            origins: Origins that may connect beside the edge's own.
        """
        self._admit = admit
        self._responses = responses
        self._origins = frozenset(origins)

    def options(self, exchange: Exchange) -> StreamResponse | None:
        """Return the response to OPTIONS; None for another method.

        Raises:
            Problem: 405 for a method that a WebSocket does not have.
        """
        request = exchange.request
        if request.method == "OPTIONS":
            return self._responses.options(exchange, ["GET", "OPTIONS"])
        if request.method != "GET":
            problem = refusal("METHOD_NOT_ALLOWED", f"{exchange.path} takes GET only.")
            problem.headers["Allow"] = "GET, OPTIONS"
            raise problem
        return None

    async def admit(self, exchange: Exchange, *, for_links: bool = False) -> str | None:
        """Check the origin, identify and count the caller; return the subprotocol to choose.

        Args:
            exchange: The request.
            for_links: Whether the socket takes the subprotocol of share links, with which pages of every origin connect.

        Raises:
            Problem: The refusal.
        """
        if not (for_links and _is_by_link_alone(exchange.request)):
            self._check_origin(exchange)
        protocol, exchange.credentials = _offered(exchange.request, for_links=for_links)
        await self._admit(exchange)
        return protocol

    def socket(self, exchange: Exchange, protocol: str | None, max_frame: int) -> WebSocketResponse:
        """Return a socket that can be prepared.

        Args:
            exchange: The request.
            protocol: The chosen subprotocol.
            max_frame: The largest message of the client, in bytes.

        Raises:
            Problem: The request is no WebSocket.
        """
        socket = WebSocketResponse(
            protocols=() if protocol is None else (protocol,),
            heartbeat=PING_SECONDS,
            autoping=False,
            compress=False,
            max_msg_size=max_frame,
            timeout=CLOSE_SECONDS,
        )
        if not socket.can_prepare(exchange.request):
            text = f"{exchange.path} is a WebSocket; connect with one of version 13 (RFC 6455)."
            raise refusal("VALIDATION_ERROR", text, parameter="Upgrade", value=None, constraint="websocket")
        self._responses.mark(exchange, socket)
        return socket

    def refund(self, exchange: Exchange, socket: WebSocketResponse) -> None:
        """Take back the count of a request whose socket is not prepared yet."""
        self._responses.refund(exchange)
        self._responses.mark(exchange, socket)

    def _check_origin(self, exchange: Exchange) -> None:
        """Refuse pages of other origins: browsers let any page open a WebSocket (RFC 6455, section 10.2).

        Raises:
            Problem: 403 for another origin.
        """
        origin = exchange.request.headers.get("Origin")
        own = urlsplit(exchange.base_url)
        if origin is None or origin in self._origins or (own.netloc and origin == f"{own.scheme}://{own.netloc}"):
            return
        raise refusal("PERMISSION_DENIED", "Pages of this origin may not connect here.")


async def close(socket: WebSocketResponse, failure: BaseException | None, *, stopping: bool) -> None:
    """Close a socket that is open, with the code of what ended it.

    Args:
        socket: The socket.
        failure: The exception that ended it; None when its stream ended by itself.
        stopping: Whether the edge stops.
    """
    if not socket.closed:
        code, reason = _end(failure, stopping=stopping)
        await socket.close(code=code, message=reason, drain=False)


def _end(failure: BaseException | None, *, stopping: bool) -> tuple[int, bytes]:
    """Choose the code and the reason of the closing frame."""
    if stopping:
        return WSCloseCode.GOING_AWAY, b"the server stops; connect again"
    if isinstance(failure, Problem):
        return _CODES.get(failure.status, WSCloseCode.INTERNAL_ERROR), failure.reason.encode()
    if failure is None:
        return WSCloseCode.TRY_AGAIN_LATER, b"UNAVAILABLE"
    log.error("WebSocket failed", error=type(failure).__name__)
    return WSCloseCode.INTERNAL_ERROR, b"INTERNAL_ERROR"


def _protocols(request: BaseRequest) -> list[str]:
    return [text.strip() for line in request.headers.getall(_PROTOCOLS, []) for text in line.split(",")]


def _secrets(offered: Sequence[str]) -> list[str]:
    """Return the subprotocols that hold a credential."""
    return [text for text in offered if text.startswith(tuple(_METADATA))]


def _is_by_link_alone(request: BaseRequest) -> bool:
    """Return whether the only credential of a request is a subprotocol with the token of a share link."""
    secrets = _secrets(_protocols(request))
    return len(secrets) == 1 and secrets[0].startswith(SHARE) and not any(name in request.headers for name in HEADERS)


def _offered(request: BaseRequest, *, for_links: bool) -> tuple[str | None, dict[str, str]]:
    """Return the subprotocol to choose, and the credentials of the headers or of the subprotocol.

    Raises:
        Problem: 401 for more than one credential, an invalid one, or that of a link unless it is `for_links`; 400 for a
            repeated header.
    """
    found = credentials(request.headers)
    lines = request.headers.getall(_PROTOCOLS, [])
    if len(lines) > 1:  # aiohttp reads the first line only, and would log protocols of the others
        message = f"The header {_PROTOCOLS} stands twice; send one list."
        raise refusal("VALIDATION_ERROR", message, parameter=_PROTOCOLS, value=None, constraint="duplicate")
    offered = _protocols(request)
    secrets = _secrets(offered)
    if len(secrets) > 1 or (secrets and found):
        raise refusal("INVALID_TOKEN", "More than one credential was sent; send one.")
    for secret in secrets:
        prefix = next(one for one in _METADATA if secret.startswith(one))
        if prefix == SHARE and not for_links:
            raise refusal(
                "INVALID_TOKEN", f"The subprotocol {SHARE}<token> opens no live session; sign in, and send your token."
            )
        token = secret.removeprefix(prefix)
        if len(token) > MAX_LENGTH or not VISIBLE.fullmatch(token):
            raise refusal(
                "INVALID_TOKEN",
                f"The credential of the subprotocol {prefix} is damaged; send it whole.",
            )
        name, before = _METADATA[prefix]
        found = {name: before + token}
    return SUBPROTOCOL if SUBPROTOCOL in offered else next(iter(secrets), None), found


def frame(first: int, payload: bytes) -> bytes:
    """Format an unmasked frame, as a server sends it (RFC 6455, section 5.2); `first` has its kind and whether it is the last."""
    size = len(payload)
    if size < 126:
        return bytes((first, size)) + payload
    if size < 65536:
        return bytes((first, 126)) + size.to_bytes(2) + payload
    return bytes((first, 127)) + size.to_bytes(8) + payload
