"""The message of a request: from its path, query, headers and body."""

from __future__ import annotations

from collections.abc import Mapping

from aiohttp.web import BaseRequest
from google.protobuf.message import Message

from catenary_edge import json_text
from catenary_edge.errors.fault import Fault
from catenary_edge.exchange import Exchange
from catenary_edge.http import bodies
from catenary_edge.settings import EdgeSettings
from catenary_edge.transcoding.decoder import ABSENT
from catenary_edge.transcoding.routes import Match


async def decode(exchange: Exchange, match: Match, settings: EdgeSettings) -> Message:
    """Read and decode the message of a request.

    Raises:
        Problem: 413 for a body over the limit; 415 for its media type or content encoding; 400 for invalid data.
    """
    request, decoder = exchange.request, match.route.decoder
    query = request.rel_url.raw_query_string
    given = header_fields(request, decoder.headers)
    is_form = match.route.oauth and request.content_type == bodies.FORM_TYPE
    if request.body_exists and decoder.takes_json and not is_form:
        bodies.check_json_type(request)
    data = await bodies.read(request, settings.body_limit, settings.timeouts)
    if not data and not is_form and not decoder.needs_body:
        return decoder.decode(match.segments, query, given, {} if decoder.takes_json else ABSENT)
    try:
        if is_form:
            return decoder.decode_form(match.segments, query, given, bodies.form_text(data))
        if not decoder.takes_json:
            raise Fault("is not taken by this method; send none", "unknown", None)
        if not data:
            raise Fault("is missing; send JSON with the media type application/json", "required", None)
        document = json_text.parse(data)
    except Fault as fault:
        raise fault.problem() from None
    exchange.single_item = decoder.single_item(document)
    return decoder.decode(match.segments, query, given, document)


def header_fields(request: BaseRequest, sources: Mapping[str, str]) -> dict[str, str]:
    """Map request fields to the values of their headers; join a repeated header to one list (RFC 9110, section 5.3)."""
    return {
        name: ", ".join(request.headers.getall(header)) for name, header in sources.items() if header in request.headers
    }
