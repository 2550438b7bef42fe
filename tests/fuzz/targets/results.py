"""The message of a model's process to its host, and the result that the host makes of it.

An input is the message as it comes through the pipe: a length, a JSON header, arrays and bytes.
"""

from __future__ import annotations

import io

import orjson

from catenary_core.services.evaluations import glb_conversion
from catenary_wire.model_limits import RESULT_BYTES
from catenary_worker import received
from catenary_worker.sandbox import pipe
from catenary_worker.task import ModelFaultError, Task
from factories.services.verdicts import DESCRIPTION, disbeliefs, taken_by_core

TASK = Task("evaluate", "python", b"", description=DESCRIPTION)


def run(data: bytes) -> str:
    """Receive one message: units and constraints are the host's, the core takes all, every GLB can be read again."""
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
    if outcome.status == "completed":
        assert disbeliefs(outcome) == []
    taken_by_core(outcome)
    for file in outcome.geometry:
        if file.format == "glb":
            glb_conversion.write(file.data, "stl", io.BytesIO())
    return "taken"
