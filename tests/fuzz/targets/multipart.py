"""The reading of a file from a multipart body.

An input: one byte for the size of the pieces in which the body comes, the parameters of the Content-Type to a line's
end, then the body.
"""

from __future__ import annotations

import asyncio
import atexit
import warnings
from types import SimpleNamespace
from typing import Any

from aiohttp.base_protocol import BaseProtocol
from aiohttp.streams import StreamReader
from multidict import CIMultiDict

from catenary_edge.errors.problem import Problem
from catenary_edge.http.uploads import CHUNK, MULTIPART, Upload
from catenary_edge.settings import EdgeSettings
from fuzz.targets.decoder import TABLE

ROUTE = next(route for route in TABLE.routes if {MULTIPART, "text/x-python"} <= set(route.rpc.options.upload_types))
FIELD = next(iter(ROUTE.decoder.body_fields))
SETTINGS = EdgeSettings()
_LOOP = asyncio.new_event_loop()
atexit.register(_LOOP.close)
_PROTOCOL = BaseProtocol(_LOOP)


def run(data: bytes) -> str:
    """Read one body: the file has no more bytes than the body, in chunks of bounded size."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of aiohttp, about parameters of a part's header
        return _LOOP.run_until_complete(_run(data))


async def _run(data: bytes) -> str:
    given, _, body = data[1:].partition(b"\n")
    parameters = "".join(letter for letter in given.decode("latin-1") if letter >= " ")
    content = StreamReader(_PROTOCOL, 2**16, loop=_LOOP)
    most = (data[0] + 1) * 32 if data else 1
    for start in range(0, len(body), most):
        content.feed_data(body[start : start + most])
    content.feed_eof()
    headers = CIMultiDict({"Content-Type": f"{MULTIPART};{parameters}"})
    # What an upload reads of a request; a mocked one of aiohttp costs more than the reading.
    request: Any = SimpleNamespace(
        headers=headers, content=content, content_type=MULTIPART, content_length=None, version=(1, 1), transport=None
    )
    upload = Upload(request, ROUTE, SETTINGS)
    size = 0
    try:
        await upload.open()
        async for message in upload.messages(ROUTE.rpc.request()):
            chunk = getattr(message, FIELD)
            assert len(chunk) <= CHUNK
            size += len(chunk)
    except Problem as problem:
        assert problem.status in (400, 413, 415), problem.message
        return "refused"
    assert size <= len(body)
    return "taken"
