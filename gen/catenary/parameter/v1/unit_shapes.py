"""Generated from catenary/parameter/v1/unit.proto by .ci/generate; not for editing."""

from typing import TypedDict

Unit = TypedDict('Unit', {
    'id': 'str',
    'symbol': 'str',
    'unit_type_id': 'str',
    'unit_system_id': 'str',
    'created_at': 'str | None',
    'updated_at': 'str | None',
    'deleted_at': 'str | None',
})

UnitReference = TypedDict('UnitReference', {
    'id': 'str',
    'symbol': 'str',
    'unit_type_id': 'str',
    'unit_system_id': 'str',
})
