"""Counts the statements that run on a database."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch

from catenary_core.database.statements import Statement
from catenary_core.database.transactions import Transaction


@contextmanager
def counted_statements() -> Iterator[list[str]]:
    """Yield the SQL of every statement that runs within the block, in order; one that runs for many rows at once counts once."""
    seen: list[str] = []
    run = Transaction._run

    async def counting(self: Transaction, statement: Statement, given: Any) -> Any:
        seen.append(statement.sql)
        return await run(self, statement, given)

    run_many = Transaction.execute_many

    async def counting_many(self: Transaction, statement: Statement, rows: Any) -> None:
        seen.append(statement.sql)
        await run_many(self, statement, rows)

    with patch.object(Transaction, "_run", counting), patch.object(Transaction, "execute_many", counting_many):
        yield seen
