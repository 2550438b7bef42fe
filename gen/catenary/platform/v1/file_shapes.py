"""Generated from catenary/platform/v1/file.proto by .ci/generate; not for editing."""

from typing import TypedDict

from catenary.platform.v1 import user_shapes

File = TypedDict('File', {
    'file_id': 'str',
    'project_id': 'str',
    'name': 'str',
    'size': 'int',
    'sha256': 'str',
    'value': 'str',
    'created_by': 'user_shapes.UserReference | None',
    'created_at': 'str | None',
})
