"""The listening sockets of a server, from which connections are taken one by one, as far as there are places."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import socket
import ssl
from collections.abc import Sequence

from catenary_edge.guards import GuardedServer
from catenary_edge.places import EXHAUSTED, Place, Places

BACKLOG = 1024
_AT_ONCE = 128
"""Connections that are accepted before other work of the loop has its turn."""
_PAUSE = 0.2
"""Seconds without accepting when the process or the machine has no descriptor left."""
_EXHAUSTED = (errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM)


async def bind(host: str, port: int, *, reuse_port: bool) -> list[socket.socket]:
    """Listen on all addresses of a host.

    Raises:
        OSError: An address is in use, or not one of this machine.
    """
    loop = asyncio.get_running_loop()
    found = await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    with contextlib.ExitStack() as opened:
        listening = []
        for family, address in dict.fromkeys((family, address) for family, _, _, _, address in found):
            try:
                one = socket.create_server(address, family=family, backlog=BACKLOG, reuse_port=reuse_port)
            except OSError as error:
                # A host may have an address of a family that the kernel lacks.
                if error.errno != errno.EAFNOSUPPORT or len(found) == 1:
                    raise
                continue
            opened.enter_context(one)
            one.setblocking(False)
            listening.append(one)
        opened.pop_all()
    return listening


class Listener:
    """Accepts connections for a server."""

    def __init__(
        self,
        sockets: Sequence[socket.socket],
        server: GuardedServer,
        places: Places,
        tls: ssl.SSLContext | None,
        handshake_seconds: float,
    ) -> None:
        """Begin to accept.

        Args:
            sockets: Listening sockets, which the listener closes.
            server: Makes the protocol of each connection.
            places: The places for connections.
            tls: The TLS context; None for plain HTTP.
            handshake_seconds: Seconds for a handshake of TLS, and for its end.
        """
        self.sockets = tuple(sockets)
        self.port = int(self.sockets[0].getsockname()[1])
        """The listening port, also when port 0 was requested."""
        self._server = server
        self._places = places
        self._tls = tls
        self._handshake_seconds = handshake_seconds
        self._loop = asyncio.get_running_loop()
        self._opening: set[asyncio.Task[None]] = set()
        self._pause: asyncio.TimerHandle | None = None
        self._accept_again()

    async def close(self, handshake_seconds: float) -> None:
        """Take what waits in the kernel's queue, close the sockets, and let handshakes end within a time."""
        self._stop_accepting()
        self._handshake_seconds = handshake_seconds
        self._accept_waiting()
        for one in self.sockets:
            one.close()
        self.sockets = ()  # a second stop finds nothing to do
        if self._opening:
            _, late = await asyncio.wait(self._opening, timeout=handshake_seconds)
            for task in late:
                task.cancel()
            await asyncio.gather(*late, return_exceptions=True)
        await asyncio.sleep(0)  # lets accepted connections reach their handlers
        self._places.close()

    def _accept_again(self) -> None:
        self._pause = None
        for one in self.sockets:
            self._loop.add_reader(one, self._readable, one)

    def _stop_accepting(self) -> None:
        if self._pause is not None:
            self._pause.cancel()
            self._pause = None
        for one in self.sockets:
            self._loop.remove_reader(one)

    def _readable(self, listening: socket.socket) -> None:
        try:
            self._accept(listening, _AT_ONCE)
        except OSError as error:
            if error.errno not in _EXHAUSTED:
                raise
            self._places.refuse(EXHAUSTED)
            # The socket stays readable: without a pause the loop would do nothing else.
            self._stop_accepting()
            self._pause = self._loop.call_later(_PAUSE, self._accept_again)

    def _accept_waiting(self) -> None:
        """Accept the connections in the kernel's queue; closing a socket would reset them, though clients see them open."""
        for one in self.sockets:
            # No descriptor is left: the stop goes on.
            with contextlib.suppress(OSError):
                self._accept(one, 10 * BACKLOG)

    def _accept(self, listening: socket.socket, most: int) -> None:
        """Accept waiting connections, and close those for which there is no place.

        Raises:
            OSError: No descriptor is left, in the process or on the machine.
        """
        for _ in range(most):
            try:
                accepted, peer = listening.accept()
            except ConnectionAbortedError:
                continue
            except BlockingIOError:
                return
            place = self._places.take(str(peer[0]))
            if place is None:
                accepted.close()
                continue
            accepted.setblocking(False)
            task = self._loop.create_task(self._open(accepted, place))
            self._opening.add(task)
            task.add_done_callback(self._opening.discard)

    async def _open(self, accepted: socket.socket, place: Place) -> None:
        seconds = self._handshake_seconds if self._tls is not None else None
        try:
            await self._loop.connect_accepted_socket(
                lambda: self._server.connection(place),
                accepted,
                ssl=self._tls,
                ssl_handshake_timeout=seconds,
                ssl_shutdown_timeout=seconds,
            )
        except OSError:  # it has gone, or its handshake failed or was too late (TimeoutError)
            place.give_back()
        except BaseException:
            place.give_back()
            raise
