"""Generated from catenary/caching/v1/version_service.proto by .ci/generate; not for editing."""

from typing import TypedDict

GetVersionsResponse = TypedDict('GetVersionsResponse', {
    'versions': 'list[SurfaceVersion]',
})

SurfaceVersion = TypedDict('SurfaceVersion', {
    'surface': 'str',
    'version': 'str',
})
