"""Limits on a real database: two nodes at once, leases, evaluations in their transaction, bulk slots, the gRPC door."""

from __future__ import annotations

import asyncio
import itertools
import re
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

import grpc
import psycopg
import pytest
from google.rpc import error_details_pb2
from grpc_status import rpc_status

from catenary.comments.v2 import comment_service_pb2 as comments
from catenary.limits.v1 import limit_service_pb2 as pb
from catenary_core.access.policy import Policy
from catenary_core.call.call import Call, Identity
from catenary_core.call.errors import CallError, DomainError
from catenary_core.call.methods import bindings_of, service_descriptors
from catenary_core.database.transactions import Database, Transaction
from catenary_core.frame import Frame
from catenary_core.limits import counters, hourly, meter
from catenary_core.limits.free_space import FreeSpace
from catenary_core.limits.gate import Limits
from catenary_core.server.dispatch import Dispatch
from catenary_core.services.comments.servicer import CommentServicer
from catenary_core.services.limits.servicer import LimitServicer
from catenary_core.settings import CoreSettings
from factories.installations.serving import grpc_port
from factories.services.dispatchers import ALL_SCOPES, NamedCallers

ADA = Identity("01890000-0000-7000-8000-00000000000a", "person", scopes=ALL_SCOPES)
ADAS_KEY = Identity(ADA.user_id, "api_key", scopes=ALL_SCOPES, credential_id="key")
BOB = Identity("01890000-0000-7000-8000-00000000000b", "client", scopes=ALL_SCOPES)
WORKER = Identity("", "worker")
CALLERS = {"ada": ADA, "adas key": ADAS_KEY, "bob": BOB, "worker": WORKER}
CREATE = "/catenary.comments.v2.CommentService/CreateComments"
LIST = "/catenary.comments.v2.CommentService/ListComments"
TAKE = "/catenary.limits.v1.LimitService/TakeCalls"
GIVE_BACK = "/catenary.limits.v1.LimitService/GiveBackCalls"
REFERENCE = "01890000-0000-7000-8000-000000000001"


@asynccontextmanager
async def _node(frame: Frame, **settings: Any) -> AsyncIterator[Dispatch]:
    """Yield a node with the comments service and limits."""
    made = CoreSettings(data_dir=frame.settings.data_dir, **settings)
    own = replace(frame, settings=made)
    servicers = {
        "catenary.comments.v2.CommentService": CommentServicer(own),
        "catenary.limits.v1.LimitService": LimitServicer(own),
    }
    services = [service for service in service_descriptors() if service.full_name in servicers]

    async def nobody(project_id: str, caller: Identity) -> int | None:
        return None

    limits = Limits(made, frame.db, frame.space)
    await limits.start()
    try:
        yield Dispatch(bindings_of(services), servicers, NamedCallers(CALLERS), Policy(nobody, {}), limits)
    finally:
        await limits.stop()


async def _list(node: Dispatch, caller: str = "ada", **metadata: str) -> Mapping[str, str]:
    headers = {"authorization": caller, **metadata}
    return (await node.call(LIST, comments.ListCommentsRequest(), headers)).metadata


async def _create(node: Dispatch, items: int, caller: str = "ada") -> Mapping[str, str]:
    request = comments.CreateCommentsRequest()
    for _ in range(items):
        request.comments.add(
            reference_id=REFERENCE, reference_table="t", reference_url="https://x.example", content="c"
        )
    return (await node.call(CREATE, request, {"authorization": caller})).metadata


async def _refused(coroutine: Any) -> str:
    with pytest.raises(CallError) as caught:
        await coroutine
    status = rpc_status.from_call(caught.value)  # type: ignore[arg-type]
    assert status is not None
    assert caught.value.code() == grpc.StatusCode.RESOURCE_EXHAUSTED
    found = {detail.type_url.rpartition(".")[2]: detail for detail in status.details}
    info, retry = error_details_pb2.ErrorInfo(), error_details_pb2.RetryInfo()
    assert found["ErrorInfo"].Unpack(info)
    assert found["RetryInfo"].Unpack(retry)
    assert (info.reason, info.domain) == ("RATE_LIMIT_EXCEEDED", "catenary")
    assert info.metadata["remaining"] == "0"
    assert retry.retry_delay.seconds >= 1
    return status.message


async def _leased_by_two_nodes(dsn: str, limit: int) -> int:
    """Count the calls that two nodes lease together until none is left.

    Each node leases in ten places at once.
    """
    total = 0

    async def until_none(db: Database) -> None:
        nonlocal total
        requests = hourly.UserRequests(db, limit)
        while calls := (await requests.lease(ADA.user_id, 20)).calls:
            total += calls
            assert total <= 10 * limit

    nodes = [Database(dsn, max_connections=5) for _ in range(2)]
    for node in nodes:
        await node.open()
    try:
        await asyncio.gather(*(until_none(node) for _ in range(10) for node in nodes))
    finally:
        for node in nodes:
            await node.close()
    return total


async def test_two_nodes_lease_the_limit_exactly(dsn: str) -> None:
    assert await _leased_by_two_nodes(dsn, 300) == 300


async def test_without_the_lock_two_nodes_lease_more(dsn: str, monkeypatch: pytest.MonkeyPatch) -> None:
    lock, unlocked, both_have_read = counters.lock, iter(range(2)), asyncio.Barrier(2)

    async def unlocked_at_first(tx: Transaction, kind: str, subject: str) -> counters.CounterState:
        if next(unlocked, None) is None:
            return await lock(tx, kind, subject)
        found = await counters.read(tx, kind, subject)
        async with asyncio.timeout(60):
            await both_have_read.wait()  # so neither has seen the lease of the other
        return found

    with psycopg.connect(dsn, autocommit=True) as connection:
        connection.execute("INSERT INTO limits.counter VALUES (%s, %s, '{}')", (counters.USER_REQUESTS, ADA.user_id))
    monkeypatch.setattr(counters, "lock", unlocked_at_first)
    assert await _leased_by_two_nodes(dsn, 300) > 300


async def test_a_user_has_one_window_over_tokens_keys_and_doors(frame: Frame) -> None:
    async with _node(frame, requests_per_hour=5) as node, _node(frame, requests_per_hour=5) as other:
        assert (await _list(node))["x-ratelimit-remaining"] == "4"
        assert (await _list(other, "adas key"))["x-ratelimit-remaining"] == "3"
        taken = await node.call(TAKE, pb.TakeCallsRequest(wanted=1), {"authorization": "ada", "catenary-edge": "1"})
        assert (taken.body["calls"], taken.body["remaining"], taken.body["limit"]) == (1, 2, 5)
        assert (await _list(node, "bob"))["x-ratelimit-remaining"] == "4"
        for _ in range(2):
            await _list(node)
        for nodes in (node, other):
            refused = await _refused(_list(nodes))
            assert re.search(r"your 5 requests of the hour; try again in (5\d|6[012]) minutes\. ", refused)
            assert refused.endswith(" An operator may raise CATENARY_REQUESTS_PER_HOUR.")


async def test_a_call_is_refused_before_its_fields_are_looked_at(frame: Frame) -> None:
    async with _node(frame, requests_per_hour=1) as node:
        await _list(node)
        await _refused(node.call(CREATE, comments.CreateCommentsRequest(), {"authorization": "ada"}))


async def test_every_call_of_a_busy_caller_counts_without_a_trip_to_the_database(
    frame: Frame, monkeypatch: pytest.MonkeyPatch
) -> None:
    trips = []
    lease = hourly.UserRequests.lease

    async def counted(self: hourly.UserRequests, *arguments: Any) -> hourly.Grant:
        trips.append(arguments)
        return await lease(self, *arguments)

    monkeypatch.setattr(hourly.UserRequests, "lease", counted)
    async with _node(frame) as node:
        remaining = [int((await _list(node))["x-ratelimit-remaining"]) for _ in range(60)]
    assert remaining == list(range(999, 939, -1))
    assert len(trips) <= 12, "leases of 1, 8 and more, and those that the clock ended; one by one it would be 60"


async def test_what_an_idle_caller_leaves_comes_back(frame: Frame, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(meter, "_SWEEP_SECONDS", 0.02)
    now = 0.0
    own = meter.Meter(frame.db, 1000, clock=lambda: now)

    async def used() -> int:
        async with frame.db.read() as tx:
            counted = await counters.read(tx, counters.USER_REQUESTS, ADA.user_id)
        return hourly.Window(counted.state, 1000, counted.now).used

    await own.start()
    try:
        for _ in range(2):
            await own.charge(Call(LIST, {}, "r", 0.0, identity=ADA))
        assert await used() == 9, "a lease of 1, then one of 8"
        now += 1.5
        async with asyncio.timeout(60):
            while await used() != 2:  # noqa: ASYNC110 (another task gives them back)
                await asyncio.sleep(0.02)
    finally:
        await own.stop()


async def test_a_late_lease_serves_the_call_that_waited_for_it_and_none_after(frame: Frame) -> None:
    times = itertools.count(0.0, 3.0)  # between any two looks at the clock longer than a lease lasts
    own = meter.Meter(frame.db, 1000, clock=lambda: next(times))
    async with asyncio.timeout(60):
        for used in (1, 2, 3):
            await own.charge(Call(LIST, {}, "r", 0.0, identity=ADA))
            held = own._held[ADA.user_id]
            assert 1000 - held.grant.standing.remaining - held.left == used


async def test_a_refusal_does_not_cost_the_database_either(frame: Frame, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(meter, "_REFUSED_SECONDS", 3600)
    monkeypatch.setattr(meter, "_IDLE_SECONDS", 3600)
    async with _node(frame, requests_per_hour=1) as node:
        await _list(node)
        await _refused(_list(node))
        monkeypatch.setattr(hourly.UserRequests, "lease", None)
        await _refused(_list(node))


async def test_only_a_trusted_edge_is_believed_that_it_has_counted(frame: Frame) -> None:
    async with _node(frame, requests_per_hour=3) as node:
        for trusted, remaining in ((["127.0.0.0/8"], None), ([], "2")):
            async with grpc_port(node, trusted) as port, grpc.aio.insecure_channel(f"127.0.0.1:{port}") as channel:
                ask = channel.unary_unary(
                    LIST, comments.ListCommentsRequest.SerializeToString, comments.ListCommentsResponse.FromString
                )
                call = ask(comments.ListCommentsRequest(), metadata=(("authorization", "ada"), ("catenary-edge", "1")))
                await call
                told = dict(await call.initial_metadata() or ())
                assert told.get("x-ratelimit-remaining") == remaining


async def test_a_worker_has_no_limit(frame: Frame) -> None:
    async with _node(frame, requests_per_hour=1) as node:
        for _ in range(3):
            with pytest.raises(CallError) as caught:
                await _list(node, "worker")
            assert caught.value.code() == grpc.StatusCode.PERMISSION_DENIED


async def test_nobody_gives_back_what_they_did_not_take(frame: Frame) -> None:
    requests = hourly.UserRequests(frame.db, 1000)
    async with _node(frame) as node:
        edge = {"catenary-edge": "1"}
        taken = await node.call(TAKE, pb.TakeCallsRequest(wanted=8), {"authorization": "ada", **edge})
        lease_id = taken.body["lease_id"]
        stolen = pb.GiveBackCallsRequest(lease_id=lease_id, unused=8)
        await node.call(GIVE_BACK, stolen, {"authorization": "bob", **edge})
        guessed = pb.GiveBackCallsRequest(lease_id="x", unused=8)
        await node.call(GIVE_BACK, guessed, {"authorization": "ada", **edge})
        assert (await requests.lease(ADA.user_id, 1)).standing.remaining == 991
        for remaining in (998, 997):  # the lease's own call besides; the second time nothing comes back
            await node.call(GIVE_BACK, stolen, {"authorization": "ada", **edge})
            assert (await requests.lease(ADA.user_id, 1)).standing.remaining == remaining
    async with frame.db.read() as tx:
        counted = await counters.read(tx, counters.USER_REQUESTS, ADA.user_id)
    assert hourly.Window(counted.state, 1000, counted.now).used == 3, "the three leases of one call each"


@pytest.mark.parametrize("request_", [{"wanted": 0}, {"wanted": 1001}, {"wanted": -5}, {"wanted": 1, "unused": -1}])
async def test_a_lease_of_an_odd_size_is_refused(frame: Frame, request_: dict[str, int]) -> None:
    async with _node(frame) as node:
        with pytest.raises(CallError) as caught:
            await node.call(TAKE, pb.TakeCallsRequest(**request_), {"authorization": "ada", "catenary-edge": "1"})
        assert caught.value.code() == grpc.StatusCode.INVALID_ARGUMENT


async def test_an_evaluation_that_is_not_added_is_not_counted(db: Database) -> None:
    async def charge(tx: Transaction) -> int:
        locked = await counters.lock(tx, counters.PROJECT_EVALUATIONS, REFERENCE)
        return (await hourly.charge_evaluation(tx, REFERENCE, 2, locked)).remaining

    for kept, remaining in ((True, 1), (False, 0), (True, 0)):
        try:
            async with db.transaction() as tx:
                assert await charge(tx) == remaining
                if not kept:
                    raise KeyError
        except KeyError:
            continue
    with pytest.raises(DomainError, match="2 evaluations of the hour; try again in") as caught:
        async with db.transaction() as tx:
            await charge(tx)
    assert caught.value.retry_after is not None
    assert 3000 <= caught.value.retry_after <= 3662, "the hour, the rest of the minute, and the time of a lease"


async def _charged_twice(db: Database) -> int:
    """Charge two evaluations of a project in one transaction; return how many of its hour are counted."""
    async with db.transaction() as tx:
        for _ in range(2):
            locked = await counters.lock(tx, counters.PROJECT_EVALUATIONS, REFERENCE)
            await hourly.charge_evaluation(tx, REFERENCE, 9, locked)
    async with db.read() as tx:
        counted = await counters.read(tx, counters.PROJECT_EVALUATIONS, REFERENCE)
    assert counted.version == 2
    return hourly.Window(counted.state, 9, counted.now).used


async def test_a_counter_that_is_locked_twice_in_a_transaction_keeps_both_changes(db: Database) -> None:
    assert await _charged_twice(db) == 2


async def test_unless_a_lock_returns_what_was_stored_before_it_is_lost(
    db: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The guard of the test above."""
    monkeypatch.setattr(Transaction, "deferred", lambda *_: [])
    assert await _charged_twice(db) == 1


async def test_a_window_opens_again_when_its_hour_is_over(db: Database) -> None:
    requests = hourly.UserRequests(db, 64)
    grant = await requests.lease(ADA.user_id, 1)
    async with db.transaction() as tx:
        state = (await counters.lock(tx, counters.USER_REQUESTS, ADA.user_id)).state
        minute, calls = next(iter(state["minutes"].items()))
        state["minutes"] = {str(int(minute) - 62): calls}
        await counters.store(tx, counters.USER_REQUESTS, ADA.user_id, state)
    assert grant.standing.remaining == 63
    assert (await requests.lease(ADA.user_id, 1)).standing.remaining == 63


async def _slots(db: Database) -> dict[str, float]:
    """Return the slots that are taken, with their ends."""
    async with db.read() as tx:
        state = (await counters.read(tx, counters.USER_BULK, ADA.user_id)).state
    slots: dict[str, float] = state.get("slots", {})
    return slots


async def _until_slots(db: Database, count: int) -> None:
    async with asyncio.timeout(60):
        while len(await _slots(db)) != count:  # noqa: ASYNC110 (it is a row)
            await asyncio.sleep(0.02)


async def test_ten_bulk_operations_run_at_once_and_no_more(frame: Frame, dsn: str) -> None:
    async with _node(frame, bulk_operations=3) as node:
        with psycopg.connect(dsn) as connection:
            connection.execute("LOCK TABLE comments.comment IN SHARE MODE")  # so that writes wait
            running = [asyncio.create_task(_create(node, 101)) for _ in range(3)]
            await _until_slots(frame.db, 3)
            refused = await _refused(_create(node, 101))
            assert "3 bulk operations running" in refused
            assert "CATENARY_BULK_OPERATIONS" in refused
            small = asyncio.create_task(_create(node, 100))
            assert not (await asyncio.wait([small], timeout=0.2))[0], "a small write is no bulk operation"
            connection.rollback()
        told = await asyncio.gather(*running)
        assert {told_of["x-ratelimit-limit"] for told_of in told} == {"3"}
        assert (await small)["x-ratelimit-limit"] == "1000"
        assert (await _create(node, 101))["x-ratelimit-remaining"] == "2"
        await _until_slots(frame.db, 0)


async def test_a_slot_is_free_after_a_refused_write_and_a_caller_who_left(frame: Frame, dsn: str) -> None:
    async with _node(frame, bulk_operations=1) as node:
        request = comments.CreateCommentsRequest()
        for _ in range(101):
            request.comments.add(reference_id=REFERENCE, content="c", reference_url="no address")
        with pytest.raises(CallError):
            await node.call(CREATE, request, {"authorization": "ada"})
        with psycopg.connect(dsn) as connection:
            connection.execute("LOCK TABLE comments.comment IN SHARE MODE")
            leaving = asyncio.create_task(_create(node, 101))
            await _until_slots(frame.db, 1)
            leaving.cancel()
            with pytest.raises(asyncio.CancelledError):
                await leaving
            connection.rollback()
        await _until_slots(frame.db, 0)
        await _create(node, 101)


async def test_the_slot_of_a_dead_process_ends_by_itself(frame: Frame) -> None:
    async with _node(frame, bulk_operations=1) as node:
        async with frame.db.transaction() as tx:
            now = (await counters.lock(tx, counters.USER_BULK, ADA.user_id)).now
            state = {"slots": {"of a dead process": now + 3600}}
            await counters.store(tx, counters.USER_BULK, ADA.user_id, state)
        await _refused(_create(node, 101))
        async with frame.db.transaction() as tx:
            await counters.store(tx, counters.USER_BULK, ADA.user_id, {"slots": {"of a dead process": now}})
        await _create(node, 101)


async def test_a_long_bulk_operation_keeps_its_slot(frame: Frame, dsn: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("catenary_core.limits.bulk.SLOT_SECONDS", 0.1)
    monkeypatch.setattr("catenary_core.limits.slots.SLOT_SECONDS", 60.0)
    async with _node(frame, bulk_operations=1) as node:
        with psycopg.connect(dsn) as connection:
            connection.execute("LOCK TABLE comments.comment IN SHARE MODE")
            running = asyncio.create_task(_create(node, 101))
            await _until_slots(frame.db, 1)
            (first,) = (await _slots(frame.db)).values()
            async with asyncio.timeout(60):
                while [*(await _slots(frame.db)).values()] <= [first + 0.3]:  # noqa: ASYNC110 (it is a row)
                    await asyncio.sleep(0.02)
            await _refused(_create(node, 101))
            connection.rollback()
        await running


async def test_a_write_is_refused_while_too_little_disk_space_is_free(
    frame: Frame, monkeypatch: pytest.MonkeyPatch
) -> None:
    space = FreeSpace(frame.settings.data_dir, 2**60)
    async with _node(replace(frame, space=space)) as node:
        with pytest.raises(CallError) as refused:
            await _create(node, 1)
        assert refused.value.code() == grpc.StatusCode.UNAVAILABLE
        await _list(node)
        monkeypatch.setattr(space, "_floor", 0)
        await _create(node, 1)
