"""Generated from catenary/parameter/v1/unit_system.proto by .ci/generate; not for editing."""

from typing import TypedDict

UnitSystem = TypedDict('UnitSystem', {
    'id': 'str',
    'name': 'str',
    'short_name': 'str',
    'created_at': 'str | None',
    'updated_at': 'str | None',
    'deleted_at': 'str | None',
})
