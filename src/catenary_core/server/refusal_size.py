"""Refusals in the size that every gRPC client accepts.

A refusal travels in trailing metadata. A client without other settings accepts 8 KiB of them; it drops a larger refusal
whole and reports an error of its own instead. Edges accept more, and get every refusal whole.
"""

from __future__ import annotations

from collections.abc import Mapping

from google.protobuf.message import Message
from google.rpc import error_details_pb2, status_pb2

from catenary_core.call.errors import CallError

MAX_BYTES = 7680
"""Largest size of a refusal's trailing metadata; the rest of the 8 KiB is for what gRPC adds."""
LEFT_OUT = "violations_left_out"
"""Key in ErrorInfo's metadata with the number of violations that a refusal had no room for."""
_MAX_TEXT = 1200
"""Largest size of a sentence that had to be cut, as gRPC sends it."""
_MAX_FACTS = 1000
"""Largest size of the facts in ErrorInfo's metadata that had to be cut."""
_MAX_VIOLATIONS = 200
"""Number of violations of which surely not all have room."""
_OF_AN_ENTRY = 32
"""Bytes that HTTP/2 counts for an entry besides its name and value (RFC 9113, section 6.5.2)."""


def fitted(error: CallError) -> CallError:
    """Return the refusal, shortened if necessary: status, reason and the first violations always remain.

    The template of the sentence, which only edges use, is the first to go; then sentences are cut, and the last
    violations left out.
    """
    if _size(error) <= MAX_BYTES:
        return error
    short = status_pb2.Status(code=error.status.code, message=error.status.message)
    bad = error_details_pb2.BadRequest()
    for detail in error.status.details:
        if detail.Is(error_details_pb2.BadRequest.DESCRIPTOR):
            detail.Unpack(bad)
        elif detail.type_url.startswith("type.googleapis.com/google.rpc."):
            short.details.append(detail)
    whole = CallError(_with(short, bad) if bad.field_violations else short, error.metadata)
    return whole if _size(whole) <= MAX_BYTES else _cut(short, bad, error.metadata)


def _cut(whole: status_pb2.Status, bad: error_details_pb2.BadRequest, metadata: Mapping[str, str]) -> CallError:
    """Cut the texts of a status without violations, and add as many violations as fit."""
    info = error_details_pb2.ErrorInfo()
    others = []
    for detail in whole.details:
        if detail.Is(error_details_pb2.ErrorInfo.DESCRIPTOR):
            detail.Unpack(info)
        else:
            others.append(detail)
    short = status_pb2.Status(code=whole.code, message=_shortened(whole.message))
    room = _MAX_FACTS
    for key, text in sorted(info.metadata.items(), key=lambda item: len(item[1])):
        room -= len(key) + len(text.encode())
        if room < 0:
            del info.metadata[key]
    violations = [
        error_details_pb2.BadRequest.FieldViolation(
            field=one.field, description=_shortened(one.description), reason=one.reason
        )
        for one in bad.field_violations[:_MAX_VIOLATIONS]
    ]

    def with_first(number: int) -> CallError:
        if left_out := len(bad.field_violations) - number:
            info.metadata[LEFT_OUT] = str(left_out)
        else:
            info.metadata.pop(LEFT_OUT, None)
        status = _with(short, info)
        status.details.extend(others)
        if number:
            status = _with(status, error_details_pb2.BadRequest(field_violations=violations[:number]))
        return CallError(status, metadata)

    number = 0
    while number < len(violations) and _size(with_first(number + 1)) <= MAX_BYTES:
        number += 1
    return with_first(number)


def _with(status: status_pb2.Status, detail: Message) -> status_pb2.Status:
    """Return a copy of a status with one more detail."""
    copy = status_pb2.Status()
    copy.CopyFrom(status)
    copy.details.add().Pack(detail)
    return copy


def _size(error: CallError) -> int:
    """Return the size of a refusal's trailing metadata: a `-bin` value travels as base64, a text percent-encoded."""
    entries = [
        ("grpc-message", _sent(error.status.message)),
        *((key, len(value)) for key, value in error.metadata.items()),
    ]
    entries += [("grpc-status", 2), ("grpc-status-details-bin", -(-error.status.ByteSize() // 3) * 4)]
    return sum(len(key) + length + _OF_AN_ENTRY for key, length in entries)


def _sent(text: str) -> int:
    return sum(1 if 0x20 <= byte <= 0x7E and byte != 0x25 else 3 for byte in text.encode())


def _shortened(text: str) -> str:
    if _sent(text) <= _MAX_TEXT:
        return text
    cut = text[:_MAX_TEXT]
    while _sent(cut) > _MAX_TEXT - 3:
        cut = cut[: len(cut) - max(1, (_sent(cut) - _MAX_TEXT) // 9)]
    return f"{cut}…"
