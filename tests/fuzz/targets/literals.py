"""The reading of a Python model's declarations, and what the core makes of them."""

from __future__ import annotations

import json
import warnings

from catenary_core.services.models import declarations, shown_if
from catenary_worker.models import description
from catenary_worker.task import Description, ModelFaultError


def run(data: bytes) -> str:
    """Read one file: the core takes every description that a worker makes."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of the compiler, about the model's text
        try:
            described, _ = description.read(data)
        except ModelFaultError as fault:
            fault.message.encode()
            return "refused"
    try:
        check(described)
    except shown_if.ConditionError as error:  # conditions are the core's, and the worker does not read them
        assert str(error).startswith("PARAMETERS: ")
        return "refused"
    return "taken"


def check(described: Description) -> None:
    """Give a description to the core as it would come."""
    declarations.normalised(json.loads(json.dumps(described, allow_nan=False)))
