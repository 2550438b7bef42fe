"""Generated from catenary/parameter/v1/unit_service.proto by .ci/generate; not for editing."""

from typing import TypedDict

from catenary.parameter.v1 import unit_shapes
from catenary.type.v1 import paging_shapes

ListUnitsResponse = TypedDict('ListUnitsResponse', {
    'units': 'list[unit_shapes.Unit]',
    'paging': 'paging_shapes.Paging | None',
    'summary': 'paging_shapes.Summary | None',
})

CreateUnitsResponse = TypedDict('CreateUnitsResponse', {
    'units': 'list[unit_shapes.Unit]',
})

UpdateUnitResponse = TypedDict('UpdateUnitResponse', {
    'unit': 'unit_shapes.Unit | None',
})

DeleteUnitResponse = TypedDict('DeleteUnitResponse', {
    'unit': 'unit_shapes.Unit | None',
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
