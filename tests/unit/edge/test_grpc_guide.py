"""The guide's page for gRPC callers quotes its examples; the synchronous one is run at a channel without a server."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from types import ModuleType, SimpleNamespace
from typing import Any

import grpc
import grpc_testing
import pytest
from google.protobuf.message import Message

from catenary.platform.v1 import auth_service_pb2, event_pb2, event_service_pb2, project_pb2, project_service_pb2
from catenary_core.call.errors import DomainError, invalid, to_call_error
from factories.checks import grpc_guide

ISSUE = auth_service_pb2.DESCRIPTOR.services_by_name["AuthService"].methods_by_name["IssueToken"]
CREATE = project_service_pb2.DESCRIPTOR.services_by_name["ProjectService"].methods_by_name["CreateProject"]
SUBSCRIBE = event_service_pb2.DESCRIPTOR.services_by_name["EventService"].methods_by_name["Subscribe"]
MADE = project_service_pb2.CreateProjectResponse(project=project_pb2.Project(project_id="p", name="Footbridge"))


class Catenary:
    """The other end of a client's channel."""

    def __init__(self, example: ModuleType) -> None:
        self.channel = grpc_testing.channel(
            [method.containing_service for method in (ISSUE, CREATE, SUBSCRIBE)], grpc_testing.strict_real_time()
        )
        self.client = example.ProjectsClient(self.channel, "id", "secret")

    def start(self, function: Callable[..., Any], *arguments: Any) -> Future[Any]:
        """Call the client in a thread, which no failed test waits for."""
        called: Future[Any] = Future()

        def call() -> None:
            try:
                called.set_result(function(*arguments))
            except BaseException as error:  # noqa: BLE001 (the test reads it)
                called.set_exception(error)

        threading.Thread(target=call, daemon=True).start()
        return called

    def issue(self, token: str) -> None:
        """Give the client the token that it asks for."""
        _, request, rpc = self.channel.take_unary_unary(ISSUE)
        assert (request.grant_type, request.client_id, request.client_secret) == ("client_credentials", "id", "secret")
        answer(rpc, auth_service_pb2.IssueTokenResponse(access_token=token, expires_in=3600))

    def create(self, token: str) -> tuple[str, Any]:
        """Return the key of a call that makes a project, and the call."""
        metadata, request, rpc = self.channel.take_unary_unary(CREATE)
        given = dict(metadata)
        assert given["authorization"] == f"Bearer {token}"
        assert request == project_service_pb2.CreateProjectRequest(name="Footbridge")
        return given["idempotency-key"], rpc

    def subscribe(self, after: str | None) -> Any:
        """Return a call for the events after that id."""
        _, request, rpc = self.channel.take_unary_stream(SUBSCRIBE)
        assert request == event_service_pb2.SubscribeRequest(project_id="p", after=after)
        rpc.send_initial_metadata(())
        return rpc


def answer(rpc: Any, response: Message) -> None:
    """End a call well."""
    rpc.send_initial_metadata(())
    rpc.terminate(response, (), grpc.StatusCode.OK, "")


def refuse(rpc: Any, error: DomainError) -> None:
    """End a call as the core does."""
    failed = to_call_error(error, "request-1")
    rpc.send_initial_metadata(())
    rpc.terminate(None, failed.trailing_metadata(), failed.code(), failed.details())


@pytest.fixture
def waits(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Return the list of the example's waits, which take no time here."""
    found: list[float] = []
    # The example's name for the module: other threads of the process go on waiting.
    clock = SimpleNamespace(sleep=found.append, monotonic=time.monotonic)
    monkeypatch.setattr(grpc_guide.example(monkeypatch, "sync_client"), "time", clock)
    return found


@pytest.fixture
def catenary(monkeypatch: pytest.MonkeyPatch) -> Catenary:
    return Catenary(grpc_guide.example(monkeypatch, "sync_client"))


@contextmanager
def refused(reason: str) -> Iterator[pytest.ExceptionInfo[Exception]]:
    """Yield the error that the example raises for a refusal."""
    with pytest.raises(Exception, match=r".") as caught:
        yield caught
    assert type(caught.value).__name__ == "CallRefusedError"
    assert caught.value.reason == reason  # type: ignore[attr-defined]


def test_the_page_quotes_every_example_word_for_word() -> None:
    assert sorted(grpc_guide.blocks("python")) == sorted(path.read_text() for path in grpc_guide.programs())


def test_the_example_repeats_a_call_with_its_key_after_the_time_that_the_refusal_names(
    catenary: Catenary, waits: list[float]
) -> None:
    made = catenary.start(catenary.client.make_project, "Footbridge")
    catenary.issue("one")
    first, rpc = catenary.create("one")
    refuse(rpc, DomainError("RATE_LIMIT_EXCEEDED", "Too many.", retry_after=2.5))
    second, rpc = catenary.create("one")
    refuse(rpc, DomainError("IDEMPOTENCY_IN_PROGRESS", "The first call still runs.", retry_after=1.0))
    third, rpc = catenary.create("one")
    answer(rpc, MADE)
    assert made.result(60) == MADE.project
    assert first == second == third
    assert waits == [2.5, 1.0]


def test_the_example_says_which_fields_are_at_fault_and_does_not_repeat(catenary: Catenary, waits: list[float]) -> None:
    made = catenary.start(catenary.client.make_project, "Footbridge")
    catenary.issue("one")
    refuse(catenary.create("one")[1], invalid("name", "name is too long.", value="one", constraint="max_len"))
    with refused("VALIDATION_ERROR") as caught:
        made.result(60)
    error: Any = caught.value
    assert (str(error), error.fields, error.request_id) == ("name is too long.", ["name"], "request-1")
    assert waits == []


@pytest.mark.parametrize(
    ("error", "attempts"),
    [
        (DomainError("UNAVAILABLE", "The server is stopping.", retry_after=1.0), 4),
        (DomainError("RATE_LIMIT_EXCEEDED", "The hour is used up.", retry_after=1800.0), 1),
        (DomainError("PERMISSION_DENIED", "The key has not the scope."), 1),
    ],
    ids=["always unavailable", "a wait of half an hour", "no permission"],
)
def test_the_example_gives_up(catenary: Catenary, waits: list[float], error: DomainError, attempts: int) -> None:
    made = catenary.start(catenary.client.make_project, "Footbridge")
    catenary.issue("one")
    for _ in range(attempts):
        refuse(catenary.create("one")[1], error)
    with refused(error.reason):
        made.result(60)
    assert len(waits) == attempts - 1


def test_the_example_gets_another_token_when_one_has_ended(catenary: Catenary, waits: list[float]) -> None:
    made = catenary.start(catenary.client.make_project, "Footbridge")
    catenary.issue("one")
    first, rpc = catenary.create("one")
    refuse(rpc, DomainError("TOKEN_EXPIRED", "The credential has ended; get a new one."))
    catenary.issue("two")
    second, rpc = catenary.create("two")
    answer(rpc, MADE)
    assert made.result(60) == MADE.project
    assert first == second
    assert waits == []


def test_the_example_continues_a_broken_stream_after_its_last_event_and_ends_it_when_closed(
    catenary: Catenary, waits: list[float]
) -> None:
    def event(number: int) -> event_service_pb2.SubscribeResponse:
        return event_service_pb2.SubscribeResponse(events=[event_pb2.Event(id=f"event-{number}")])

    followed = catenary.client.follow("p")
    first = catenary.start(next, followed)
    catenary.issue("one")
    rpc = catenary.subscribe(None)
    rpc.send_response(event_service_pb2.SubscribeResponse(position="event-0"))
    rpc.terminate((), grpc.StatusCode.OK, "")
    rpc = catenary.subscribe("event-0")
    rpc.send_response(event(1))
    assert first.result(60).id == "event-1"
    second = catenary.start(next, followed)
    failed = to_call_error(DomainError("RATE_LIMIT_EXCEEDED", "Too slow.", retry_after=3.0), "request-1")
    rpc.terminate(failed.trailing_metadata(), failed.code(), failed.details())
    rpc = catenary.subscribe("event-1")
    rpc.send_response(event(2))
    assert second.result(60).id == "event-2"
    third = catenary.start(next, followed)
    rpc.terminate((), grpc.StatusCode.UNAVAILABLE, "The connection was lost.")
    rpc = catenary.subscribe("event-2")
    rpc.send_response(event(3))
    assert third.result(60).id == "event-3"
    catenary.start(followed.close).result(60)
    rpc.cancelled()  # returns when the client has ended the call
    assert waits == [3.0, 1.0]
