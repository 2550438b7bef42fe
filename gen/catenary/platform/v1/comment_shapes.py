"""Generated from catenary/platform/v1/comment.proto by .ci/generate; not for editing."""

from typing import TypedDict

from catenary.platform.v1 import camera_shapes
from catenary.platform.v1 import user_shapes

Comment = TypedDict('Comment', {
    'comment_id': 'str',
    'project_id': 'str',
    'variant_id': 'str | None',
    'parent_id': 'str | None',
    'content': 'str',
    'anchor': 'CommentAnchor | None',
    'camera': 'camera_shapes.Camera | None',
    'mentions': 'list[str]',
    'resolved': 'bool',
    'resolved_by': 'user_shapes.UserReference | None',
    'resolved_at': 'str | None',
    'created_by': 'user_shapes.UserReference | None',
    'created_at': 'str | None',
    'updated_at': 'str | None',
    'deleted_at': 'str | None',
})

CommentAnchor = TypedDict('CommentAnchor', {
    'x': 'float | None',
    'y': 'float | None',
    'z': 'float | None',
    'geometry': 'str',
    'part': 'str',
})
