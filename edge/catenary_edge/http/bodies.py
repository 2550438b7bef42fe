"""Reading of request bodies before parsing: media type, size, rate and content encoding."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

from aiohttp.web import BaseRequest, RequestPayloadError

from catenary_edge.errors.fault import Fault, shortened
from catenary_edge.errors.problem import Problem, refusal
from catenary_edge.http.content_encoding import PIECE, inflater
from catenary_edge.settings import Timeouts

JSON_TYPE = "application/json"
FORM_TYPE = "application/x-www-form-urlencoded"


def check_json_type(request: BaseRequest) -> None:
    """Check the media type and charset of a JSON body.

    Raises:
        Problem: 415 for a body in another media type than JSON, or in another charset than UTF-8.
    """
    if request.content_type != JSON_TYPE or "Content-Type" not in request.headers:
        raise unsupported(request.headers.get("Content-Type"), JSON_TYPE)
    charset = request.charset
    if charset is not None and charset.lower() not in ("utf-8", "utf8", "us-ascii"):
        raise unsupported(request.headers["Content-Type"], JSON_TYPE)


def unsupported(given: str | None, *taken: str) -> Problem:
    """Build a 415 with the accepted media types."""
    what = (
        f"The media type {given[:80].encode(errors='replace').decode()!r}" if given else "A body without a media type"
    )
    message = f"{what} is not taken here; send {' or '.join(taken)}."
    return refusal("UNSUPPORTED_MEDIA_TYPE", message, parameter="Content-Type")


def too_large(limit: int) -> Problem:
    """Build a 413 with the limit in bytes."""
    return refusal("PAYLOAD_TOO_LARGE", f"The body is over {limit} bytes.", parameter="body", max=limit)


def too_slow() -> Problem:
    """Build a 408 for a body below the least rate."""
    return Problem(408, "TIMEOUT", "The body came too slowly.", headers={"Connection": "close"})


def damaged(text: str) -> Problem:
    """Build a 400 for a body with broken HTTP framing."""
    return refusal("VALIDATION_ERROR", text, parameter="body", value=None, constraint="framing")


def form_text(data: bytes) -> str:
    """Decode a form body: percent-encoded, so ASCII alone.

    Raises:
        Fault: The body has other bytes.
    """
    try:
        return data.decode("ascii")
    except UnicodeDecodeError:
        raise Fault("is not percent-encoded ASCII", "encoding", None) from None


async def continue_if_expected(request: BaseRequest) -> None:
    """Send `100 Continue` to a waiting client (RFC 9110, section 10.1.1).

    Raises:
        Problem: 417 for any other expectation.
    """
    expectation = request.headers.get("Expect")
    if expectation is None or request.version < (1, 1):
        return
    if expectation.lower() != "100-continue":
        details = {"parameter": "Expect", "value": shortened(expectation), "constraint": "in"}
        raise Problem(417, "VALIDATION_ERROR", "The header Expect has only the value 100-continue here.", details)
    transport = request.transport
    if transport is not None:
        transport.write(b"HTTP/1.1 100 Continue\r\n\r\n")


class Pace:
    """The least rate of a body: all of it within `body` seconds, plus one second for every `body_rate` bytes received.

    A slow line passes (64 kbit/s do); single bytes now and then hold a connection for `body` seconds at most.
    """

    def __init__(self, request: BaseRequest, timeouts: Timeouts) -> None:
        self._content = request.content
        self._timeouts = timeouts
        self._started = asyncio.get_running_loop().time()

    def limit(self) -> asyncio.Timeout:
        """Return the timeout context (TimeoutError) for reading the next piece."""
        allowed = self._timeouts.body + self._content.total_bytes / self._timeouts.body_rate
        return asyncio.timeout_at(self._started + allowed)


async def raw_pieces(request: BaseRequest, timeouts: Timeouts) -> AsyncIterator[bytes]:
    """Yield the body as sent, piece by piece.

    Raises:
        Problem: 400 for broken framing; 408 for a body below the least rate.
    """
    content = request.content
    pace = Pace(request, timeouts)
    try:
        while not content.at_eof():
            if content.is_eof():
                yield content.read_nowait()
                continue
            async with pace.limit():
                data = await content.readany()
            if data:
                yield data
    except TimeoutError:
        raise too_slow() from None
    except RequestPayloadError:
        raise damaged("The body's framing is damaged.") from None


async def pieces(request: BaseRequest, limit: int, timeouts: Timeouts) -> AsyncIterator[bytes]:
    """Yield the decompressed body piece by piece.

    Raises:
        Problem: 413 past the limit; 415 for an unknown content encoding; 400 for broken data; 408 for a slow body.
    """
    if request.content_length is not None and request.content_length > limit:
        raise too_large(limit)
    inflate = inflater(request.headers.get("Content-Encoding", ""))
    sent = size = 0
    async for data in raw_pieces(request, timeouts):
        sent += len(data)
        if sent > limit:
            raise too_large(limit)
        if inflate is None:
            yield data
            continue
        plain = inflate.feed(data, PIECE)
        while plain:
            size += len(plain)
            if size > limit:
                raise too_large(limit)
            yield plain
            plain = inflate.feed(b"", PIECE)
    if inflate is not None and sent:
        inflate.finish()


async def read(request: BaseRequest, limit: int, timeouts: Timeouts) -> bytes:
    """Read the whole body, decompressed, of at most `limit` bytes; b"" when there is none.

    Raises:
        Problem: As `pieces` and `continue_if_expected`.
    """
    if not request.body_exists:
        return b""
    await continue_if_expected(request)
    return b"".join([piece async for piece in pieces(request, limit, timeouts)])
