"""The reading of a message of a live session, as `/ws/explore` gets it.

An input: one byte, even for a text message and odd for a binary one, then the message.
"""

from __future__ import annotations

from typing import Any

import orjson
from google.protobuf.message import Message

from catenary_edge.errors.fault import Fault
from catenary_edge.live.explore import Explore
from catenary_edge.transcoding import services

_RPC = next(rpc for rpc in services.load() if rpc.websocket == "/ws/explore")
_NOTHING: Any = None
_EXPLORE = Explore(_RPC, _NOTHING, _NOTHING)


def run(data: bytes) -> str:
    """Read one message: a design has a number, and what is refused says where it is wrong."""
    content = data[1:]
    is_text = bool(data) and data[0] % 2 == 0
    # The reader of frames has refused invalid UTF-8 before.
    id_, found = _EXPLORE._read(content.decode(errors="replace") if is_text else content)
    orjson.dumps({"id": id_})  # the answer can be written
    if isinstance(found, Fault):
        refused = found.problem()
        assert refused.status == 400, refused.message
        assert refused.details.get("constraint"), refused.message
        return "refused"
    assert isinstance(found, Message)
    assert found.HasField("id")
    assert id_ is not None
    return "taken"
