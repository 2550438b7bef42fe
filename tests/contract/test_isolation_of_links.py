"""The rights of share links in every operation: what they show, and that they reach nothing else.

See guide/shares.md. The routes that links may call are read from the option `sharing`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import orjson
import pytest

from catenary.options.v1 import options_pb2
from catenary_core.access import linked_events, nameless
from catenary_core.access.policy import Policy
from catenary_core.call.call import Call, Identity
from catenary_core.call.methods import Binding, bindings_of, service_descriptors
from catenary_core.services.projects.servicer import ProjectServicer
from catenary_core.services.projects.shares.servicer import ShareServicer
from catenary_edge.openapi import comments
from factories.isolation.operations import (
    BESIDE,
    COMPARISON,
    KNOWN_EVENT,
    READ_FIRST,
    Operation,
    Request,
    all_operations,
    other_operations,
)
from factories.isolation.principals import LINKS, Answer
from factories.isolation.world import Side, World, new_id

pytestmark = pytest.mark.asyncio(loop_scope="module")

OPERATIONS = [one for one in (*all_operations(), *other_operations()) if not one.route.public]
EVENTS = "GET /v1/events"
COMMENTS = "GET /v1/projects/{project_id}/comments"
OWN = "GET /v1/shares/current"
"""Shows each link what it is itself, and nothing of another project."""
SHARED = {
    "GET /v1/projects/{project_id}",
    "GET /v1/projects/{project_id}/parameters",
    "GET /v1/projects/{project_id}/evaluations",
    "GET /v1/evaluations/{evaluation_id}",
    "GET /v1/evaluations/{evaluation_id}/geometry/{name}",
    "GET /v1/evaluations/{evaluation_id}/files/{name}",
    "GET /v1/projects/{project_id}/batches",
    "GET /v1/batches/{batch_id}",
    "GET /v1/batches/{batch_id}/results",
    "GET /v1/batches/{batch_id}/stream",
    "GET /v1/projects/{project_id}/studies",
    "GET /v1/studies/{study_id}",
    "GET /v1/studies/{study_id}/results",
    "GET /v1/studies/{study_id}/results/points.csv",
    "GET /v1/studies/{study_id}/front",
    "GET /v1/studies/{study_id}/indices",
    "GET /v1/projects/{project_id}/variants",
    COMPARISON,
    "GET /v1/variants/{variant_id}",
    "GET /v1/variants/{variant_id}/thumbnail",
    COMMENTS,
    "GET /v1/comments/{comment_id}",
    "GET /v1/projects/{project_id}/views",
    "GET /v1/views/{view_id}",
    EVENTS,
    OWN,
}
"""What a project's link reads."""
OF_VARIANT = {
    "GET /v1/projects/{project_id}/parameters",
    "GET /v1/evaluations/{evaluation_id}",
    "GET /v1/evaluations/{evaluation_id}/geometry/{name}",
    "GET /v1/evaluations/{evaluation_id}/files/{name}",
    "GET /v1/variants/{variant_id}",
    "GET /v1/variants/{variant_id}/thumbnail",
    COMMENTS,
    "GET /v1/comments/{comment_id}",
    EVENTS,
    OWN,
}
"""What a variant's link reads."""
OF_PEOPLE = {
    "POST /v1/projects/{project_id}/comments",
    "PATCH /v1/comments/{comment_id}",
    "DELETE /v1/comments/{comment_id}",
}
"""What users with whom a variant is shared may write; no link may."""
WITHOUT_CONTENT = {name for name in SHARED if name.endswith(("/{name}", "/thumbnail"))}
"""Artefacts: no evaluation of the world has any, which is 404 for its owner too."""


def _is_shared(operation: Operation) -> bool:
    return bool(operation.route.rpc.options.sharing) and operation.reads


async def _given(world: World) -> dict[str, Sequence[str]]:
    """Return the ids that a request names beside those of the hidden side: the evaluation of the shown variant."""
    variant = world.things["hidden"]["variant"]
    shown = await world.ok("owner", "GET", f"/v1/variants/{variant}")
    return {"evaluation_id": [shown["variant"]["evaluation"]["evaluation_id"]], "variant_id": [variant]}


async def _call(world: World, principal: str, operation: Operation, given: Mapping[str, Sequence[str]]) -> Answer:
    request = operation.request(world.ids("hidden", given), unique="same")
    if principal == "variant link" and operation.row == COMMENTS:  # without the variant they are those of the project
        request = request.asking(f"variant_id={given['variant_id'][0]}")
    return await world.call(principal, request)


async def test_the_shared_routes_are_those_of_the_guide() -> None:
    """A method that gets the option has to be added here, with a look at what it shows."""
    assert {one.row for one in OPERATIONS if _is_shared(one)} == SHARED
    variant = options_pb2.SHARING_VARIANT
    of_variant = {one.row for one in OPERATIONS if one.route.rpc.options.sharing == variant}
    assert of_variant == OF_VARIANT - {EVENTS, OWN} | OF_PEOPLE


async def test_no_shared_response_names_a_person_beside_the_creators() -> None:
    for binding in bindings_of(service_descriptors()).values():
        if binding.options.sharing:
            assert not list(_personal(binding.descriptor.output_type, nameless.plan_of(binding.descriptor.output_type)))


async def test_a_person_hidden_from_links_is_documented_as_nullable() -> None:
    outputs = [one.descriptor.output_type for one in bindings_of(service_descriptors()).values() if one.options.sharing]
    people = {field for output in outputs for field in _people(output, nameless.plan_of(output))}
    assert "catenary.platform.v1.Variant.created_by" in people
    assert not [field for field in people if "null" not in comments.load()[field]]


def _people(message: Any, plan: nameless.Plan) -> list[str]:
    """Return the fields that a plan leaves out."""
    found: list[str] = []
    for name, inner in plan.items():
        field = message.fields_by_name[name]
        found += [field.full_name] if inner is None else _people(field.message_type, inner)
    return found


def _personal(message: Any, plan: nameless.Plan, within: tuple[str, ...] = ()) -> list[str]:
    """Return the fields with personal data that a response shows despite the plan."""
    found: list[str] = []
    for field in message.fields:
        if field.name in plan and plan[field.name] is None:
            continue
        if field.GetOptions().debug_redact:
            found.append(field.full_name)
        inner = field.message_type
        if inner is not None and inner.full_name not in within:
            found += _personal(inner, plan.get(field.name) or {}, (*within, message.full_name))
    return found


@pytest.mark.parametrize("principal", LINKS)
async def test_a_link_reads_what_it_shows_alone(world: World, principal: str) -> None:
    given = await _given(world)
    before = await world.digest()
    readable = {"project link": SHARED, "variant link": OF_VARIANT}.get(principal, {EVENTS, OWN}) - WITHOUT_CONTENT
    for operation in filter(_is_shared, OPERATIONS):
        answer = await _call(world, principal, operation, given)
        assert answer.status == (200 if operation.row in readable else 404), (operation.name, answer)
        assert world.user_ids["owner"] not in answer.text, operation.name
        if answer.status == 404 and operation.row not in WITHOUT_CONTENT:
            nothing = {place.name: [new_id()] for place in operation.places if place.hidden}
            unknown = await _call(world, principal, operation, nothing)
            assert answer == unknown, operation.name
    assert await world.digest() == before


async def test_a_variants_link_shows_neither_another_variant_nor_another_evaluation(world: World) -> None:
    hidden = world.things["hidden"]
    for path in (f"/v1/variants/{hidden[BESIDE]}", f"/v1/evaluations/{hidden['evaluation']}"):
        assert (await world.call("project link", Request("GET", path))).status == 200
        assert (await world.call("variant link", Request("GET", path))).status == 404


async def _told(world: World, principal: str) -> list[dict[str, Any]]:
    """Return the events that a link gets of the whole log, up to one that is made for it now."""
    side: Side = "open" if principal == "link of another project" else "hidden"
    marker = await world.make("project_comment", side)
    text = await world.events(principal, world.things["open"][KNOWN_EVENT], marker)
    assert not [id_ for id_ in world.user_ids.values() if id_ in text]
    return [orjson.loads(line.removeprefix("data: ")) for line in text.splitlines() if line.startswith("data: ")]


async def test_a_link_hears_of_what_it_reads_alone(world: World) -> None:
    hidden = world.things["hidden"]
    (evaluation_id,) = (await _given(world))["evaluation_id"]
    await world.ok("owner", "PATCH", f"/v1/projects/{hidden['project']}", {"description": "New"})
    of_project, of_variant, of_another = [await _told(world, principal) for principal in LINKS]
    assert {event["project_id"] for event in of_project} == {hidden["project"]}
    assert {event["type"] for event in of_project} <= linked_events.SHOWN.keys()
    assert {"project.updated", "project.variant.created", "comment.created", "project.view.created"} <= {
        one["type"] for one in of_project
    }
    assert {event["project_id"] for event in of_another} == {world.things["open"]["project"]}
    assert of_variant
    for event in of_variant:
        ((key, shown),) = event["data"].items()
        named = shown["evaluation_id"] if key == "evaluation" else shown["variant_id"]
        assert named == (evaluation_id if key == "evaluation" else hidden["variant"]), event
    # What an event is of can be read, unless it was deleted since.
    for principal, events in (("project link", of_project), ("variant link", of_variant)):
        for event in events:
            answer = await world.call(principal, Request("GET", event["subject"]))
            owner = await world.call("owner", Request("GET", event["subject"]))
            assert answer.status == owner.status, (principal, event)


async def test_a_link_learns_what_it_shows_and_nobody_else_does(world: World) -> None:
    hidden, path = world.things["hidden"], Request("GET", OWN.removeprefix("GET "))
    for principal, variant in (("project link", "null"), ("variant link", f'"{hidden["variant"]}"')):
        answer = await world.call(principal, path)
        assert f'"project_id":"{hidden["project"]}","variant_id":{variant}' in answer.text, (principal, answer)
    assert hidden["project"] not in (await world.call("link of another project", path)).text
    assert (await world.call("owner", path)).status == 404


@pytest.mark.parametrize("principal", [*LINKS[:2], pytest.param(LINKS[2], marks=pytest.mark.slow)])
async def test_every_other_route_is_404_or_403_to_a_link(world: World, principal: str) -> None:
    """On both sides: a link to the open project reaches no more of that either."""
    before = await world.digest()
    others = [one for one in OPERATIONS if not _is_shared(one)]
    assert len(others) > 200
    for operation in others:
        for side in ("hidden", "open"):
            request = operation.request(world.ids("open" if side == "open" else "hidden"), unique="same")
            answer = await world.call(principal, request)
            is_read = operation.reads or operation.name in READ_FIRST
            assert answer.status == (404 if is_read else 403), (side, operation.name, answer)
    assert await world.digest() == before


# What the guards do: with each switched off, the rows above fail.


@pytest.mark.slow
async def test_without_the_list_of_shared_routes_a_link_reads_members_and_models(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    def unguarded(self: Policy, binding: Binding, call: Call) -> None:
        return

    monkeypatch.setattr(Policy, "admit", unguarded)
    reached = set()
    for operation in OPERATIONS:
        if operation.reads and not _is_shared(operation):
            answer = await _call(world, "project link", operation, {})
            if answer.status == 200:
                reached.add(operation.row)
    assert reached >= {
        "GET /v1/projects/{project_id}/members",
        "GET /v1/projects/{project_id}/models",
        "GET /v1/projects/{project_id}/plans",
        "GET /v1/projects/{project_id}/files",
        "GET /v1/projects/{project_id}/deployments",
    }


async def test_without_the_comparison_of_projects_a_link_reads_another_project(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def anything(*_: Any) -> int:
        return 1

    monkeypatch.setattr(world.core.dispatch._policy, "_role_of", anything)
    for operation in filter(_is_shared, OPERATIONS):
        if operation.row not in WITHOUT_CONTENT:
            assert (await _call(world, "link of another project", operation, {})).status == 200, operation.name
    assert ProjectServicer.role_of is not anything


async def test_without_the_comparison_of_ids_a_variants_link_reads_other_variants(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def anything(project_id: str, named: Mapping[str, str], caller: Identity) -> int:
        return 1

    monkeypatch.setattr(world.core.dispatch._policy, "_shared_role_of", anything)
    path = f"/v1/variants/{world.things['hidden'][BESIDE]}"
    assert (await world.call("variant link", Request("GET", path))).status == 200
    assert ShareServicer.shared_role_of is not anything


async def test_without_the_comparison_of_events_links_hear_others(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(linked_events, "is_shown", lambda *_: True)
    told = await _told(world, "link of another project")
    assert world.things["hidden"]["project"] in {event["project_id"] for event in told}


async def test_without_the_form_for_links_events_name_users(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(linked_events, "without_people", lambda event: event)
    marker = await world.make("project_comment", "hidden")
    known = world.things["open"][KNOWN_EVENT]
    assert world.user_ids["owner"] in await world.events("project link", known, marker)


async def test_without_the_plan_of_names_a_link_shows_who_made_what(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    def shown(body: Mapping[str, Any], plan: nameless.Plan) -> dict[str, Any]:
        return dict(body)

    path = f"/v1/variants/{world.things['hidden']['variant']}"
    assert world.user_ids["owner"] not in (await world.call("project link", Request("GET", path))).text
    monkeypatch.setattr(nameless, "without_names", shown)
    assert world.user_ids["owner"] in (await world.call("project link", Request("GET", path))).text
