"""Generated from catenary/platform/v1/share_service.proto by .ci/generate; not for editing."""

from typing import TypedDict

from catenary.platform.v1 import share_shapes

ListSharesResponse = TypedDict('ListSharesResponse', {
    'shares': 'list[share_shapes.Share]',
    'next_cursor': 'str | None',
})

CreateShareResponse = TypedDict('CreateShareResponse', {
    'share': 'share_shapes.Share | None',
    'url': 'str | None',
})

GetShareResponse = TypedDict('GetShareResponse', {
    'share': 'share_shapes.Share | None',
})

GetCurrentShareResponse = TypedDict('GetCurrentShareResponse', {
    'share': 'share_shapes.LinkedShare | None',
})

DeleteShareResponse = TypedDict('DeleteShareResponse', {
    'share': 'share_shapes.Share | None',
})
