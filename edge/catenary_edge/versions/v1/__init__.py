"""What version 1 brought, one module a difference; undone in this order, version 0 comes out."""

from catenary_edge.versions.v1 import (
    allow_custom,
    deletion_queries,
    error_source,
    item_limit,
    pagination,
    tag_endpoints,
    tag_scope,
)

CHANGES = (
    deletion_queries,
    tag_endpoints,
    tag_scope,
    allow_custom,
    pagination,
    item_limit,
    error_source,
)
