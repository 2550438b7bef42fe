"""`catenary webhook listen`: a receiver on this machine, which verifies and prints a webhook's messages."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from typing import Any

import orjson
from aiohttp import web

from catenary_cli import addresses, show
from catenary_core.call.errors import DomainError
from catenary_core.services.webhooks import signatures, signing_secrets

HOST = "127.0.0.1"
_MAX_BODY = 4 * 2**20
_REMEMBERED = 10_000
"""Number of message ids that are remembered, to recognise a repeated message."""


async def listen(port: int, secret: str | None, *, raw: bool) -> None:
    """Print messages until interrupted; without a secret, no signature is verified.

    Raises:
        ValueError: The secret has no repeated form, or the port is taken.
    """
    try:
        key = None if secret is None else signing_secrets.shown_key(secret)
    except DomainError as error:
        raise ValueError(error.message) from None
    addresses.check_free(HOST, port)
    app = web.Application(client_max_size=_MAX_BODY)
    app.router.add_post("/{path:.*}", Receiver(key, raw=raw).take)
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=1.0)
    await runner.setup()
    try:
        await web.TCPSite(runner, HOST, port).start()
        show.note(f"Receiving at http://{addresses.join(HOST, runner.addresses[0][1])}/; Ctrl-C ends it.")
        if key is None:
            show.note("No secret is given: signatures are not verified.")
        await asyncio.Event().wait()
    finally:
        await runner.cleanup()


class Receiver:
    """A receiver of messages: 204 for an accepted one, 401 for a wrong signature, 400 for a body that is no event."""

    def __init__(self, key: bytes | None, *, raw: bool) -> None:
        self._key = key
        self._raw = raw
        self._recent_ids: OrderedDict[str, None] = OrderedDict()

    async def take(self, request: web.Request) -> web.Response:
        """Receive, verify and print one message."""
        body = await request.read()
        problem = None
        if self._key is not None:
            try:
                signatures.verify(self._key, request.headers, body)
            except signatures.SignatureError as error:
                problem = str(error)
        verdict = "unchecked" if self._key is None else "valid" if problem is None else "invalid"
        event = _event(body)
        if problem is None and event is None:
            problem = "the body is not an event"
        id_ = request.headers.get(signatures.ID, "").encode(errors="replace").decode()
        again = problem is None and self._is_repeated(id_)
        if self._raw:
            found = {
                "webhook_id": id_ or None,
                "signature": verdict,
                "problem": problem,
                "again": again,
                "event": event,
            }
            show.json(found, indent=False)
        else:
            show.line(_line(verdict, id_, event or {}, problem, again=again))
        return web.Response(status=401 if verdict == "invalid" else 204 if problem is None else 400)

    def _is_repeated(self, id_: str) -> bool:
        if not id_:
            return False
        repeated = id_ in self._recent_ids
        self._recent_ids[id_] = None
        self._recent_ids.move_to_end(id_)
        if len(self._recent_ids) > _REMEMBERED:
            self._recent_ids.popitem(last=False)
        return repeated


def _event(body: bytes) -> dict[str, Any] | None:
    try:
        found = orjson.loads(body)
        orjson.dumps(found)  # `dumps` allows less nesting than `loads`
    except (orjson.JSONDecodeError, orjson.JSONEncodeError):
        return None
    return found if isinstance(found, dict) else None


def _line(verdict: str, id_: str, event: dict[str, Any], problem: str | None, *, again: bool) -> str:
    """Format a message for people: time, signature, type, subject, id, remark."""
    when, type_, subject = (str(event.get(name, "-")) for name in ("occurred_at", "type", "subject"))
    remark = f"  {problem}" if problem else "  sent again" if again else ""
    text = f"{when[:19]:<19}  {verdict:<9}  {type_:<28}  {subject}  {id_ or '-'}{remark}"
    # Any program on this machine can send here: no received text may control the terminal.
    return "".join(character if character.isprintable() else "\N{REPLACEMENT CHARACTER}" for character in text)
