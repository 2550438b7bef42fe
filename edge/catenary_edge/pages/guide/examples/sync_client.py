"""A program that calls Catenary by gRPC, synchronously: it makes a project and prints what happens in it.

CATENARY_CLIENT_ID=… CATENARY_CLIENT_SECRET=… python sync_client.py design.example:50051 Footbridge
"""

from __future__ import annotations

import os
import sys
import time
import uuid
from collections.abc import Iterator

import grpc
from refused import CallRefusedError

from catenary.platform.v1 import auth_service_pb2 as auth
from catenary.platform.v1 import auth_service_pb2_grpc as auth_grpc
from catenary.platform.v1 import event_pb2, project_pb2
from catenary.platform.v1 import event_service_pb2 as events
from catenary.platform.v1 import event_service_pb2_grpc as events_grpc
from catenary.platform.v1 import project_service_pb2 as projects
from catenary.platform.v1 import project_service_pb2_grpc as projects_grpc

DEADLINE = 10.0  # seconds of one call
ATTEMPTS = 4


class ProjectsClient:
    """Catenary, called with the credentials of a client."""

    def __init__(self, channel: grpc.Channel, client_id: str, client_secret: str) -> None:
        self._auth = auth_grpc.AuthServiceStub(channel)
        self._projects = projects_grpc.ProjectServiceStub(channel)
        self._events = events_grpc.EventServiceStub(channel)
        self._credentials = auth.IssueTokenRequest(
            grant_type="client_credentials", client_id=client_id, client_secret=client_secret
        )
        self._token, self._renew_at = "", 0.0

    def make_project(self, name: str) -> project_pb2.Project:
        """Make a project once, however often the call must be sent."""
        request = projects.CreateProjectRequest(name=name)
        key = ("idempotency-key", str(uuid.uuid4()))
        attempt = 1
        while True:
            try:
                metadata = (self._authorization(), key)
                return self._projects.CreateProject(request, metadata=metadata, timeout=DEADLINE).project
            except grpc.RpcError as error:
                self._wait_or_raise(error, is_last=attempt == ATTEMPTS)
            attempt += 1

    def follow(self, project_id: str) -> Iterator[event_pb2.Event]:
        """Yield the events of a project as they happen; a stream that breaks is continued after its last event."""
        after: str | None = None
        while True:
            try:
                # No deadline: the stream lasts until this generator is closed.
                request = events.SubscribeRequest(project_id=project_id, after=after)
                stream = self._events.Subscribe(request, metadata=(self._authorization(),))
                try:
                    for message in stream:
                        after = message.position or after
                        for event in message.events:
                            yield event
                            after = event.id
                finally:
                    stream.cancel()
            except grpc.RpcError as error:
                self._wait_or_raise(error, is_last=False)

    def _authorization(self) -> tuple[str, str]:
        """Return the metadata with the token, which is renewed a minute before it ends."""
        if time.monotonic() >= self._renew_at:
            issued = self._auth.IssueToken(self._credentials, timeout=DEADLINE)
            self._token, self._renew_at = issued.access_token, time.monotonic() + issued.expires_in - 60
        return ("authorization", f"Bearer {self._token}")

    def _wait_or_raise(self, error: grpc.RpcError, *, is_last: bool) -> None:
        """Wait as long as the refusal says. Raises CallRefusedError when waiting does not help."""
        refused = CallRefusedError(error)
        if refused.reason == "TOKEN_EXPIRED" and not is_last:
            self._renew_at = 0.0
        elif is_last or not refused.is_passing:
            raise refused from error
        else:
            time.sleep(refused.wait)


def main() -> None:
    """Make a project of the given name and print its events until Ctrl-C."""
    target, name = sys.argv[1:]
    with grpc.secure_channel(target, grpc.ssl_channel_credentials()) as channel:
        client = ProjectsClient(channel, os.environ["CATENARY_CLIENT_ID"], os.environ["CATENARY_CLIENT_SECRET"])
        project = client.make_project(name)
        for event in client.follow(project.project_id):
            print(event.type, event.data.text, flush=True)


if __name__ == "__main__":
    main()
