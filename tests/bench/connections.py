"""3,000 hostile connections of each kind beside a normal client: its p99 with them over its p99 without them.

Run it as `python tests/bench/connections.py` with the project installed. It starts `catenary serve --demo` and measures each
kind in pairs: the client alone and beside the hostile connections, by turns in both orders. These come from twelve addresses,
more than a port takes of one, and are open while the client calls. It prints the median of the pairs' ratios, and how many
of the connections were open to the end; to hold: a median of at most 2.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import grpc
import httpx
import load
from smoke import few

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from factories.installations.hostile_connections import GRPC, HTTP, alive, connections
from factories.installations.installation import UNLIMITED, Installation, client_of

COUNT, ADDRESSES, PAIRS, SECONDS = few(3_000, 300), 12, few(7), few(4)
LIST = "/catenary.platform.v1.ProjectService/ListProjects"


def p99(latencies: list[float]) -> float:
    """Return the 99th percentile."""
    return sorted(latencies)[int(len(latencies) * 0.99)]


def http_client(demo: dict[str, Any], authorization: str) -> Callable[[], float]:
    """Return the measurement of a client of the HTTP port, on one connection."""
    url = httpx.URL(demo["base_url"])
    head = f"GET {url.path}projects/{demo['project_id']} HTTP/1.1\r\nHost: localhost\r\nAuthorization: {authorization}\r\n\r\n"
    return lambda: p99(load.run(load.Load(int(url.port or 80), 1, SECONDS, [head.encode()])).latencies)


def grpc_client(demo: dict[str, Any], authorization: str) -> Callable[[], float]:
    """Return the measurement of a client of the gRPC port, on one connection."""

    def measured() -> float:
        latencies = []
        with grpc.insecure_channel(demo["grpc_address"], [("grpc.use_local_subchannel_pool", 1)]) as channel:
            call: Any = channel.unary_unary(LIST)
            call(b"", metadata=(("authorization", authorization),))
            end = time.perf_counter() + SECONDS
            while (began := time.perf_counter()) < end:
                call(b"", metadata=(("authorization", authorization),))
                latencies.append(time.perf_counter() - began)
        return p99(latencies)

    return measured


def pair(measured: Callable[[], float], port: int, data: bytes, *, alone_first: bool) -> tuple[float, float, int]:
    """Return the p99 alone and beside the hostile connections, and how many of these were open to the end."""
    alone = measured() if alone_first else 0.0
    with connections(port, COUNT, data, ADDRESSES) as hostile:
        beside = measured()
        held = alive(hostile)
    time.sleep(1)  # until the server has closed its side
    return alone or measured(), beside, held


def main() -> None:
    """Print the table."""
    with tempfile.TemporaryDirectory(prefix="catenary-bench-") as folder:
        Path(folder).chmod(0o711)
        installation = Installation(Path(folder) / "data", ["--workers", "1"], **UNLIMITED)
        try:
            demo = installation.wait()
            with client_of(demo) as client:
                authorization = client.headers["Authorization"]
            ports = {
                "HTTP": int(httpx.URL(demo["base_url"]).port or 80),
                "gRPC": int(demo["grpc_address"].split(":")[1]),
            }
            clients = {"HTTP": http_client(demo, authorization), "gRPC": grpc_client(demo, authorization)}
            for name, kinds in {"HTTP": HTTP, "gRPC": GRPC}.items():
                clients[name]()
                for kind, data in kinds.items():
                    found = [pair(clients[name], ports[name], data, alone_first=bool(n % 2)) for n in range(PAIRS)]
                    ratios = [beside / alone for alone, beside, _ in found]
                    alone, beside = (statistics.median(times) * 1000 for times in list(zip(*found, strict=True))[:2])
                    held = min(held for _, _, held in found)
                    print(
                        f"{name} {kind:32} p99 {alone:6.2f} ms alone, {beside:6.2f} ms beside, ratio"
                        f" {statistics.median(ratios):.2f} ({min(ratios):.2f}-{max(ratios):.2f}), {held} of {COUNT} open",
                        flush=True,
                    )
        finally:
            installation.stop()


if __name__ == "__main__":
    main()
