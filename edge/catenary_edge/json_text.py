"""Strict JSON bodies, with their errors as faults of the request."""

from __future__ import annotations

from typing import Any

from catenary_edge.errors.fault import Fault
from catenary_wire import strict_json
from catenary_wire.strict_json import JsonError


def parse(data: bytes) -> Any:
    """Parse a body of strict JSON (`strict_json.parse`).

    Raises:
        Fault: The body breaks a rule of strict JSON; the path names the place.
    """
    try:
        return strict_json.parse(data)
    except JsonError as error:
        fault = Fault("{problem}", error.constraint, error.value, problem=error.text)
        fault.path = error.path
        raise fault from None
