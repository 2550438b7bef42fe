"""The descriptor set that the edge serves: what a stranger compiles, as the guide's page for gRPC callers says."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest
from google.api import annotations_pb2
from google.protobuf.descriptor_pb2 import FileDescriptorSet

from catenary_edge.transcoding import routes, services
from factories.checks import grpc_guide
from integration.edge.conftest import Running

PATH = "/docs/descriptors.binpb"
IMPORT = """
import sys
from catenary.platform.v1 import project_service_pb2
from catenary.errors.v1 import reason_pb2
from google.api import annotations_pb2
{more}
method = project_service_pb2.DESCRIPTOR.services_by_name["ProjectService"].methods_by_name["CreateProject"]
assert method.GetOptions().Extensions[annotations_pb2.http].post == "/v1/projects"
assert reason_pb2.Reason.Value("REASON_NOT_FOUND")
for name, module in sys.modules.items():
    if name.split(".")[0] in ("catenary", "buf") and getattr(module, "__file__", None):
        print(module.__file__)
"""
STUB = """
import grpc
from catenary.platform.v1 import project_service_pb2_grpc
stub = project_service_pb2_grpc.ProjectServiceStub(grpc.insecure_channel("localhost:1"))
assert callable(stub.CreateProject)
"""


async def _served(edge: Running) -> bytes:
    status, headers, data = await edge.send("GET", PATH, headers={"Accept-Encoding": "identity"})
    assert (status, headers["Content-Type"]) == (200, "application/x-protobuf")
    assert headers["Cache-Control"] == "public, max-age=300"
    assert isinstance(data, bytes)
    return data


async def test_the_set_has_every_service_that_has_routes_and_none_that_has_not(edge: Running) -> None:
    served = FileDescriptorSet.FromString(await _served(edge)).file
    found = {f"/{file.package}.{one.name}/" for file in served for one in file.service}
    routed = {route.rpc.path.rpartition("/")[0] + "/" for route in routes.build().routes}
    # A live session has no route: the edge's WebSocket carries it.
    routed.add("/catenary.platform.v1.ExploreService/")
    assert found == routed
    internal = {rpc.path.rpartition("/")[0] + "/" for rpc in services.load()} - routed
    assert {one.split(".")[-1] for one in internal} == {
        "WorkerService/",
        "LimitService/",
        "RefusalService/",
        "VersionService/",
        "OlderService/",
    }
    # Nor is a file of theirs there, whose messages and comments would tell of them.
    packages = {one.strip("/").rpartition(".")[0] for one in internal - routed}
    own = packages - {one.strip("/").rpartition(".")[0] for one in routed}
    assert own == {"catenary.worker.v1", "catenary.audit.v1", "catenary.limits.v1", "catenary.caching.v1"}
    assert not [file.name for file in served if file.package in own or file.name.endswith("older_service.proto")]


async def test_the_set_has_comments_and_every_file_that_it_imports(edge: Running) -> None:
    served = FileDescriptorSet.FromString(await _served(edge)).file
    names = [file.name for file in served]
    for place, file in enumerate(served):
        assert set(file.dependency) <= set(names[:place]), file.name
        if file.package.startswith("catenary."):
            assert [one for one in file.source_code_info.location if one.leading_comments], file.name
    assert {"buf/validate/validate.proto", "google/api/annotations.proto", "catenary/errors/v1/reason.proto"} <= set(
        names
    )
    project = next(file for file in served if file.name.endswith("platform/v1/project_service.proto"))
    assert project.service[0].method[0].options.Extensions[annotations_pb2.http].get == "/v1/projects"


def _blocks() -> dict[str, str]:
    """Return the page's blocks of shell by the program that they run."""
    found = {}
    for block in grpc_guide.blocks("sh"):
        for program in ("curl", "FILES=", "protoc", "python -m grpc_tools.protoc"):
            if block.startswith(program):
                found[program] = block
    return found


@pytest.mark.parametrize(
    ("program", "more"), [pytest.param("protoc", "", marks=pytest.mark.slow), ("python -m grpc_tools.protoc", STUB)]
)
async def test_the_guides_lines_compile_the_set_in_an_empty_folder(
    edge: Running, tmp_path: Path, program: str, more: str
) -> None:
    blocks, folder, programs = _blocks(), tmp_path / "empty", tmp_path / "programs"
    assert PATH in blocks["curl"]
    folder.mkdir()
    (folder / "descriptors.binpb").write_bytes(await _served(edge))
    programs.mkdir()
    for name, arguments in (("python", ""), ("protoc", "-m grpc_tools.protoc")):
        (programs / name).write_text(f'#!/bin/sh\nexec {sys.executable} {arguments} "$@"\n')
        (programs / name).chmod(0o755)
    told = blocks["FILES="] + blocks[program]
    printed = await _output(["sh", "-euc", told], folder, {"PATH": f"{programs}{os.pathsep}{os.environ['PATH']}"})
    assert "warning" not in printed
    run = [sys.executable, "-W", "error", "-c", IMPORT.format(more=more)]
    loaded = (await _output(run, folder, {"PYTHONPATH": str(folder)})).split()
    assert len(loaded) > 5
    assert all(Path(one).is_relative_to(folder) for one in loaded), "what was compiled, and not our own code"


async def _output(command: Sequence[str], folder: Path, environment: Mapping[str, str]) -> str:
    """Return the output of a command, which must succeed."""
    run = await asyncio.create_subprocess_exec(
        *command, cwd=folder, env=environment, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT
    )
    printed = (await run.communicate())[0].decode()
    assert run.returncode == 0, printed
    return printed
