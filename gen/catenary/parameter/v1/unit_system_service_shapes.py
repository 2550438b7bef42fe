"""Generated from catenary/parameter/v1/unit_system_service.proto by .ci/generate; not for editing."""

from typing import TypedDict

from catenary.parameter.v1 import unit_system_shapes
from catenary.type.v1 import paging_shapes

ListUnitSystemsResponse = TypedDict('ListUnitSystemsResponse', {
    'unit_systems': 'list[unit_system_shapes.UnitSystem]',
    'paging': 'paging_shapes.Paging | None',
    'summary': 'paging_shapes.Summary | None',
})

CreateUnitSystemsResponse = TypedDict('CreateUnitSystemsResponse', {
    'unit_systems': 'list[unit_system_shapes.UnitSystem]',
})

UpdateUnitSystemResponse = TypedDict('UpdateUnitSystemResponse', {
    'unit_system': 'unit_system_shapes.UnitSystem | None',
})

DeleteUnitSystemResponse = TypedDict('DeleteUnitSystemResponse', {
    'unit_system': 'unit_system_shapes.UnitSystem | None',
})

NewUnitSystem = TypedDict('NewUnitSystem', {
    'id': 'str | None',
    'name': 'str',
    'short_name': 'str | None',
})
