"""Variants over the dispatcher, and evaluations for them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import orjson
import pytest

from catenary_core.call.errors import CallError
from catenary_core.server.dispatch import UnaryResponse
from factories.services import batches
from factories.services.evaluations import Node, Refusal, refusal

VARIANTS = "/catenary.platform.v1.VariantService/"


async def answer(node: Node, method: str, caller: str, metadata: Mapping[str, str], **fields: Any) -> UnaryResponse:
    """Call a method of VariantService with metadata, and return the whole response."""
    request = node.dispatch.bindings[VARIANTS + method].request(**fields)
    return await node.dispatch.call(VARIANTS + method, request, {"authorization": caller, **metadata})


async def call(node: Node, method: str, caller: str = "evaluator", **fields: Any) -> dict[str, Any]:
    """Call a method of VariantService, and return its answer."""
    return (await answer(node, method, caller, {}, **fields)).body


async def refused(node: Node, method: str, caller: str = "evaluator", **fields: Any) -> Refusal:
    """Call a method that refuses, and return the refusal."""
    with pytest.raises(CallError) as caught:
        await call(node, method, caller, **fields)
    return refusal(caught.value)


def values(**given: Any) -> dict[str, dict[str, str]]:
    """Return values of parameters, as a request has them."""
    return {name: {"text": orjson.dumps(value).decode()} for name, value in given.items()}


async def evaluation(node: Node, project: str, mass: float = 12.0, **given: Any) -> str:
    """Make a completed evaluation with a mass, and return its id."""
    begun = await node.evaluate(project, given, prefer="respond-async")
    worker = node.worker()
    await worker.complete(
        await worker.must_lease(), **{**batches.MASS, "metrics": {"mass": {"value": mass, "unit": "kg"}}}
    )
    return str(begun.body["evaluation"]["evaluation_id"])


async def save(node: Node, project: str, evaluation_id: str, name: str = "A", **fields: Any) -> dict[str, Any]:
    """Save an evaluation as a variant, and return it."""
    found: dict[str, Any] = (
        await call(node, "CreateVariant", project_id=project, evaluation_id=evaluation_id, name=name, **fields)
    )["variant"]
    return found


async def get(node: Node, variant_id: str) -> dict[str, Any]:
    """Return a variant."""
    found: dict[str, Any] = (await call(node, "GetVariant", "viewer", variant_id=variant_id))["variant"]
    return found


async def thumbnail(
    node: Node, variant_id: str, caller: str = "viewer", **fields: Any
) -> tuple[Mapping[str, str], bytes]:
    """Download the picture of a variant; return the metadata of the answer and its bytes."""
    path = VARIANTS + "DownloadVariantThumbnail"
    request = node.dispatch.bindings[path].request(variant_id=variant_id, **fields)
    stream = await node.dispatch.open(path, request, {"authorization": caller})
    content = b"".join([item["chunk"] async for item in stream.items])
    return stream.metadata, content
