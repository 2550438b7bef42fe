"""Environment context messages built from rows."""

from __future__ import annotations

from catenary.environment.v2 import country_shapes, region_shapes
from catenary_core.database.statements import Row


def country_message(row: Row) -> country_shapes.Country:
    """Build a country with its region, if any."""
    region: region_shapes.Region | None = None
    if row["region_id"] is not None:
        region = {
            "region_code": row["region_code"],
            "region_id": row["region_id"],
            "region_name": row["region_name"],
            "created_at": row["region_created_at"],
            "updated_at": row["region_updated_at"],
            "deleted_at": row["region_deleted_at"],
        }
    return {
        "country_class": row["country_class"],
        "country_code": row["country_code"],
        "country_id": row["country_id"],
        "country_name": row["country_name"],
        "iso_code": row["iso_code"],
        "iso_country_name": row["iso_country_name"],
        "iso_formal_name": row["iso_formal_name"],
        "region": region,
        "created_at": row["created_at"],
        "updated_at": row["updated_at"],
        "deleted_at": row["deleted_at"],
    }
