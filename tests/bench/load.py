"""A load generator: a closed loop over keep-alive HTTP/1.1 connections, in a process of its own.

It is given a pickled `Load` on standard input and writes a pickled `Result` to standard output. The requests are whole and made
before; of an answer it reads the status and the Content-Length, and counts the bytes. So a request costs it some 20 µs, and
`busy` tells whether it was the bottleneck.
"""

from __future__ import annotations

import pickle
import selectors
import socket
import subprocess
import sys
import time
from dataclasses import dataclass, field
from itertools import cycle

_BUFFER = 1 << 20
_LENGTH = b"content-length:"


@dataclass(frozen=True)
class Load:
    """A load: the requests in turn, over so many connections, for so many seconds."""

    port: int
    connections: int
    seconds: float
    requests: list[bytes]


@dataclass(frozen=True)
class Result:
    """The result of a load: seconds of each answer, seconds of the whole, and the generator's share of a core."""

    latencies: list[float]
    seconds: float
    busy: float


@dataclass
class _Connection:
    socket: socket.socket
    sent_at: float = 0.0
    head: bytearray = field(default_factory=bytearray)
    left: int = 0


def run(load: Load) -> Result:
    """Send the load from a process of its own.

    Raises CalledProcessError when an answer's status is not 200.
    """
    line = [sys.executable, __file__]
    done = subprocess.run(line, input=pickle.dumps(load), stdout=subprocess.PIPE, check=True)
    result = pickle.loads(done.stdout)
    assert isinstance(result, Result)
    return result


def _send(load: Load) -> Result:
    requests = cycle(load.requests)
    buffer = bytearray(_BUFFER)
    view = memoryview(buffer)
    latencies: list[float] = []
    with selectors.EpollSelector() as selector:
        for _ in range(load.connections):
            connection = _Connection(socket.create_connection(("127.0.0.1", load.port)))
            connection.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            connection.socket.setblocking(False)
            selector.register(connection.socket, selectors.EVENT_READ, connection)
            connection.sent_at = time.perf_counter()
            connection.socket.sendall(next(requests))
        began, used = time.perf_counter(), time.process_time()
        end, under_way = began + load.seconds, load.connections
        while under_way:
            for key, _ in selector.select():
                connection = key.data
                size = connection.socket.recv_into(buffer)
                if not size:
                    raise ConnectionError(f"closed after {bytes(connection.head)!r}")
                if connection.left:
                    connection.left -= size
                else:
                    connection.head += view[:size]
                    connection.left = _left(connection.head)
                    if connection.left < 0:
                        continue
                if connection.left == 0:
                    now = time.perf_counter()
                    latencies.append(now - connection.sent_at)
                    connection.head.clear()
                    if now < end:
                        connection.sent_at = now
                        connection.socket.sendall(next(requests))
                    else:
                        under_way -= 1
        seconds = time.perf_counter() - began
        return Result(latencies, seconds, (time.process_time() - used) / seconds)


def _left(answer: bytearray) -> int:
    """Return the number of bytes of the answer's body still to come; -1 while the head isn't whole."""
    end = answer.find(b"\r\n\r\n")
    if end < 0:
        return -1
    if not answer.startswith(b"HTTP/1.1 200"):
        raise ValueError(f"the answer is {bytes(answer[:500])!r}")
    head = bytes(answer[:end]).lower()
    start = head.index(_LENGTH) + len(_LENGTH)
    return int(head[start:].split(b"\r\n", 1)[0]) - (len(answer) - end - 4)


if __name__ == "__main__":
    # Pickled classes are looked up by the module's name, which is `load` for the one who asks.
    sys.modules["load"] = sys.modules["__main__"]
    Result.__module__ = "load"
    sys.stdout.buffer.write(pickle.dumps(_send(pickle.loads(sys.stdin.buffer.read()))))
