"""The check of responses for doubles that are not finite."""

from __future__ import annotations

import math
from typing import Any

import orjson
import pytest

from catenary.parameter.v1 import asset_service_pb2, parameter_service_pb2, unit_service_pb2
from catenary.platform.v1 import evaluation_service_pb2
from catenary_core.call.finite import finite_check
from unit.core.test_wire import _evaluation

BAD = (math.nan, math.inf, -math.inf)


def _check(body: dict[str, Any]) -> None:
    check = finite_check(evaluation_service_pb2.EvaluateResponse.DESCRIPTOR)
    assert check is not None
    check({"evaluation": body})


@pytest.mark.parametrize("number", BAD)
def test_a_double_at_any_depth_must_be_finite(number: float) -> None:
    _check(_evaluation())
    for path in (
        ("duration_ms",),
        ("geometry", 0, "parts", 0, "area"),
        ("geometry", 0, "parts", 0, "bounding_box", "max", 1),
    ):
        body: Any = _evaluation()
        inner = body
        for key in path[:-1]:
            inner = inner[key]
        inner[path[-1]] = number
        with pytest.raises(ValueError, match="not finite"):
            _check(body)


@pytest.mark.parametrize("number", BAD)
def test_without_the_check_orjson_writes_null_in_silence(number: float) -> None:
    assert orjson.dumps({"value": number}) == b'{"value":null}'


def test_only_responses_with_doubles_have_a_check() -> None:
    assert finite_check(unit_service_pb2.ConvertUnitsResponse.DESCRIPTOR) is not None
    for message in (parameter_service_pb2.ListParametersResponse, asset_service_pb2.GetAssetTreeResponse):
        assert finite_check(message.DESCRIPTOR) is None
