"""Generated from catenary/comments/v2/comment.proto by .ci/generate; not for editing."""

from typing import TypedDict

from catenary.type.v1 import creator_shapes

Comment = TypedDict('Comment', {
    'id': 'str',
    'reference_id': 'str',
    'reference_table': 'str',
    'reference_url': 'str',
    'content': 'str',
    'created_by': 'creator_shapes.Creator | None',
    'created_at': 'str | None',
    'updated_at': 'str | None',
    'deleted_at': 'str | None',
})
