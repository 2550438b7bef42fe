"""Generated from catenary/parameter/v1/unit_type_service.proto by .ci/generate; not for editing."""

from typing import TypedDict

from catenary.parameter.v1 import unit_type_shapes
from catenary.type.v1 import paging_shapes

ListUnitTypesRequest = TypedDict('ListUnitTypesRequest', {
    'page_limit': 'int | None',
    'before': 'str | None',
    'after': 'str | None',
    'sort_by': 'str | None',
    'order': 'str | None',
    'show_active': 'bool | None',
    'show_deleted': 'bool | None',
})

ListUnitTypesResponse = TypedDict('ListUnitTypesResponse', {
    'unit_types': 'list[unit_type_shapes.UnitType]',
    'paging': 'paging_shapes.Paging | None',
    'summary': 'paging_shapes.Summary | None',
})

CreateUnitTypesRequest = TypedDict('CreateUnitTypesRequest', {
    'unit_types': 'list[NewUnitType]',
})

CreateUnitTypesResponse = TypedDict('CreateUnitTypesResponse', {
    'unit_types': 'list[unit_type_shapes.UnitType]',
})

GetUnitTypeRequest = TypedDict('GetUnitTypeRequest', {
    'unit_type_id': 'str',
    'show_deleted': 'bool',
})

GetUnitTypeResponse = TypedDict('GetUnitTypeResponse', {
    'unit_type': 'unit_type_shapes.UnitType | None',
})

UpdateUnitTypeRequest = TypedDict('UpdateUnitTypeRequest', {
    'unit_type_id': 'str',
    'name': 'str | None',
    'update_mask': 'object',
})

UpdateUnitTypeResponse = TypedDict('UpdateUnitTypeResponse', {
    'unit_type': 'unit_type_shapes.UnitType | None',
})

DeleteUnitTypeRequest = TypedDict('DeleteUnitTypeRequest', {
    'unit_type_id': 'str',
})

DeleteUnitTypeResponse = TypedDict('DeleteUnitTypeResponse', {
    'unit_type': 'unit_type_shapes.UnitType | None',
})

NewUnitType = TypedDict('NewUnitType', {
    'id': 'str | None',
    'name': 'str',
})
