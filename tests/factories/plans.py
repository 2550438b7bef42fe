"""The plans of statements as the core runs them: prepared once, planned for any parameters."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import psycopg
from psycopg import sql

from catenary_core.db import Statement

_PARAMETER = re.compile(r"%\((\w+)\)s")


def plan_of(connection: psycopg.Connection[Any], statement: Statement, given: Mapping[str, Any]) -> dict[str, Any]:
    """What PostgreSQL does for the statement, with the times and rows that it took (EXPLAIN ANALYZE)."""
    values = statement.parameters(given)
    names: list[str] = []

    def numbered(match: re.Match[str]) -> str:
        if match[1] not in names:
            names.append(match[1])
        return f"${names.index(match[1]) + 1}"

    text = _PARAMETER.sub(numbered, statement.sql).replace("%%", "%")
    connection.execute("SET plan_cache_mode = force_generic_plan")
    connection.execute(f"PREPARE planned AS {text}".encode())
    literals = sql.SQL(", ").join(map(sql.Literal, (values[name] for name in names)))
    execute = sql.SQL("EXPLAIN (ANALYZE, FORMAT JSON) EXECUTE planned")
    row = connection.execute(execute + sql.SQL("(") + literals + sql.SQL(")") if names else execute).fetchone()
    connection.execute("DEALLOCATE planned")
    assert row is not None
    return dict(row[0][0])


def nodes_of(plan: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Every node of a plan, from the top."""
    top = dict(plan.get("Plan", plan))
    return [top, *(node for child in top.get("Plans", ()) for node in nodes_of(child))]
