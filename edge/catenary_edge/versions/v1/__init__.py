"""What version 1 brought, one module a difference; undone in this order, version 0 comes out."""

from catenary_edge.versions.v1 import deletion_queries, error_source, pagination

CHANGES = (deletion_queries, pagination, error_source)
