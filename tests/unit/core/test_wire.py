from __future__ import annotations

from typing import Any

import pytest

from catenary.parameter.v1 import asset_pb2
from catenary.platform.v1 import evaluation_service_pb2, project_service_pb2
from catenary_core.call import messages


def _evaluation() -> dict[str, Any]:
    part = {
        "name": "shell",
        "kind": "surface",
        "triangles": 2,
        "area": 2.0,
        "length": None,
        "volume": None,
        "bounding_box": {"min": [0.0, 0.0, 0.0], "max": [1.0, 2.0, 0.0]},
        "centre_of_gravity": [0.5, 1.0, 0.0],
        "density": None,
        "mass": None,
        "opening": {"edges": 3, "gap": None},
        "measured": "mesh",
    }
    return {
        "evaluation_id": "e",
        "project_id": "p",
        "status": "timed_out",
        "model_version_id": "v",
        "parameters": {"a": 450.0, "b": 450, "c": 2**63 - 1, "d": {"z": 1, "a": [None]}},
        "metrics": {"mass": {"value": 1.5, "unit": None}, "n": {"value": 3, "unit": "m"}},
        "constraints": {
            "ok": {"value": 1, "satisfied": False, "metric": "n", "op": ">", "limit": 2, "unit": "m"},
            "old": {"value": 1, "satisfied": True, "metric": None, "op": None, "limit": None, "unit": None},
        },
        "geometry": [
            {"name": "g", "format": "glb", "url": "/x", "size": 12, "sha256": "00", "parts": [part], "unit": "mm"}
        ],
        "tables": {},
        "error": None,
        "cached": True,
        "duration_ms": 0.0,
        "created_by": {"user_id": "u", "staff_name": "Ann"},
        "created_at": "2026-01-02T03:04:05.000007Z",
        "updated_at": "1969-12-31T23:59:59.5Z",
        "started_at": None,
        "completed_at": None,
        "log": None,
        "files": [],
        "charts": [],
        "progress": {"fraction": 0.5, "message": "meshing", "output": "12 parts"},
        "batch_id": None,
        "study_id": "s",
        "index": 3,
    }


def _message(evaluation: dict[str, Any]) -> Any:
    return messages.to_message(evaluation_service_pb2.EvaluateResponse.DESCRIPTOR, {"evaluation": evaluation})


def test_a_dict_fills_every_kind_of_field() -> None:
    message = _message(_evaluation()).evaluation
    assert message.status == 5
    assert {key: value.text for key, value in message.parameters.items()} == {
        "a": "450.0",
        "b": "450",
        "c": "9223372036854775807",
        "d": '{"z":1,"a":[null]}',
    }
    assert not message.metrics["mass"].HasField("unit")
    assert message.metrics["n"].unit == "m"
    part = message.geometry[0].parts[0]
    assert (part.kind, part.area, list(part.bounding_box.max)) == (2, 2.0, [1.0, 2.0, 0.0])
    assert not part.HasField("volume")
    assert message.HasField("duration_ms")
    assert not message.HasField("error")
    assert message.created_at.ToJsonString() == "2026-01-02T03:04:05.000007Z"
    assert message.updated_at.ToJsonString() == "1969-12-31T23:59:59.500Z"
    assert not message.HasField("started_at")


def test_a_missing_key_is_a_fault_and_not_silence() -> None:
    broken = _evaluation()
    del broken["cached"]
    with pytest.raises(KeyError, match="cached"):
        _message(broken)


def test_an_unknown_enum_value_is_a_fault() -> None:
    with pytest.raises(KeyError, match="exploded"):
        _message(_evaluation() | {"status": "exploded"})


def test_an_empty_list_and_a_null_cursor_stay_unset() -> None:
    message: Any = messages.to_message(
        project_service_pb2.ListProjectsResponse.DESCRIPTOR, {"projects": [], "next_cursor": None}
    )
    assert not message.HasField("next_cursor")
    assert message.ByteSize() == 0


def test_a_type_that_holds_itself_is_filled_to_every_depth() -> None:
    fields = asset_pb2.AssetTree.DESCRIPTOR.fields
    empty: dict[str, Any] = {field.name: [] if field.is_repeated else None for field in fields}

    def tree(depth: int) -> dict[str, Any]:
        return empty | {"id": f"level {depth}", "children": [tree(depth - 1)] if depth else []}

    message: Any = messages.to_message(asset_pb2.AssetTree.DESCRIPTOR, tree(3))
    for depth in (3, 2, 1, 0):
        assert message.id == f"level {depth}"
        message = message.children[0] if depth else message
    assert not message.children
