"""Files and charts of evaluations: stored, listed, downloaded as attachments, and held as geometry is."""

from __future__ import annotations

from typing import Any

import pytest

from catenary.worker.v1 import worker_service_pb2 as worker_pb
from catenary_core.call.errors import CallError
from catenary_core.services.evaluations import servicer
from catenary_core.services.evaluations.messages import MAX_EVENT_TABLES
from factories.services.calls import events_of
from factories.services.evaluations import MadeFile, MadeGeometry, Node, refusal, run_sql

PDF, PAGE = b"%PDF-1.7 " * 1_000, b"<script>alert(1)</script>"
FILES = [MadeFile("report.pdf", PDF), MadeFile("page.html", PAGE)]
ROWS = [{"n": 1, "length": 4.2}]
CHARTS = {"lengths": {"kind": "line", "table": "members", "x": "n", "y": ["length"]}}


async def _made(node: Node, project: str, **parts: Any) -> dict[str, Any]:
    async def script(job: worker_pb.Job) -> dict[str, Any]:
        return {"tables": {"members": ROWS}, "charts": CHARTS, "files": FILES, **parts}

    async with node.worker().running(script):
        found: dict[str, Any] = (await node.evaluate(project)).body["evaluation"]
    return found


@pytest.mark.parametrize("in_head", [True, False])
async def test_files_and_charts_are_answered_with_the_evaluation(node: Node, project: str, in_head: bool) -> None:
    found = await _made(node, project, in_head=in_head, geometry=[MadeGeometry("tower", "step", b"ISO-10303-21;")])
    base = f"/v1/evaluations/{found['evaluation_id']}/files"
    assert [(file["name"], file["media_type"], file["url"], file["size"]) for file in found["files"]] == [
        ("report.pdf", "application/pdf", f"{base}/report.pdf", len(PDF)),
        ("page.html", "text/html", f"{base}/page.html", len(PAGE)),
    ]
    assert found["charts"] == [{"name": "lengths", **CHARTS["lengths"]}]
    named = {"evaluation_id": found["evaluation_id"]}
    assert [(await node.download_file(**named, name=made.name))[1] for made in FILES] == [PDF, PAGE]
    assert (await node.download(**named, name="tower.step"))[1] == b"ISO-10303-21;"
    again = (await node.evaluate(project)).body["evaluation"]
    assert (again["cached"], again["files"], again["charts"]) == (True, found["files"], found["charts"])
    (listed,) = (await node.call("ListEvaluations", project_id=project)).body["evaluations"]
    assert (listed["files"], listed["charts"], listed["tables"]) == (found["files"], [], {})


async def test_a_page_of_a_model_is_an_attachment_of_no_type(node: Node, project: str) -> None:
    found = await _made(node, project)
    named = {"evaluation_id": found["evaluation_id"], "name": "page.html"}
    stream, _ = await node.download_file(**named)
    assert stream.metadata == {
        "content-type": "application/octet-stream",
        "accept-ranges": "bytes",
        "content-length": str(len(PAGE)),
        "etag": f'"{found["files"][1]["sha256"]}"',
        "content-disposition": 'attachment; filename="page.html"',
    }
    stream, data = await node.download_file(**named, range="bytes=1-6")
    assert (data, stream.metadata["catenary-status"]) == (b"script", "206")


async def test_without_the_fixed_type_a_page_would_be_a_page_of_this_server(
    node: Node, project: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = await _made(node, project)
    named = {"evaluation_id": found["evaluation_id"], "name": "page.html"}
    monkeypatch.setattr(servicer.media_types, "OTHER", found["files"][1]["media_type"])
    stream, _ = await node.download_file(**named)
    assert stream.metadata["content-type"] == "text/html"


@pytest.mark.parametrize(
    ("name", "range_", "caller", "reason"),
    [
        ("report.pdf", "bytes=9000-", "viewer", "RANGE_NOT_SATISFIABLE"),
        ("report", "", "viewer", "NOT_FOUND"),
        ("REPORT.PDF", "", "viewer", "NOT_FOUND"),
        ("../report.pdf", "", "viewer", "NOT_FOUND"),
        ("x" * 300, "", "viewer", "VALIDATION_ERROR"),
        ("report.pdf", "", "stranger", "NOT_FOUND"),
    ],
)
async def test_what_is_no_file_or_not_the_caller_s_is_refused(
    node: Node, project: str, name: str, range_: str, caller: str, reason: str
) -> None:
    found = await _made(node, project)
    with pytest.raises(CallError) as caught:
        await node.download_file(caller, evaluation_id=found["evaluation_id"], name=name, range=range_)
    assert refusal(caught.value).reason == reason


async def test_files_are_held_and_charged_as_geometry_is(node: Node, project: str) -> None:
    found = await _made(node, project)
    holder = found["evaluation_id"]
    select = "SELECT sha256 FROM {} WHERE holder_id = CAST(:holder AS uuid) ORDER BY sha256"
    held = await run_sql(node.frame.db, select.format("objects.holding"), holder=holder)
    assert [row["sha256"] for row in held] == sorted(file["sha256"] for file in found["files"])
    assert held == await run_sql(node.frame.db, select.format("evaluations.kept_file"), holder=holder)
    account = "SELECT storage FROM quotas.project WHERE project_id = CAST(:project AS uuid)"
    (row,) = await run_sql(node.frame.db, account, project=project)
    assert row["storage"] >= len(PDF) + len(PAGE)


@pytest.mark.parametrize(
    ("announced", "message"),
    [
        ({"sha256": "0" * 64}, "The bytes of report.pdf (file) have another SHA-256 than announced."),
        ({"size": len(PDF) + 1}, "The bytes of report.pdf (file) ended early."),
        ({"size": len(PDF) - 1}, "The bytes of report.pdf (file) have another SHA-256 than announced."),
    ],
)
async def test_bytes_that_are_not_those_announced_are_refused(
    node: Node, project: str, announced: dict[str, Any], message: str
) -> None:
    await node.evaluate(project, prefer="respond-async")
    worker = node.worker()
    job = await worker.must_lease()
    with pytest.raises(Exception, match="report") as caught:
        await worker.complete(job, files=[MadeFile("report.pdf", PDF, announced)])
    assert refusal(caught.value).message == message
    await worker.complete(job, files=FILES)
    (one,) = (await node.call("ListEvaluations", project_id=project)).body["evaluations"]
    assert (one["status"], len(one["files"])) == ("completed", 2)


async def test_charts_of_large_tables_stay_out_of_the_event_as_the_tables_do(node: Node, project: str) -> None:
    rows = [{"n": 1, "text": "x" * 1000}] * (MAX_EVENT_TABLES // 1000)
    charts = {"c": {"kind": "bar", "table": "t", "x": "text", "y": ["n"]}}
    found = await _made(node, project, tables={"t": rows}, charts=charts)
    assert len(found["charts"]) == 1
    (event,) = await events_of(node.frame.db)
    told = event["data"]["evaluation"]
    assert (told["tables"], told["charts"], told["files"]) == ({}, [], found["files"])
