"""Generated from catenary/parameter/v1/unit_type_service.proto by .ci/generate; not for editing."""

from typing import TypedDict

from catenary.parameter.v1 import unit_type_shapes
from catenary.type.v1 import paging_shapes

ListUnitTypesResponse = TypedDict('ListUnitTypesResponse', {
    'unit_types': 'list[unit_type_shapes.UnitType]',
    'paging': 'paging_shapes.Paging | None',
    'summary': 'paging_shapes.Summary | None',
})

CreateUnitTypesResponse = TypedDict('CreateUnitTypesResponse', {
    'unit_types': 'list[unit_type_shapes.UnitType]',
})

GetUnitTypeResponse = TypedDict('GetUnitTypeResponse', {
    'unit_type': 'unit_type_shapes.UnitType | None',
})

UpdateUnitTypeResponse = TypedDict('UpdateUnitTypeResponse', {
    'unit_type': 'unit_type_shapes.UnitType | None',
})

DeleteUnitTypeResponse = TypedDict('DeleteUnitTypeResponse', {
    'unit_type': 'unit_type_shapes.UnitType | None',
})

NewUnitType = TypedDict('NewUnitType', {
    'id': 'str | None',
    'name': 'str',
})
