"""Generated from catenary/comments/v2/comment_service.proto by .ci/generate; not for editing."""

from typing import TypedDict

from catenary.comments.v2 import comment_shapes
from catenary.type.v1 import paging_shapes

ListCommentsResponse = TypedDict('ListCommentsResponse', {
    'comments': 'list[comment_shapes.Comment]',
    'paging': 'paging_shapes.Paging | None',
    'summary': 'paging_shapes.Summary | None',
})

CreateCommentsResponse = TypedDict('CreateCommentsResponse', {
    'comments': 'list[comment_shapes.Comment]',
})

GetCommentResponse = TypedDict('GetCommentResponse', {
    'comment': 'comment_shapes.Comment | None',
})

UpdateCommentResponse = TypedDict('UpdateCommentResponse', {
    'comment': 'comment_shapes.Comment | None',
})

DeleteCommentResponse = TypedDict('DeleteCommentResponse', {
    'comment': 'comment_shapes.Comment | None',
})

NewComment = TypedDict('NewComment', {
    'reference_id': 'str',
    'reference_table': 'str',
    'reference_url': 'str',
    'content': 'str',
})
