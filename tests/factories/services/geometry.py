"""Geometry of a model as the host of its process writes it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from catenary_worker import received
from catenary_worker.geometry import files, shapes
from catenary_worker.sandbox import pipe
from catenary_worker.task import Geometry, Task

TASK = Task("evaluate", "python", b"")


def written(values: Mapping[Any, Any], unit: str | None = None) -> list[Geometry]:
    """Return the files of what `evaluate` returns as `geometry`, by way of the message of a child to its host."""
    geometry, blobs = shapes.message(values, unit)
    head = bytes(pipe.pack({"status": "completed", "geometry": geometry}, blobs)[0])
    header = json.loads(head[pipe.LENGTH.size :])
    return files.write(received.announced(TASK, header).geometry, [bytearray(blob) for blob in blobs])
