"""The plans of statements as the core runs them: prepared once, planned for any parameters."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import psycopg
from psycopg import sql

from catenary_core.database.statements import Statement
from catenary_core.database.transactions import PLANNING


def plan_of(connection: psycopg.Connection[Any], statement: Statement, given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the plan of the statement as it ran, with times and rows (EXPLAIN ANALYZE)."""
    values = statement.parameters(given)
    for setting in PLANNING.split("-c ")[1:]:
        connection.execute(f"SET {setting}".encode())
    connection.execute(f"PREPARE planned AS {statement.sql}".encode())
    literals = sql.SQL(", ").join(map(sql.Literal, values))
    execute = sql.SQL("EXPLAIN (ANALYZE, FORMAT JSON) EXECUTE planned")
    row = connection.execute(execute + sql.SQL("(") + literals + sql.SQL(")") if values else execute).fetchone()
    connection.execute("DEALLOCATE planned")
    assert row is not None
    return dict(row[0][0])


def nodes_of(plan: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return every node of a plan, from the top."""
    top = dict(plan.get("Plan", plan))
    return [top, *(node for child in top.get("Plans", ()) for node in nodes_of(child))]
