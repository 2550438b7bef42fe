"""Which methods may be shared, checked at the start; and responses without names."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping

import pytest

from catenary.options.v1 import options_pb2
from catenary.platform.v1 import batch_service_pb2, role_pb2, variant_service_pb2
from catenary_core.access import nameless
from catenary_core.access.policy import Policy
from catenary_core.call.call import Call, Identity
from catenary_core.call.errors import DomainError
from catenary_core.call.methods import Binding, bindings_of, service_descriptors

BINDINGS = bindings_of(service_descriptors())
PLATFORM = "/catenary.platform.v1."


async def _nobody(project_id: str, caller: Identity) -> int | None:
    return None


async def _nowhere(id_: str) -> str | None:
    return None


def _shared(method: str, sharing: options_pb2.Sharing) -> Binding:
    """Return a method's binding with another option."""
    binding = BINDINGS[PLATFORM + method]
    options = options_pb2.MethodOptions()
    options.CopyFrom(binding.options)
    options.sharing = sharing
    return dataclasses.replace(binding, options=options)


def _checked(method: str, sharing: options_pb2.Sharing) -> None:
    changed = _shared(method, sharing)
    Policy(_nobody, {"variant_id": _nowhere, "study_id": _nowhere}).check({changed.path: changed})


@pytest.mark.parametrize(
    ("method", "sharing", "fault"),
    [
        ("UserService/GetMe", options_pb2.SHARING_PROJECT, "needs the privilege of a role"),
        ("ProjectService/ListProjects", options_pb2.SHARING_PROJECT, "needs the privilege of a role"),
        ("ProjectService/DeleteProject", options_pb2.SHARING_PROJECT, "reads or is of a variant"),
        ("StudyService/GetStudy", options_pb2.SHARING_VARIANT, "names neither one nor the project"),
        ("VariantService/CompareVariants", options_pb2.SHARING_VARIANT, "names neither one nor the project"),
        ("ProjectService/GetProject", options_pb2.SHARING_EVERY, "needs the privilege of a user"),
        ("UserService/UpdateMe", options_pb2.SHARING_EVERY, "needs the privilege of a user"),
    ],
)
def test_a_method_that_shows_too_much_is_refused(method: str, sharing: options_pb2.Sharing, fault: str) -> None:
    with pytest.raises(ValueError, match=fault):
        _checked(method, sharing)


@pytest.mark.parametrize(
    ("method", "sharing"),
    [
        ("StudyService/GetStudy", options_pb2.SHARING_PROJECT),
        ("VariantService/GetVariant", options_pb2.SHARING_VARIANT),
        ("VariantService/UpdateVariant", options_pb2.SHARING_VARIANT),
        ("EventService/Subscribe", options_pb2.SHARING_EVERY),
    ],
)
def test_what_names_its_project_or_variant_may_be_shared(method: str, sharing: options_pb2.Sharing) -> None:
    _checked(method, sharing)


@pytest.mark.parametrize(
    ("method", "role"),
    [("GetVariant", role_pb2.ROLE_VIEWER), ("UpdateVariant", role_pb2.ROLE_EVALUATOR)],
)
async def test_who_has_a_variant_reads_as_a_viewer_whatever_the_role(method: str, role: int) -> None:
    """The geometry of a point is made for evaluators of its project, at the project's cost."""

    async def found(id_: str) -> str | None:
        return "p"

    async def shared(project_id: str, named: Mapping[str, str], caller: Identity) -> int | None:
        return role_pb2.ROLE_EVALUATOR if named == {"variant_id": "v"} else None

    binding = _shared(f"VariantService/{method}", options_pb2.SHARING_VARIANT)
    call = Call(binding.path, {}, "r", 60.0, Identity("u", "person", scopes=frozenset({"platform:write"})))
    policy = Policy(_nobody, {"variant_id": found}, shared)
    await policy.authorize(binding, binding.request(variant_id="v"), call)
    assert (call.project_id, call.role) == ("p", role)
    with pytest.raises(DomainError) as caught:
        await policy.authorize(binding, binding.request(variant_id="other"), call)
    assert caught.value.reason == "NOT_FOUND"


def test_a_plan_finds_people_at_every_depth() -> None:
    plan = nameless.plan_of(variant_service_pb2.DESCRIPTOR.message_types_by_name["ListVariantsResponse"])
    assert plan == {"variants": {"evaluation": {"created_by": None}, "created_by": None}}
    stream = nameless.plan_of(batch_service_pb2.DESCRIPTOR.message_types_by_name["StreamBatchResultsResponse"])
    assert stream == {"items": {"batch": {"created_by": None}}}


def test_names_are_left_out_of_a_copy() -> None:
    person = {"user_id": "u", "staff_name": "Robin"}
    body = {
        "variants": [{"name": "A", "evaluation": {"created_by": person, "status": "completed"}, "created_by": person}],
        "next_cursor": None,
    }
    plan = nameless.plan_of(variant_service_pb2.DESCRIPTOR.message_types_by_name["ListVariantsResponse"])
    assert nameless.without_names(body, plan) == {
        "variants": [{"name": "A", "evaluation": {"created_by": None, "status": "completed"}, "created_by": None}],
        "next_cursor": None,
    }
    assert "Robin" in str(body), "the servicer may keep what it returned"


async def test_a_stream_without_names_closes_the_stream_behind_it() -> None:
    closed = []

    async def items():  # type: ignore[no-untyped-def]  # a generator of bare dicts
        try:
            while True:
                yield {"batch": {"created_by": {"user_id": "u"}}}
        finally:
            closed.append(True)

    found = nameless.stream_without_names(items(), {"batch": {"created_by": None}})
    assert await anext(found) == {"batch": {"created_by": None}}
    await found.aclose()
    assert closed == [True]
