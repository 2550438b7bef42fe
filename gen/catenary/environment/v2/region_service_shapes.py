"""Generated from catenary/environment/v2/region_service.proto by .ci/generate; not for editing."""

from typing import TypedDict

from catenary.environment.v2 import region_shapes
from catenary.type.v1 import paging_shapes

ListRegionsResponse = TypedDict('ListRegionsResponse', {
    'regions': 'list[region_shapes.Region]',
    'paging': 'paging_shapes.Paging | None',
    'summary': 'paging_shapes.Summary | None',
})

CreateRegionResponse = TypedDict('CreateRegionResponse', {
    'region': 'region_shapes.Region | None',
})

GetRegionResponse = TypedDict('GetRegionResponse', {
    'region': 'region_shapes.Region | None',
})

UpdateRegionResponse = TypedDict('UpdateRegionResponse', {
    'region': 'region_shapes.Region | None',
})
