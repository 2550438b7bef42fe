"""Uploads and downloads, in both upstream modes."""

from __future__ import annotations

import asyncio
import ctypes
import gc
import gzip
import io
import os
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import aiohttp
import grpc
import pytest
import structlog

from fixtures.edge.stand_in import PROJECT_ID, Refusal, Stream
from integration.edge.conftest import AUTHORIZED, Running, Start

PATH = f"/v1/projects/{PROJECT_ID}/models/{PROJECT_ID.upper()}/versions"
FORM = "multipart/form-data"
PYTHON = {**AUTHORIZED, "Content-Type": "text/x-python"}
VERSION: dict[str, Any] = {
    "model_version_id": PROJECT_ID, "model_id": PROJECT_ID, "project_id": PROJECT_ID, "number": 1, "status": "uploaded",
    "kind": "python", "size": 1, "sha256": "", "deterministic": None, "error": None, "parameters": [], "metrics": [],
    "constraints": [], "created_by": {"user_id": PROJECT_ID, "staff_name": "Ann"}, "created_at": "2030-01-31T12:00:00.000000Z",
    "updated_at": "2030-01-31T12:00:00.000000Z", "warnings": [], "deleted_at": None,
    "repeatable": None, "repeatable_reason": None,
}  # fmt: skip


class Store:
    """An upload method that keeps what came."""

    def __init__(self) -> None:
        self.first: Any = None
        self.sizes: list[int] = []
        self.data = b""
        self.keep = True
        self.ended = False
        self.began = asyncio.Event()

    async def __call__(self, requests: AsyncIterator[Any], metadata: Any) -> dict[str, Any]:
        async for message in requests:
            if self.first is None:
                self.first = message
                assert not message.chunk
                continue
            self.sizes.append(len(message.chunk))
            self.began.set()
            if self.keep:
                self.data += message.chunk
        self.ended = True
        return {"model_version": VERSION}


@pytest.fixture
def store(either: Running) -> Store:
    one = Store()
    either.core.on("ModelService/UploadModelVersion", one)
    return one


async def pieces(data: bytes, size: int) -> AsyncIterator[bytes]:
    for start in range(0, len(data), size):
        yield data[start : start + size]


def multipart(data: bytes, name: str = "file", filename: str = "tower.py", kind: str | None = None) -> aiohttp.FormData:
    form = aiohttp.FormData()
    form.add_field(name, io.BytesIO(data), filename=filename, content_type=kind or "application/octet-stream")
    return form


async def test_a_raw_upload_comes_whole_in_chunks(either: Running, store: Store) -> None:
    data = os.urandom(1_000_000)
    status, _, body = await either.send("POST", PATH, headers=PYTHON, data=data)
    assert (status, body["data"]) == (201, {"model_version": VERSION})
    assert store.data == data
    assert max(store.sizes) == 256 * 1024
    assert (store.first.project_id, store.first.model_id) == (PROJECT_ID, PROJECT_ID)
    assert store.first.content_type == "text/x-python"


async def test_a_chunked_and_a_compressed_upload_come_whole(either: Running, store: Store) -> None:
    data = os.urandom(300_000)
    status, _, _ = await either.send("POST", PATH, headers=PYTHON, data=pieces(data, 7777))
    assert (status, store.data) == (201, data)
    store.data = b""
    headers = {**PYTHON, "Content-Encoding": "gzip"}
    status, _, _ = await either.send("POST", PATH, headers=headers, data=gzip.compress(data))
    assert (status, store.data) == (201, data)


@pytest.mark.parametrize(
    ("filename", "kind", "media_type"),
    [
        ("tower.py", None, "text/x-python"),
        ("tower.ZIP", None, "application/zip"),
        ("tower.scad", None, "application/x-openscad"),
        ("whatever", "application/zip", "application/zip"),
        ("tower.zip", "text/x-python; charset=utf-8", "text/x-python"),
    ],
)
async def test_the_part_file_of_a_form_is_the_upload(
    either: Running, store: Store, filename: str, kind: str | None, media_type: str
) -> None:
    data = os.urandom(600_000)
    status, _, _ = await either.send("POST", PATH, data=multipart(data, filename=filename, kind=kind))
    assert (status, store.data) == (201, data)
    assert store.first.content_type == media_type


async def test_uploads_of_the_wrong_kind_are_refused_before_the_core(edge: Running) -> None:
    store = Store()
    edge.core.on("ModelService/UploadModelVersion", store)
    several = multipart(b"a")
    several.add_field("note", "b", filename="b")
    cases: list[tuple[dict[str, Any], int, str]] = [
        ({"headers": {**AUTHORIZED, "Content-Type": "application/json"}, "data": b"{}"}, 415, "Content-Type"),
        ({"headers": {**AUTHORIZED, "Content-Type": "application/octet-stream"}, "data": b"{}"}, 415, "Content-Type"),
        ({"data": multipart(b"a", filename="a.exe")}, 415, "Content-Type"),
        ({"data": multipart(b"a", kind="text/html")}, 415, "Content-Type"),
        ({"data": multipart(b"a", name="model")}, 400, "model"),
        ({"headers": {**AUTHORIZED, "Content-Type": f"{FORM}; boundary=x"}, "data": b"--x--\r\n"}, 400, "file"),
        ({"headers": {**AUTHORIZED, "Content-Type": FORM}, "data": b"x"}, 400, "body"),
        ({"headers": {**AUTHORIZED, "Content-Type": f"{FORM}; boundary=x"}, "data": b"junk"}, 400, "body"),
        ({"headers": {**PYTHON, "Content-Encoding": "br"}, "data": b"x"}, 415, "Content-Encoding"),
    ]  # fmt: skip
    for options, status, parameter in cases:
        found, _, body = await edge.send("POST", PATH, **options)
        assert (found, body["error"]["details"]["parameter"]) == (status, parameter), options
    assert not store.ended
    assert await edge.is_well()


@pytest.mark.parametrize("kind", ["raw", "chunked", "gzip", "part"])
async def test_an_upload_over_the_limit_is_413_and_never_ends_in_the_core(start_edge: Start, kind: str) -> None:
    data = bytes(3_000_000)
    options: dict[str, Any] = {
        "raw": {"headers": PYTHON, "data": data},
        "chunked": {"headers": PYTHON, "data": pieces(data, 65536)},
        "gzip": {"headers": {**PYTHON, "Content-Encoding": "gzip"}, "data": gzip.compress(data)},
        "part": {},
    }[kind]
    for mode in ("local", "grpc"):
        async with start_edge(mode, upload_limit=2_000_000) as edge:
            store = Store()
            edge.core.on("ModelService/UploadModelVersion", store)
            if kind == "chunked":
                options["data"] = pieces(data, 65536)
            elif kind == "part":
                options["data"] = multipart(data)
            status, _, body = await edge.send("POST", PATH, **options)
            assert (status, body["error"]["code"]) == (413, "PAYLOAD_TOO_LARGE")
            assert not store.ended
            assert await edge.is_well()


async def test_a_second_part_is_refused_and_the_upload_never_ends(either: Running, store: Store) -> None:
    form = multipart(b"a" * 500_000)
    form.add_field("note", "b", filename="b")
    status, _, body = await either.send("POST", PATH, data=form)
    assert (status, body["error"]["details"]["parameter"]) == (400, "note")
    assert not store.ended
    assert await either.is_well()


async def test_a_damaged_upload_is_400_and_never_ends(either: Running, store: Store) -> None:
    cut = gzip.compress(os.urandom(500_000))[:-10]
    status, _, _ = await either.send("POST", PATH, headers={**PYTHON, "Content-Encoding": "gzip"}, data=cut)
    assert (status, store.ended) == (400, False)
    head = b"POST %b HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer good\r\nConnection: close\r\n" % PATH.encode()
    boundary = b"Content-Type: multipart/form-data; boundary=x\r\nTransfer-Encoding: chunked\r\n\r\n"
    part = b'--x\r\nContent-Disposition: form-data; name="file"; filename="a.py"\r\n\r\nabc'
    answer = await either.raw(head + boundary + b"%x\r\n%b\r\n0\r\n\r\n" % (len(part), part))
    assert answer.startswith(b"HTTP/1.1 400 ")
    assert not store.ended
    assert await either.is_well()


async def test_the_core_may_refuse_before_the_body_is_read(either: Running) -> None:
    either.core.on(
        "ModelService/UploadModelVersion", Refusal(grpc.StatusCode.PERMISSION_DENIED, "No.", "PERMISSION_DENIED")
    )
    status, _, body = await either.send("POST", PATH, headers=PYTHON, data=b"x" * 300_000)
    assert (status, body["error"]["message"]) == (403, "No.")
    assert await either.is_well()


def _peak(*, anew: bool = False) -> int:
    """Return the most memory that this process had at once, in KiB.

    Args:
        anew: whether to count from now on (proc_pid_clear_refs(5)). What earlier tests have freed goes back to the system first:
            returned later, it would hide as much of what is measured.
    """
    if anew:
        gc.collect()
        ctypes.CDLL(None).malloc_trim(0)
        Path("/proc/self/clear_refs").write_text("5")
    (line,) = [line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("VmHWM:")]
    return int(line.split()[1])


async def test_an_upload_is_never_whole_in_memory(start_edge: Start) -> None:
    async def endless() -> AsyncIterator[bytes]:
        for _ in range(900):
            yield bytes(65536)

    async with start_edge() as edge:
        store = Store()
        store.keep = False
        edge.core.on("ModelService/UploadModelVersion", store)
        before = _peak(anew=True)
        status, _, _ = await edge.send("POST", PATH, headers=PYTHON, data=endless())
        assert (status, sum(store.sizes)) == (201, 900 * 65536)
        assert _peak() - before < 20_000, "KiB; the file has 57,600"
        before = _peak(anew=True)
        held = b"x" * 900 * 65536
        assert _peak() - before > 50_000, "it would be seen"
        del held


async def test_a_client_that_leaves_during_an_upload_ends_it(either: Running, store: Store) -> None:
    _, writer = await asyncio.open_connection("127.0.0.1", either.runner.port)
    with structlog.testing.capture_logs() as logs:
        writer.write(
            b"POST %b HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer good\r\nContent-Type: text/x-python\r\n"
            b"Content-Length: 900000\r\n\r\n" % PATH.encode() + bytes(300_000)
        )
        await writer.drain()
        await asyncio.wait_for(store.began.wait(), 60)
        writer.close()
        async with asyncio.timeout(60):
            while not (statuses := [one["status"] for one in logs if one["event"] == "request"]):  # noqa: ASYNC110 (a log has no event)
                await asyncio.sleep(0.02)
    assert not store.ended
    assert statuses == [499]
    assert await either.is_well()


GEOMETRY = f"/v1/evaluations/{PROJECT_ID}/geometry/arch"


def download(edge: Running, *chunks: bytes | Exception, **metadata: str) -> list[str]:
    """Answer the geometry download with the chunks; return a list that gets its end."""
    ends: list[str] = []

    async def items() -> AsyncIterator[dict[str, Any]]:
        try:
            for chunk in chunks:
                if isinstance(chunk, Exception):
                    raise chunk
                yield {"chunk": chunk}
            ends.append("whole")
        except GeneratorExit:
            ends.append("left")
            raise

    async def handler(request: Any, given: Any) -> Any:
        return Stream({name.replace("_", "-"): text for name, text in metadata.items()}, items())

    edge.core.on("EvaluationService/DownloadGeometry", handler)
    return ends


async def test_a_download_streams_with_the_cores_headers(either: Running) -> None:
    data = os.urandom(700_000)
    metadata = {
        "content_type": "model/gltf-binary",
        "content_length": "700000",
        "accept_ranges": "bytes",
        "etag": '"abc"',
        "x_inner": "no",
    }
    ends = download(either, data[:300_000], data[300_000:], **metadata)
    status, headers, body = await either.send("GET", GEOMETRY)
    assert (status, body) == (200, data)
    assert (headers["Content-Type"], headers["Content-Length"]) == ("model/gltf-binary", "700000")
    assert (headers["Accept-Ranges"], headers["ETag"]) == ("bytes", '"abc"')
    assert headers["Cache-Control"] == "private, max-age=31536000, immutable"
    assert "X-Inner" not in headers
    assert ends == ["whole"]


async def test_a_range_travels_to_the_core_and_its_status_back(either: Running) -> None:
    download(either, b"bc", catenary_status="206", content_range="bytes 1-2/4", content_length="2")
    asked = {**AUTHORIZED, "Range": "bytes=1-2", "If-Range": '"abc"'}
    status, headers, body = await either.send("GET", GEOMETRY, headers=asked)
    assert (status, body, headers["Content-Range"]) == (206, b"bc", "bytes 1-2/4")
    assert "Range" not in headers["Vary"]
    request, _ = either.core.made("EvaluationService/DownloadGeometry")[0]
    assert (request.range, request.if_range, request.name) == ("bytes=1-2", '"abc"', "arch")


async def test_head_of_a_download_reads_nothing_of_it(either: Running) -> None:
    chunks = [b"x" * 1_000_000] * 20
    ends = download(either, *chunks, content_length="20000000", content_type="model/gltf-binary")
    status, headers, body = await either.send("HEAD", GEOMETRY)
    assert (status, body, headers["Content-Length"]) == (200, b"", "20000000")
    assert ends != ["whole"]
    assert await either.is_well()


async def test_a_refused_download_is_an_error_body(either: Running) -> None:
    refusal = Refusal(grpc.StatusCode.OUT_OF_RANGE, "No such range.", "RANGE_NOT_SATISFIABLE")
    either.core.on("EvaluationService/DownloadGeometry", refusal)
    status, _, body = await either.send("GET", GEOMETRY)
    assert (status, body["error"]["code"]) == (416, "RANGE_NOT_SATISFIABLE")
    refusal = Refusal(grpc.StatusCode.OUT_OF_RANGE, "No such range.", "RANGE_NOT_SATISFIABLE", metadata={"size": "4"})
    either.core.on("EvaluationService/DownloadGeometry", refusal)
    status, headers, _ = await either.send("GET", GEOMETRY)
    assert (status, headers["Content-Range"]) == (416, "bytes */4")
    download(either, content_length="0")
    assert (await either.send("GET", GEOMETRY))[::2] == (200, b"")


async def test_a_download_that_fails_on_its_way_is_broken_off_and_never_looks_whole(edge: Running) -> None:
    for metadata in ({}, {"content_length": "1000"}):
        download(edge, b"x" * 500, ValueError("secret"), **metadata)
        with structlog.testing.capture_logs() as logs, pytest.raises(aiohttp.ClientError):
            await edge.send("GET", GEOMETRY)
        assert "secret" not in str(logs)
        assert [one["event"] for one in logs if one["log_level"] == "error"] == ["response aborted"]
        assert await edge.is_well()
