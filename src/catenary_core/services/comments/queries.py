"""The SQL of comments."""

from __future__ import annotations

import sqlalchemy as sa

from catenary.comments.v2 import comment_service_pb2
from catenary.comments.v2.comment_service_shapes import ListCommentsResponse
from catenary.comments.v2.comment_shapes import Comment
from catenary_core.access import references, visibility
from catenary_core.call.resource_paths import resource_path
from catenary_core.database.columns import Id, creator, with_creator
from catenary_core.resources.listing import Listing, by_index
from catenary_core.resources.resource import Resource
from catenary_core.services.comments.tables import comment

_rows = sa.select(
    comment.c.id,
    comment.c.reference_id,
    comment.c.reference_table,
    comment.c.reference_url,
    comment.c.content,
    creator(comment.c.created_by),
    comment.c.created_at,
    comment.c.updated_at,
    comment.c.deleted_at,
    visibility.confidential(comment.c.environment_project_id),
).select_from(with_creator(comment))

COMMENT: Resource[Comment] = Resource(
    service="comments",
    name="comment",
    path=resource_path(comment_service_pb2, "GetComment"),
    table=comment,
    rows=_rows,
    private=frozenset({"content", "created_by"}),
    owned=True,
    tied=True,
    always=(references.visible_reference(comment),),
)

COMMENTS: Listing[ListCommentsResponse] = Listing(
    key="comments",
    rows=_rows,
    sorts={"id": comment.c.id, "created_at": comment.c.created_at, "updated_at": comment.c.updated_at},
    deleted_at=comment.c.deleted_at,
    filters={
        "comment_id": comment.c.id == sa.any_(sa.bindparam("comment_id", type_=sa.ARRAY(Id))),
        "reference_id": comment.c.reference_id == sa.any_(sa.bindparam("reference_id", type_=sa.ARRAY(Id))),
        "reference_table": comment.c.reference_table
        == sa.any_(sa.bindparam("reference_table", type_=sa.ARRAY(sa.Text))),
    },
    always=(references.visible_references(comment),),
    counted=comment,
    probes=by_index(comment, "reference_id", "reference_table"),
)
