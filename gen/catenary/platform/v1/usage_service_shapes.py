"""Generated from catenary/platform/v1/usage_service.proto by .ci/generate; not for editing."""

from typing import TypedDict

from catenary.platform.v1 import usage_shapes

GetUsageResponse = TypedDict('GetUsageResponse', {
    'usage': 'usage_shapes.Usage | None',
})
