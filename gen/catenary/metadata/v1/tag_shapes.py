"""Generated from catenary/metadata/v1/tag.proto by .ci/generate; not for editing."""

from typing import TypedDict

from catenary.metadata.v1 import tag_type_shapes

Tag = TypedDict('Tag', {
    'id': 'str',
    'name': 'str',
    'tag_type': 'tag_type_shapes.TagType | None',
    'tag_scope': 'str | None',
    'created_at': 'str | None',
    'updated_at': 'str | None',
    'deleted_at': 'str | None',
})
