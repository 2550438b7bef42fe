"""The message of a model's process to its host, and the geometry that the host makes of it.

An input is the message as it comes through the pipe: a length, a JSON header, arrays and bytes.
"""

from __future__ import annotations

import io

import orjson

from catenary_core.services.evaluations import glb_conversion
from catenary_worker import received
from catenary_worker.sandbox import pipe
from catenary_worker.task import RESULT_BYTES, ModelFaultError, Task

TASK = Task("evaluate", "python", b"")


def run(data: bytes) -> str:
    """Receive one message: every GLB that the host writes of it can be read again."""
    try:
        (size,) = pipe.LENGTH.unpack(data[: pipe.LENGTH.size].ljust(pipe.LENGTH.size, b"\0"))
        if size > RESULT_BYTES:
            return "refused"
        start = pipe.LENGTH.size + size
        header = orjson.loads(data[pipe.LENGTH.size : start])
        announced = received.announced(TASK, header)
        blobs = []
        for length in announced.sizes:
            blobs.append(bytearray(data[start : start + length]))
            start += length
        if start > len(data):
            return "refused"  # the host would wait for the rest
        outcome = received.outcome(TASK, header, announced.geometry, blobs)
    except (received.DamagedError, ModelFaultError, orjson.JSONDecodeError):
        return "refused"
    for file in outcome.geometry:
        orjson.dumps(file.parts)
        if file.format == "glb":
            glb_conversion.write(file.data, "stl", io.BytesIO())
    return "taken"
