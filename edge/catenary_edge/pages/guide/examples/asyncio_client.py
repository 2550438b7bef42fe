"""A program that calls Catenary by gRPC with asyncio: it makes several projects at once and prints what happens in them.

API_KEY=cat_… python asyncio_client.py design.example:50051 Footbridge Tower
"""

from __future__ import annotations

import asyncio
import os
import sys
import uuid
from collections.abc import AsyncIterator

import grpc
from refused import CallRefusedError

from catenary.platform.v1 import event_pb2, project_pb2
from catenary.platform.v1 import event_service_pb2 as events
from catenary.platform.v1 import event_service_pb2_grpc as events_grpc
from catenary.platform.v1 import project_service_pb2 as projects
from catenary.platform.v1 import project_service_pb2_grpc as projects_grpc

DEADLINE = 10.0  # seconds of one call
ATTEMPTS = 4


class AsyncProjectsClient:
    """Catenary, called with an API key."""

    def __init__(self, channel: grpc.aio.Channel, api_key: str) -> None:
        self._projects = projects_grpc.ProjectServiceStub(channel)
        self._events = events_grpc.EventServiceStub(channel)
        self._key = ("x-api-key", api_key)

    async def make_project(self, name: str) -> project_pb2.Project:
        """Make a project once, however often the call must be sent."""
        request = projects.CreateProjectRequest(name=name)
        metadata = (self._key, ("idempotency-key", str(uuid.uuid4())))
        attempt = 1
        while True:
            try:
                answer = await self._projects.CreateProject(request, metadata=metadata, timeout=DEADLINE)
                return answer.project
            except grpc.RpcError as error:
                await _wait_or_raise(error, is_last=attempt == ATTEMPTS)
            attempt += 1

    async def follow(self, project_id: str) -> AsyncIterator[event_pb2.Event]:
        """Yield the events of a project as they happen; a stream that breaks is continued after its last event."""
        after: str | None = None
        while True:
            try:
                # No deadline: the stream lasts until this generator is closed.
                request = events.SubscribeRequest(project_id=project_id, after=after)
                stream = self._events.Subscribe(request, metadata=(self._key,))
                try:
                    async for message in stream:
                        after = message.position or after
                        for event in message.events:
                            yield event
                            after = event.id
                finally:
                    stream.cancel()
            except grpc.RpcError as error:
                await _wait_or_raise(error, is_last=False)


async def _wait_or_raise(error: grpc.RpcError, *, is_last: bool) -> None:
    """Wait as long as the refusal says. Raises CallRefusedError when waiting does not help."""
    refused = CallRefusedError(error)
    if is_last or not refused.is_passing:
        raise refused from error
    await asyncio.sleep(refused.wait)


async def main() -> None:
    """Make a project of each given name and print the events of all until Ctrl-C."""
    target, *names = sys.argv[1:]
    async with grpc.aio.secure_channel(target, grpc.ssl_channel_credentials()) as channel, asyncio.TaskGroup() as group:
        client = AsyncProjectsClient(channel, os.environ["API_KEY"])
        for name in names:
            group.create_task(_show(client, name))


async def _show(client: AsyncProjectsClient, name: str) -> None:
    project = await client.make_project(name)
    async for event in client.follow(project.project_id):
        print(name, event.type, event.data.text, flush=True)


if __name__ == "__main__":
    asyncio.run(main())
