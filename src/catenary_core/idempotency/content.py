"""Fingerprints of calls with an Idempotency-Key (HMACs), and encryption of their stored responses."""

from __future__ import annotations

import hashlib
from collections.abc import AsyncIterator, Callable
from functools import cache
from typing import Any

import orjson
from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.message import Message
from google.rpc import status_pb2

from catenary.options.v1 import options_pb2
from catenary_core.call.call import Call, Identity
from catenary_core.call.errors import CallError, with_request_id
from catenary_core.limits import hourly
from catenary_core.secrets import Secrets

REPLAYED = {"idempotency-replayed": "true"}
"""Response metadata of a replayed response; trailing metadata of a replayed error."""
_ANSWER, _ERROR = b"a", b"e"


class KeyedContent:
    """The request of a call, or the stream of its messages, hashed while the servicer reads it.

    The hash omits fields from headers, which are not the body, and does not depend on how a file is split into
    messages.
    """

    def __init__(self, head: Message, stream: AsyncIterator[Message] | None) -> None:
        """Start to hash.

        Args:
            head: the request, or the first message of the stream.
            stream: the stream; None for a single message.
        """
        self._head = _without(head, _beside_the_body(head.DESCRIPTOR))
        self._stream = stream
        self._hash = hashlib.sha256()
        self._file_fields = () if stream is None else _file_fields(head.DESCRIPTOR)
        self.is_whole = stream is None
        """True if the whole request has been read."""
        self.body: Any = head if stream is None else self
        """The request for the servicer: the message, or this object as the stream."""

    @property
    def is_stream(self) -> bool:
        """True if the request is a stream of messages."""
        return self._stream is not None

    def __aiter__(self) -> AsyncIterator[Message]:
        return self

    async def __anext__(self) -> Message:
        if self._stream is None or self.is_whole:
            raise StopAsyncIteration
        try:
            message = await anext(self._stream)
        except StopAsyncIteration:
            self.is_whole = True
            raise
        for name in self._file_fields:
            self._hash.update(getattr(message, name))
        return message

    async def read_rest(self) -> None:
        """Read the rest of the stream, left by the servicer."""
        if self._stream is not None:
            async for _ in self:
                pass

    def digest(self) -> str:
        """Return the SHA-256 of the content read so far, in hexadecimal."""
        head = _without(self._head, self._file_fields).SerializeToString(deterministic=True)
        return hashlib.sha256(hashlib.sha256(head).digest() + self._hash.digest()).hexdigest()


class Sealer:
    """Makes and reads the columns of a record."""

    def __init__(self, secrets: Secrets) -> None:
        self._secrets = secrets

    def record_id(self, caller: Identity, route: str, key: str) -> bytes:
        """Return the id of the record for a caller's key on a route.

        An API key, which may do less than its owner, has records of its own.
        """
        own = caller.credential_id if caller.kind == "api_key" else ""
        return self._secrets.digest(orjson.dumps([caller.user_id, own, route, key]).decode())

    def fingerprint(self, content: KeyedContent) -> bytes:
        """Return an HMAC of the content, which a repetition must match.

        A plain hash would let an attacker guess a short secret in the content.
        """
        return self._secrets.fingerprint(content.digest())

    def has_fingerprint(self, content: KeyedContent, stored: bytes) -> bool:
        """Return whether a stored fingerprint is the content's."""
        return self._secrets.has_fingerprint(content.digest(), stored)

    def seal(self, body: dict[str, Any], reply: dict[str, str]) -> bytes:
        """Encrypt a response with its metadata, without the state of rate limits."""
        kept = {name: text for name, text in reply.items() if name not in hourly.REPLY}
        return self._secrets.encrypt(_ANSWER + orjson.dumps([body, kept]))

    def seal_error(self, error: CallError) -> bytes:
        """Encrypt a refusal."""
        return self._secrets.encrypt(_ERROR + error.status.SerializeToString())

    def changed(self, sealed: bytes, change: Callable[[Any], Any]) -> bytes | None:
        """Return a stored response whose body a function has changed; None for one without a change, or a refusal."""
        plain = self._secrets.decrypt(sealed)
        if plain[:1] == _ERROR:
            return None
        body, reply = orjson.loads(plain[1:])
        new = change(body)
        return None if new == body else self._secrets.encrypt(_ANSWER + orjson.dumps([new, reply]))

    def open(self, sealed: bytes, call: Call) -> Any:
        """Return the body of a stored response and put its metadata into the call's reply.

        Raises:
            CallError: the stored response is a refusal.
        """
        plain = self._secrets.decrypt(sealed)
        if plain[:1] == _ERROR:
            status = status_pb2.Status.FromString(plain[1:])
            raise CallError(with_request_id(status, call.request_id), REPLAYED)
        body, reply = orjson.loads(plain[1:])
        for name in call.reply.keys() - set(hourly.REPLY):  # set by this call's own run
            del call.reply[name]
        call.reply.update(reply, **REPLAYED)
        return body


@cache
def _beside_the_body(descriptor: Descriptor) -> tuple[str, ...]:
    return tuple(field.name for field in descriptor.fields if field.GetOptions().Extensions[options_pb2.field].header)


@cache
def _file_fields(descriptor: Descriptor) -> tuple[str, ...]:
    return tuple(field.name for field in descriptor.fields if field.type == FieldDescriptor.TYPE_BYTES)


def _without(message: Message, names: tuple[str, ...]) -> Message:
    """Return the message itself, or a copy without the named fields."""
    if not names:
        return message
    copy = type(message)()
    copy.CopyFrom(message)
    for name in names:
        copy.ClearField(name)
    return copy
