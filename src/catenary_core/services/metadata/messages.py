"""Messages of tag.proto and tag_link.proto built from rows."""

from __future__ import annotations

from catenary.metadata.v1.tag_link_shapes import TagLink
from catenary.metadata.v1.tag_shapes import Tag
from catenary_core.database.statements import Row


def tag(row: Row) -> Tag:
    """Build a tag with its type, whose columns start with `type_`."""
    return {
        "id": row["id"],
        "name": row["name"],
        "tag_type": {
            "id": row["type_id"],
            "name": row["type_name"],
            "allow_custom": row["type_allow_custom"],
            "created_at": row["type_created_at"],
            "updated_at": row["type_updated_at"],
            "deleted_at": row["type_deleted_at"],
        },
        "tag_scope": row["tag_scope"],
        "created_at": row["created_at"],
        "updated_at": row["updated_at"],
        "deleted_at": row["deleted_at"],
    }


def tag_link(row: Row) -> TagLink:
    """Build a tag link."""
    return {
        "tag_id": row["tag_id"],
        "reference_id": row["reference_id"],
        "reference_table": row["reference_table"],
        "reference_url": row["reference_url"],
        "created_at": row["created_at"],
        "updated_at": row["updated_at"],
        "deleted_at": row["deleted_at"],
    }
