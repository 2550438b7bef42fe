"""The entry of a change whose servicer commits before it waits, and of one that refuses after it has committed."""

from __future__ import annotations

import asyncio
import time
from typing import Any

import pytest
import sqlalchemy as sa

from catenary.platform.v1 import project_service_pb2
from catenary_core.audit.minute_counts import MinuteCounts
from catenary_core.audit.trail import Trail
from catenary_core.call.call import Call, Identity
from catenary_core.call.errors import DomainError
from catenary_core.call.methods import bindings_of, service_descriptors
from catenary_core.database.statements import Statement
from catenary_core.database.transactions import Database
from factories.audit import trail_of

_PATH = "/catenary.platform.v1.ProjectService/CreateProject"
_USER = "019a8f00-0000-7000-8000-000000000001"
_PROJECT = "019a8f00-0000-7000-8000-000000000002"
_ANSWER = {"project": {"project_id": _PROJECT}}
_TOUCH = Statement(sa.text("INSERT INTO caching.change_count VALUES ('audit-test', 1, 1)"))
_TOUCHED = Statement(sa.text("SELECT count(*) AS count FROM caching.change_count WHERE schema_name = 'audit-test'"))


async def _run(db: Database, handler: Any) -> Any:
    bindings = bindings_of(service_descriptors())
    call = Call(_PATH, {}, "r", time.monotonic() + 60, Identity(_USER, "person"))
    request = project_service_pb2.CreateProjectRequest(name="P")
    trail = Trail(db, bindings, MinuteCounts(db))
    return await trail.run(bindings[_PATH], request, request, call, handler)


async def _subjects(db: Database) -> list[str]:
    return [entry["subject"] for entry in await trail_of(db)]


async def test_an_entry_is_there_once_the_servicer_waits_and_not_a_second_time(db: Database) -> None:
    async def handler(request: Any, call: Call) -> dict[str, Any]:
        await call.settle(None)  # nothing has changed yet
        async with db.transaction():
            pass
        await call.settle(_ANSWER)
        assert await asyncio.create_task(_subjects(db)) == [f"/v1/projects/{_PROJECT}"]
        async with db.transaction():
            pass
        return _ANSWER

    await _run(db, handler)
    assert await _subjects(db) == [f"/v1/projects/{_PROJECT}"]


async def test_the_end_of_an_outer_unit_is_left_to_it(db: Database) -> None:
    """An import is one transaction of many calls, of which a refused one commits nothing."""

    async def handler(request: Any, call: Call) -> dict[str, Any]:
        async with db.transaction() as tx:
            await tx.execute(_TOUCH)
        await call.settle(_ANSWER)
        raise DomainError("CONFLICT", "No.")

    async def undone() -> None:
        async with db.as_one():
            with pytest.raises(DomainError):
                await _run(db, handler)
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await undone()
    async with db.read() as tx:
        assert (await tx.one(_TOUCHED))["count"] == 0
    assert await _subjects(db) == []


async def test_a_call_without_a_transaction_changes_nothing_and_has_no_entry(db: Database) -> None:
    async def handler(request: Any, call: Call) -> dict[str, Any]:
        async with db.read():
            return _ANSWER

    assert await _run(db, handler) == _ANSWER
    assert await _subjects(db) == []


@pytest.mark.parametrize(("failure", "kept"), [(DomainError("CONFLICT", "No."), 1), (ZeroDivisionError(), 0)])
async def test_what_is_committed_before_a_refusal_stays_and_before_a_fault_does_not(
    db: Database, failure: Exception, kept: int
) -> None:
    async def handler(request: Any, call: Call) -> dict[str, Any]:
        async with db.transaction() as tx:
            await tx.execute(_TOUCH)
        raise failure

    with pytest.raises(type(failure)):
        await _run(db, handler)
    async with db.read() as tx:
        assert (await tx.one(_TOUCHED))["count"] == kept
    assert await _subjects(db) == []
