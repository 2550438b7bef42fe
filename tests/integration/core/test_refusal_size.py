"""Refusals at the gRPC port reach clients that accept 8 KiB of metadata, gRPC's default."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import grpc
import pytest
from google.rpc import error_details_pb2, status_pb2
from grpc_status import rpc_status

from catenary.errors.v1 import sentence_pb2
from catenary.platform.v1 import project_service_pb2 as pb
from catenary_core.call.call import Identity
from catenary_core.call.errors import DomainError, Violation
from catenary_core.server import refusal_size
from catenary_wire.sentences import Fields, Sentence
from factories.installations.serving import grpc_port
from factories.services.dispatchers import ALL_SCOPES, dispatch_of

SERVICE = "catenary.platform.v1.ProjectService"
USER = "0199aaaa-0000-7000-8000-000000000001"
TEXTS = {"short": "Give a name of at most 200 characters.", "long": "x" * 3000, "not ASCII": "ü" * 3000}


class Refusing:
    """A servicer whose every method raises one error."""

    error: DomainError

    def __getattr__(self, name: str) -> Any:
        async def refuse(request: Any, call: Any) -> Any:
            raise self.error

        return refuse


@pytest.fixture
async def refusing() -> Refusing:
    return Refusing()


@pytest.fixture
async def target(refusing: Refusing) -> AsyncIterator[str]:
    async def no_role(project_id: str, caller: Identity) -> int | None:
        return None

    dispatch = dispatch_of({SERVICE: refusing}, {"ada": Identity(USER, "person", scopes=ALL_SCOPES)}, no_role)
    async with grpc_port(dispatch) as port:
        yield f"127.0.0.1:{port}"


async def _refused(target: str, method: str = "CreateProject", *metadata: tuple[str, str]) -> status_pb2.Status:
    options = [("grpc.max_metadata_size", 1 << 20), ("grpc.absolute_max_metadata_size", 1 << 20)] if metadata else []
    async with grpc.aio.insecure_channel(target, options=options) as channel:
        call = channel.unary_unary(f"/{SERVICE}/{method}", pb.CreateProjectRequest.SerializeToString, bytes)
        sent = (("authorization", "ada"), ("x-request-id", "size-1"), *metadata)
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await call(pb.CreateProjectRequest(name="x"), metadata=sent, timeout=60)
    status = rpc_status.from_call(caught.value)
    assert status is not None, caught.value
    assert caught.value.details() == status.message
    return status


def _details(status: status_pb2.Status) -> dict[str, Any]:
    found = {}
    for detail in status.details:
        kind = detail.type_url.rpartition(".")[2]
        message = getattr(sentence_pb2 if kind.startswith("Sentence") else error_details_pb2, kind)
        found[kind] = message.FromString(detail.value)
    return found


def _error(text: str, number: int) -> DomainError:
    violations = [
        Violation(
            f"assets[{index}].name", Sentence("{field}: {text}", {"field": Fields("name"), "text": text}), "max_len"
        )
        for index in range(number)
    ]
    facts = {"parameter": "assets[0].name", "value": "y" * 150, "constraint": "max_len"}
    return DomainError(
        "VALIDATION_ERROR", violations[0].sentence, details=facts, violations=violations, retry_after=3.0
    )


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("number", [1, 30, 100, pytest.param(1000, marks=pytest.mark.slow)])
async def test_status_reason_and_the_first_faults_always_arrive(
    refusing: Refusing, target: str, text: str, number: int
) -> None:
    refusing.error = _error(TEXTS[text], number)
    status = await _refused(target)
    details = _details(status)
    assert status.code == grpc.StatusCode.INVALID_ARGUMENT.value[0]
    assert status.message.startswith("name: " + TEXTS[text][:30])
    info = details["ErrorInfo"]
    assert (info.reason, info.metadata["parameter"]) == ("VALIDATION_ERROR", '"assets[0].name"')
    assert details["RequestInfo"].request_id == "size-1"
    assert details["RetryInfo"].retry_delay.seconds == 3
    told = details["BadRequest"].field_violations
    assert [one.field for one in told] == [f"assets[{index}].name" for index in range(len(told))]
    assert told[0].reason == "MAX_LEN"
    assert len(told) + int(info.metadata.get(refusal_size.LEFT_OUT, "0")) == number
    if text == "short":
        assert len(told) >= min(number, 30)


async def test_a_refusal_that_fits_arrives_as_it_is_and_an_edge_gets_every_one_whole(
    refusing: Refusing, target: str
) -> None:
    refusing.error = _error(TEXTS["short"], 1)
    assert "Sentence" in _details(await _refused(target))
    refusing.error = _error(TEXTS["short"], 1000)
    whole = _details(await _refused(target, "CreateProject", ("catenary-edge", "1")))
    assert len(whole["BadRequest"].field_violations) == 1000
    assert refusal_size.LEFT_OUT not in whole["ErrorInfo"].metadata


async def test_without_the_guard_a_client_sees_another_refusal(
    refusing: Refusing, target: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    refusing.error = _error(TEXTS["short"], 1000)
    monkeypatch.setattr(refusal_size, "fitted", lambda error: error)
    async with grpc.aio.insecure_channel(target) as channel:
        call = channel.unary_unary(f"/{SERVICE}/CreateProject", pb.CreateProjectRequest.SerializeToString, bytes)
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await call(pb.CreateProjectRequest(name="x"), metadata=(("authorization", "ada"),), timeout=60)
    assert caught.value.code() is grpc.StatusCode.RESOURCE_EXHAUSTED


@pytest.mark.parametrize(
    "facts", [{"value": "é" * 90}, {"unknown": "z" * 5000}, {f"key{i}": "v" * 100 for i in range(99)}]
)
async def test_large_facts_leave_room_for_the_reason(refusing: Refusing, target: str, facts: dict[str, str]) -> None:
    refusing.error = DomainError("CONFLICT", TEXTS["long"], details={"parameter": "name", **facts})
    status = await _refused(target)
    info = _details(status)["ErrorInfo"]
    assert (info.reason, info.metadata["parameter"]) == ("CONFLICT", '"name"')
