"""Generated from catenary/parameter/v1/unit_system_service.proto by .ci/generate; not for editing."""

from typing import TypedDict

from catenary.parameter.v1 import unit_system_shapes
from catenary.type.v1 import paging_shapes

ListUnitSystemsRequest = TypedDict('ListUnitSystemsRequest', {
    'page_limit': 'int | None',
    'before': 'str | None',
    'after': 'str | None',
    'sort_by': 'str | None',
    'order': 'str | None',
    'show_active': 'bool | None',
    'show_deleted': 'bool | None',
})

ListUnitSystemsResponse = TypedDict('ListUnitSystemsResponse', {
    'unit_systems': 'list[unit_system_shapes.UnitSystem]',
    'paging': 'paging_shapes.Paging | None',
    'summary': 'paging_shapes.Summary | None',
})

CreateUnitSystemsRequest = TypedDict('CreateUnitSystemsRequest', {
    'unit_systems': 'list[NewUnitSystem]',
})

CreateUnitSystemsResponse = TypedDict('CreateUnitSystemsResponse', {
    'unit_systems': 'list[unit_system_shapes.UnitSystem]',
})

UpdateUnitSystemRequest = TypedDict('UpdateUnitSystemRequest', {
    'unit_system_id': 'str',
    'name': 'str | None',
    'short_name': 'str | None',
    'update_mask': 'object',
})

UpdateUnitSystemResponse = TypedDict('UpdateUnitSystemResponse', {
    'unit_system': 'unit_system_shapes.UnitSystem | None',
})

DeleteUnitSystemRequest = TypedDict('DeleteUnitSystemRequest', {
    'unit_system_id': 'str',
})

DeleteUnitSystemResponse = TypedDict('DeleteUnitSystemResponse', {
    'unit_system': 'unit_system_shapes.UnitSystem | None',
})

NewUnitSystem = TypedDict('NewUnitSystem', {
    'id': 'str | None',
    'name': 'str',
    'short_name': 'str | None',
})
