"""The limits of what a model may declare and return, and the form of its names.

The host of a model's process holds results to them before it sends them, and the core refuses what is over them. Both
read them here, so that the core takes whatever the host takes.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

_FILE_NAME = re.compile(r"[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)*", re.ASCII)
_LONGEST_FILE_NAME = 100
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,63}", re.ASCII)

OPERATORS = ("<=", "<", ">=", ">", "==")
"""Comparisons of a constraint."""
MOST_PARAMETERS = 200
"""Most declared parameters."""
MOST_DECLARED_METRICS = 500
"""Most declared metrics."""
MOST_CONSTRAINTS = 500
"""Most constraints."""
MOST_CHOICES = 1_000
"""Most choices of a parameter."""
COLUMN_TYPES = ("number", "integer", "boolean", "string")
"""Types of a table's columns."""
MOST_COLUMNS = 64
"""Most columns of a parameter of type table."""
MOST_CELLS = 10_000
"""Most cells, rows times columns, of a table, and of a model's default tables together."""
MOST_INPUT_FILES = 4
"""Most parameters of type file."""
INPUT_FILE_BYTES = 16 * 1024 * 1024
"""Largest file that a parameter takes."""
MOST_SUFFIXES = 20
"""Most suffixes that a parameter of type file accepts."""
ORDER = 1_000_000
"""Largest order of a parameter, and the smallest one below 0."""
EXPRESSION = 500
"""Longest expression, in characters; a condition of a parameter is one, and a limit of a constraint may be one."""
LIMITS = 10_000
"""Most characters of all limits that are expressions: a host computes them for each point of a batch."""
MOST_METRICS = 1_000
"""Most metrics of a result, declared and undeclared ones."""
MOST_TABLES = 64
"""Most tables of a result."""
MOST_ROWS = 100_000
"""Most rows of all tables of a result."""
MOST_PARTS = 64
"""Most named parts of a result, over all its geometry."""
MOST_ARTEFACTS = 2 * MOST_PARTS
"""Most geometry files of a result: each geometry has a GLB file, and a STEP file at most."""
TEXT = 2_000
"""Longest description, error message and cell of a table, in characters."""
GEOMETRY_UNITS = {"um": 1e-6, "mm": 0.001, "cm": 0.01, "m": 1.0, "in": 0.0254, "ft": 0.3048}
"""The metres of each unit that the geometry of a model may have."""
REMARK = 1_000
"""Longest remark of a check on the result of the defaults, in characters."""
MOST_REMARKS = 50
"""Most such remarks."""
LABEL = 200
"""Longest label, group, choice and name of a column, in characters."""
UNIT = 64
"""Longest symbol of a unit, in characters."""
MOST_FILES = 64
"""Most files of a result beside its geometry."""
FILE_BYTES = 16 * 1024 * 1024
"""Largest file of a result."""
FILES_TOTAL_BYTES = 64 * 1024 * 1024
"""Largest sum of the files of a result."""
MOST_CHARTS = 64
"""Most charts of a result."""
MOST_SERIES = 16
"""Most columns that one chart draws."""
RESULT_BYTES = 3 * 1024 * 1024
"""Largest JSON text of a description, and of metrics, constraints, tables and charts together.

It fits the core's 4 MiB messages.
"""
GEOMETRY_BYTES = 64 * 1024 * 1024
"""Largest single geometry file."""
GEOMETRY_TOTAL_BYTES = 128 * 1024 * 1024
"""Largest sum of the geometry files of a result."""


def is_name(value: object) -> bool:
    """Return whether a value is a name of a parameter, metric, constraint, table, chart, geometry or part."""
    return isinstance(value, str) and _NAME.fullmatch(value) is not None


def cells(parameter: Mapping[str, Any]) -> int:
    """Return the number of cells of a normalised parameter's default: 0 unless its type is table."""
    return len(parameter["default"]) * len(parameter["columns"]) if parameter["type"] == "table" else 0


def is_file_name(value: object) -> bool:
    """Return whether a value is a name of a file, fit for a path and for a header."""
    return isinstance(value, str) and len(value) <= _LONGEST_FILE_NAME and _FILE_NAME.fullmatch(value) is not None
