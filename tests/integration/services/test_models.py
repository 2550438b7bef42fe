"""Models and their versions over the dispatcher: roles, uploads good and bad, checks, downloads."""

from __future__ import annotations

import asyncio
import hashlib
import re
from typing import Any

import pytest
import sqlalchemy as sa
import uuid_utils

from catenary_core.call.errors import CallError
from catenary_core.database import wakeups
from catenary_core.database.statements import Statement
from catenary_core.database.transactions import Transaction
from catenary_core.frame import Frame
from catenary_core.jobs import endings, queue
from catenary_core.limits import hourly
from catenary_core.server.dispatch import UnaryResponse
from catenary_core.services.models import sources
from factories.services.calls import events_of, refusal_of
from factories.services.models import (
    COUNT,
    DESCRIPTION,
    PYTHON,
    SOURCE,
    World,
    upload_messages,
    zipped,
)
from factories.services.people import delete_user

_JOBS = Statement(sa.text("SELECT id, kind, payload, request_id FROM jobs.job ORDER BY next_at, id"))
_COUNT_VERSIONS = Statement(sa.text("SELECT count(*) AS n FROM models.model_version"))


@pytest.fixture
async def world(frame: Frame) -> World:
    made = World(frame)
    await made.add("olga", "ed", "eva", "vic", "stranger")
    await made.add("ada", admin=True)
    return made


@pytest.fixture
async def project_id(world: World) -> str:
    return await world.project_with_roles()


async def test_ids_of_another_project_are_unknown(world: World, project_id: str) -> None:
    elsewhere = await world.project("olga")
    model_id = await world.model("olga", elsewhere)
    version_id = await world.ready("olga", elsewhere, model_id)
    olga = world.as_("olga")
    ids = {"project_id": project_id, "model_id": model_id, "model_version_id": version_id}
    mine = await world.model("olga", project_id)
    for method, fields in (
        ("GetModel", {"project_id": project_id, "model_id": model_id}),
        ("ListModelVersions", {"project_id": project_id, "model_id": model_id}),
        ("GetModelVersion", ids),
        ("GetModelVersion", {**ids, "model_id": mine}),
    ):
        assert (await olga.refused(method, **fields)).reason == "NOT_FOUND"
    assert (await olga.open_refused("DownloadModelSource", **ids)).reason == "NOT_FOUND"
    refusal = await olga.send_refused("UploadModelVersion", upload_messages(project_id, model_id, SOURCE))
    assert refusal.reason == "NOT_FOUND"
    refusal = await olga.refused("CreateDeployment", project_id=project_id, model_version_id=version_id)
    assert (refusal.reason, refusal.details["parameter"]) == ("VALIDATION_ERROR", "model_version_id")


async def test_a_models_name_is_its_own_in_the_project(world: World, project_id: str) -> None:
    made = (await world.as_("ed").call("CreateModel", project_id=project_id, name="Arch"))["model"]
    assert (made["project_id"], made["name"], made["latest_model_version_id"]) == (project_id, "Arch", None)
    ed = world.as_("ed")
    names = ["Arch", *(["Roof"] * 6)]
    outcomes = await asyncio.gather(
        *(ed.call("CreateModel", project_id=project_id, name=name) for name in names), return_exceptions=True
    )
    assert sum(isinstance(outcome, dict) for outcome in outcomes) == 1
    refusal = await ed.refused("CreateModel", project_id=project_id, name="Arch")
    assert (refusal.reason, refusal.details["parameter"]) == ("CONFLICT", "name")
    assert await world.model("olga", await world.project("olga"), "Arch")


async def test_a_version_goes_from_upload_by_check_to_ready(world: World, project_id: str) -> None:
    model_id = await world.model("ed", project_id)
    version = await world.upload("ed", project_id, model_id)
    version_id = version["model_version_id"]
    digest = hashlib.sha256(SOURCE).hexdigest()
    assert (version["number"], version["status"], version["kind"]) == (1, "uploaded", "python")
    assert (version["size"], version["sha256"]) == (len(SOURCE), digest)
    assert version["created_by"] == {"user_id": world.id("ed"), "staff_name": "ed"}
    assert (version["parameters"], version["error"], version["deterministic"]) == ([], None, None)
    assert (version["repeatable"], version["repeatable_reason"]) == (None, None)
    async with world.db.read() as tx:
        (job,) = await tx.all(_JOBS)
    assert (job["id"], job["kind"]) == (version_id, "check")
    assert job["payload"] == {
        "model_version_id": version_id,
        "model_kind": "python",
        "source_sha256": digest,
        "timeout_seconds": 60.0,
        "memory_bytes": 2 * 1024**3,
    }
    ids = {"project_id": project_id, "model_id": model_id}
    leased = await world.start_check()
    get = world.as_("vic")
    checking = (await get.call("GetModelVersion", **ids, model_version_id=version_id))["model_version"]
    assert checking["status"] == "checking"
    await world.end_check(leased, description=DESCRIPTION, deterministic=True, repeatable=True)
    ready = (await get.call("GetModelVersion", **ids, model_version_id=version_id))["model_version"]
    assert (ready["status"], ready["deterministic"], ready["error"]) == ("ready", True, None)
    assert (ready["repeatable"], ready["repeatable_reason"]) == (True, None)
    assert ready["parameters"] == [
        {
            "name": "span",
            "label": "span",
            "type": "number",
            "default": 24,
            "min": 5,
            "max": 60,
            "step": 0.5,
            "positive": False,
            "choices": [],
            "unit": "m",
            "group": "Geometry",
            "description": "",
            "order": 0,
            "show_if": None,
            "columns": [],
            "accept": [],
            "max_bytes": None,
        },
        {
            **dict.fromkeys(ready["parameters"][0]),
            **COUNT,
            "label": "count",
            "positive": False,
            "choices": [],
            "description": "",
            "order": 0,
            "columns": [],
            "accept": [],
        },
    ]
    assert ready["metrics"] == [{"name": "mass", "unit": "kg", "description": ""}]
    assert ready["constraints"] == [{"name": "light", "metric": "mass", "op": "<=", "value": 450.0}]
    assert isinstance(ready["parameters"][1]["default"], int)
    assert isinstance(ready["constraints"][0]["value"], float)
    assert (await get.call("GetModel", **ids))["model"]["latest_model_version_id"] == version_id
    event = (await events_of(world.db))[-1]
    assert (event["type"], event["project_id"], event["actor_id"]) == ("model.version.ready", project_id, None)
    assert event["subject"] == f"/v1/projects/{project_id}/models/{model_id}/versions/{version_id}"
    assert event["data"] == {"model_version": ready | {"created_by": {"user_id": world.id("ed")}}}
    async with world.db.read() as tx:
        assert await tx.all(_JOBS) == []


@pytest.mark.parametrize(
    ("outcome", "error"),
    [
        (
            {"status": "failed", "error": {"code": "MODEL_FAILED", "message": "ValueError: no", "line": 3}},
            {"code": "MODEL_FAILED", "message": "ValueError: no", "line": 3},
        ),
        (
            {"status": "timed_out", "error": {"code": "EVALUATION_TIMEOUT", "message": "Over 60 s.", "line": None}},
            {"code": "EVALUATION_TIMEOUT", "message": "Over 60 s.", "line": None},
        ),
        ({"status": "failed"}, {"code": "MODEL_FAILED", "message": "The check of the model failed.", "line": None}),
        (
            {"status": "completed"},
            {"code": "MODEL_FAILED", "message": "The check gave no description of the model.", "line": None},
        ),
    ],
)
async def test_a_failed_check_says_why(
    world: World, project_id: str, outcome: dict[str, Any], error: dict[str, Any]
) -> None:
    model_id = await world.model("ed", project_id)
    version = await world.upload("ed", project_id, model_id)
    await world.end_check(**outcome)
    ids = {"project_id": project_id, "model_id": model_id, "model_version_id": version["model_version_id"]}
    failed = (await world.as_("vic").call("GetModelVersion", **ids))["model_version"]
    assert (failed["status"], failed["error"], failed["parameters"]) == ("failed", error, [])
    event = (await events_of(world.db))[-1]
    assert (event["type"], event["data"]["model_version"]["error"]) == ("model.version.failed", error)
    refusal = await world.as_("ed").refused(
        "CreateDeployment", project_id=project_id, model_version_id=version["model_version_id"]
    )
    assert refusal.reason == "CONFLICT"
    assert (await world.as_("ed").call("GetModel", **{key: ids[key] for key in ("project_id", "model_id")}))["model"][
        "latest_model_version_id"
    ] is None


async def test_a_check_that_no_worker_finished_fails_as_unavailable(world: World, project_id: str) -> None:
    model_id = await world.model("ed", project_id)
    version = await world.upload("ed", project_id, model_id)
    job = await world.start_check()
    async with world.db.transaction() as tx:
        await world.checks.lost(tx, job)
    ids = {"project_id": project_id, "model_id": model_id, "model_version_id": version["model_version_id"]}
    lost = (await world.as_("vic").call("GetModelVersion", **ids))["model_version"]
    assert (lost["status"], lost["error"]["code"]) == ("failed", "UNAVAILABLE")


async def test_a_second_ending_of_a_check_changes_nothing(world: World, project_id: str) -> None:
    model_id = await world.model("ed", project_id)
    await world.upload("ed", project_id, model_id)
    job = await world.start_check()
    await world.end_check(job, description=DESCRIPTION)
    events = await events_of(world.db)
    async with world.db.transaction() as tx:
        await world.checks.started(tx, job)
        await world.checks.lost(tx, job)
    assert await events_of(world.db) == events
    versions = await world.as_("vic").call("ListModelVersions", project_id=project_id, model_id=model_id)
    assert versions["model_versions"][0]["status"] == "ready"


@pytest.mark.parametrize(
    ("content_type", "source", "kind"),
    [
        ("text/x-python; charset=utf-8", SOURCE, "python"),
        ("Application/ZIP", zipped(), "zip"),
        ("application/x-openscad", "width = 10; // [1:100] é\ncube(width);".encode(), "openscad"),
    ],
)
async def test_each_kind_of_file_is_taken_and_given_back_as_it_was(
    world: World, project_id: str, content_type: str, source: bytes, kind: str
) -> None:
    model_id = await world.model("ed", project_id)
    version = await world.upload("ed", project_id, model_id, source, content_type)
    assert version["kind"] == kind
    ids = {"project_id": project_id, "model_id": model_id, "model_version_id": version["model_version_id"]}
    stream = await world.as_("ed").open("DownloadModelSource", **ids)
    assert b"".join([item["chunk"] async for item in stream.items]) == source
    assert stream.metadata == {
        "etag": f'"{version["sha256"]}"',
        "content-type": sources.KINDS[kind].content_type,
        "accept-ranges": "bytes",
        "content-length": str(len(source)),
        "content-disposition": f'attachment; filename="Arch-v1{sources.KINDS[kind].suffix}"',
    }


_RENAME = Statement(sa.text("UPDATE models.model SET name = :name WHERE model_id = :id"))
OLDER_NAME = 'Gewölbe "1"\r\n../x'


async def test_a_range_of_a_source_is_given(world: World, project_id: str) -> None:
    model_id = await world.model("ed", project_id)
    async with world.db.transaction() as tx:  # a name from before line ends were refused
        await tx.execute(_RENAME, id=model_id, name=OLDER_NAME)
    shown = await world.as_("ed").call("GetModel", project_id=project_id, model_id=model_id)
    assert shown["model"]["name"] == OLDER_NAME
    source = bytes(range(97, 123)) * 20_000
    version = await world.upload("ed", project_id, model_id, source)
    ids = {"project_id": project_id, "model_id": model_id, "model_version_id": version["model_version_id"]}
    stream = await world.as_("ed").open("DownloadModelSource", **ids, range="bytes=300000-519999")
    assert b"".join([item["chunk"] async for item in stream.items]) == source[300_000:520_000]
    assert stream.metadata["catenary-status"] == "206"
    assert stream.metadata["content-range"] == "bytes 300000-519999/520000"
    assert stream.metadata["content-disposition"] == 'attachment; filename="Gew-lbe-1-..-x-v1.py"'
    same, other = f'"{version["sha256"]}"', f'"{"0" * 64}"'
    for if_range, expected in ((same, source[:9]), (other, source), (f"W/{same}", source)):
        stream = await world.as_("ed").open("DownloadModelSource", **ids, range="bytes=0-8", if_range=if_range)
        assert b"".join([item["chunk"] async for item in stream.items]) == expected
        assert ("catenary-status" in stream.metadata) == (expected != source)
    refusal = await world.as_("ed").open_refused("DownloadModelSource", **ids, range="bytes=520000-")
    assert refusal.reason == "RANGE_NOT_SATISFIABLE"


_NO_MODELS: list[tuple[str, bytes, str, str | None]] = [
    ("application/json", SOURCE, "UNSUPPORTED_MEDIA_TYPE", None),
    ("", SOURCE, "UNSUPPORTED_MEDIA_TYPE", None),
    ("text/x-python-x", SOURCE, "UNSUPPORTED_MEDIA_TYPE", None),
    (PYTHON, b"", "VALIDATION_ERROR", "required"),
    (PYTHON, b"name = '\xff'", "VALIDATION_ERROR", "utf8"),
    (PYTHON, "é".encode()[:1], "VALIDATION_ERROR", "utf8"),
    (PYTHON, "x = 1".encode("utf-16"), "VALIDATION_ERROR", "utf8"),
    ("application/x-openscad", b"\xc0\x80", "VALIDATION_ERROR", "utf8"),
    ("application/zip", SOURCE, "VALIDATION_ERROR", "zip"),
    ("application/zip", zipped()[:-30], "VALIDATION_ERROR", "zip"),
    ("application/zip", zipped({"other.py": SOURCE}), "VALIDATION_ERROR", "model"),
]


async def test_a_file_that_can_be_no_model_is_refused_and_nothing_of_it_stays(world: World, project_id: str) -> None:
    model_id = await world.model("ed", project_id)
    for content_type, source, reason, constraint in _NO_MODELS:
        refusal = await world.as_("ed").send_refused(
            "UploadModelVersion", upload_messages(project_id, model_id, source, content_type)
        )
        assert (refusal.reason, refusal.details.get("constraint")) == (reason, constraint), (content_type, source)
    async with world.db.read() as tx:
        assert (await tx.one(_COUNT_VERSIONS))["n"] == 0
        assert await tx.all(_JOBS) == []
    assert (await world.upload("ed", project_id, model_id))["number"] == 1


async def test_a_file_may_have_64_mib_and_no_byte_more(world: World, project_id: str) -> None:
    model_id = await world.model("ed", project_id)
    chunk = b"#" * 1024 * 1024
    head = {"project_id": project_id, "model_id": model_id, "content_type": PYTHON}

    def messages(more: bytes) -> Any:
        yield head
        for _ in range(64):
            yield {"chunk": chunk}
        if more:
            yield {"chunk": more}

    refusal = await world.as_("ed").send_refused("UploadModelVersion", messages(b"#"))
    assert refusal.reason == "PAYLOAD_TOO_LARGE"
    answer = await world.as_("ed").send("UploadModelVersion", messages(b""))
    assert answer["model_version"]["size"] == 64 * 1024 * 1024
    refusal = await world.as_("ed").send_refused("UploadModelVersion", [head, {"chunk": chunk + b"#"}])
    assert (refusal.reason, refusal.details["parameter"]) == ("VALIDATION_ERROR", "chunk")


async def test_later_messages_can_not_turn_an_upload_to_another_project(world: World, project_id: str) -> None:
    model_id = await world.model("ed", project_id)
    hidden = await world.project("stranger")
    foreign = await world.model("stranger", hidden)
    first, *rest = upload_messages(project_id, model_id, SOURCE)
    turned = [{**message, "project_id": hidden, "model_id": foreign} for message in rest]
    version = (await world.as_("ed").send("UploadModelVersion", [first, *turned]))["model_version"]
    assert (version["project_id"], version["model_id"]) == (project_id, model_id)
    for missing, parameter in (("project_id", "project"), ("model_id", "model_id")):
        refusal = await world.as_("ed").send_refused("UploadModelVersion", [{**first, missing: ""}, *rest])
        assert parameter in refusal.message


async def test_parallel_uploads_are_numbered_without_a_gap(world: World, project_id: str) -> None:
    model_id = await world.model("ed", project_id)
    versions = await asyncio.gather(*(world.upload("ed", project_id, model_id) for _ in range(10)))
    assert sorted(version["number"] for version in versions) == list(range(1, 11))


async def test_a_lost_transaction_leaves_neither_version_nor_job(
    world: World, project_id: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fail(*_: Any) -> None:
        raise RuntimeError("on purpose")

    model_id = await world.model("ed", project_id)
    with monkeypatch.context() as patch:
        patch.setattr(queue, "enqueue", fail)
        refusal = await world.as_("ed").send_refused(
            "UploadModelVersion", upload_messages(project_id, model_id, SOURCE)
        )
    assert refusal.reason == "INTERNAL_ERROR"
    async with world.db.read() as tx:
        assert (await tx.one(_COUNT_VERSIONS))["n"] == 0


@pytest.mark.slow
async def test_a_walk_over_pages_shows_each_row_once_while_others_come(
    world: World, project_id: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    ed = world.as_("ed")
    models = [await world.model("ed", project_id, f"M{number}") for number in range(120)]
    versions = [(await world.upload("ed", project_id, models[0]))["model_version_id"] for _ in range(120)]
    run: list[str] = []
    original = Transaction._run

    async def counted(self: Transaction, statement: Statement, given: Any) -> Any:
        run.append(statement.sql)
        return await original(self, statement, given)

    monkeypatch.setattr(Transaction, "_run", counted)

    async def walk(method: str, key: str, id_key: str, late: Any, **fields: Any) -> list[str]:
        seen: list[str] = []
        statements = set()
        cursor = ""
        while True:
            run.clear()
            answer = await ed.call(method, project_id=project_id, limit=25, cursor=cursor, **fields)
            statements.add(len(run))
            seen += [row[id_key] for row in answer[key]]
            if answer["next_cursor"] is None:
                assert len(statements) == 1
                return seen
            cursor = answer["next_cursor"]
            if len(seen) <= 75:
                await late(len(seen))

    async def late_model(number: int) -> None:
        await world.model("ed", project_id, f"Late {number}")

    async def late_version(_: int) -> None:
        await world.upload("ed", project_id, models[0])

    seen = await walk("ListModels", "models", "model_id", late_model)
    assert seen[:120] == models
    assert len(set(seen)) == len(seen) == 123
    seen = await walk("ListModelVersions", "model_versions", "model_version_id", late_version, model_id=models[0])
    assert seen == versions[::-1], "newest first: what comes later stands before the first page"


async def test_models_are_searched_by_a_part_of_their_name(world: World, project_id: str) -> None:
    for name in ("Truss bridge", "tower"):
        await world.model("ed", project_id, name)
    found = (await world.as_("ed").call("ListModels", project_id=project_id, search="TRUSS"))["models"]
    assert [model["name"] for model in found] == ["Truss bridge"]


async def test_what_is_in_a_deleted_project_is_not_found(world: World, project_id: str) -> None:
    model_id = await world.model("ed", project_id)
    await world.as_("olga").call("DeleteProject", project_id=project_id)
    for name in ("ed", "ada"):
        refusal = await world.as_(name).refused("GetModel", project_id=project_id, model_id=model_id)
        assert refusal.reason == "NOT_FOUND"


async def _version(world: World, path: dict[str, str], prefer: str = "", caller: str = "vic") -> UnaryResponse:
    method = "/catenary.platform.v1.ModelService/GetModelVersion"
    request = world.dispatch().bindings[method].request(**path, prefer=prefer)
    return await world.dispatch().call(method, request, {"authorization": caller}, 120)


async def test_a_get_of_a_version_waits_for_the_end_of_its_check(
    world: World, project_id: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(wakeups, "POLL_SECONDS", 600.0)
    monkeypatch.setattr(endings, "POLL_SECONDS", 600.0)
    for status in ("ready", "failed"):
        model_id = await world.model("ed", project_id, status)
        version = await world.upload("ed", project_id, model_id)
        path = {"project_id": project_id, "model_id": model_id, "model_version_id": version["model_version_id"]}
        waiting = [asyncio.create_task(_version(world, path, "wait=60")) for _ in range(3)]
        job = await world.start_check()
        await asyncio.sleep(0.1)
        assert not any(task.done() for task in waiting), "checking is no end"
        if status == "ready":
            await world.end_check(job, description=DESCRIPTION)
        else:
            await world.end_check(job, status="failed")
        async with asyncio.timeout(30):
            answers = await asyncio.gather(*waiting)
        for answer in answers:
            assert answer.body["model_version"]["status"] == status
            assert answer.body["model_version"] == (await _version(world, path)).body["model_version"]
            assert answer.metadata["preference-applied"] == "wait=60"
            assert "retry-after" not in answer.metadata
        assert (await _version(world, path, "wait=60")).body["model_version"]["status"] == status, "at once"


async def test_a_version_that_is_not_checked_in_time_is_given_as_it_is(world: World, project_id: str) -> None:
    model_id = await world.model("ed", project_id)
    version = await world.upload("ed", project_id, model_id)
    path = {"project_id": project_id, "model_id": model_id, "model_version_id": version["model_version_id"]}
    for prefer, applied in (("", None), ("respond-async", None), ("wait=nonsense", None), ("wait=1", "wait=1")):
        answer = await _version(world, path, prefer)
        assert answer.body["model_version"]["status"] == "uploaded"
        assert (answer.metadata["retry-after"], answer.metadata.get("preference-applied")) == ("1", applied)
    unknown = {**path, "model_version_id": str(uuid_utils.uuid7())}
    with pytest.raises(CallError) as caught:
        await _version(world, unknown, "wait=60")
    assert refusal_of(caught.value).reason == "NOT_FOUND"
    with pytest.raises(CallError) as caught:
        await _version(world, path, "wait=60", "stranger")
    assert refusal_of(caught.value).reason == "NOT_FOUND"


async def _refused_uploads(world: World, project_id: str, model_id: str, frame: Frame) -> tuple[list[str], list[int]]:
    """Upload two files beyond the limit; return the reasons, and of each how many bytes of it are stored then."""
    reasons, stored = [], []
    for number in range(2):
        source = SOURCE + b"# refused %d" % number
        refused = await world.as_("olga").send_refused(
            "UploadModelVersion", upload_messages(project_id, model_id, source)
        )
        reasons.append(refused.reason)
        try:
            stored.append(len(await frame.objects.get(hashlib.sha256(source).hexdigest())))
        except FileNotFoundError:
            stored.append(0)
    return reasons, stored


async def test_a_limit_used_up_during_an_upload_keeps_its_bytes_out_of_the_store(
    frame: Frame, monkeypatch: pytest.MonkeyPatch
) -> None:
    world = World(frame, evaluations_per_hour=1)
    await world.add("olga")
    project_id = await world.project("olga", "One")
    model_id = await world.model("olga", project_id)
    receive, late = sources.receive, SOURCE + b"# late"

    async def after_another(parts: Any, target: Any) -> tuple[int, str]:
        received: tuple[int, str] = await receive(parts, target)
        monkeypatch.setattr(sources, "receive", receive)
        await world.upload("olga", project_id, model_id)
        return received

    monkeypatch.setattr(sources, "receive", after_another)
    messages = upload_messages(project_id, model_id, late)
    assert (await world.as_("olga").send_refused("UploadModelVersion", messages)).reason == "RATE_LIMIT_EXCEEDED"
    with pytest.raises(FileNotFoundError):
        await frame.objects.get(hashlib.sha256(late).hexdigest())


async def test_without_a_look_at_the_limit_before_an_upload_refused_bytes_stay_stored(
    frame: Frame, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The guard of the test above and of the next."""
    world = World(frame, evaluations_per_hour=1)
    await world.add("olga")
    project_id = await world.project("olga", "One")
    model_id = await world.model("olga", project_id)
    await world.upload("olga", project_id, model_id)

    async def nothing(tx: Transaction, project_id: str, limit: int) -> None:
        return None

    monkeypatch.setattr(hourly, "check_evaluations", nothing)
    reasons, stored = await _refused_uploads(world, project_id, model_id, frame)
    assert reasons == ["RATE_LIMIT_EXCEEDED"] * 2
    assert all(stored)


async def test_a_check_counts_as_an_evaluation_of_its_project(frame: Frame) -> None:
    world = World(frame, evaluations_per_hour=2)
    await world.add("olga")
    project_id, other = [await world.project("olga", name) for name in ("One", "Other")]
    model_id = await world.model("olga", project_id)
    for _ in range(2):
        await world.upload("olga", project_id, model_id)
    messages = upload_messages(project_id, model_id, SOURCE)
    refused = await world.as_("olga").send_refused("UploadModelVersion", messages)
    assert refused.reason == "RATE_LIMIT_EXCEEDED"
    assert re.fullmatch(
        r"The project has had its 2 evaluations of the hour; try again in (5\d|6[012]) minutes\."
        r" An operator may raise CATENARY_EVALUATIONS_PER_HOUR\.",
        refused.message,
    )
    assert (refused.details["limit"], refused.details["remaining"]) == (2, 0)
    async with world.db.read() as tx:
        assert (await tx.one(_COUNT_VERSIONS))["n"] == 2, "a refused upload leaves no version"
        assert len(await tx.all(_JOBS)) == 2
    assert await _refused_uploads(world, project_id, model_id, frame) == (["RATE_LIMIT_EXCEEDED"] * 2, [0, 0])
    assert (await world.upload("olga", other, await world.model("olga", other)))["status"] == "uploaded"


async def test_the_name_of_who_uploaded_is_the_present_one_and_goes_with_the_user(
    world: World, project_id: str
) -> None:
    ids = {"project_id": project_id, "model_id": await world.model("ed", project_id)}
    version = await world.ready("ed", project_id, ids["model_id"])
    await world.deploy("ed", project_id, version)

    async def names() -> list[Any]:
        get = world.as_("vic")
        return [
            (await get.call("GetModelVersion", **ids, model_version_id=version))["model_version"]["created_by"],
            *(row["created_by"] for row in (await get.call("ListModelVersions", **ids))["model_versions"]),
            *(row["created_by"] for row in (await get.call("ListDeployments", project_id=project_id))["deployments"]),
        ]

    user_id = world.id("ed")
    assert await names() == [{"user_id": user_id, "staff_name": "ed"}] * 3
    rename = sa.text("UPDATE identity.\"user\" SET staff_name = 'Edith' WHERE staff_name = 'ed'")
    async with world.db.transaction() as tx:
        await tx.execute(Statement(rename))
    assert await names() == [{"user_id": user_id, "staff_name": "Edith"}] * 3
    await delete_user(world.db, world.people["ed"])
    assert await names() == [{"user_id": user_id, "staff_name": ""}] * 3


@pytest.mark.parametrize(("found", "reason"), [(True, None), (False, "The metric m was once 1 and once 2.")])
async def test_a_version_shows_whether_it_is_repeatable_and_why_not(
    world: World, project_id: str, found: bool, reason: str | None
) -> None:
    model_id = await world.model("ed", project_id)
    version = await world.upload("ed", project_id, model_id)
    await world.end_check(description=DESCRIPTION, repeatable=found, not_repeatable=reason or "")
    ids = {"project_id": project_id, "model_id": model_id, "model_version_id": version["model_version_id"]}
    shown = (await world.as_("vic").call("GetModelVersion", **ids))["model_version"]
    assert (shown["repeatable"], shown["repeatable_reason"]) == (found, reason)
    failed = await world.upload("ed", project_id, model_id)
    await world.end_check(status="failed", error={"message": "no"})
    ids["model_version_id"] = failed["model_version_id"]
    shown = (await world.as_("vic").call("GetModelVersion", **ids))["model_version"]
    assert (shown["status"], shown["repeatable"], shown["repeatable_reason"]) == ("failed", None, None)
