"""`/docs/errors`, and the page of each reason, the target of `documentation_url`."""

from __future__ import annotations

from html import escape

import grpc
import orjson

from catenary_edge.errors import reasons
from catenary_edge.errors.reasons import Reason
from catenary_edge.openapi import comments, refusals
from catenary_edge.pages import markup

_GRPC_NAMES = {code.value[0]: code.name for code in grpc.StatusCode}


def index() -> bytes:
    """Build the list of all reasons."""
    rows = [
        (
            f'<a href="/docs/errors/{reason.code}"><code>{reason.code}</code></a>',
            str(reason.http),
            markup.inline(_meaning(reason)),
        )
        for reason in reasons.CATALOGUE.values()
    ]
    body = "<h1>Errors</h1>" + markup.prose(
        "Every refusal has one of these codes: in `error.code` on the platform, in `ErrorInfo.reason` over gRPC."
    )
    return markup.page("Errors", body + markup.table(("Code", "HTTP", "Meaning"), rows))


def page(reason: Reason, base_url: str) -> bytes:
    """Build the page of one reason: meaning, statuses, remedy, and example bodies."""
    rows = [
        ("Code", f"<code>{reason.code}</code>"),
        ("HTTP status", str(reason.http)),
        ("gRPC status", f"<code>{_GRPC_NAMES[reason.grpc]}</code> ({reason.grpc})"),
    ]
    body = [
        f"<h1>{escape(reason.title)}</h1>",
        markup.prose(_meaning(reason)),
        markup.table(("", ""), rows),
        "<h2>What to do</h2>",
        markup.prose(reason.help),
        "<h2>On the platform</h2>",
        _body(reason, is_platform=True, base_url=base_url),
        "<h2>On the data services</h2>",
        _body(reason, is_platform=False, base_url=base_url),
        '<p><a href="/docs/errors">All errors</a></p>',
    ]
    return markup.page(reason.title, "".join(body))


def _meaning(reason: Reason) -> str:
    return comments.load()[reasons.comment_name(reason)]


def _body(reason: Reason, *, is_platform: bool, base_url: str) -> str:
    given = {"base_url": base_url} if base_url else {}
    value = refusals.example(reason, is_platform=is_platform, **given)
    return markup.json_block(orjson.dumps(value, option=orjson.OPT_INDENT_2))
