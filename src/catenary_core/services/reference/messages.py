"""Reference data messages built from rows."""

from __future__ import annotations

from catenary.reference.v2 import source_shapes
from catenary_core.database.statements import Row


def source_message(row: Row) -> source_shapes.Source:
    """Build a source with its type."""
    return {
        "id": row["id"],
        "source_type": {
            "id": row["source_type_id"],
            "name": row["type_name"],
            "visible": row["type_visible"],
            "created_at": row["type_created_at"],
            "updated_at": row["type_updated_at"],
            "deleted_at": row["type_deleted_at"],
        },
        "source_type_id": row["source_type_id"],
        "title": row["title"],
        "reference": row["reference"],
        "url": row["url"],
        "date_day": row["date_day"],
        "date_month": row["date_month"],
        "date_year": row["date_year"],
        "time": row["time"],
        "reference_id": row["reference_id"],
        "reference_table": row["reference_table"],
        "reference_url": row["reference_url"],
        "scope": row["scope"],
        "created_at": row["created_at"],
        "updated_at": row["updated_at"],
        "deleted_at": row["deleted_at"],
    }
