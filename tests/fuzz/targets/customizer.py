"""The reading of an OpenSCAD file's parameters, and what the core makes of them."""

from __future__ import annotations

from catenary_worker.models import customizer
from catenary_worker.task import ModelFaultError
from fuzz.targets.literals import check


def run(data: bytes) -> str:
    """Read one file: the core takes every description that a worker makes."""
    try:
        described = customizer.read(data)
    except ModelFaultError as fault:
        fault.message.encode()
        return "refused"
    check(described)
    return "taken"
