"""A request creates one comment, and the query `comment_id` takes one id.

> Comments: GET /comments comment_id takes an array; POST /comments takes an array of comments.
"""

from catenary.options.v1 import options_pb2
from catenary_edge.versions.change import VersionChange
from catenary_edge.versions.created_singly import created_singly

CHANGE = created_singly(
    VersionChange(
        surfaces=frozenset({options_pb2.SURFACE_COMMENTS}),
        singles=frozenset({"comment_id"}),
        fields={"comment_id[0]": ("comment_id",)},
    ),
    "CreateComments",
    "comments",
    "comment",
)
