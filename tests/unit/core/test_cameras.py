"""Cameras: what a direction must be, and what stands where none was given."""

from __future__ import annotations

from typing import Any

import pytest

from catenary.platform.v1.camera_pb2 import Camera
from catenary_core.call.errors import DomainError
from catenary_core.resources import cameras

GIVEN: dict[str, Any] = {"position": [0, 0, 9], "target": [0, 0, 0], "projection": "CAMERA_PROJECTION_ORTHOGRAPHIC"}


def test_z_is_up_and_what_is_not_given_is_null() -> None:
    assert cameras.read(Camera(**GIVEN), "camera") == {
        "position": [0.0, 0.0, 9.0],
        "target": [0.0, 0.0, 0.0],
        "up": [0.0, 0.0, 1.0],
        "projection": "orthographic",
        "fov_degrees": None,
        "height": None,
    }
    given = cameras.read(Camera(**GIVEN, up=[0, 1, 0], height=3, fov_degrees=40), "camera")
    assert (given["up"], given["height"], given["fov_degrees"]) == ([0.0, 1.0, 0.0], 3.0, 40.0)


@pytest.mark.parametrize(("field", "value"), [("target", [0, 0, 9]), ("up", [0, 0, 0])])
def test_a_direction_without_length_is_refused_by_its_path(field: str, value: list[float]) -> None:
    with pytest.raises(DomainError) as refused:
        cameras.read(Camera(**{**GIVEN, field: value}), "viewer.camera")
    assert refused.value.details["parameter"] == f"viewer.camera.{field}"
