"""Generated from catenary/platform/v1/variant_service.proto by .ci/generate; not for editing."""

from typing import TypedDict

from catenary.platform.v1 import variant_shapes

ListVariantsResponse = TypedDict('ListVariantsResponse', {
    'variants': 'list[variant_shapes.Variant]',
    'next_cursor': 'str | None',
})

CreateVariantResponse = TypedDict('CreateVariantResponse', {
    'variant': 'variant_shapes.Variant | None',
})

CompareVariantsResponse = TypedDict('CompareVariantsResponse', {
    'comparison': 'variant_shapes.VariantComparison | None',
})

GetVariantResponse = TypedDict('GetVariantResponse', {
    'variant': 'variant_shapes.Variant | None',
})

DownloadVariantThumbnailResponse = TypedDict('DownloadVariantThumbnailResponse', {
    'chunk': 'bytes',
})

UpdateVariantResponse = TypedDict('UpdateVariantResponse', {
    'variant': 'variant_shapes.Variant | None',
})

DeleteVariantResponse = TypedDict('DeleteVariantResponse', {
    'variant': 'variant_shapes.Variant | None',
})
