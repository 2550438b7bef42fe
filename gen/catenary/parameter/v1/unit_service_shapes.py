"""Generated from catenary/parameter/v1/unit_service.proto by .ci/generate; not for editing."""

from typing import TypedDict

from catenary.parameter.v1 import unit_shapes
from catenary.type.v1 import paging_shapes

ListUnitsRequest = TypedDict('ListUnitsRequest', {
    'unit_id': 'list[str]',
    'unit_type_id': 'list[str]',
    'unit_system_id': 'list[str]',
    'parameter_type_id': 'list[str]',
    'page_limit': 'int | None',
    'before': 'str | None',
    'after': 'str | None',
    'sort_by': 'str | None',
    'order': 'str | None',
    'show_active': 'bool | None',
    'show_deleted': 'bool | None',
})

ListUnitsResponse = TypedDict('ListUnitsResponse', {
    'units': 'list[unit_shapes.Unit]',
    'paging': 'paging_shapes.Paging | None',
    'summary': 'paging_shapes.Summary | None',
})

CreateUnitsRequest = TypedDict('CreateUnitsRequest', {
    'units': 'list[NewUnit]',
})

CreateUnitsResponse = TypedDict('CreateUnitsResponse', {
    'units': 'list[unit_shapes.Unit]',
})

UpdateUnitRequest = TypedDict('UpdateUnitRequest', {
    'unit_id': 'str',
    'symbol': 'str | None',
    'unit_system_id': 'str | None',
    'update_mask': 'object',
})

UpdateUnitResponse = TypedDict('UpdateUnitResponse', {
    'unit': 'unit_shapes.Unit | None',
})

DeleteUnitRequest = TypedDict('DeleteUnitRequest', {
    'unit_id': 'str',
})

DeleteUnitResponse = TypedDict('DeleteUnitResponse', {
    'unit': 'unit_shapes.Unit | None',
})

ConvertUnitsRequest = TypedDict('ConvertUnitsRequest', {
    'value': 'float | None',
    'from_unit_id': 'str',
    'to_unit_id': 'str',
})

ConvertUnitsResponse = TypedDict('ConvertUnitsResponse', {
    'value': 'float',
    'unit': 'unit_shapes.UnitReference | None',
})

NewUnit = TypedDict('NewUnit', {
    'id': 'str | None',
    'symbol': 'str',
    'unit_type_id': 'str',
    'unit_system_id': 'str',
})
