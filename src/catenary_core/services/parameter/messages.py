"""Messages of parameters and entries, built from flat rows and the node's cached types."""

from __future__ import annotations

import orjson

from catenary.parameter.v1.entry_shapes import Entry, Review, Revision, SelectedEntry
from catenary.parameter.v1.parameter_set_shapes import ParameterSetParameter, ParameterSetParent
from catenary.parameter.v1.parameter_shapes import Parameter, ParameterParent
from catenary.type.v1.creator_shapes import Creator
from catenary_core.database.statements import Row
from catenary_core.services.parameter.types.known_types import TypeSnapshot


def parameter(row: Row, types: TypeSnapshot) -> Parameter:
    """Build a parameter from a row of `parameter_queries.ROWS`."""
    return {
        "id": row["id"],
        "project_id": row["project_id"],
        "parents": _parents(row, types),
        "parameter_type": types.parameter_types[row["parameter_type_id"]],
        "created_by": _creator(row, "maker_name", "maker_email"),
        "selected_entry": _selected_entry(row, types),
        "created_at": row["created_at"],
        "updated_at": row["updated_at"],
        "deleted_at": row["deleted_at"],
    }


def parameter_set_parameter(row: Row, types: TypeSnapshot) -> ParameterSetParameter:
    """Build a parameter set's parameter from a row of `parameter_queries.ROWS`."""
    parameter_type = types.parameter_types[row["parameter_type_id"]]
    return {
        "id": row["id"],
        "project_id": row["project_id"],
        "parameter_type": {
            "id": parameter_type["id"],
            "name": parameter_type["name"],
            "data_type": parameter_type["data_type"],
            "global_parameter": parameter_type["global_parameter"],
        },
        "parents": [_set_parent(parent) for parent in _parents(row, types)],
        "selected_entry": _selected_entry(row, types),
    }


def new_entry(item: Row, result: Row, types: TypeSnapshot) -> Entry:
    """Build the entry that an item of `entry_queries.PUT` created or revised.

    `result`: the row that the statement returned for the item.
    """
    unit_id = result["unit_id"]
    unit = None if unit_id is None else types.units[unit_id]
    return {
        "entry_id": item["entry_id"],
        "parameter_id": item["parameter_id"],
        "revision_id": item["new_id"],
        "status": "answered",
        "values": [{"id": item["value_id"], "value": orjson.loads(item["value"]), "unit": unit}],
        "source": result["source"],
        "comment": item["comment"],
        "location_in_source": item["location"],
        "created_by": result["created_by"],
        "created_at": result["created_at"],
        "updated_at": result["updated_at"],
        "deleted_at": None,
    }


def revision(row: Row) -> Revision:
    """Build a revision from a row of `entry_queries.REVISIONS`."""
    review: Review | None = None
    if row["reviewed_at"] is not None:
        review = {
            "status": row["status"],
            "comment": row["review_comment"],
            "created_by": _creator(row, "reviewer_name", "reviewer_email"),
            "created_at": row["reviewed_at"],
        }
    return {
        "entry_id": row["entry_id"],
        "revision_id": row["revision_id"],
        "status": row["status"],
        "values": row["values"],
        "source": row["source"],
        "comment": row["comment"],
        "location_in_source": row["location_in_source"],
        "created_by": row["created_by"],
        "review": review,
        "created_at": row["created_at"],
        "updated_at": row["updated_at"],
        "deleted_at": row["deleted_at"],
    }


def _parents(row: Row, types: TypeSnapshot) -> list[ParameterParent]:
    return [
        {
            "id": parent["id"],
            "project_id": row["project_id"],
            "parent": parent["parent"],
            "children": parent["children"],
            "name": parent["name"],
            "asset_type": types.asset_types[parent["asset_type"]],
            "asset_sub_type": None
            if parent["asset_sub_type"] is None
            else types.asset_sub_types[parent["asset_sub_type"]],
            "created_at": parent["created_at"],
            "updated_at": parent["updated_at"],
            "deleted_at": parent["deleted_at"],
        }
        for parent in row["parents"]
    ]


def _set_parent(parent: ParameterParent) -> ParameterSetParent:
    asset_type = parent["asset_type"]
    assert asset_type is not None  # every asset has a type
    return {
        "id": parent["id"],
        "asset_sub_type": parent["asset_sub_type"],
        "children": parent["children"],
        "name": parent["name"],
        "parent": parent["parent"],
        "asset_type": {"id": asset_type["id"], "name": asset_type["name"], "parent_id": asset_type["parent_id"]},
    }


def _selected_entry(row: Row, types: TypeSnapshot) -> SelectedEntry | None:
    if row["entry_id"] is None:
        return None
    unit_id = row["unit_id"]
    unit = None if unit_id is None else types.units[unit_id]
    return {
        "entry_id": row["entry_id"],
        "revision_id": row["revision_id"],
        "status": row["status"],
        "values": [{"id": row["value_id"], "value": row["value"], "unit": unit}],
        "source": {
            "id": row["source_id"],
            "created_at": row["source_created_at"],
            "date_day": row["source_date_day"],
            "date_month": row["source_date_month"],
            "date_year": row["source_date_year"],
            "reference": row["source_reference"],
            "title": row["source_title"],
            "url": row["source_url"],
            "source_type": {"id": row["source_type_id"], "name": row["source_type_name"]},
        },
        "created_by": _creator(row, "reviser_name", "reviser_email"),
        "created_at": row["revised_at"],
    }


def _creator(row: Row, staff_name: str, email: str) -> Creator | None:
    return None if row[staff_name] is None else {"staff_name": row[staff_name], "email": row[email]}
