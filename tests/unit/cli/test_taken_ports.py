"""A taken port is refused with the flag that gives another one."""

from __future__ import annotations

import socket

import pytest

from catenary_cli import addresses


@pytest.mark.parametrize("flag", ["--port", "--grpc-port", "--admin-port"])
def test_a_taken_port_names_the_flag_for_another_one(flag: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        for take in (addresses.check_free, addresses.reserve):
            with pytest.raises(addresses.AddressError) as caught:
                take("127.0.0.1", port, flag)
            assert str(caught.value) == (
                f"can't listen on 127.0.0.1:{port}: address already in use; give another {flag}, or 0 for a free port"
            )
