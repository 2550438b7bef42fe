"""Pictures of variants: drawn at the first download, of whole evaluations and of points."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

import pytest
import trimesh

from catenary_core.call.errors import CallError
from catenary_core.services.evaluations import conversions
from factories.services import batches, variants
from factories.services.evaluations import MadeGeometry, Node, refusal
from factories.services.geometry import written

PNG = b"\x89PNG\r\n\x1a\n"
BOX = MadeGeometry("tower", "glb", written({"tower": trimesh.creation.box((2, 3, 10))})[0].data)


async def _saved(node: Node, project: str, geometry: Sequence[MadeGeometry]) -> dict[str, Any]:
    """Evaluate and save a variant with a geometry."""
    begun = await node.evaluate(project, {"span": 30}, prefer="respond-async")
    worker = node.worker()
    await worker.complete(await worker.must_lease(), **batches.MASS, geometry=geometry)
    return await variants.save(node, project, str(begun.body["evaluation"]["evaluation_id"]))


async def _refused(node: Node, variant_id: str, caller: str = "viewer") -> str:
    with pytest.raises(CallError) as caught:
        await variants.thumbnail(node, variant_id, caller)
    return refusal(caught.value).reason


async def test_the_first_download_draws_the_picture_and_later_ones_read_it(
    node: Node, project: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    saved = await _saved(node, project, [MadeGeometry("tower", "step", b"ISO-10303-21;"), BOX])
    drawn: list[str] = []
    run = conversions._run

    async def counted(glb: Any, form: str, *rest: Any) -> Any:
        drawn.append(form)
        return await run(glb, form, *rest)

    monkeypatch.setattr(conversions, "_run", counted)
    path = f"/v1/variants/{saved['variant_id']}/thumbnail"
    assert saved["thumbnail"] == {"url": path, "size": None}
    metadata, content = await variants.thumbnail(node, saved["variant_id"])
    _, again = await variants.thumbnail(node, saved["variant_id"], "editor")
    assert (content[:8], again == content, drawn) == (PNG, True, ["png"])
    assert (metadata["content-type"], metadata["content-length"]) == ("image/png", str(len(content)))
    metadata, part = await variants.thumbnail(node, saved["variant_id"], range="bytes=1-3")
    assert (part, metadata["catenary-status"]) == (b"PNG", "206")
    shown = await variants.get(node, saved["variant_id"])
    assert shown["thumbnail"] == {"url": path, "size": len(content)}
    (listed,) = (await variants.call(node, "ListVariants", "viewer", project_id=project))["variants"]
    assert (listed["thumbnail"], drawn) == (shown["thumbnail"], ["png"])
    assert await _refused(node, saved["variant_id"], "stranger") == "NOT_FOUND"


async def test_users_who_ask_at_once_have_a_picture_drawn_once(
    node: Node, project: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    saved = await _saved(node, project, [BOX])
    drawn: list[str] = []
    begun, go_on = asyncio.Event(), asyncio.Event()
    run = conversions._run

    async def held(glb: Any, form: str, *rest: Any) -> Any:
        drawn.append(form)
        begun.set()
        await go_on.wait()
        return await run(glb, form, *rest)

    monkeypatch.setattr(conversions, "_run", held)
    people = ("viewer", "editor", "evaluator")
    asked = [asyncio.create_task(variants.thumbnail(node, saved["variant_id"], one)) for one in people]
    async with asyncio.timeout(60):
        await begun.wait()
        await asyncio.sleep(0.3)  # long enough for the others to begin too
        assert drawn == ["png"]
        asked[0].cancel()  # whoever began goes, or waits: the others get the picture all the same
        go_on.set()
        _, second, third = await asyncio.gather(*asked, return_exceptions=True)
    assert not isinstance(second, BaseException)
    assert not isinstance(third, BaseException)
    assert (second[1][:8], second[1] == third[1]) == (PNG, True)
    assert len(drawn) <= 2, "once more if the one that began has gone"


async def test_a_variant_without_geometry_has_no_picture(node: Node, project: str) -> None:
    saved = await _saved(node, project, [MadeGeometry("tower", "step", b"ISO-10303-21;")])
    assert (saved["thumbnail"], await _refused(node, saved["variant_id"])) == (None, "NOT_FOUND")


@pytest.mark.slow
async def test_a_glb_that_can_not_be_drawn_is_tried_once(
    node: Node, project: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    saved = await _saved(node, project, [MadeGeometry("tower", "glb", b"not a glb")])
    assert await _refused(node, saved["variant_id"]) == "NOT_FOUND"
    monkeypatch.setattr(conversions, "_run", None)  # a second try would fail here
    assert await _refused(node, saved["variant_id"]) == "NOT_FOUND"


async def test_the_geometry_of_a_point_is_made_for_its_picture(node: Node, project: str) -> None:
    batch_id = await batches.create(node, project, 1)
    await batches.work(node.worker(), {**batches.MASS, "unmade": [("tower", "glb")]})
    (point,) = await batches.results(node, batch_id)
    saved = await variants.save(node, project, point["evaluation_id"])
    assert saved["thumbnail"]["size"] is None
    assert await _refused(node, saved["variant_id"]) == "NOT_FOUND", "a viewer has nothing made"
    metadata, content = await variants.thumbnail(node, saved["variant_id"], "evaluator")
    assert (metadata["catenary-status"], content, bool(metadata["retry-after"])) == ("202", b"", True)
    worker = node.worker()
    await worker.complete(await worker.must_lease(), **batches.MASS, geometry=[BOX])
    assert (await variants.thumbnail(node, saved["variant_id"]))[1].startswith(PNG)
