"""Uploads: a raw or multipart body as the request stream of a method, piece by piece, never whole in memory."""

from __future__ import annotations

import asyncio
import mimetypes
from collections.abc import AsyncIterator, Mapping

from aiohttp import BodyPartReader, MultipartReader
from aiohttp.http_exceptions import HttpProcessingError
from aiohttp.web import BaseRequest, RequestPayloadError
from google.protobuf.message import Message

from catenary_edge.errors.problem import Problem, refusal
from catenary_edge.http.bodies import Pace, continue_if_expected, damaged, pieces, too_large, too_slow, unsupported
from catenary_edge.settings import KIB, MIB, EdgeSettings
from catenary_edge.transcoding.routes import Route

CHUNK = 256 * KIB
"""Largest chunk of one request message in bytes."""
MULTIPART = "multipart/form-data"
FILE_PART = "file"
"""Name of the multipart part with the file."""
OCTETS = "application/octet-stream"

_TYPES = mimetypes.MimeTypes()
_TYPES.add_type("application/x-openscad", ".scad")


class Upload:
    """The upload of one file.

    `open` refuses by media type and size before the core is called. A fault inside the body occurs while the core
    already reads; `fault` stores it, since the error of the failed call says less.
    """

    def __init__(self, request: BaseRequest, route: Route, settings: EdgeSettings) -> None:
        self._request = request
        self._settings = settings
        self._limit = settings.upload_limit
        self._types = tuple(name for name in route.rpc.options.upload_types if name != MULTIPART)
        self._multipart = len(self._types) < len(route.rpc.options.upload_types)
        self._field = next(iter(route.decoder.body_fields))
        self._bytes: AsyncIterator[bytes] | None = None
        self.media_type = ""
        """Media type of the file; empty before `open`."""
        self.fault: Problem | None = None
        """The refusal raised while the core was reading, if any."""

    async def open(self) -> None:
        """Find the file's media type, in a multipart body by reading up to the file's part.

        Raises:
            Problem: 413 for a file over the limit; 415 for another media type; 400 for a broken body.
        """
        request = self._request
        length = request.content_length
        if length is not None and length > self._limit + (MIB if self._multipart else 0):
            raise too_large(self._limit)
        kind = request.content_type if "Content-Type" in request.headers else ""
        if kind == MULTIPART and self._multipart:
            if request.headers.get("Content-Encoding", "identity").lower() != "identity":
                raise refusal("UNSUPPORTED_MEDIA_TYPE", "A multipart body is taken without a content coding only.")
            await continue_if_expected(request)
            self._bytes = await self._open_part()
        elif kind in self._types:
            self.media_type = kind
            self._bytes = pieces(request, self._limit, self._settings.timeouts)
        else:
            raise unsupported(request.headers.get("Content-Type"), *self._types, *([MULTIPART] * self._multipart))

    async def messages(self, first: Message) -> AsyncIterator[Message]:
        """Yield the request stream: `first` without bytes, then messages of at most 256 KiB each."""
        assert self._bytes is not None
        try:
            yield first
            await continue_if_expected(self._request)
            waiting = bytearray()
            async for data in self._bytes:
                waiting += data
                while len(waiting) >= CHUNK:
                    yield type(first)(**{self._field: bytes(waiting[:CHUNK])})
                    del waiting[:CHUNK]
            if waiting:
                yield type(first)(**{self._field: bytes(waiting)})
        except Problem as problem:
            self.fault = problem
            raise

    async def _open_part(self) -> AsyncIterator[bytes]:
        pace = Pace(self._request, self._settings.timeouts)
        try:
            reader = MultipartReader(self._request.headers, self._request.content)
            part = await self._next(reader, pace)
        except (ValueError, AssertionError) as error:
            raise damaged("The body is no valid multipart/form-data.") from error
        if part is None:
            raise refusal(
                "VALIDATION_ERROR",
                f"The part {FILE_PART} is missing.",
                parameter=FILE_PART,
                value=None,
                constraint="required",
            )
        transfer = part.headers.get("Content-Transfer-Encoding", "binary").lower()
        if "Content-Encoding" in part.headers or transfer not in ("binary", "8bit", "7bit"):
            raise refusal("UNSUPPORTED_MEDIA_TYPE", f"The part {FILE_PART} is taken without a coding only.")
        self.media_type = self._part_type(part)
        return self._part_bytes(reader, part, pace)

    def _part_type(self, part: BodyPartReader) -> str:
        given = part.headers.get("Content-Type", OCTETS)
        kind = given.partition(";")[0].strip().lower()
        if kind == OCTETS:
            kind = _TYPES.guess_type((part.filename or "").lower())[0] or OCTETS
        if kind not in self._types:
            raise unsupported(given, *self._types)
        return kind

    async def _part_bytes(self, reader: MultipartReader, part: BodyPartReader, pace: Pace) -> AsyncIterator[bytes]:
        size = 0
        try:
            while True:
                async with pace.limit():
                    data = await part.read_chunk(64 * KIB)
                if not data and part.at_eof():
                    break
                size += len(data)
                if size > self._limit or self._request.content.total_bytes > self._limit + MIB:
                    raise too_large(self._limit)
                yield data
            await self._next(reader, pace)
        except TimeoutError:
            raise too_slow() from None
        except (ValueError, AssertionError, HttpProcessingError, RequestPayloadError) as error:
            raise damaged("The body is no valid multipart/form-data.") from error

    async def _next(self, reader: MultipartReader, pace: Pace) -> BodyPartReader | None:
        """Return the next part, which must be the file; None at the end.

        Raises:
            Problem: 400 for another part or a broken body; 408 for a slow one.
        """
        try:
            async with pace.limit():
                part = await reader.next()
        except TimeoutError:
            raise too_slow() from None
        except (ValueError, AssertionError, HttpProcessingError, RequestPayloadError) as error:
            raise damaged("The body is no valid multipart/form-data.") from error
        if part is None:
            return None
        if not isinstance(part, BodyPartReader) or part.name != FILE_PART or self.media_type:
            name = (part.name or "")[:80] if isinstance(part, BodyPartReader) else ""
            text = f"The part {name!r} is not known here; send one part {FILE_PART}."
            raise refusal("VALIDATION_ERROR", text, parameter=name or FILE_PART, value=None, constraint="unknown")
        return part


def with_media_type(headers: Mapping[str, str], sources: Mapping[str, str], media_type: str) -> dict[str, str]:
    """Return the header fields of an upload, with the file's Content-Type instead of the multipart envelope's."""
    return {name: media_type if sources[name].lower() == "content-type" else text for name, text in headers.items()}


def cancelled_by_fault(upload: Upload) -> None:
    """Raise the upload's own fault instead of the cancellation of its call, when the fault caused the cancellation."""
    task = asyncio.current_task()
    if upload.fault is not None and (task is None or not task.cancelling()):
        raise upload.fault from None
