"""Conditional requests and kept answers over HTTP, with a core that counts its calls."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from fixtures.edge.stand_in import PROJECT_ID, Answer, Stream
from integration.edge.conftest import AUTHORIZED, PROJECT, Running

PROJECT_PATH = f"/v1/projects/{PROJECT_ID}"
RECORDS = "/qa/v2/records"


def records(number: int, text: str = "note") -> dict[str, Any]:
    rows = [{"id": PROJECT_ID, "type_id": PROJECT_ID, "reference_table": f"{text} {one}"} for one in range(number)]
    return {"records": rows, "paging": None, "summary": None}


def serve_records(edge: Running, *parts: dict[str, Any], **metadata: str) -> None:
    async def handler(request: Any, sent: Any) -> Stream:
        async def items() -> Any:
            for part in parts:
                yield part

        return Stream(dict(metadata), items())

    edge.core._handlers["/catenary.qa.v2.RecordService/ListRecords"] = handler


def asked(edge: Running, method: str) -> int:
    return sum(path.endswith(method) for path, _, _ in edge.core.calls)


async def test_a_get_is_kept_while_its_version_stands_and_asked_again_after(edge: Running) -> None:
    edge.core.moves = False
    for _ in range(5):
        assert (await edge.send("GET", PROJECT_PATH))[2]["data"] == {"project": PROJECT}
    assert asked(edge, "GetProject") == 1
    edge.core.version += 1
    changed = PROJECT | {"name": "Changed"}
    edge.core.on("ProjectService/GetProject", {"project": changed})
    assert (await edge.send("GET", PROJECT_PATH))[2]["data"] == {"project": changed}
    assert asked(edge, "GetProject") == 2


async def test_kept_answers_have_their_own_request_id_and_time(edge: Running) -> None:
    edge.core.moves = False
    bodies = [(await edge.send("GET", PROJECT_PATH))[2]["metadata"] for _ in range(2)]
    assert bodies[0]["requestId"] != bodies[1]["requestId"]
    assert bodies[0]["timestamp"] < bodies[1]["timestamp"]


@pytest.mark.parametrize(("control", "calls"), [("no-cache", 2), ("no-store", 2), ("max-age=0, no-cache", 2), ("", 1)])
async def test_the_callers_cache_control_is_respected(edge: Running, control: str, calls: int) -> None:
    edge.core.moves = False
    await edge.send("GET", PROJECT_PATH)
    headers = {**AUTHORIZED, "Cache-Control": control} if control else AUTHORIZED
    await edge.send("GET", PROJECT_PATH, headers=headers)
    assert asked(edge, "GetProject") == calls


async def test_what_may_not_be_stored_is_not_kept(edge: Running) -> None:
    edge.core.moves = False
    edge.core.on("ProjectService/GetProject", Answer({"project": PROJECT}, {"cache-control": "no-store"}))
    for _ in range(3):
        _, headers, _ = await edge.send("GET", PROJECT_PATH)
        assert headers["Cache-Control"] == "no-store"
    assert asked(edge, "GetProject") == 3


async def test_equal_gets_at_one_time_are_one_call(edge: Running) -> None:
    edge.core.moves = False

    async def slow(request: Any, metadata: Any) -> dict[str, Any]:
        await asyncio.sleep(0.2)
        return {"project": PROJECT}

    edge.core.on("ProjectService/GetProject", slow)
    answers = await asyncio.gather(*(edge.send("GET", PROJECT_PATH) for _ in range(10)))
    assert {status for status, _, _ in answers} == {200}
    assert asked(edge, "GetProject") == 1


async def test_an_edge_without_room_keeps_nothing(start_edge: Any) -> None:
    async with start_edge(cache_limit=0) as edge:
        edge.core.moves = False
        for _ in range(2):
            await edge.send("GET", PROJECT_PATH)
        assert asked(edge, "GetProject") == 2
        assert asked(edge, "GetVersions") == 0


async def test_a_304_has_the_headers_of_the_answer_and_no_body(either: Running) -> None:
    _, whole, _ = await either.send("GET", PROJECT_PATH)
    tag = whole["ETag"]
    assert tag.startswith('W/"')
    for sent in (tag, tag.removeprefix("W/"), "*", f'"a", {tag}'):
        for method in ("GET", "HEAD"):
            headers = {**AUTHORIZED, "If-None-Match": sent}
            status, head, body = await either.send(method, PROJECT_PATH, headers=headers)
            assert (status, body) == (304, b"")
            for name in ("ETag", "Vary", "Cache-Control"):
                assert head[name] == whole[name]
            assert "Content-Type" not in head
    headers = {**AUTHORIZED, "If-None-Match": '"another"'}
    assert (await either.send("GET", PROJECT_PATH, headers=headers))[0] == 200


async def test_a_refusal_is_never_a_304(edge: Running) -> None:
    headers = {"If-None-Match": "*"}
    assert (await edge.send("GET", PROJECT_PATH, headers=headers))[0] == 401
    assert (await edge.send("GET", "/v1/projects?limit=x", headers={**AUTHORIZED, **headers}))[0] == 400


@pytest.mark.parametrize("coding", ["gzip", "zstd", "deflate"])
async def test_a_strong_tag_tells_the_coding_and_conditions_ignore_it(edge: Running, coding: str) -> None:
    serve_records(edge, records(100))
    _, plain, whole = await edge.send("GET", RECORDS, headers={**AUTHORIZED, "Accept-Encoding": "identity"})
    accepting = {**AUTHORIZED, "Accept-Encoding": coding}
    _, coded, same = await edge.send("GET", RECORDS, headers=accepting)
    assert coded["Content-Encoding"] == coding
    assert coded["ETag"] == plain["ETag"][:-1] + f'-{coding}"'
    assert same == whole
    for tag in (plain["ETag"], coded["ETag"]):
        status, head, _ = await edge.send("GET", RECORDS, headers={**accepting, "If-None-Match": tag})
        assert (status, head["ETag"]) == (304, coded["ETag"])


async def test_a_list_in_parts_is_one_tagged_body_while_it_is_short(either: Running) -> None:
    either.core.moves = False
    serve_records(either, records(500), records(3))
    status, headers, body = await either.send("GET", RECORDS)
    assert (status, len(body["records"])) == (200, 503)
    assert "Content-Length" in headers
    await either.send("GET", RECORDS)
    assert asked(either, "ListRecords") == 1
    status, _, _ = await either.send("GET", RECORDS, headers={**AUTHORIZED, "If-None-Match": headers["ETag"]})
    assert status == 304


async def test_a_long_list_goes_out_as_it_comes_with_a_weak_tag_that_ends_with_its_version(edge: Running) -> None:
    edge.core.moves = False
    part = records(500, "x" * 2000)
    serve_records(edge, part, part, part)
    status, headers, body = await edge.send("GET", RECORDS)
    assert (status, len(body["records"])) == (200, 1500)
    assert "Content-Length" not in headers
    assert headers["ETag"].startswith('W/"')
    known = {**AUTHORIZED, "If-None-Match": headers["ETag"]}
    asked_before = asked(edge, "ListRecords")
    assert (await edge.send("GET", RECORDS, headers=known))[0] == 304
    assert asked(edge, "ListRecords") == asked_before
    edge.core.version += 1
    assert (await edge.send("GET", RECORDS, headers=known))[0] == 200
    serve_records(edge, part, part, part, **{"cache-control": "no-store"})
    edge.core.version += 1
    _, headers, _ = await edge.send("GET", RECORDS)
    assert headers["Cache-Control"] == "no-store"
    assert "ETag" not in headers


async def test_conditions_of_a_write_travel_and_what_is_none_of_them_does_not(either: Running) -> None:
    either.core.on("ProjectService/UpdateProject", Answer({"project": PROJECT}, {"etag": 'W/"new"'}))
    headers = {**AUTHORIZED, "If-Match": 'W/"old"'}
    status, answered, _ = await either.send("PATCH", PROJECT_PATH, headers=headers, json={"name": "a"})
    assert (status, answered["ETag"]) == (200, 'W/"new"')
    ((_, metadata),) = either.core.made("ProjectService/UpdateProject")
    assert metadata["if-match"] == 'W/"old"'
    headers = {**AUTHORIZED, "If-None-Match": "*"}
    status, _, body = await either.send("PATCH", PROJECT_PATH, headers=headers, json={"name": "a"})
    assert (status, body["error"]["details"]["parameter"]) == (400, "If-None-Match")


async def test_a_download_is_known_by_its_tag(either: Running) -> None:
    async def handler(request: Any, metadata: Any) -> Stream:
        async def items() -> Any:
            yield {"chunk": b"abc"}

        return Stream({"etag": '"abc"', "content-type": "model/gltf-binary", "content-length": "3"}, items())

    either.core.on("EvaluationService/DownloadGeometry", handler)
    path = f"/v1/evaluations/{PROJECT_ID}/geometry/cube"
    status, headers, body = await either.send("GET", path)
    assert (status, headers["ETag"], body) == (200, '"abc"', b"abc")
    assert headers["Cache-Control"] == "private, max-age=31536000, immutable"
    status, headers, body = await either.send("GET", path, headers={**AUTHORIZED, "If-None-Match": '"abc"'})
    assert (status, headers["ETag"], body) == (304, '"abc"', b"")


async def test_vary_names_what_the_answer_depends_on(start_edge: Any) -> None:
    async with start_edge() as edge:
        serve_records(edge, records(1))
        _, headers, _ = await edge.send("GET", RECORDS)
        assert {"Authorization", "X-API-Key", "X-Share-Token", "Accept-Encoding", "Host"} <= set(
            headers["Vary"].split(", ")
        )
    async with start_edge(public_url="https://catenary.example") as edge:
        serve_records(edge, records(1))
        assert "Host" not in (await edge.send("GET", RECORDS))[1]["Vary"]
