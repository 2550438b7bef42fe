"""Generated from catenary/platform/v1/view_service.proto by .ci/generate; not for editing."""

from typing import TypedDict

from catenary.platform.v1 import view_shapes

ListViewsResponse = TypedDict('ListViewsResponse', {
    'views': 'list[view_shapes.View]',
    'next_cursor': 'str | None',
})

CreateViewResponse = TypedDict('CreateViewResponse', {
    'view': 'view_shapes.View | None',
})

GetViewResponse = TypedDict('GetViewResponse', {
    'view': 'view_shapes.View | None',
})

ReplaceViewResponse = TypedDict('ReplaceViewResponse', {
    'view': 'view_shapes.View | None',
})

DeleteViewResponse = TypedDict('DeleteViewResponse', {
    'view': 'view_shapes.View | None',
})
