"""Files of projects: uploaded, listed, read by evaluations of every kind, and deleted once nothing needs them."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
from collections.abc import Mapping, Sequence
from typing import Any

import grpc
import orjson
import pytest
import sqlalchemy as sa
import uuid_utils

from catenary_core.call.errors import CallError
from catenary_core.database.statements import Row, Statement
from catenary_core.limits import accounts
from catenary_core.services.evaluations.files import known, queries, servicer
from catenary_core.settings import Tier
from factories.services.calls import Caller
from factories.services.evaluations import PARAMETERS, USER, Node, deploy, open_node, parameter, refusal, run_sql

PROFILE = parameter("profile", "file", None, accept=[".csv", ".dxf"], max_bytes=1000)
SECTION = parameter("section", "file", "data/section.csv", max_bytes=1 << 20)
CONTENT = b"0;0\n1;2\n"
DIGEST = hashlib.sha256(CONTENT).hexdigest()
UNKNOWN = str(uuid_utils.uuid7())
MESSAGE = "profile must be the file_id of a file of this project; upload one to it."


@pytest.fixture
async def project(node: Node) -> str:
    return (await deploy(node.frame.db, node.frame.objects, [PROFILE, SECTION, *PARAMETERS]))[0]


def _as(node: Node, name: str = "evaluator") -> Caller:
    return Caller(node.dispatch, name)


def _parts(project: str, content: bytes = CONTENT, name: str = "Profile 1.CSV") -> list[dict[str, Any]]:
    half = len(content) // 2
    return [{"project_id": project, "name": name, "chunk": content[:half]}, {"chunk": content[half:]}]


async def _upload(node: Node, project: str, content: bytes = CONTENT, name: str = "Profile 1.CSV") -> dict[str, Any]:
    return dict((await _as(node).send("UploadFile", _parts(project, content, name)))["file"])


def _texts(values: Mapping[str, Any]) -> dict[str, Any]:
    return {name: {"text": orjson.dumps(value).decode()} for name, value in values.items()}


async def test_a_file_is_kept_and_given_back_as_an_attachment(node: Node, project: str) -> None:
    made = await _upload(node, project)
    assert (made["name"], made["size"], made["sha256"], made["value"]) == (
        "Profile 1.CSV",
        len(CONTENT),
        DIGEST,
        f"{DIGEST}.csv",
    )
    assert made["created_by"]["user_id"] == USER
    vic = _as(node, "viewer")
    assert (await vic.call("GetFile", file_id=made["file_id"]))["file"] == made
    other = await _upload(node, project, b"other", "notes")
    assert other["value"] == other["sha256"], "a name without a suffix has none"
    assert (await vic.call("ListFiles", project_id=project))["files"] == [other, made]
    first = await vic.call("ListFiles", project_id=project, limit=1)
    rest = await vic.call("ListFiles", project_id=project, limit=1, cursor=first["next_cursor"])
    assert ([*first["files"], *rest["files"]], rest["next_cursor"]) == ([other, made], None)
    stream = await vic.open("DownloadFile", file_id=made["file_id"])
    assert b"".join([part["chunk"] async for part in stream.items]) == CONTENT
    assert stream.metadata["content-type"] == "application/octet-stream"
    assert stream.metadata["content-disposition"] == 'attachment; filename="Profile-1.csv"'
    stream = await vic.open("DownloadFile", file_id=made["file_id"], range="bytes=0-2")
    assert (b"".join([part["chunk"] async for part in stream.items]), stream.metadata["catenary-status"]) == (
        b"0;0",
        "206",
    )


@pytest.mark.parametrize(
    ("name", "suffix", "shown"),
    [
        ("../../etc/passwd", "", "etc-passwd"),
        ("a\\b.CSV", ".csv", "a-b.csv"),
        ('"; filename="x.csv', ".csv", "filename-x.csv"),
        (".csv", "", "csv"),
        ("Träger.tar.gz", ".gz", "Tr-ger.tar.gz"),
        ("x.what?", "", "x.what"),
    ],
)
async def test_a_name_is_text_and_no_path(node: Node, project: str, name: str, suffix: str, shown: str) -> None:
    made = await _upload(node, project, name=name)
    assert (made["name"], made["value"]) == (name, f"{DIGEST}{suffix}")
    stream = await _as(node).open("DownloadFile", file_id=made["file_id"])
    assert stream.metadata["content-disposition"] == f'attachment; filename="{shown}"'


@pytest.mark.parametrize(
    ("given", "reason", "field"),
    [
        ({"content": b""}, "VALIDATION_ERROR", "file"),
        ({"name": ""}, "VALIDATION_ERROR", "name"),
        ({"name": "  "}, "VALIDATION_ERROR", "name"),
        ({"name": "a\nb.csv"}, "VALIDATION_ERROR", "name"),
        ({"name": "x" * 201}, "VALIDATION_ERROR", "name"),
        ({"content": b"x" * (16 * 1024 * 1024 + 1)}, "PAYLOAD_TOO_LARGE", None),
    ],
)
async def test_a_bad_upload_is_refused_and_leaves_nothing(
    node: Node, project: str, given: dict[str, Any], reason: str, field: str | None
) -> None:
    parts = _parts(project, **given)
    if len(parts[0]["chunk"]) > 1 << 20:
        whole = given["content"]
        parts = [
            parts[0] | {"chunk": b""},
            *({"chunk": whole[at : at + (1 << 20)]} for at in range(0, len(whole), 1 << 20)),
        ]
    refused = await _as(node).send_refused("UploadFile", parts)
    assert refused.reason == reason
    if field is not None:
        assert refused.fields == [field]
    assert (await _as(node).call("ListFiles", project_id=project))["files"] == []


async def test_who_may_upload_see_and_delete(node: Node, project: str) -> None:
    made = await _upload(node, project)
    named = {"file_id": made["file_id"]}
    assert (await _as(node, "viewer").send_refused("UploadFile", _parts(project))).reason == "PERMISSION_DENIED"
    assert (await _as(node, "viewer").refused("DeleteFile", **named)).reason == "PERMISSION_DENIED"
    await run_sql(node.frame.db, "UPDATE evaluations.input_file SET created_by = :u", u=UNKNOWN)
    refused = await _as(node).refused("DeleteFile", **named)
    assert refused.message == "Somebody else uploaded the file; only editors may delete it."
    for method in ("GetFile", "DeleteFile"):
        stranger, unknown = [
            await _as(node, "stranger").refused(method, file_id=one) for one in (made["file_id"], UNKNOWN)
        ]
        assert stranger == unknown
        assert stranger.reason == "NOT_FOUND"
    assert (await _as(node, "stranger").open_refused("DownloadFile", **named)).reason == "NOT_FOUND"
    assert (await _as(node, "stranger").send_refused("UploadFile", _parts(project))).reason == "NOT_FOUND"
    await _as(node, "editor").call("DeleteFile", **named)
    assert (await _as(node).refused("GetFile", **named)).reason == "NOT_FOUND"


async def test_a_project_has_a_thousand_files_at_most(
    node: Node, project: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(servicer, "MAX_FILES", 1)
    await _upload(node, project)
    refused = await _as(node).send_refused("UploadFile", _parts(project))
    assert (refused.reason, "delete some" in refused.message) == ("CONFLICT", True)


async def _storage(node: Node, project: str) -> int:
    select = "SELECT storage FROM quotas.project WHERE project_id = CAST(:p AS uuid)"
    rows = await run_sql(node.frame.db, select, p=project)
    return int(rows[0]["storage"]) if rows else 0


async def _held(node: Node, holder: str) -> list[Row]:
    select = "SELECT sha256 FROM {} WHERE holder_id = CAST(:h AS uuid)"
    held = await run_sql(node.frame.db, select.format("objects.holding"), h=holder)
    assert held == await run_sql(node.frame.db, select.format("evaluations.kept_file"), h=holder)
    return held


async def test_a_file_is_held_and_charged_until_it_is_deleted(node: Node, project: str) -> None:
    before = await _storage(node, project)
    made, same = await _upload(node, project), await _upload(node, project)
    assert await _storage(node, project) == before + 2 * len(CONTENT), "each name counts"
    assert await _held(node, made["file_id"]) == [{"sha256": DIGEST}]
    for file in (made, same):
        await _as(node).call("DeleteFile", file_id=file["file_id"])
    assert await _held(node, made["file_id"]) == []
    assert await _storage(node, project) == before
    due = await run_sql(
        node.frame.db, "SELECT due_at > clock_timestamp() AS later FROM objects.object WHERE sha256 = :s", s=DIGEST
    )
    assert due == [{"later": True}], "the bytes go a day later"


async def test_a_full_storage_refuses_before_the_first_byte(node: Node, project: str, dsn: str, tmp_path: Any) -> None:
    tiers = {"standard": Tier(storage_bytes=len(CONTENT))}
    async with open_node(dsn, tmp_path, tiers=tiers) as small:
        await _upload(small, project)

        def parts() -> Any:
            yield {"project_id": project, "name": "a.csv"}
            raise AssertionError("bytes were read of an upload that has no room")

        assert (await _as(small).send_refused("UploadFile", parts())).reason == "QUOTA_EXCEEDED"
        assert len((await _as(small).call("ListFiles", project_id=project))["files"]) == 1


async def _evaluated(node: Node, project: str, value: Any) -> dict[str, Any]:
    async with node.worker().running():
        answer = await node.evaluate(project, {"profile": value})
    return dict(answer.body["evaluation"])


async def test_equal_files_are_one_value_and_one_stored_result(node: Node, project: str) -> None:
    first, same = await _upload(node, project), await _upload(node, project, name="again.csv")
    found = await _evaluated(node, project, first["file_id"])
    assert (found["parameters"]["profile"], found["parameters"]["section"]) == (first["value"], "data/section.csv")
    for given in (same["file_id"], same["file_id"].upper(), first["value"]):
        again = (await node.evaluate(project, {"profile": given})).body["evaluation"]
        assert (again["evaluation_id"], again["cached"]) == (found["evaluation_id"], True)
    drawing = await _upload(node, project, name="again.dxf")
    async with node.worker().running():
        other = (await node.evaluate(project, {"profile": drawing["file_id"]})).body["evaluation"]
    assert other["cached"] is False, "a model may read another suffix in another way"


async def test_typed_values_take_files_as_texts(node: Node, project: str) -> None:
    made = await _upload(node, project)
    async with node.worker().running():
        answer = await node.call("Evaluate", project_id=project, values={"profile": {"text": made["file_id"]}})
    assert answer.body["evaluation"]["parameters"]["profile"] == made["value"]


async def _refused(node: Node, project: str, given: Mapping[str, Any]) -> Any:
    return await _as(node).refused("Evaluate", project_id=project, parameters=_texts(given))


async def test_a_file_that_does_not_fit_is_refused(node: Node, project: str) -> None:
    notes, large = await _upload(node, project, name="notes.txt"), await _upload(node, project, b"x" * 1001)
    plain = await _upload(node, project, name="plain")
    refused = await _refused(node, project, {})
    assert (refused.reason, refused.details["parameter"], refused.details["constraint"]) == (
        "VALIDATION_ERROR",
        "profile",
        "required",
    )
    assert (
        refused.message == "profile is missing and has no default; upload a file to the project and give its file_id."
    )
    for given, constraint in (
        (notes["file_id"], "accept"),
        (plain["file_id"], "accept"),
        (large["file_id"], "max_bytes"),
        (UNKNOWN, "reference"),
        ("0" * 64 + ".csv", "reference"),
        ("data/section.csv", "reference"),
        ("../../etc/passwd", "reference"),
        (7, "reference"),
        (None, "reference"),
        ([], "reference"),
        ({"value": "x", "unit": None}, "reference"),
    ):
        refused = await _refused(node, project, {"profile": given})
        assert (refused.reason, refused.details["constraint"]) == ("VALIDATION_ERROR", constraint), given


async def test_the_file_of_another_project_is_unknown(
    node: Node, project: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    elsewhere, _ = await deploy(node.frame.db, node.frame.objects, [PROFILE])
    foreign = await _upload(node, elsewhere)
    for given in (foreign["file_id"], foreign["value"]):
        refused, unknown = [await _refused(node, project, {"profile": one}) for one in (given, UNKNOWN)]
        assert refused.message == unknown.message == MESSAGE
        assert (refused.reason, refused.fields) == (unknown.reason, unknown.fields)

    async def of_all(tx: Any, _: str) -> dict[str, known.KnownFile]:
        return await files_of(tx, elsewhere)

    files_of = known.files_of

    async def hold(*_: Any) -> None: ...

    monkeypatch.setattr(known, "files_of", of_all)
    refused = await _refused(node, project, {"profile": foreign["file_id"]})
    assert refused.reason == "CONFLICT", "also the hold looks into the project alone"
    monkeypatch.setattr(known, "hold", hold)
    found = await _evaluated(node, project, foreign["file_id"])
    assert found["parameters"]["profile"] == foreign["value"], "the look by project is what keeps it out"


async def test_a_worker_reads_files_of_the_version_s_project_alone(node: Node, project: str) -> None:
    made = await _upload(node, project)
    elsewhere, foreign_version = await deploy(node.frame.db, node.frame.objects, [PROFILE])
    select = "SELECT model_version_id FROM models.deployment WHERE project_id = CAST(:p AS uuid)"
    (version,) = await run_sql(node.frame.db, select, p=project)
    worker = node.worker()
    assert await worker.fetch_file(version["model_version_id"], made["sha256"]) == CONTENT
    for version_id, sha256 in ((foreign_version, made["sha256"]), (version["model_version_id"], "0" * 64)):
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await worker.fetch_file(version_id, sha256)
        assert caught.value.code() is grpc.StatusCode.NOT_FOUND
    await _upload(node, elsewhere)
    assert await worker.fetch_file(foreign_version, made["sha256"]) == CONTENT, "with a file of its own it reads it"


async def _delete_refused(node: Node, file: Mapping[str, Any]) -> None:
    refused = await _as(node).refused("DeleteFile", file_id=file["file_id"])
    assert (refused.reason, "has not ended uses this file" in refused.message) == ("CONFLICT", True)


async def test_a_file_that_an_evaluation_waits_for_stays(node: Node, project: str) -> None:
    made = await _upload(node, project)
    await node.evaluate(project, {"profile": made["file_id"]}, prefer="respond-async")
    await _delete_refused(node, made)
    again = await _upload(node, project)
    await _as(node).call("DeleteFile", file_id=again["file_id"])
    worker = node.worker()
    await worker.complete(await worker.must_lease())
    await _as(node).call("DeleteFile", file_id=made["file_id"])
    (kept,) = (await _as(node).call("ListEvaluations", project_id=project))["evaluations"]
    assert kept["parameters"]["profile"] == made["value"], "the evaluation stays"
    assert (await _refused(node, project, {"profile": made["value"]})).message == MESSAGE


@pytest.mark.parametrize("locked", [True, False])
async def test_of_two_equal_files_in_use_deleted_at_once_one_stays(
    node: Node, project: str, monkeypatch: pytest.MonkeyPatch, locked: bool
) -> None:
    files = [await _upload(node, project), await _upload(node, project)]
    await node.evaluate(project, {"profile": files[0]["file_id"]}, prefer="respond-async")
    both, release = asyncio.Barrier(2), accounts.release

    async def slow(*given: Any) -> None:
        with contextlib.suppress(TimeoutError, asyncio.BrokenBarrierError):
            await asyncio.wait_for(both.wait(), 0.5)
        await release(*given)

    monkeypatch.setattr(accounts, "release", slow)
    if not locked:
        monkeypatch.setattr(queries, "LOCK_PROJECT", Statement(sa.text("SELECT :project_id AS project_id")))
    deleted = await asyncio.gather(
        *(_as(node).call("DeleteFile", file_id=one["file_id"]) for one in files), return_exceptions=True
    )
    left = (await _as(node).call("ListFiles", project_id=project))["files"]
    assert len(left) == (1 if locked else 0), "without the lock both go"
    if locked:
        (caught,) = [one for one in deleted if isinstance(one, CallError)]
        assert refusal(caught).reason == "CONFLICT"


async def test_a_batch_reads_files_point_by_point(node: Node, project: str) -> None:
    one, two = await _upload(node, project), await _upload(node, project, b"2")
    points: Sequence[dict[str, Any]] = [{"parameters": _texts({"profile": made["file_id"]})} for made in (one, two)]
    refused = await _as(node).refused(
        "CreateBatch", project_id=project, evaluations=[*points, {"parameters": _texts({"profile": UNKNOWN})}]
    )
    assert refused.fields == ["evaluations[2].parameters.profile"]
    batch = (await _as(node).call("CreateBatch", project_id=project, evaluations=points))["batch"]
    await _delete_refused(node, two)
    job = await node.worker().must_lease()
    given = [orjson.loads(point.parameters["profile"].text) for point in job.points]
    assert given == [one["value"], two["value"]][: len(given)]
    await _as(node).call("DeleteBatch", batch_id=batch["batch_id"])
    await _as(node).call("DeleteFile", file_id=two["file_id"])


async def test_a_plan_has_files_as_values_and_in_its_file(node: Node, project: str) -> None:
    one, two = await _upload(node, project), await _upload(node, project, b"2")
    values = [{"text": orjson.dumps(made["file_id"]).decode()} for made in (one, two)]
    ranges = {"profile": {"values": values}}
    plan = (await _as(node).call("CreatePlan", project_id=project, kind="PLAN_KIND_GRID", parameters=ranges))["plan"]
    expected = [{"parameters": {"profile": made["value"]}} for made in (one, two)]
    assert plan["evaluations"] == expected
    stream = await _as(node).open("DownloadPlan", plan_id=plan["plan_id"])
    text = b"".join([part["chunk"] async for part in stream.items]).decode()
    assert text.splitlines() == ["in:profile", one["value"], two["value"]]
    again = await _as(node).call("CreatePlan", project_id=project, kind="PLAN_KIND_CSV", csv=text)
    assert again["plan"]["evaluations"] == expected
    by_id = f"in:profile\n{two['file_id']}\n"
    by_id = (await _as(node).call("CreatePlan", project_id=project, kind="PLAN_KIND_CSV", csv=by_id))["plan"]
    assert by_id["evaluations"] == expected[1:]
    wrong = f"in:profile\n{UNKNOWN}\n"
    refused = await _as(node).refused("CreatePlan", project_id=project, kind="PLAN_KIND_CSV", csv=wrong)
    assert refused.message == f"Line 2: {MESSAGE}"
    batch = await _as(node).call("CreateBatch", project_id=project, plan_id=plan["plan_id"])
    assert batch["batch"]["counts"]["queued"] == 2


async def test_evaluations_csv_gives_and_takes_files(node: Node, project: str) -> None:
    made = await _upload(node, project)
    await _evaluated(node, project, made["file_id"])
    stream = await _as(node).open("ExportEvaluations", project_id=project)
    text = b"".join([part["chunk"] async for part in stream.items])
    assert made["value"].encode() in text
    parts = [{"project_id": project, "content_type": "text/csv", "chunk": text}]
    batch = (await _as(node).send("ImportEvaluations", parts))["batch"]
    assert batch["counts"]["cached"] == 1, "the same values again"


async def test_a_study_holds_files_fixed(node: Node, project: str) -> None:
    made = await _upload(node, project)
    declared = [{"name": "mass", "unit": "kg", "description": ""}]
    await run_sql(
        node.frame.db,
        "UPDATE models.model_version SET metrics = CAST(:m AS json) WHERE model_version_id ="
        " (SELECT model_version_id FROM models.deployment WHERE project_id = CAST(:p AS uuid))".replace(
            "SELECT", "select"
        ),
        m=orjson.dumps(declared).decode(),
        p=project,
    )
    wanted = {
        "project_id": project,
        "kind": "STUDY_KIND_OPTIMIZATION",
        "objectives": [{"metric": "mass"}],
        "budget": 8,
        "population": 4,
        "algorithm": "STUDY_ALGORITHM_NSGA2",
    }
    refused = await _as(node).refused("CreateStudy", **wanted)
    assert (refused.details["parameter"], refused.details["constraint"]) == ("profile", "required")
    varied = {"profile": {"min": 1.0, "max": 2.0}}
    assert (await _as(node).refused("CreateStudy", **wanted, parameters=varied)).reason == "VALIDATION_ERROR"
    fixed = {"profile": {"fixed": {"text": orjson.dumps(made["file_id"]).decode()}}}
    study = (await _as(node).call("CreateStudy", **wanted, parameters=fixed))["study"]
    select = "SELECT definition FROM evaluations.study WHERE study_id = CAST(:s AS uuid)"
    (row,) = await run_sql(node.frame.db, select, s=study["study_id"])
    assert row["definition"]["fixed"]["profile"] == made["value"]
    await _delete_refused(node, made)
    await _as(node).call("CancelStudy", study_id=study["study_id"])
    await _as(node).call("DeleteFile", file_id=made["file_id"])


async def test_a_model_without_files_costs_no_statement(node: Node, monkeypatch: pytest.MonkeyPatch) -> None:
    plain, _ = await deploy(node.frame.db, node.frame.objects)
    monkeypatch.setattr(queries, "KNOWN", None)
    async with node.worker().running():
        answer = await node.evaluate(plain)
    assert answer.body["evaluation"]["status"] == "completed"
