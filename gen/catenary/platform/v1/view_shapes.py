"""Generated from catenary/platform/v1/view.proto by .ci/generate; not for editing."""

from typing import TypedDict

from catenary.platform.v1 import camera_shapes
from catenary.platform.v1 import user_shapes

View = TypedDict('View', {
    'view_id': 'str',
    'project_id': 'str',
    'name': 'str',
    'is_default': 'bool',
    'viewer': 'ViewerSettings | None',
    'charts': 'list[ViewChart]',
    'controls': 'list[ViewControl]',
    'metrics': 'list[str]',
    'omitted': 'list[str]',
    'created_by': 'user_shapes.UserReference | None',
    'created_at': 'str | None',
    'updated_at': 'str | None',
    'deleted_at': 'str | None',
})

ViewerSettings = TypedDict('ViewerSettings', {
    'camera': 'camera_shapes.Camera | None',
    'section': 'ViewSection | None',
    'background': 'str',
    'edges': 'bool',
    'hidden_parts': 'list[str]',
    'colors': 'dict[str, str]',
    'length_unit': 'str',
})

ViewSection = TypedDict('ViewSection', {
    'point': 'list[float]',
    'normal': 'list[float]',
})

ViewChart = TypedDict('ViewChart', {
    'kind': 'str | None',
    'axes': 'list[str]',
    'color_by': 'str | None',
    'filters': 'dict[str, ViewFilter]',
})

ViewFilter = TypedDict('ViewFilter', {
    'min': 'float | None',
    'max': 'float | None',
    'values': 'list[object]',
})

ViewControl = TypedDict('ViewControl', {
    'parameter': 'str',
    'widget': 'str | None',
    'group': 'str',
    'label': 'str',
    'hidden': 'bool',
})
