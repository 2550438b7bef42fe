"""Variants: what is saved, who may change it, and what is told of it."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
import uuid_utils

from catenary_core.call.errors import CallError
from catenary_core.services.evaluations.points import ids
from factories.services import batches, variants
from factories.services.evaluations import Node, deploy, refusal, run_sql


async def test_an_evaluation_is_saved_whole_under_a_name(node: Node, project: str) -> None:
    made = await variants.evaluation(node, project, span=30)
    saved = await variants.save(node, project, made, "Slender", note="half\nthe steel")
    whole = (await node.call("GetEvaluation", evaluation_id=made)).body["evaluation"]
    assert saved["evaluation"] == whole
    assert (saved["name"], saved["note"], saved["status"]) == ("Slender", "half\nthe steel", "ready")
    assert (saved["thumbnail"], saved["deleted_at"]) == (None, None)
    assert await variants.get(node, saved["variant_id"]) == {
        **saved,
        "evaluation": {**whole, "log": None},
        "role": "viewer",
    }


async def test_values_are_evaluated_and_the_variant_follows_their_evaluation(node: Node, project: str) -> None:
    made = await variants.answer(
        node, "CreateVariant", "evaluator", {}, project_id=project, name="B", parameters=variants.values(span=31)
    )
    assert made.metadata["catenary-status"] == "202"
    assert made.body["variant"]["status"] == "evaluating"
    assert made.body["variant"]["evaluation"]["parameters"]["span"] == 31
    worker = node.worker()
    await worker.complete(await worker.must_lease(), **batches.FAILED)
    assert (await variants.get(node, made.body["variant"]["variant_id"]))["status"] == "failed"


async def test_equal_values_save_the_stored_evaluation(node: Node, project: str) -> None:
    made = await variants.evaluation(node, project, span=32)
    fields: dict[str, Any] = {"project_id": project, "name": "C", "parameters": variants.values(span=32)}
    saved = (await variants.call(node, "CreateVariant", "editor", **fields))["variant"]
    assert (saved["evaluation"]["evaluation_id"], saved["status"]) == (made, "ready")
    assert await batches.jobs(node) == 0


async def test_equal_values_at_once_are_computed_once(node: Node, project: str) -> None:
    fields: dict[str, Any] = {"project_id": project, "name": "D", "parameters": variants.values(span=33)}
    made = await asyncio.gather(*(variants.call(node, "CreateVariant", **fields) for _ in range(4)))
    assert len({one["variant"]["evaluation"]["evaluation_id"] for one in made}) == 1
    assert len({one["variant"]["variant_id"] for one in made}) == 4
    assert await batches.jobs(node) == 1


async def test_a_point_is_saved_as_the_evaluation_that_it_is(node: Node, project: str) -> None:
    batch_id = await batches.create(node, project, 3)
    await batches.work_all(node.worker(), batch_id, node)
    saved = await variants.save(node, project, ids.evaluation_id(batch_id, 1))
    assert saved["evaluation"]["metrics"] == batches.MASS["metrics"]
    (listed,) = (await variants.call(node, "ListVariants", "viewer", project_id=project))["variants"]
    assert listed == {**saved, "evaluation": {**saved["evaluation"], "tables": {}}, "role": "viewer"}


@pytest.mark.parametrize(
    ("fields", "parameter"),
    [
        ({"evaluation_id": str(uuid_utils.uuid7())}, "evaluation_id"),
        ({"evaluation_id": str(uuid_utils.uuid7()), "parameters": variants.values(span=30)}, "evaluation_id"),
        ({"evaluation_id": str(uuid_utils.uuid7()), "model_version_id": str(uuid_utils.uuid7())}, "model_version_id"),
        ({"parameters": variants.values(span=30), "name": "two\nlines"}, "name"),
        ({"parameters": variants.values(span=30), "name": ""}, "name"),
        ({"parameters": variants.values(span=30), "name": "x" * 201}, "name"),
        ({"parameters": variants.values(span=30), "note": "x" * 10_001}, "note"),
        ({"parameters": variants.values(span="wide")}, "span"),
    ],
)
async def test_what_can_not_be_saved_is_refused_by_its_field(
    node: Node, project: str, fields: dict[str, Any], parameter: str
) -> None:
    found = await variants.refused(node, "CreateVariant", **{"project_id": project, "name": "E", **fields})
    assert found.reason == "VALIDATION_ERROR"
    assert parameter in found.message
    assert (await variants.call(node, "ListVariants", "viewer", project_id=project))["variants"] == []
    assert await batches.jobs(node) == 0


async def test_without_values_the_design_of_the_defaults_is_saved(node: Node, project: str) -> None:
    made = (await variants.call(node, "CreateVariant", project_id=project, name="As declared"))["variant"]
    assert (made["status"], made["evaluation"]["parameters"]["span"]) == ("evaluating", 24.0)
    assert await batches.jobs(node) == 1


async def test_an_evaluation_of_another_project_is_unknown(node: Node, project: str) -> None:
    made = await variants.evaluation(node, project)
    other, _ = await deploy(node.frame.db, node.frame.objects)
    fields = {"project_id": other, "name": "F", "evaluation_id": made}
    found = await variants.refused(node, "CreateVariant", **fields)
    assert (found.reason, "no evaluation of this project" in found.message) == ("VALIDATION_ERROR", True)


async def test_lists_are_newest_first_by_pages_and_search(node: Node, project: str) -> None:
    made = await variants.evaluation(node, project)
    for name in ("Deck one", "Deck two", "Arch"):
        await variants.save(node, project, made, name)
    first = await variants.call(node, "ListVariants", "viewer", project_id=project, limit=2)
    rest = await variants.call(node, "ListVariants", "viewer", project_id=project, limit=2, cursor=first["next_cursor"])
    assert [one["name"] for one in first["variants"]] == ["Arch", "Deck two"]
    assert ([one["name"] for one in rest["variants"]], rest["next_cursor"]) == (["Deck one"], None)
    found = await variants.call(node, "ListVariants", "viewer", project_id=project, search="dECK")
    assert [one["name"] for one in found["variants"]] == ["Deck two", "Deck one"]


async def test_evaluators_change_their_own_and_editors_those_of_others(node: Node, project: str) -> None:
    made = await variants.evaluation(node, project)
    own = await variants.save(node, project, made)
    others = (await variants.call(node, "CreateVariant", "editor", project_id=project, name="G", evaluation_id=made))[
        "variant"
    ]
    for method, fields in (("UpdateVariant", {"name": "H"}), ("DeleteVariant", {})):
        found = await variants.refused(node, method, variant_id=others["variant_id"], **fields)
        assert (found.reason, "another user's" in found.message) == ("PERMISSION_DENIED", True)
        assert (await variants.refused(node, method, "viewer", variant_id=own["variant_id"], **fields)).reason == (
            "PERMISSION_DENIED"
        )
        assert (await variants.refused(node, method, "stranger", variant_id=own["variant_id"], **fields)).reason == (
            "NOT_FOUND"
        )
    changed = (await variants.call(node, "UpdateVariant", variant_id=own["variant_id"], name="I"))["variant"]
    assert (changed["name"], changed["note"], changed["evaluation"]) == ("I", own["note"], own["evaluation"])
    assert changed["updated_at"] > own["updated_at"]
    deleted = (await variants.call(node, "DeleteVariant", "editor", variant_id=own["variant_id"]))["variant"]
    assert deleted["deleted_at"] is not None
    assert (await variants.refused(node, "GetVariant", variant_id=own["variant_id"])).reason == "NOT_FOUND"


async def test_of_two_who_change_the_same_version_one_succeeds(node: Node, project: str) -> None:
    saved = await variants.save(node, project, await variants.evaluation(node, project))
    key = {"variant_id": saved["variant_id"]}
    tag = (await variants.answer(node, "GetVariant", "editor", {}, **key)).metadata["etag"]
    found = await asyncio.gather(
        *(
            variants.answer(node, "UpdateVariant", "editor", {"if-match": tag}, **key, name=name)
            for name in ("one", "two", "three")
        ),
        return_exceptions=True,
    )
    refusals = [refusal(one).reason for one in found if isinstance(one, CallError)]
    assert refusals == ["PRECONDITION_FAILED"] * 2


async def test_a_repeated_request_saves_once(node: Node, project: str) -> None:
    made = await variants.evaluation(node, project)
    key = {"idempotency-key": "once"}
    fields = {"project_id": project, "name": "J", "evaluation_id": made}
    first, second = [await variants.answer(node, "CreateVariant", "evaluator", key, **fields) for _ in range(2)]
    assert first.body["variant"]["variant_id"] == second.body["variant"]["variant_id"]
    assert len((await variants.call(node, "ListVariants", "viewer", project_id=project))["variants"]) == 1


async def test_a_newer_deployment_changes_no_variant(node: Node, project: str) -> None:
    saved = await variants.save(node, project, await variants.evaluation(node, project))
    before = await variants.get(node, saved["variant_id"])
    await deploy(node.frame.db, node.frame.objects, project_id=project)
    assert await variants.get(node, saved["variant_id"]) == before


async def test_the_deletion_of_a_project_hides_its_variants(node: Node, project: str) -> None:
    saved = await variants.save(node, project, await variants.evaluation(node, project))
    await run_sql(node.frame.db, "UPDATE projects.project SET deleted_at = now() WHERE project_id = :p", p=project)
    assert (await variants.refused(node, "GetVariant", "editor", variant_id=saved["variant_id"])).reason == "NOT_FOUND"


async def test_events_tell_changes_without_the_note(node: Node, project: str) -> None:
    saved = await variants.save(node, project, await variants.evaluation(node, project), note="a person's words")
    key = {"variant_id": saved["variant_id"]}
    await variants.call(node, "UpdateVariant", **key, note="other words")
    await variants.call(node, "UpdateVariant", **key)
    await variants.call(node, "DeleteVariant", **key)
    rows = await run_sql(
        node.frame.db,
        "SELECT type, subject, project_id, data FROM events.event WHERE type LIKE 'project.variant.%' ORDER BY number",
    )
    assert [row["type"].rpartition(".")[2] for row in rows] == ["created", "updated", "deleted"]
    for row in rows:
        assert (row["subject"], row["project_id"]) == (f"/v1/variants/{saved['variant_id']}", project)
        assert "note" not in row["data"]["variant"]
        assert row["data"]["variant"]["evaluation"] == {
            name: saved["evaluation"][name] for name in ("evaluation_id", "status", "model_version_id")
        }
        assert list(row["data"]["variant"]["created_by"]) == ["user_id"]


async def test_variants_are_compared_with_the_first(node: Node, project: str) -> None:
    light = await variants.save(node, project, await variants.evaluation(node, project, 10.5, span=30), "light")
    heavy = await variants.save(node, project, await variants.evaluation(node, project, 12.0, span=36), "heavy")
    order = [heavy["variant_id"], light["variant_id"]]
    found = (await variants.call(node, "CompareVariants", "viewer", project_id=project, variant_id=order))["comparison"]
    assert [one["name"] for one in found["variants"]] == ["heavy", "light"]
    parameters = {one["name"]: one for one in found["parameters"]}
    assert list(parameters)[:2] == ["span", "bays"], "as they are declared"
    assert [(one["value"], one["unit"], one["difference"]) for one in parameters["span"]["items"]] == [
        (36, "m", 0),
        (30, "m", -6),
    ]
    assert (parameters["span"]["differs"], parameters["bays"]["differs"]) == (True, False)
    (mass,) = found["metrics"]
    assert [(one["value"], one["difference"]) for one in mass["items"]] == [(12.0, 0), (10.5, -1.5)]


async def test_only_variants_of_the_project_are_compared(node: Node, project: str) -> None:
    made = await variants.evaluation(node, project)
    own = [(await variants.save(node, project, made, name))["variant_id"] for name in ("K", "L")]
    other, _ = await deploy(node.frame.db, node.frame.objects)
    asked = {"project_id": project, "variant_id": [own[0], str(uuid_utils.uuid7())]}
    assert (await variants.refused(node, "CompareVariants", "viewer", **asked)).reason == "NOT_FOUND"
    asked = {"project_id": other, "variant_id": own}
    assert (await variants.refused(node, "CompareVariants", "viewer", **asked)).reason == "NOT_FOUND"
    for ids_ in (own[:1], [own[0]] * 2, [str(uuid_utils.uuid7()) for _ in range(5)]):
        asked = {"project_id": project, "variant_id": ids_}
        assert (await variants.refused(node, "CompareVariants", "viewer", **asked)).reason == "VALIDATION_ERROR"
