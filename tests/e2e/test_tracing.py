"""One trace from the caller through edge and core to the worker, at a collector that speaks OTLP."""

from __future__ import annotations

import gzip
import threading
import time
import uuid
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from factories.installations.installation import PYTHONPATH, Installation, catenary, client_of

pytestmark = pytest.mark.slow

trace_service_pb2 = pytest.importorskip(
    "opentelemetry.proto.collector.trace.v1.trace_service_pb2",
    reason="the extra otel is not installed (pip install -e '.[otel]')",
)


class Collector(ThreadingHTTPServer):
    """Takes spans as an OTLP collector does (opentelemetry-proto, over HTTP)."""

    def __init__(self) -> None:
        self.spans: list[tuple[str, Any]] = []
        super().__init__(("127.0.0.1", 0), _Spans)


class _Spans(BaseHTTPRequestHandler):
    server: Collector

    def do_POST(self) -> None:
        data = self.rfile.read(int(self.headers["Content-Length"]))
        if self.headers.get("Content-Encoding") == "gzip":
            data = gzip.decompress(data)
        told = trace_service_pb2.ExportTraceServiceRequest.FromString(data)
        for resource in told.resource_spans:
            names = {item.key: item.value.string_value for item in resource.resource.attributes}
            for scope in resource.scope_spans:
                self.server.spans += [(names["service.name"], span) for span in scope.spans]
        self.send_response(200)
        self.send_header("Content-Type", "application/x-protobuf")
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_: object) -> None:
        """Says nothing."""


def test_a_trace_goes_from_the_caller_through_edge_and_core_to_the_worker(data_root: Path) -> None:
    collector = Collector()
    threading.Thread(target=collector.serve_forever, daemon=True).start()
    variables = {
        "OTEL_EXPORTER_OTLP_ENDPOINT": f"http://127.0.0.1:{collector.server_port}",
        "OTEL_BSP_SCHEDULE_DELAY": "200",
    }
    installation = Installation(data_root / "traced", ["--nodes", "1", "--workers", "1"], **variables)
    trace_id, caller = uuid.uuid4().hex, "00f067aa0ba902b7"
    edge_name, core_name = (
        "POST /v1/projects/{project_id}/evaluate",
        "/catenary.platform.v1.EvaluationService/Evaluate",
    )
    try:
        demo = installation.wait()
        with client_of(demo) as http:
            given = {"traceparent": f"00-{trace_id}-{caller}-01", "X-Request-Id": "traced-request"}
            done = http.post(f"projects/{demo['project_id']}/evaluate", json={"force": True}, headers=given)
            assert done.status_code == 200, done.text
        deadline = time.monotonic() + 60
        while True:
            of_trace = [one for one in collector.spans if one[1].trace_id.hex() == trace_id]
            names = {span.name for _, span in of_trace}
            if {edge_name, core_name, "JOB_KIND_EVALUATE"} <= names:
                break
            assert time.monotonic() < deadline, names
            time.sleep(0.1)
        found = {span.name: (service, span) for service, span in of_trace}
    finally:
        code = installation.stop()
        collector.shutdown()
        collector.server_close()
    assert code == 0, installation.log
    (edge_service, edge), (core_service, core) = found[edge_name], found[core_name]
    worker_service, job = found["JOB_KIND_EVALUATE"]
    assert (edge_service, core_service, worker_service) == ("catenary-node", "catenary-node", "catenary-worker")
    assert edge.parent_span_id.hex() == caller
    assert core.parent_span_id == edge.span_id
    assert job.parent_span_id == core.span_id
    for span in (edge, core, job):
        told = {item.key: item.value for item in span.attributes}
        assert told["catenary.request_id"].string_value == "traced-request"
    assert demo["project_id"] not in str(collector.spans)
    assert demo["client_secret"] not in str(collector.spans)


def test_a_missing_extra_is_said_at_the_start_and_not_silently_ignored(tmp_path: Path) -> None:
    (tmp_path / "opentelemetry").mkdir()
    (tmp_path / "opentelemetry" / "__init__.py").write_text("raise ImportError\n")
    variables = {"OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:1"}
    variables["PYTHONPATH"] = f"{tmp_path}:{PYTHONPATH}"
    refused = catenary("edge", "--core", "127.0.0.1:1", "--port", "0", "--dev", **variables)
    assert refused.returncode == 1
    assert "pip install -e '.[otel]'" in refused.stderr
