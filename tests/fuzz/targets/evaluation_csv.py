"""The reading of a CSV file of evaluations: what is taken passes the rules, and is read back as it was written."""

from __future__ import annotations

from typing import Any

import orjson

from catenary_core.call.errors import DomainError
from catenary_core.services.evaluations import rules
from catenary_core.services.evaluations.exchange import files
from catenary_core.services.evaluations.plans import csv_files
from catenary_core.services.evaluations.plans.layout import layout

_BLANK: dict[str, Any] = {"min": None, "max": None, "step": None, "positive": False, "choices": [], "unit": None}
DECLARED = [
    {**_BLANK, "name": "span", "type": "number", "default": 24, "min": 5, "max": 60, "step": 0.5, "unit": "m"},
    {**_BLANK, "name": "load", "type": "number", "default": 0.5},
    {**_BLANK, "name": "floors", "type": "integer", "default": 3},
    {**_BLANK, "name": "open", "type": "boolean", "default": False},
    {**_BLANK, "name": "kind", "type": "choice", "default": 1, "choices": ["arch", "1", 1, "=beam", 2.5]},
    {**_BLANK, "name": "note", "type": "string", "default": ""},
]


def run(data: bytes) -> str:
    """Read one file, then write and read its evaluations again."""
    try:
        values = files.read(DECLARED, data)
    except DomainError as error:
        assert error.reason in ("VALIDATION_ERROR", "UNKNOWN_PARAMETER", "PARAMETER_OUT_OF_RANGE")
        assert len(error.violations) <= 100
        error.message.encode()
        return "refused"
    for one in values:
        assert orjson.dumps(rules.resolve(DECLARED, one)) == orjson.dumps(one)
    table = layout(DECLARED, values)
    written = csv_files.write(table)
    again = csv_files.read(DECLARED, written.decode(), len(values))
    assert orjson.dumps([again.columns, again.rows]) == orjson.dumps([table.columns, table.rows])
    return "taken"
