"""Generated from catenary/parameter/v1/unit_type.proto by .ci/generate; not for editing."""

from typing import TypedDict

UnitType = TypedDict('UnitType', {
    'id': 'str',
    'name': 'str',
    'unit_systems': 'list[UnitTypeSystem]',
    'created_at': 'str | None',
    'updated_at': 'str | None',
    'deleted_at': 'str | None',
})

UnitTypeSystem = TypedDict('UnitTypeSystem', {
    'id': 'str',
    'name': 'str',
    'short_name': 'str',
    'units': 'list[UnitTypeUnit]',
})

UnitTypeUnit = TypedDict('UnitTypeUnit', {
    'id': 'str',
    'symbol': 'str',
})

UnitTypeReference = TypedDict('UnitTypeReference', {
    'id': 'str',
    'name': 'str',
})
