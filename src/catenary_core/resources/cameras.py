"""Cameras that somebody looks at a model with: their rules, and their stored form."""

from __future__ import annotations

from catenary.platform.v1.camera_pb2 import Camera, CameraProjection
from catenary.platform.v1.camera_shapes import Camera as CameraShape
from catenary_core.call.errors import invalid
from catenary_wire.json_form import enum_names
from catenary_wire.sentences import Fields

_UP = (0.0, 0.0, 1.0)
"""Direction that is up for a camera without one: that of Z."""


def read(camera: Camera, path: str) -> CameraShape:
    """Return a camera as it is stored and shown.

    Args:
        camera: the camera, of which the rules of its fields hold.
        path: JSON path of the camera in its request.

    Raises VALIDATION_ERROR: it looks at the place where it is, or nothing is up for it.
    """
    position, target, up = list(camera.position), list(camera.target), list(camera.up or _UP)
    if position == target:
        raise invalid(
            f"{path}.target",
            "{field} must be another place than {position}, so that the camera has a direction.",
            value=target,
            constraint="direction",
            position=Fields(f"{path}.position"),
        )
    if not any(up):
        raise invalid(
            f"{path}.up",
            "{field} must be a direction with a number other than 0; leave it out for that of Z.",
            value=up,
            constraint="direction",
        )
    return {
        "position": position,
        "target": target,
        "up": up,
        "projection": enum_names(CameraProjection.DESCRIPTOR)[camera.projection],
        "fov_degrees": camera.fov_degrees if camera.HasField("fov_degrees") else None,
        "height": camera.height if camera.HasField("height") else None,
    }
