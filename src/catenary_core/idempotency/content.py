"""What a call with an Idempotency-Key is compared by, and how its answer is kept: as HMACs and encrypted."""

from __future__ import annotations

import hashlib
from collections.abc import AsyncIterator
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
"""Response metadata (of an error: trailing) of an answer that is given again."""
_ANSWER, _ERROR = b"a", b"e"


class KeyedContent:
    """The request of a call, or the stream of its messages, hashed while the servicer reads it.

    `body` is what the servicer gets. The hash leaves out what came in headers, which isn't the body, and doesn't depend on how a
    file is cut into messages.
    """

    def __init__(self, head: Message, stream: AsyncIterator[Message] | None) -> None:
        self._head = _without(head, _beside_the_body(head.DESCRIPTOR))
        self._stream = stream
        self._hash = hashlib.sha256()
        self._file_fields = () if stream is None else _file_fields(head.DESCRIPTOR)
        self.is_whole = stream is None
        self.body: Any = head if stream is None else self

    @property
    def is_stream(self) -> bool:
        """Whether the request comes in messages."""
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
        """Reads what the servicer didn't."""
        if self._stream is not None:
            async for _ in self:
                pass

    def digest(self) -> str:
        """SHA-256 of it, in hexadecimal."""
        head = _without(self._head, self._file_fields).SerializeToString(deterministic=True)
        return hashlib.sha256(hashlib.sha256(head).digest() + self._hash.digest()).hexdigest()


class Sealer:
    """Makes the columns of a record, and reads them."""

    def __init__(self, secrets: Secrets) -> None:
        self._secrets = secrets

    def record_id(self, caller: Identity, route: str, key: str) -> bytes:
        """The id of the record of a caller's key on a route. An API key, which may do less than its owner, has its own."""
        own = caller.credential_id if caller.kind == "api_key" else ""
        return self._secrets.digest(orjson.dumps([caller.user_id, own, route, key]).decode())

    def fingerprint(self, content: KeyedContent) -> bytes:
        """What a repetition must have as well; not the plain hash, from which a short secret could be guessed."""
        return self._secrets.digest(content.digest())

    def seal(self, body: dict[str, Any], reply: dict[str, str]) -> bytes:
        """An answer with its metadata, but for how the limits stood."""
        kept = {name: text for name, text in reply.items() if name not in hourly.REPLY}
        return self._secrets.encrypt(_ANSWER + orjson.dumps([body, kept]))

    def seal_error(self, error: CallError) -> bytes:
        """A refusal."""
        return self._secrets.encrypt(_ERROR + error.status.SerializeToString())

    def open(self, sealed: bytes, call: Call) -> Any:
        """The body of an answer, its metadata put into the call's reply; raises the CallError of a refusal."""
        plain = self._secrets.decrypt(sealed)
        if plain[:1] == _ERROR:
            status = status_pb2.Status.FromString(plain[1:])
            raise CallError(with_request_id(status, call.request_id), REPLAYED)
        body, reply = orjson.loads(plain[1:])
        for name in call.reply.keys() - set(hourly.REPLY):  # what this call would have answered by itself
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
    """The message itself, or a copy without these fields."""
    if not names:
        return message
    copy = type(message)()
    copy.CopyFrom(message)
    for name in names:
        copy.ClearField(name)
    return copy
