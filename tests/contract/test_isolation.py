"""The rights of every principal in every operation, at every place where an id can stand.

See guide/conventions.md, "Visibility".

The operations and places are read from the descriptors; an operation that is added without a row here fails. The answer for a
thing that may not be seen equals the answer for an id that names nothing, and leaves no row and no event behind.
"""

from __future__ import annotations

import itertools
from collections.abc import AsyncIterator, Mapping, Sequence
from typing import Any

import grpc
import pytest
from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message

from catenary.options.v1 import options_pb2
from catenary.platform.v1 import role_pb2
from catenary_core.access.policy import NEEDED_ROLE, Policy
from catenary_core.call.call import Call
from catenary_core.call.errors import CallError
from catenary_core.call.methods import Binding
from catenary_core.server.dispatch import Dispatch
from catenary_edge.transcoding.fields import is_id
from factories.isolation.operations import (
    FREE,
    FRESH,
    HIDDEN_KINDS,
    IMPORT,
    KNOWN_USER,
    NEW,
    READ_FIRST,
    Operation,
    Place,
    Request,
    all_operations,
    id_places,
    other_operations,
    wanted_places,
)
from factories.isolation.principals import INSIDERS, OUTSIDERS, ROLES, UNKNOWN, Answer
from factories.isolation.rights import NEEDED
from factories.isolation.world import World, new_id

pytestmark = pytest.mark.asyncio(loop_scope="module")

OPERATIONS = all_operations()
OPERATION = {operation.name: operation for operation in OPERATIONS}
OTHERS = other_operations()
"""Those of older versions and of the beta one."""
_BETA = ("platform", "v2")
"""Its routes are those of v1, and the beta ones."""
SURFACES = [
    ("platform", "v1"),
    *(
        pytest.param(key, marks=pytest.mark.sampled)
        for key in sorted({(operation.surface, operation.version) for operation in OPERATIONS if operation.version})
        if key[0] != "platform"
    ),
    pytest.param(_BETA, marks=pytest.mark.slow),
    *(
        pytest.param(key, marks=pytest.mark.slow)
        for key in sorted({(operation.surface, operation.version) for operation in OTHERS})
    ),
]
Surface = tuple[str, str]
PUBLIC = {
    "GET /.well-known/jwks.json",
    "GET /.well-known/oauth-authorization-server",
    "GET /v1/studio/config",
    "POST /v1/auth/demo",
    "POST /v1/auth/session",
    "POST /v1/auth/session/refresh",
    "DELETE /v1/auth/session",
    "POST /v1/auth/token",
    "POST /v1/auth/revoke",
}
_OTHERS = ("viewer", "evaluator", "editor")
# What the privilege alone doesn't say of the hidden side, whose maker is the owner: its team has the viewer in it, its key,
# comment, notification and uploaded version are the owner's, its evaluation has no geometry and files yet.
REFUSED: dict[str, dict[str, int]] = {
    **{f"{method} /comments/v2/comments/{{comment_id}}": dict.fromkeys(_OTHERS, 403) for method in ("PATCH", "DELETE")},
    "DELETE /qa/v2/records/{record_id}": dict.fromkeys(_OTHERS, 403),
    # The source is the owner's; that a project is linked is its creator's to say.
    **{f"{method} /reference/v2/sources/{{source_id}}": dict.fromkeys(_OTHERS, 403) for method in ("PATCH", "DELETE")},
    "POST /v1/projects": dict.fromkeys(_OTHERS, 403),
    "GET /v1/shares/current": dict.fromkeys(INSIDERS, 404),  # of links alone
    **{f"{method} /v1/api_keys/{{api_key_id}}": dict.fromkeys(_OTHERS, 404) for method in ("GET", "DELETE")},
    **{
        f"{method} /v1/webhooks/{{webhook_id}}{end}": dict.fromkeys(_OTHERS, 404)
        for method, end in (
            ("GET", ""),
            ("PATCH", ""),
            ("DELETE", ""),
            ("POST", "/rotate_secret"),
            ("POST", "/test"),
            ("GET", "/deliveries"),
            ("POST", "/deliveries/{delivery_id}/redeliver"),
        )
    },
    **{f"GET /v1/teams/{{team_id}}{end}": {"evaluator": 404, "editor": 404} for end in ("", "/members")},
    **{
        f"{method} /v1/teams/{{team_id}}{end}": {"viewer": 403, "evaluator": 404, "editor": 404}
        for method, end in (
            ("PATCH", ""),
            ("DELETE", ""),
            ("PUT", "/members/{user_id}"),
            ("DELETE", "/members/{user_id}"),
        )
    },
    "GET /v1/projects/{project_id}/models/{model_id}/versions/{model_version_id}/log": {
        "viewer": 403,
        "evaluator": 403,
    },
    "POST /v1/users/me/sign_in_links": dict.fromkeys((*ROLES, "admin"), 403),  # none of them has a session
    "POST /v1/users/{user_id}/sign_in_links": {"admin": 409},  # of a client
    "GET /v1/users": dict.fromkeys(ROLES, 403),  # without a search
    "GET /v1/users/{user_id}": dict.fromkeys(ROLES, 403),
    **{
        f"{method} /v1/notifications/{{notification_id}}": dict.fromkeys((*_OTHERS, "admin"), 404)
        for method in ("GET", "PATCH")
    },
    "DELETE /v1/projects/{project_id}/members/{user_id}": dict.fromkeys(_OTHERS, 403),
    "GET /v1/evaluations/{evaluation_id}/geometry/{name}": dict.fromkeys(INSIDERS, 404),
    "GET /v1/evaluations/{evaluation_id}/files/{name}": dict.fromkeys(INSIDERS, 404),
    "GET /v1/variants/{variant_id}/thumbnail": dict.fromkeys(INSIDERS, 404),
    "DELETE /v1/plans/{plan_id}": {"evaluator": 403},  # the plan is the owner's
    "DELETE /v1/files/{file_id}": {"evaluator": 403},  # the file is the owner's
    "DELETE /v1/batches/{batch_id}": {"evaluator": 403},  # the batch is the owner's
    # The study is the owner's, and has not ended.
    **{
        f"{method}": {"evaluator": 403}
        for method in ("DELETE /v1/studies/{study_id}", "POST /v1/studies/{study_id}/cancel")
    },
    "POST /v1/studies/{study_id}/resume": {"evaluator": 403, **dict.fromkeys(("editor", "owner", "admin"), 409)},
    "DELETE /v1/evaluations/{evaluation_id}": {"evaluator": 403},
    **{f"{method} /v1/variants/{{variant_id}}": {"evaluator": 403} for method in ("PATCH", "DELETE")},
    "DELETE /v1/comments/{comment_id}": {"evaluator": 403},  # the comment is the owner's
    # Units that users make have no conversion.
    "GET /parameter/v1/units/convert": dict.fromkeys(INSIDERS, 400),
}


def _of(surface: Surface) -> list[Operation]:
    return [one for one in (*OPERATIONS, *OTHERS) if (one.surface, one.version) == surface and not one.route.public]


def _hidden(operation: Operation) -> list[Place]:
    return [place for place in operation.places if place.hidden]


async def _whole(
    world: World, principal: str, operation: Operation, given: Mapping[str, Sequence[str]], unique: str = "same"
) -> Answer:
    """Call the operation on the hidden side, with further ids given."""
    return await world.call(principal, operation.request(world.ids("hidden", given), unique=unique))


async def _unknown(world: World, principal: str, operation: Operation) -> tuple[Answer, list[str]]:
    """Call the operation with unknown ids in place of hidden ones; return the answer and these ids."""
    given: dict[str, Sequence[str]] = {place.name: [new_id()] for place in _hidden(operation)}
    return await _whole(world, principal, operation, given), [ids[0] for ids in given.values()]


async def test_every_operation_has_a_row() -> None:
    for operation in OPERATIONS:
        if operation.route.decoder.takes_json and not operation.route.public:
            in_bodies = {name for body in operation.bodies for name in id_places(body)}
            assert in_bodies == wanted_places(operation), operation.name
    for operation in (*OPERATIONS, *OTHERS):
        if operation.route.decoder.takes_json and operation.route.decoder.body_fields:
            assert operation.bodies, f"{operation.name} has no body in factories/isolation/bodies.py"
    names = {operation.name for operation in (*OPERATIONS, *OTHERS)}
    assert {operation.name for operation in OPERATIONS if operation.route.public} == PUBLIC
    assert names >= {*FRESH, *REFUSED}


async def test_every_kind_of_thing_that_is_hidden_stands_somewhere(world: World) -> None:
    """So that no kind is left out of the rows by a slip of the names."""
    assert {place.kind for operation in OPERATIONS for place in operation.places if place.hidden} == HIDDEN_KINDS
    assert all(world.things["open"][kind] != world.things["hidden"][kind] for kind in HIDDEN_KINDS)


@pytest.mark.parametrize("surface", SURFACES, ids=" ".join)
async def test_who_is_nobody_gets_the_same_401_everywhere(world: World, surface: Surface) -> None:
    before = await world.digest()
    told: dict[str, set[str]] = {principal: set() for principal in UNKNOWN}
    for operation in _of(surface):
        # Who somebody is doesn't hang on where an id stands: all places for one of them.
        for number, place in enumerate(operation.places or (None,)):
            request = operation.request(world.ids("hidden"), filtered=place, body=operation.body_with(place))
            for principal in UNKNOWN[:1] if number else UNKNOWN:
                answer = await world.call(principal, request)
                assert (answer.status, "WWW-Authenticate" in dict(answer.headers)) == (401, True), (
                    principal,
                    operation.name,
                )
                told[principal].add(answer.text)
    assert {principal: len(texts) for principal, texts in told.items()} == dict.fromkeys(UNKNOWN, 1)
    assert await world.digest() == before


@pytest.mark.parametrize("surface", SURFACES, ids=" ".join)
async def test_a_key_without_the_scope_gets_403_for_known_and_unknown_ids(world: World, surface: Surface) -> None:
    before = await world.digest()
    other = "data key" if surface[0] == "platform" else "platform key"
    for operation in _of(surface):
        for principal in (other, *(() if operation.reads else ("key that only reads",))):
            answer = await _whole(world, principal, operation, {})
            unknown, _ = await _unknown(world, principal, operation)
            if operation.name in READ_FIRST and principal == "key that only reads":
                assert (answer.status, unknown.status) == (403, 404), (operation.name, answer, unknown)
                continue
            assert answer == unknown, (principal, operation.name)
            assert answer.status == 403, (principal, operation.name, answer)
    assert await world.digest() == before


@pytest.mark.parametrize("surface", SURFACES, ids=" ".join)
async def test_an_outsider_learns_nothing_of_what_is_hidden(world: World, surface: Surface) -> None:
    for operation in _of(surface):
        for_admins = operation.privilege == options_pb2.PRIVILEGE_ADMIN
        if not _hidden(operation) and not for_admins:
            continue
        # The open side's own parameter would be addressed by its parents, and not made.
        made = operation.row == "POST /parameter/v1/parameters"
        alone = {"parameters[].parent_ids[]": [await world.make("asset", "open")]} if made else {}
        before = await world.digest()
        for principal in OUTSIDERS:
            for place in _hidden(operation):
                await _check_place(world, principal, operation, place, alone)
            answer, unknown = await _both(world, principal, operation)
            assert answer == unknown, (principal, operation.name)
            assert answer[0] == 403 or not for_admins, (principal, operation.name, answer)
            assert operation.reads or answer[0] >= 400, (principal, operation.name, answer)
        assert await world.digest() == before, operation.name


async def _both(world: World, principal: str, operation: Operation) -> tuple[tuple[object, ...], tuple[object, ...]]:
    """Return the answers to the operation on the hidden side and on nothing at all.

    The ids that were sent are taken out of both.
    """
    places = _hidden(operation)
    answer, (unknown, ids) = await _whole(world, principal, operation, {}), await _unknown(world, principal, operation)
    if not places:
        return answer.shape, unknown.shape
    return answer.without(world.ids("hidden")(place)[0] for place in places), unknown.without(ids)


async def _check_place(
    world: World, principal: str, operation: Operation, place: Place, given: Mapping[str, Sequence[str]]
) -> None:
    """One place of a request that is the outsider's own otherwise: alone, in upper case, and beside an id that it may see."""
    own, unknown = world.things["open"][place.kind], new_id()
    forms = [lambda id_: [id_], lambda id_: [id_.upper()]]
    if place.many:
        forms += [lambda id_: [own, id_], lambda id_: [id_, own]]
    queries = ["", "show_deleted=true"] if "show_deleted" in operation.route.decoder.query_fields else [""]
    things = world.hidden_ones(place.kind)
    if principal != "outsider":  # what a form of an id makes of it doesn't hang on the credential
        forms, queries, things = forms[:1], queries[:1], things[:1]
    body = operation.body_with(place)
    for thing, form, query in itertools.product(things, forms, queries):
        known, nothing = [
            await world.call(
                principal,
                operation.request(
                    world.ids("open", {**given, place.name: form(id_)}), filtered=place, body=body, unique="same"
                ).asking(query if operation.row == operation.name else ""),
            )
            for id_ in (thing, unknown)
        ]
        assert known.without([thing]) == nothing.without([unknown]), (principal, operation.name, place.name, query)
        assert operation.reads or known.status >= 400, (principal, operation.name, place.name, known)


async def test_many_items_are_refused_whole_for_one_that_is_hidden(world: World) -> None:
    with_items = [
        operation for operation in OPERATIONS if any("[]." in place.name and place.hidden for place in operation.places)
    ]
    assert len(with_items) == 6
    for operation in with_items:
        before = await world.digest()
        own = operation.request(world.ids("open"), unique="first")
        answers = []
        for side in ("hidden", "nothing"):
            given: dict[str, Sequence[str]] = {place.name: [new_id()] for place in _hidden(operation)}
            ids = world.ids("hidden", {} if side == "hidden" else given)
            other = operation.request(ids, unique="second")
            answer = await world.call("outsider", Request(own.method, own.url, _joined(own.body, other.body)))
            answers.append(answer.without(ids(place)[0] for place in _hidden(operation)))
        assert answers[0] == answers[1], operation.name
        assert answers[0][0] == 400, (operation.name, answers)
        assert await world.digest() == before, operation.name


def _joined(first: Any, second: Any) -> Any:
    """Return a body with the items of two."""
    if isinstance(first, list):
        return first + second
    return {key: first[key] + second[key] for key in first}


async def test_a_taken_id_is_refused_alike_whether_its_row_is_hidden_or_not(world: World) -> None:
    """An id that the caller chooses must be unused (409): that it is taken shows, but nothing of what has it."""
    checked = set()
    for operation in OPERATIONS:
        for place in operation.places:
            kind = place.kind.removeprefix(NEW)
            if kind == place.kind or kind not in HIDDEN_KINDS:
                continue
            body = operation.body_with(place)
            # The open side's own parameter would be addressed by its parents, and not made.
            alone = {"parameters[].parent_ids[]": [await world.make("asset", "open")]}
            before = await world.digest()
            answers = []
            for side in ("hidden", "open"):
                taken = world.things[side][kind]
                request = operation.request(world.ids("open", {**alone, place.name: [taken]}), body=body, unique="same")
                answers.append((await world.call("outsider", request)).without([taken]))
            assert answers[0] == answers[1], (operation.name, place.name)
            assert answers[0][0] == 409, (operation.name, answers)
            assert await world.digest() == before
            checked.add(place.name)
    assert checked == {"assets[].id", "parameters[].id", "parameters[].entries[].entry_id"}


async def test_a_free_reference_to_what_is_hidden_is_taken_as_any_other(world: World) -> None:
    """`reference_id` may name anything, also what is hidden: it is answered as an id that names nothing.

    See guide/conventions.md, "References".
    """
    for operation in OPERATIONS:
        for place in operation.places:
            if place.kind != FREE:
                continue
            answers = []
            for reference_id in (world.things["hidden"]["asset"], new_id()):
                ids = world.ids("open", {place.name: [reference_id]})
                request = operation.request(ids, filtered=place, body=operation.body_with(place))
                answers.append((await world.call("outsider", request)).shape)
            assert answers[0] == answers[1], (operation.name, place.name)
            assert answers[0][0] < 300, (operation.name, answers)


def _expected(operation: Operation, principal: str) -> int:
    """Return the expected status of a refusal on the hidden side, 0 for success."""
    special = REFUSED.get(operation.row, {})
    if principal in special:
        return special[principal]
    if operation.privilege == options_pb2.PRIVILEGE_ADMIN:
        return 0 if principal == "admin" else 403
    role = role_pb2.ROLE_OWNER if principal == "admin" else role_pb2.Role.Value(f"ROLE_{principal.upper()}")
    needed = NEEDED_ROLE.get(operation.privilege, 0)
    if operation.row in NEEDED:
        needed = role_pb2.Role.Value(f"ROLE_{NEEDED[operation.row].upper()}")
    return 0 if role >= needed else 403


@pytest.mark.slow
@pytest.mark.parametrize("surface", SURFACES, ids=" ".join)
async def test_who_belongs_to_the_hidden_side_may_do_what_its_role_allows(world: World, surface: Surface) -> None:
    for operation in _of(surface):
        for principal in INSIDERS:
            refused = _expected(operation, principal)
            # The parameter that is there would be given a value, for which less is needed, and an imported row be kept.
            made = operation.row in ("POST /parameter/v1/parameters", IMPORT)
            given = {} if refused and not made else await world.fresh(operation)
            before = await world.digest() if refused else {}
            answer = await _whole(world, principal, operation, given, unique="")
            if refused:
                assert answer.status == refused, (principal, operation.name, answer)
                assert await world.digest() == before, (principal, operation.name)
            else:
                assert answer.status < 300, (principal, operation.name, answer)
                await _check_difference(world, principal, operation, answer)


async def _check_difference(world: World, principal: str, operation: Operation, answer: Answer) -> None:
    """Check that a thing differs from nothing for those who may see it.

    So outsiders get equal answers because they are refused.
    """
    filters = [place for place in _hidden(operation) if place.filters]
    for place in filters:
        if place.name.startswith("study_id") and operation.name.endswith("/evaluations"):
            continue  # the filter shows points, of which the study has none: nothing drives studies here
        ids = world.things["hidden"][place.kind], new_id()
        requests = [operation.request(world.ids("hidden", {place.name: [id_]}), filtered=place) for id_ in ids]
        known, unknown = [await world.call(principal, request) for request in requests]
        assert known.shape != unknown.shape, (principal, operation.name, place.name)
    if _hidden(operation) and not filters:
        unknown, _ = await _unknown(world, principal, operation)
        assert answer.shape != unknown.shape, (principal, operation.name)


async def test_what_is_open_is_the_same_for_everybody(world: World) -> None:
    singles = [
        operation
        for operation in OPERATIONS
        if operation.reads and operation.places and not operation.name.startswith("GET /v1/") and not _hidden(operation)
    ]
    assert len(singles) > 10
    for operation in singles:
        if all(place.filters for place in operation.places):
            continue
        answers = [await _whole(world, principal, operation, {}) for principal in ("admin", *OUTSIDERS)]
        assert answers == [answers[0]] * len(answers), operation.name
        assert answers[0].status == (_expected(operation, "admin") or 200), (operation.name, answers[0])


# What the guards do: with each switched off, the rows above fail.

GUARDED_BY_VISIBILITY = sorted(
    {
        (operation.surface, operation.version)
        for operation in OPERATIONS
        for place in operation.places
        if place.kind == "environment_project" or (place.hidden and operation.surface != "platform")
    }
)


@pytest.mark.slow
@pytest.mark.parametrize("surface", GUARDED_BY_VISIBILITY, ids=" ".join)
async def test_without_the_rule_of_confidential_projects_every_row_of_them_shows_it(
    world: World, surface: Surface
) -> None:
    failing, rows = set(), set()
    for operation in _of(surface):
        places = [
            place
            for place in _hidden(operation)
            if operation.surface != "platform" or place.kind == "environment_project"
        ]
        for place in places:
            rows.add((operation.name, place.name))
            given = await world.fresh(operation)
            async with world.guard_off(), world.rights_off():
                # Everything else is the outsider's own or, in a body, of the hidden side too.
                side = "open" if operation.surface == "platform" else "hidden"
                answers = [
                    await world.call(
                        "outsider",
                        operation.request(
                            world.ids(side, {**given, place.name: [id_]}),
                            filtered=place,
                            body=operation.body_with(place),
                        ),
                    )
                    for id_ in (given.get(place.name, [world.things["hidden"][place.kind]])[0], new_id())
                ]
            if not _holds(operation, *answers):
                failing.add((operation.name, place.name))
    assert rows, surface
    assert rows - failing == {
        (name, place) for name, place in rows if OPERATION[name].privilege == options_pb2.PRIVILEGE_ADMIN
    }


@pytest.mark.slow
async def test_without_the_check_of_roles_every_row_of_projects_shows_it(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def unchecked(self: Policy, binding: Binding, request: Any, call: Call) -> None:
        named = self._named_by(binding)
        project_id = getattr(request, named)
        call.project_id = project_id if named == "project_id" else await self._project_of[named](project_id)
        call.role = role_pb2.ROLE_OWNER

    guarded = [operation for operation in OPERATIONS if operation.privilege in NEEDED_ROLE]
    assert len(guarded) > 20
    for operation in guarded:
        given = await world.fresh(operation)
        if operation.name.startswith("PUT "):
            # A member may be anybody, but no team that the outsider doesn't see: that is another guard.
            given = {"user_id": [world.things["hidden"][KNOWN_USER]]}
        if operation.name == "POST /v1/projects/{project_id}/members":
            given = {"team_id": [world.things["open"]["team"]]}
        # Nor is a project linked that the outsider doesn't see: that is a third one.
        given = {**given, "environment_project_id": [world.things["open"]["environment_project"]]}
        with monkeypatch.context() as patched:
            patched.setattr(Policy, "_check_role", unchecked)
            answer = await _whole(world, "outsider", operation, given)
            unknown, _ = await _unknown(world, "outsider", operation)
        assert not _holds(operation, answer, unknown), operation.name


def _holds(operation: Operation, answer: Answer, unknown: Answer) -> bool:
    """Return whether an outsider's answers are as the rows ask."""
    return answer.shape == unknown.shape and (operation.reads or answer.status >= 400)


async def test_workers_and_callers_have_methods_of_their_own(world: World) -> None:
    """The services without a REST face."""
    dispatch = world.core.dispatch
    bindings = [one for one in dispatch.bindings.values() if one.options.privilege == options_pb2.PRIVILEGE_WORKER]
    assert len(bindings) >= 4
    before = await world.digest()
    for binding in bindings:
        for principal in (*UNKNOWN, *OUTSIDERS, *INSIDERS, "key that only reads"):
            metadata = {name.lower(): value for name, value in world.headers[principal].items()}
            with pytest.raises(CallError) as caught:
                await _called(dispatch, binding, metadata)
            expected = grpc.StatusCode.UNAUTHENTICATED if principal in UNKNOWN else grpc.StatusCode.PERMISSION_DENIED
            assert caught.value.code() == expected, (binding.path, principal)
    assert await world.digest() == before


async def _called(dispatch: Dispatch, binding: Binding, metadata: Mapping[str, str]) -> None:
    texts = [field for field in binding.descriptor.input_type.fields if field.type == FieldDescriptor.TYPE_STRING]
    request = binding.request(**{field.name: new_id() if is_id(field) else "x" for field in texts})

    async def stream() -> AsyncIterator[Message]:
        yield request

    if binding.descriptor.server_streaming:
        await dispatch.open(binding.path, request, metadata)
    else:
        await dispatch.call(binding.path, stream() if binding.descriptor.client_streaming else request, metadata)
