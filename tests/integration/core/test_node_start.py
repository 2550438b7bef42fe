"""A node whose start fails half-way: what it has opened is closed when the start ends."""

from __future__ import annotations

import socket
import tempfile
from pathlib import Path

import pytest

from catenary_cli.addresses import AddressError
from catenary_cli.server import node
from catenary_cli.server.descriptors import ConnectionFlags
from catenary_edge.settings import EdgeSettings
from factories.installations.installation import free_port
from factories.installations.serving import core_settings


def _is_open(path: Path) -> bool:
    with socket.socket(socket.AF_UNIX) as tried:
        return tried.connect_ex(str(path)) == 0


@pytest.mark.parametrize("taken", ["gRPC", "HTTP"])
async def test_a_port_that_is_taken_leaves_no_door_open(dsn: str, tmp_path: Path, taken: str) -> None:
    ports = {"gRPC": free_port(), "HTTP": free_port()}
    settings = core_settings(dsn, tmp_path)
    edge = EdgeSettings(dev=True)
    with tempfile.TemporaryDirectory() as folder, socket.create_server(("127.0.0.1", ports[taken])):
        path = Path(folder, "w")
        addresses = ("127.0.0.1", ports["HTTP"], "127.0.0.1", ports["gRPC"])
        starting = node.run(settings, edge, *addresses, path, ConnectionFlags())
        # The exception holds the frames of the start, and so what they had opened.
        with pytest.raises((AddressError, OSError)) as failed:
            await starting
        assert not _is_open(path), failed
    with socket.socket() as tried:
        assert tried.connect_ex(("127.0.0.1", ports["gRPC"])) != 0, "also a port of callers that had opened"
