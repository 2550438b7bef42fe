"""The changes of version 2, one module for each; undone in this order, they give version 1."""

from catenary_edge.versions.v2 import (
    client_organisation_name,
    comment_arrays,
    iso_formal_name,
    page_limit,
    project_number,
    record_arrays,
    region_codes,
    short_title,
    show_active,
    source_deletion,
)

CHANGES = (
    show_active,
    page_limit,
    source_deletion,
    comment_arrays,
    record_arrays,
    short_title,
    project_number,
    client_organisation_name,
    iso_formal_name,
    region_codes,
)
