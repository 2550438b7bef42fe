"""People as version 0 of the parameter service shows them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from catenary.parameter.v1 import older_service_pb2
from catenary_edge.transcoding.schema import Schema, examples

_UNIT = "company_centre_unit"


def shown(org: str, person: Mapping[str, Any] | None) -> dict[str, Any] | None:
    """Return a `Staff` with the company's slug in the name of its unit."""
    if person is None:
        return None
    return {_unit(org) if key == _UNIT else key: item for key, item in person.items()}


def schema(org: str, description: str) -> Schema:
    """Describe a person, or null."""
    person: Schema = {
        "type": "object",
        "properties": {
            "staff_id": {"type": "integer", "description": "Number of the user. Personal data."},
            "staff_name": {"type": "string", "description": "Name of the person or of the client. Personal data."},
            "email": {"type": "string", "description": "E-mail address; empty for a client. Personal data."},
            _unit(org): {"type": "string", "description": "Unit of the company. Personal data."},
            "location_name": {"type": "string", "description": "Place of work. Personal data."},
            "grade_level": {"type": ["integer", "null"], "description": "Grade; null when not given. Personal data."},
            "my_people_page_url": {"type": "string", "description": "URL of the person's page. Personal data."},
        },
    }
    fields: Any = older_service_pb2.Staff.DESCRIPTOR.fields
    for field in fields:
        if field.name in person["properties"]:
            person["properties"][field.name] |= examples(field)
    person["required"] = list(person["properties"])
    return {"anyOf": [person, {"type": "null"}], "description": description}


def _unit(org: str) -> str:
    return f"company_centre_{org}_unit"
