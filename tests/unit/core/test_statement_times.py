"""Times that one statement writes to a row come of one reading of the clock."""

from __future__ import annotations

import re
import sys

import catenary_core.bootstrap  # noqa: F401 (imports the statements of every service)
from catenary_core.database.statements import Statement

_VALUES = re.compile(r"\bSET\b(.*?)(?:\bWHERE\b|\bFROM\b|\bRETURNING\b|$)", re.DOTALL)
_READING = re.compile(r"(\w+_at)\s*=[^=]*?clock_timestamp\(\)")


def test_no_statement_reads_the_clock_twice_for_one_row() -> None:
    """Two readings are sometimes a microsecond apart: then a row has changed after its last change."""
    updates = {
        f"{module_name}.{name}": given[1]
        for module_name, module in list(sys.modules.items())
        if module_name.startswith("catenary_core.")
        for name, value in vars(module).items()
        if isinstance(value, Statement) and (given := _VALUES.search(value.sql))
    }
    assert len(updates) > 50
    assert [name for name, values in updates.items() if len(_READING.findall(values)) > 1] == []
