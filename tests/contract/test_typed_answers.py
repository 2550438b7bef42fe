"""Every servicer's method says the shape of its answer: the TypedDict of its RPC's response message (gen/, `*_shapes.py`)."""

from __future__ import annotations

import importlib
from collections.abc import AsyncGenerator, AsyncIterator
from pathlib import Path
from typing import Any, get_args, get_origin, get_type_hints

from google.protobuf.descriptor import Descriptor

from catenary_core.bootstrap import running_core
from catenary_core.call.methods import Binding
from factories.installations.serving import core_settings


def _shape(message: Descriptor) -> Any:
    module = importlib.import_module(message.file.name.removesuffix(".proto").replace("/", ".") + "_shapes")
    return getattr(module, message.name)


def _answer(binding: Binding, returned: Any) -> Any:
    """Return the type of one answer, from the return annotation of the method."""
    if not binding.descriptor.server_streaming:
        return returned
    assert get_origin(returned) in (AsyncIterator, AsyncGenerator), binding.path
    return get_args(returned)[0]


async def test_every_method_of_a_servicer_returns_the_shape_of_its_response(dsn: str, tmp_path: Path) -> None:
    async with running_core(core_settings(dsn, tmp_path)) as core:
        dispatch = core.dispatch
    wrong = [
        path
        for path, binding in dispatch.bindings.items()
        if _answer(binding, get_type_hints(dispatch._handlers[path])["return"])
        is not _shape(binding.descriptor.output_type)
    ]
    assert len(dispatch.bindings) > 100
    assert wrong == []
