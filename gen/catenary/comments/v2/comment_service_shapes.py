"""Generated from catenary/comments/v2/comment_service.proto by .ci/generate; not for editing."""

from typing import TypedDict

from catenary.comments.v2 import comment_shapes
from catenary.type.v1 import paging_shapes

ListCommentsRequest = TypedDict('ListCommentsRequest', {
    'comment_id': 'list[str]',
    'reference_id': 'list[str]',
    'reference_table': 'list[str]',
    'page_limit': 'int | None',
    'before': 'str | None',
    'after': 'str | None',
    'sort_by': 'str | None',
    'order': 'str | None',
    'show_active': 'bool | None',
    'show_deleted': 'bool | None',
})

ListCommentsResponse = TypedDict('ListCommentsResponse', {
    'comments': 'list[comment_shapes.Comment]',
    'paging': 'paging_shapes.Paging | None',
    'summary': 'paging_shapes.Summary | None',
})

CreateCommentsRequest = TypedDict('CreateCommentsRequest', {
    'comments': 'list[NewComment]',
})

CreateCommentsResponse = TypedDict('CreateCommentsResponse', {
    'comments': 'list[comment_shapes.Comment]',
})

UpdateCommentRequest = TypedDict('UpdateCommentRequest', {
    'comment_id': 'str',
    'content': 'str | None',
    'update_mask': 'object',
})

UpdateCommentResponse = TypedDict('UpdateCommentResponse', {
    'comment': 'comment_shapes.Comment | None',
})

DeleteCommentRequest = TypedDict('DeleteCommentRequest', {
    'comment_id': 'str',
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
