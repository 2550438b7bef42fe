"""Statements and rows on a real server."""

from __future__ import annotations

import pytest
import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import JSON, UUID

from catenary_core.db import Database, Statement, json_value


async def test_rows_come_ready_for_an_answer(db: Database) -> None:
    statement = Statement(
        sa.select(
            sa.bindparam("id", type_=UUID(as_uuid=False)).label("id"),
            sa.cast(sa.bindparam("at", type_=sa.Text), sa.DateTime(timezone=True)).label("at"),
            sa.bindparam("value", type_=JSON).label("value"),
        )
    )
    async with db.read() as tx:
        row = await tx.one(
            statement,
            id="0199AAAA-0000-7000-8000-000000000000",
            at="2026-01-02 03:04:05.120+01",
            value=json_value({"b": 450.0, "a": [450, 2**63 - 1]}),
        )
    assert row["id"] == "0199aaaa-0000-7000-8000-000000000000"
    assert row["at"] == "2026-01-02T02:04:05.12Z"
    assert row["value"] == {"b": 450.0, "a": [450, 2**63 - 1]}
    assert list(row["value"]) == ["b", "a"]
    assert isinstance(row["value"]["b"], float)


async def test_a_parameter_that_the_statement_lacks_is_refused(db: Database) -> None:
    statement = Statement(sa.select(sa.literal(1)))
    async with db.read() as tx:
        with pytest.raises(TypeError, match="no parameters"):
            await tx.one(statement, id=1)


async def test_an_exception_rolls_the_transaction_back(db: Database) -> None:
    count = Statement(sa.text("SELECT count(*) AS n FROM jobs.job"))
    insert = Statement(
        sa.text("INSERT INTO jobs.job (id, kind, payload, request_id) VALUES (gen_random_uuid(), 'x', '{}', 'r')")
    )

    async def fail() -> None:
        async with db.transaction() as tx:
            await tx.execute(insert)
            assert (await tx.one(count))["n"] == 1
            raise RuntimeError("on purpose")

    with pytest.raises(RuntimeError, match="on purpose"):
        await fail()
    async with db.read() as tx:
        assert (await tx.one(count))["n"] == 0
