"""The content of `gen/` for callers: typed stubs of the services that they may call."""

from __future__ import annotations

import importlib
import subprocess
import sys
from pathlib import Path

import grpc
import pytest
from google.protobuf import descriptor_pool

from catenary_edge.transcoding import routes, services

SOCKETS = {rpc.path.split("/")[1] for rpc in services.load() if rpc.websocket}
ROUTED = sorted({route.rpc.path.split("/")[1] for route in routes.build().routes} | SOCKETS)
INTERNAL = sorted({rpc.path.split("/")[1] for rpc in services.load()}.difference(ROUTED))
WORKER = "catenary.worker.v1.WorkerService"
CALLER = """
import grpc
from catenary.platform.v1 import project_pb2, project_service_pb2, project_service_pb2_grpc


def make(channel: grpc.Channel) -> project_pb2.Project:
    stub = project_service_pb2_grpc.ProjectServiceStub(channel)
    return stub.CreateProject(project_service_pb2.CreateProjectRequest(name="Footbridge"), timeout=10).project


async def make_too(channel: grpc.aio.Channel) -> project_pb2.Project:
    stub = project_service_pb2_grpc.ProjectServiceStub(channel)
    return (await stub.CreateProject(project_service_pb2.CreateProjectRequest(name="Footbridge"), timeout=10)).project
"""


def _module_of(service: str) -> str:
    name: str = descriptor_pool.Default().FindServiceByName(service).file.name
    return name.removesuffix(".proto").replace("/", ".") + "_pb2_grpc"


@pytest.mark.parametrize("service", [*ROUTED, WORKER])
def test_a_service_that_is_called_by_name_has_a_stub_with_all_its_methods(service: str) -> None:
    stub = getattr(importlib.import_module(_module_of(service)), service.rpartition(".")[2] + "Stub")
    with grpc.insecure_channel("localhost:1") as channel:
        made = stub(channel)
    methods = {rpc.path.rpartition("/")[2] for rpc in services.load() if rpc.path.startswith(f"/{service}/")}
    assert methods == set(vars(made))


@pytest.mark.parametrize("service", [one for one in INTERNAL if one != WORKER])
def test_an_internal_service_has_no_stub(service: str) -> None:
    with pytest.raises(ModuleNotFoundError):
        importlib.import_module(_module_of(service))


def test_stubs_have_types_for_both_kinds_of_channels(tmp_path: Path) -> None:
    """The types also hold in a program that has Catenary installed, where mypy reads only marked packages (PEP 561)."""
    (tmp_path / "caller.py").write_text(CALLER)
    (tmp_path / "mistaken.py").write_text(CALLER.replace("name=", "title="))
    command = [sys.executable, "-m", "mypy", "--strict", "--config-file=", "--cache-dir=/dev/null"]
    # One run for both: it reads all stubs, which takes seconds.
    told = subprocess.run([*command, "caller.py", "mistaken.py"], cwd=tmp_path, capture_output=True, text=True)
    assert "checked 2 source files" in told.stdout
    faults = [line for line in told.stdout.splitlines() if not line.startswith("Found ")]
    assert [line for line in faults if not line.startswith("mistaken.py:")] == []
    assert told.stdout.count('Unexpected keyword argument "title"') == 2, told.stdout
