"""Idempotency-Key in the dispatcher: what runs once, what is given again, and what is kept of it."""

from __future__ import annotations

import asyncio
import base64
from collections.abc import AsyncIterator
from typing import Any

import pytest
from google.protobuf.message import Message
from google.rpc import error_details_pb2
from grpc_status import rpc_status

from catenary_core.call.call import Call
from catenary_core.call.errors import CallError, DomainError
from catenary_core.database import retention
from catenary_core.database.transactions import Transaction
from catenary_core.frame import Frame
from catenary_core.idempotency import records
from catenary_core.idempotency.replay import _Attempt
from catenary_core.limits import hourly
from catenary_core.server.dispatch import Dispatch, UnaryResponse
from catenary_core.services.models.servicer import ModelServicer
from catenary_core.services.projects.servicer import ProjectServicer
from factories.services.dispatchers import dispatch_of
from factories.services.evaluations import run_sql
from factories.services.models import EDITOR, World, upload_messages

REPLAYED = "idempotency-replayed"
_PATHS = {
    name: f"/catenary.platform.v1.{service}/{name}"
    for service, name in (
        ("ProjectService", "CreateProject"),
        ("ProjectService", "UpdateProject"),
        ("ModelService", "CreateModel"),
        ("ModelService", "UploadModelVersion"),
    )
}


@pytest.fixture
async def world(frame: Frame) -> World:
    made = World(frame)
    await made.add("olga", "egon")
    return made


async def _call(
    world: World,
    method: str,
    key: str | None,
    *,
    caller: str = "olga",
    dispatch: Dispatch | None = None,
    metadata: dict[str, str] | None = None,
    **fields: Any,
) -> UnaryResponse:
    used = dispatch or world.dispatch()
    given = {"authorization": caller, **({} if key is None else {"idempotency-key": key}), **(metadata or {})}
    return await used.call(_PATHS[method], used.bindings[_PATHS[method]].request(**fields), given)


async def _upload(world: World, key: str, source: bytes, ids: tuple[str, str], size: int = 1024) -> UnaryResponse:
    path = _PATHS["UploadModelVersion"]
    request = world.dispatch().bindings[path].request

    async def stream() -> AsyncIterator[Message]:
        for fields in upload_messages(*ids, source, size=size):
            yield request(**fields)

    return await world.dispatch().call(path, stream(), {"authorization": "olga", "idempotency-key": key})


async def _refused(awaitable: Any) -> tuple[str, CallError]:
    with pytest.raises(CallError) as caught:
        await awaitable
    return _reason(caught.value), caught.value


def _reason(error: CallError) -> str:
    info = error_details_pb2.ErrorInfo()
    error.status.details[0].Unpack(info)
    return info.reason


async def _count(world: World, table: str = "projects.project") -> int:
    return int((await run_sql(world.db, f"SELECT count(*) AS n FROM {table}"))[0]["n"])


def _without_guard(world: World) -> Dispatch:
    return dispatch_of(world.servicers, world.people, world.projects.role_of, world.project_of)


async def test_the_same_key_gives_the_first_answer_again_and_changes_nothing(world: World) -> None:
    first = await _call(world, "CreateProject", "k", name="Bridge")
    again = await _call(world, "CreateProject", "k", name="Bridge")
    assert again.body == first.body
    assert (first.metadata.get(REPLAYED), again.metadata.get(REPLAYED)) == (None, "true")
    assert again.request_id != first.request_id
    assert (await _count(world), await _count(world, "events.event")) == (1, 1)
    for _ in range(2):
        await _call(world, "CreateProject", "k", dispatch=_without_guard(world), name="Bridge")
    assert await _count(world) == 3, "without the guard each call runs"


async def test_fifty_equal_calls_at_once_run_once(world: World) -> None:
    async def one(dispatch: Dispatch | None = None) -> str:
        try:
            return str((await _call(world, "CreateProject", "k", dispatch=dispatch, name="B")).body["project"])
        except CallError as error:
            return _reason(error)

    answers = await asyncio.gather(*(one() for _ in range(50)))
    made = set(answers) - {"IDEMPOTENCY_IN_PROGRESS"}
    assert (len(made), await _count(world)) == (1, 1)
    assert await one() in made
    unguarded = await asyncio.gather(*(one(_without_guard(world)) for _ in range(50)))
    assert (len(set(unguarded)), await _count(world)) == (50, 51), "without the guard each of the fifty runs"


async def test_another_body_is_refused_and_another_caller_or_route_has_keys_of_its_own(world: World) -> None:
    await _call(world, "CreateProject", "k", name="Bridge")
    reason, _ = await _refused(_call(world, "CreateProject", "k", name="Tower"))
    assert reason == "IDEMPOTENCY_KEY_REUSED"
    other = await _call(world, "CreateProject", "k", caller="egon", name="Tower")
    by_route = await _call(world, "CreateProject", "k", metadata={"catenary-route": "POST /v1/projects"}, name="Tower")
    model = await _call(world, "CreateModel", "k", project_id=by_route.body["project"]["project_id"], name="Arch")
    assert {REPLAYED in answer.metadata for answer in (other, by_route, model)} == {False}
    assert await _count(world) == 3


async def test_while_the_first_runs_an_equal_call_is_told_so_and_waits_for_nothing(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    inside, go_on = asyncio.Event(), asyncio.Event()
    create = ProjectServicer.create_project

    async def slow(self: ProjectServicer, request: Any, call: Call) -> Any:
        answer = await create(self, request, call)
        inside.set()
        await go_on.wait()
        return answer

    monkeypatch.setattr(ProjectServicer, "create_project", slow)
    first = asyncio.create_task(_call(world, "CreateProject", "k", name="Bridge"))
    await asyncio.wait_for(inside.wait(), 60)
    reason, error = await _refused(asyncio.wait_for(_call(world, "CreateProject", "k", name="Bridge"), 60))
    assert reason == "IDEMPOTENCY_IN_PROGRESS"
    assert any(detail.Is(error_details_pb2.RetryInfo.DESCRIPTOR) for detail in error.status.details)
    assert await _count(world) == 0, "nothing shows before the answer is kept"
    go_on.set()
    assert (await _call(world, "CreateProject", "k", name="Bridge") if await first else None) is not None
    assert await _count(world) == 1


async def test_a_refusal_after_validation_is_kept_with_its_own_request_id(world: World) -> None:
    project_id = await world.project("olga")
    await world.model("olga", project_id, "Arch")
    call = {"project_id": project_id, "name": "Arch"}
    reason, first = await _refused(_call(world, "CreateModel", "k", metadata={"x-request-id": "one"}, **call))
    await run_sql(world.db, "UPDATE models.model SET name = 'Other'")
    again, second = await _refused(_call(world, "CreateModel", "k", metadata={"x-request-id": "two"}, **call))
    assert (reason, again) == ("CONFLICT", "CONFLICT")
    assert ((REPLAYED, "true") in first.trailing_metadata(), (REPLAYED, "true") in second.trailing_metadata()) == (
        False,
        True,
    )
    status = rpc_status.from_call(second)
    assert status is not None
    ids = [
        error_details_pb2.RequestInfo.FromString(detail.value).request_id
        for detail in status.details
        if detail.Is(error_details_pb2.RequestInfo.DESCRIPTOR)
    ]
    assert ids == ["two"]
    assert (await _call(world, "CreateModel", "other", **call)).body["model"]["name"] == "Arch"


@pytest.mark.parametrize(
    "fault", [RuntimeError("boom"), DomainError("UNAVAILABLE", "Try again."), DomainError("QUOTA_EXCEEDED", "Wait.")]
)
async def test_a_fault_and_a_limit_keep_neither_change_nor_answer(
    world: World, monkeypatch: pytest.MonkeyPatch, fault: Exception
) -> None:
    create = ProjectServicer.create_project

    async def failing(self: ProjectServicer, request: Any, call: Call) -> Any:
        answer = await create(self, request, call)
        if faults:
            raise faults.pop()
        return answer

    faults = [fault]
    monkeypatch.setattr(ProjectServicer, "create_project", failing)
    await _refused(_call(world, "CreateProject", "k", name="Bridge"))
    assert (await _count(world), await _count(world, "idempotency.record")) == (0, 0)
    assert REPLAYED not in (await _call(world, "CreateProject", "k", name="Bridge")).metadata
    assert await _count(world) == 1


async def test_a_call_that_ends_before_its_answer_is_kept_left_nothing(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    put = _Attempt._put

    async def lost(self: _Attempt, *given: Any) -> None:
        await put(self, *given)
        raise asyncio.CancelledError

    monkeypatch.setattr(_Attempt, "_put", lost)
    with pytest.raises(asyncio.CancelledError):
        await _call(world, "CreateProject", "k", name="Bridge")
    assert (await _count(world), await _count(world, "idempotency.record")) == (0, 0)
    monkeypatch.setattr(_Attempt, "_put", put)
    await _call(world, "CreateProject", "k", name="Bridge")
    assert await _count(world) == 1


async def test_an_answer_is_given_again_only_to_who_may_still_make_the_call(world: World) -> None:
    project_id = await world.project("olga")
    await world.put("olga", project_id, world.id("egon"), EDITOR)
    await _call(world, "CreateModel", "k", caller="egon", project_id=project_id, name="Arch")
    await world.as_("olga").call("DeleteProjectMember", project_id=project_id, user_id=world.id("egon"))
    reason, _ = await _refused(_call(world, "CreateModel", "k", caller="egon", project_id=project_id, name="Arch"))
    assert reason == "NOT_FOUND"


@pytest.mark.parametrize("key", ["", "k" * 256, "ключ", "a\tb", "a\nb"])
async def test_a_key_that_is_none_is_refused(world: World, key: str) -> None:
    reason, error = await _refused(_call(world, "CreateProject", key, name="Bridge"))
    assert (reason, await _count(world)) == ("VALIDATION_ERROR", 0)
    assert "Idempotency-Key" in str(error.details())
    assert (await _call(world, "CreateProject", "k" * 255, name="Bridge")).body


async def test_a_method_that_is_no_post_ignores_the_key(world: World) -> None:
    project_id = await world.project("olga")
    for name in ("One", "Two"):
        answer = await _call(world, "UpdateProject", "k", project_id=project_id, name=name)
        assert (answer.body["project"]["name"], REPLAYED in answer.metadata) == (name, False)


async def test_a_path_that_is_a_post_takes_the_key_whatever_its_method_is_bound_to(world: World) -> None:
    project_id = await world.project("olga")
    route = {"catenary-route": "POST /v0/projects/{project_id}"}
    first = await _call(world, "UpdateProject", "k", metadata=route, project_id=project_id, name="One")
    await _call(world, "UpdateProject", None, project_id=project_id, name="Two")
    again = await _call(world, "UpdateProject", "k", metadata=route, project_id=project_id, name="One")
    assert (again.body, again.metadata[REPLAYED]) == (first.body, "true")


async def test_an_answer_that_is_given_again_has_its_own_limit_headers(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    create, left = ProjectServicer.create_project, iter(("7", "6"))

    async def limited(self: ProjectServicer, request: Any, call: Call) -> Any:
        call.reply.update(dict(zip(hourly.REPLY, ("10", next(left), "1"), strict=True)), location="/here")
        return await create(self, request, call)

    monkeypatch.setattr(ProjectServicer, "create_project", limited)
    first = await _call(world, "CreateProject", "k", name="Bridge")
    again = await _call(world, "CreateProject", "k", name="Bridge")
    assert (first.metadata[hourly.REPLY[1]], first.metadata["location"]) == ("7", "/here")
    assert again.metadata == {"location": "/here", REPLAYED: "true", **_tag(first)}


def _tag(answer: UnaryResponse) -> dict[str, str]:
    return {"etag": answer.metadata["etag"]} if "etag" in answer.metadata else {}


async def test_nothing_is_kept_in_the_clear(world: World) -> None:
    await _call(world, "CreateProject", "key-canary", name="name-canary", description="text-canary")
    row = (await run_sql(world.db, "SELECT id, fingerprint, answer FROM idempotency.record"))[0]
    kept = b"".join(bytes(value) for value in row.values())
    for seen in (kept, base64.urlsafe_b64decode(bytes(row["answer"]))):
        assert b"canary" not in seen


async def test_a_day_later_the_key_is_new_and_old_rows_are_removed(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    await _call(world, "CreateProject", "k", name="Bridge")
    old = "UPDATE idempotency.record SET created_at = clock_timestamp() - interval '24 hours 1 second'"
    await run_sql(world.db, old)
    assert REPLAYED not in (await _call(world, "CreateProject", "k", name="Tower")).metadata
    assert (await _call(world, "CreateProject", "k", name="Tower")).metadata[REPLAYED] == "true"
    for number in range(6):
        await _call(world, "CreateProject", f"k{number}", name="Bridge")
    await run_sql(world.db, old)
    await _call(world, "CreateProject", "young", name="Bridge")
    monkeypatch.setattr(retention, "MAX_BATCHES", 0)
    assert await records.remove_old(world.db) == 0, "bounded"
    monkeypatch.undo()
    assert await records.remove_old(world.db) == 7
    assert (await _call(world, "CreateProject", "young", name="Bridge")).metadata[REPLAYED] == "true"


async def test_an_upload_is_compared_by_its_bytes_however_they_are_cut(world: World) -> None:
    project_id = await world.project("olga")
    ids = (project_id, await world.model("olga", project_id))
    source = b"PARAMETERS = []\n" * 1000
    first = await _upload(world, "k", source, ids)
    again = await _upload(world, "k", source, ids, size=333)
    assert (again.body, again.metadata[REPLAYED]) == (first.body, "true")
    assert (await _refused(_upload(world, "k", source + b"#", ids)))[0] == "IDEMPOTENCY_KEY_REUSED"
    assert (await _refused(_upload(world, "k", source[:-1], ids)))[0] == "IDEMPOTENCY_KEY_REUSED"
    assert await _count(world, "models.model_version") == 1


async def test_equal_uploads_at_once_make_one_version(world: World) -> None:
    project_id = await world.project("olga")
    ids = (project_id, await world.model("olga", project_id))

    async def one() -> str:
        try:
            return str((await _upload(world, "k", b"PARAMETERS = []\n" * 1000, ids)).body)
        except CallError as error:
            return _reason(error)

    answers = await asyncio.gather(*(one() for _ in range(10)))
    made = set(answers) - {"IDEMPOTENCY_IN_PROGRESS"}
    assert len(made) == 1
    assert await _count(world, "models.model_version") == 1
    assert await one() in made


async def test_an_upload_that_meets_the_end_of_an_equal_one_keeps_nothing_of_its_own(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    project_id = await world.project("olga")
    ids = (project_id, await world.model("olga", project_id))
    put, inside, go_on = _Attempt._put, asyncio.Event(), asyncio.Event()

    async def slow(self: _Attempt, *given: Any) -> None:
        inside.set()
        await go_on.wait()
        await put(self, *given)

    monkeypatch.setattr(_Attempt, "_put", slow)
    first = asyncio.create_task(_upload(world, "k", b"PARAMETERS = []\n", ids))
    await asyncio.wait_for(inside.wait(), 60)
    reason, _ = await _refused(asyncio.wait_for(_upload(world, "k", b"PARAMETERS = []\n", ids), 60))
    assert (reason, await _count(world, "idempotency.record")) == ("IDEMPOTENCY_IN_PROGRESS", 0)
    go_on.set()
    assert (await _upload(world, "k", b"PARAMETERS = []\n", ids) if await first else first).metadata[REPLAYED] == "true"
    assert await _count(world, "models.model_version") == 1


async def test_an_upload_that_is_refused_before_it_is_read_is_not_kept(world: World) -> None:
    project_id = await world.project("olga")
    ids = (project_id, await world.model("olga", project_id))
    source = b"x" * 5000
    assert (await _refused(_upload(world, "k", source, (project_id, ids[0]))))[0] == "NOT_FOUND"
    assert REPLAYED not in (await _upload(world, "k", source, ids)).metadata


async def test_an_upload_holds_no_connection_while_its_file_comes(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    project_id = await world.project("olga")
    ids = (project_id, await world.model("olga", project_id))
    path = _PATHS["UploadModelVersion"]
    request = world.dispatch().bindings[path].request
    waiting = asyncio.Semaphore(0)
    go_on = asyncio.Event()

    async def slow() -> AsyncIterator[Message]:
        yield request(project_id=ids[0], model_id=ids[1], content_type="text/x-python")
        waiting.release()
        await go_on.wait()
        yield request(chunk=b"PARAMETERS = []\n")

    calls = [
        asyncio.create_task(
            world.dispatch().call(path, slow(), {"authorization": "olga", "idempotency-key": f"k{number}"})
        )
        for number in range(12)  # more than the pool has connections
    ]
    for _ in calls:
        await asyncio.wait_for(waiting.acquire(), 60)
    await asyncio.wait_for(world.as_("olga").call("ListProjects"), 60)
    go_on.set()
    assert len(await asyncio.gather(*calls)) == 12


async def test_what_a_call_does_after_its_commit_waits_for_the_commit_of_its_answer(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[tuple[str, int]] = []
    create = ModelServicer.create_model

    async def noting(self: ModelServicer, request: Any, call: Call) -> Any:
        async with self._db.transaction() as tx:
            tx.after_commit(lambda: seen.append(("after", 0)))
        seen.append(("inside", 0))
        return await create(self, request, call)

    put = _Attempt._put

    async def noted(self: _Attempt, tx: Transaction, *given: Any) -> None:
        await put(self, tx, *given)
        seen.append(("kept", 0))

    monkeypatch.setattr(ModelServicer, "create_model", noting)
    monkeypatch.setattr(_Attempt, "_put", noted)
    project_id = await world.project("olga")
    await _call(world, "CreateModel", "k", project_id=project_id, name="Arch")
    assert [name for name, _ in seen] == ["inside", "kept", "after"]


async def test_another_task_of_a_call_has_transactions_of_its_own(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def beside(self: ProjectServicer, request: Any, call: Call) -> Any:
        async def write() -> None:
            await run_sql(
                world.db,
                "INSERT INTO projects.project (project_id, name, description, owner_user_id)"
                " VALUES ('00000000-0000-7000-8000-000000000001', 'beside', '', '00000000-0000-7000-8000-000000000002')",
            )

        await asyncio.create_task(write())
        raise RuntimeError

    monkeypatch.setattr(ProjectServicer, "create_project", beside)
    await _refused(_call(world, "CreateProject", "k", name="Bridge"))
    assert await _count(world) == 1, "the call's own transaction was rolled back, the other task's was not"
