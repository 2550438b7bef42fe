"""Generated from catenary/platform/v1/comment_service.proto by .ci/generate; not for editing."""

from typing import TypedDict

from catenary.platform.v1 import comment_shapes

ListCommentsResponse = TypedDict('ListCommentsResponse', {
    'comments': 'list[comment_shapes.Comment]',
    'next_cursor': 'str | None',
})

CreateCommentResponse = TypedDict('CreateCommentResponse', {
    'comment': 'comment_shapes.Comment | None',
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
