"""Generated from catenary/environment/v2/region_service.proto by .ci/generate; not for editing."""

from typing import TypedDict

from catenary.environment.v2 import region_shapes
from catenary.type.v1 import paging_shapes

ListRegionsRequest = TypedDict('ListRegionsRequest', {
    'page_limit': 'int | None',
    'before': 'str | None',
    'after': 'str | None',
    'sort_by': 'str | None',
    'order': 'str | None',
    'show_active': 'bool | None',
    'show_deleted': 'bool | None',
})

ListRegionsResponse = TypedDict('ListRegionsResponse', {
    'regions': 'list[region_shapes.Region]',
    'paging': 'paging_shapes.Paging | None',
    'summary': 'paging_shapes.Summary | None',
})

CreateRegionRequest = TypedDict('CreateRegionRequest', {
    'region_code': 'str',
    'region_name': 'str',
    'region_level': 'int | None',
    'company_code': 'str | None',
})

CreateRegionResponse = TypedDict('CreateRegionResponse', {
    'region': 'region_shapes.Region | None',
})

GetRegionRequest = TypedDict('GetRegionRequest', {
    'region_id': 'str',
    'show_deleted': 'bool',
})

GetRegionResponse = TypedDict('GetRegionResponse', {
    'region': 'region_shapes.Region | None',
})

UpdateRegionRequest = TypedDict('UpdateRegionRequest', {
    'region_id': 'str',
    'region_code': 'str | None',
    'region_name': 'str | None',
    'update_mask': 'object',
    'region_level': 'int | None',
    'company_code': 'str | None',
})

UpdateRegionResponse = TypedDict('UpdateRegionResponse', {
    'region': 'region_shapes.Region | None',
})
