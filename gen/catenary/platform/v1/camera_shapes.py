"""Generated from catenary/platform/v1/camera.proto by .ci/generate; not for editing."""

from typing import TypedDict

Camera = TypedDict('Camera', {
    'position': 'list[float]',
    'target': 'list[float]',
    'up': 'list[float]',
    'projection': 'str | None',
    'fov_degrees': 'float | None',
    'height': 'float | None',
})
