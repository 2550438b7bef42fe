"""The share of a process's descriptors that connections get, and the reserve that they leave."""

from __future__ import annotations

import resource
import subprocess
import sys

import pytest

from catenary_cli.server.descriptors import (
    LEAST,
    MOST,
    RESERVE,
    ConnectionFlags,
    TooFewDescriptorsError,
    both_ports,
    one_port,
)
from factories.installations.installation import environment

NONE = ConnectionFlags()


def test_two_ports_share_what_the_reserve_leaves() -> None:
    http, grpc = both_ports(NONE, 1024, 20)
    assert http.total == grpc.total == (1024 - RESERVE - 20) // 2
    assert http.per_address == http.total // 4
    assert http.total + grpc.total + RESERVE + 20 <= 1024


def test_a_high_limit_gives_the_most_and_no_more() -> None:
    http, grpc = both_ports(NONE, 2**20, 500)
    assert (http.total, grpc.total) == (MOST, MOST)
    assert one_port(None, NONE, 2**20).total == MOST


def test_a_flag_is_held_and_the_other_port_gets_the_rest() -> None:
    http, grpc = both_ports(ConnectionFlags(http=500), 1024, 20)
    assert (http.total, grpc.total) == (500, 1024 - RESERVE - 20 - 500)
    http, grpc = both_ports(ConnectionFlags(http=300, grpc=40, per_address=7), 1024, 20)
    assert (http.total, grpc.total, http.per_address, grpc.per_address) == (300, 40, 7, 7)


@pytest.mark.parametrize(
    "flags", [ConnectionFlags(http=740), ConnectionFlags(grpc=740), ConnectionFlags(http=400, grpc=400)]
)
def test_flags_beyond_the_limit_are_refused_with_the_way_out(flags: ConnectionFlags) -> None:
    with pytest.raises(TooFewDescriptorsError, match=r"the limit is 1024; raise the hard limit .*--http-connections"):
        both_ports(flags, 1024, 20)


def test_a_limit_that_leaves_no_connections_is_refused() -> None:
    with pytest.raises(TooFewDescriptorsError, match=r"16 connections .* open 272 files, and the limit is 256"):
        one_port(None, NONE, 256)
    assert one_port(None, NONE, RESERVE + LEAST).total == LEAST


def test_children_get_the_flags_that_were_given() -> None:
    assert NONE.arguments() == []
    flags = ConnectionFlags(http=300, per_address=7)
    assert flags.arguments() == ["--http-connections", "300", "--connections-per-address", "7"]


RAISED = """
import resource
from catenary_cli.server import descriptors
print(descriptors.raise_limit(), resource.getrlimit(resource.RLIMIT_NOFILE)[0])
"""


def test_the_soft_limit_is_raised_to_the_hard_one() -> None:
    hard = min(resource.getrlimit(resource.RLIMIT_NOFILE)[1], 4096)
    line = ["sh", "-c", f'ulimit -Sn 512; ulimit -Hn {hard}; exec "$@"', "sh", sys.executable, "-c", RAISED]
    done = subprocess.run(line, capture_output=True, text=True, check=True, env=environment())
    assert done.stdout.split() == [str(hard), str(hard)]


def test_the_command_refuses_flags_beyond_the_limit_before_it_starts_anything() -> None:
    serve = [sys.executable, "-m", "catenary_cli", "edge", "--core", "127.0.0.1:1", "--port", "0", "--admin-port", "0"]
    line = ["sh", "-c", 'ulimit -n 1024; exec "$@"', "sh", *serve, "--http-connections", "1000"]
    done = subprocess.run(line, capture_output=True, text=True, check=False, timeout=120, env=environment())
    assert done.returncode == 1
    assert "1000 connections of callers need a process that may open 1256 files, and the limit is 1024" in done.stderr
