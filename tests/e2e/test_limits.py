"""The hourly limit over two cores and two edges as processes on one database, and when one of them is killed."""

from __future__ import annotations

import asyncio
import base64
import signal
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field

import grpc
import httpx
import pytest

from catenary.platform.v1 import project_service_pb2 as projects
from catenary_cli.installation import clients
from factories.installations.installation import ANSWER_SECONDS
from factories.installations.processes import Part, running

pytestmark = pytest.mark.slow

LIMIT = 320
SECRET = bytes(range(32))
LARGEST_LEASE = LIMIT // 8
LIST = "/catenary.platform.v1.ProjectService/ListProjects"
BACK_SECONDS = 2.0
"""After so long what an idle edge or core had leased is back."""
IDLE_SECONDS, LEASE_SECONDS = 1.0, 2.0
"""For so long an edge keeps what it has leased: after a request, and in all."""


@dataclass
class Two:
    """Two installations of core and edge that share a database."""

    dsn: str
    edges: list[Part] = field(default_factory=list)
    urls: list[str] = field(default_factory=list)
    cores: list[str] = field(default_factory=list)


@pytest.fixture(scope="module")
def two(module_dsn: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Two]:
    folder = tmp_path_factory.mktemp("limits")
    variables = {
        "CATENARY_DATABASE_URL": module_dsn,
        "CATENARY_SECRET_KEY": base64.b64encode(SECRET).decode(),
        "CATENARY_REQUESTS_PER_HOUR": str(LIMIT),
    }
    made = Two(module_dsn)
    with ExitStack() as stack:
        cores = []
        for number in range(2):
            line = ["core", "--grpc-port", "0", "--data-dir", str(folder / f"data-{number}")]
            cores.append(stack.enter_context(running(folder, f"core-{number}", *line, **variables)))
        for number, core in enumerate(cores):
            address = core.wait_for(r"gRPC core on (127\.0\.0\.1:\d+)\n")[1]
            made.cores.append(address)
            edge = Part(folder, f"edge-{number}", "edge", "--core", address, "--port", "0", "--dev")
            stack.callback(edge.stop)
            made.edges.append(edge)
        for edge in made.edges:
            port = edge.wait_for(r"HTTP edge on 127\.0\.0\.1:(\d+), core at 127")[1]
            made.urls.append(f"http://127.0.0.1:{port}")
        yield made


@dataclass
class User:
    """A client with its token."""

    two: Two
    token: str
    http: httpx.AsyncClient

    async def over_http(self, edge: int) -> bool:
        """Return True if a request passes."""
        headers = {"Authorization": f"Bearer {self.token}"}
        answer = await self.http.get(f"{self.two.urls[edge]}/v1/projects", headers=headers)
        remaining, wait = (int(answer.headers[f"X-RateLimit-{name}"]) for name in ("Remaining", "Retry-After"))
        assert int(answer.headers["X-RateLimit-Limit"]) == LIMIT
        assert (wait == 0) == (remaining > 0)
        if answer.status_code == 429:
            assert remaining == 0
            assert int(answer.headers["Retry-After"]) == wait
            assert answer.json()["error"]["code"] == "RATE_LIMIT_EXCEEDED"
            return False
        assert answer.status_code == 200, answer.text
        return True

    async def over_grpc(self, core: int) -> bool:
        """Return True if a call passes."""
        async with grpc.aio.insecure_channel(self.two.cores[core]) as channel:
            ask = channel.unary_unary(
                LIST, projects.ListProjectsRequest.SerializeToString, projects.ListProjectsResponse.FromString
            )
            try:
                await ask(projects.ListProjectsRequest(), metadata=(("authorization", f"Bearer {self.token}"),))
            except grpc.aio.AioRpcError as error:
                if error.code() != grpc.StatusCode.RESOURCE_EXHAUSTED:
                    raise
                return False
        return True

    async def until_refused(self, send: Callable[[], AsyncIterator[bool]], wanted: int) -> int:
        """Count the calls that pass until nothing is left.

        Rounds of `send` follow until `wanted` have passed, with waits for calls that others hold, and then one more.
        """
        total, deadline = 0, time.monotonic() + 60
        while total < wanted and time.monotonic() < deadline:
            total += sum([one async for one in send()])
            await asyncio.sleep(BACK_SECONDS)
        return total + sum([one async for one in send()])


@pytest.fixture
async def user(two: Two) -> AsyncIterator[User]:
    made = await clients.create(two.dsn, SECRET, "Limited", admin=False)
    async with httpx.AsyncClient(timeout=ANSWER_SECONDS) as http:
        body = {"grant_type": "client_credentials", **made}
        token = (await http.post(f"{two.urls[1]}/v1/auth/token", json=body)).json()["access_token"]
        yield User(two, token, http)


async def test_two_edges_and_two_cores_let_exactly_the_limit_through(user: User) -> None:
    async def everywhere() -> AsyncIterator[bool]:
        async def one_place(place: int) -> list[bool]:
            send = user.over_http if place < 2 else user.over_grpc
            found: list[bool] = []
            while not found or found[-1]:
                found.append(await send(place % 2))
            return found

        for found in await asyncio.gather(*(one_place(place % 4) for place in range(12))):
            for one in found:
                yield one

    first = sum([one async for one in everywhere()])
    assert LIMIT - 4 * LARGEST_LEASE <= first <= LIMIT, "what the others hold is all that may be missing"
    await asyncio.sleep(BACK_SECONDS)
    assert first + await user.until_refused(everywhere, LIMIT - first) == LIMIT


async def test_what_an_idle_edge_had_leased_is_soon_another_edges(user: User) -> None:
    for _ in range(8):
        assert await user.over_http(0)

    async def at_the_other() -> AsyncIterator[bool]:
        while await user.over_http(1):
            yield True

    await asyncio.sleep(BACK_SECONDS)
    assert await user.until_refused(at_the_other, LIMIT - 8) == LIMIT - 8


async def test_an_edge_that_is_killed_lets_no_more_through_than_the_limit(two: Two, user: User) -> None:
    """Last in this module: the first edge is gone after it."""
    passed = 0
    while True:
        times = [time.monotonic()]
        for _ in range(20):
            passed += await user.over_http(0)
            times.append(time.monotonic())
        paused = max(later - earlier for earlier, later in zip(times, times[2:], strict=False))
        if paused < IDLE_SECONDS and times[-1] - times[0] < LEASE_SECONDS:
            break  # it holds calls now: of leases of 1, 8 and 38
        assert passed < LIMIT // 2, "it never answered twenty requests in the time of a lease"
        await asyncio.sleep(BACK_SECONDS)  # so that the next twenty begin with a lease of one call too
    two.edges[0].stop(signal.SIGKILL)

    async def at_the_other() -> AsyncIterator[bool]:
        while await user.over_http(1):
            yield True

    least = LIMIT - LARGEST_LEASE
    total = passed + await user.until_refused(at_the_other, least - passed)
    assert least <= total < LIMIT, "the dead edge's lease stays counted"
