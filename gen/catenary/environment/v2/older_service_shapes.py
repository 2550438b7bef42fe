"""Generated from catenary/environment/v2/older_service.proto by .ci/generate; not for editing."""

from typing import TypedDict

ReadRegionCodesResponse = TypedDict('ReadRegionCodesResponse', {
    'regions': 'list[RegionCodes]',
})

RegionCodes = TypedDict('RegionCodes', {
    'region_id': 'str',
    'region_level': 'int | None',
    'company_code': 'str | None',
})
