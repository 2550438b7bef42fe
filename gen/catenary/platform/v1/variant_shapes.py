"""Generated from catenary/platform/v1/variant.proto by .ci/generate; not for editing."""

from typing import TypedDict

from catenary.platform.v1 import evaluation_shapes
from catenary.platform.v1 import user_shapes

Variant = TypedDict('Variant', {
    'variant_id': 'str',
    'project_id': 'str',
    'name': 'str',
    'note': 'str',
    'status': 'str | None',
    'evaluation': 'evaluation_shapes.Evaluation | None',
    'thumbnail': 'VariantThumbnail | None',
    'created_by': 'user_shapes.UserReference | None',
    'created_at': 'str | None',
    'updated_at': 'str | None',
    'deleted_at': 'str | None',
    'role': 'str | None',
})

VariantThumbnail = TypedDict('VariantThumbnail', {
    'url': 'str',
    'size': 'int | None',
})

VariantComparison = TypedDict('VariantComparison', {
    'variants': 'list[ComparedVariant]',
    'parameters': 'list[ComparedValue]',
    'metrics': 'list[ComparedValue]',
})

ComparedVariant = TypedDict('ComparedVariant', {
    'variant_id': 'str',
    'name': 'str',
    'status': 'str | None',
    'model_version_id': 'str',
})

ComparedValue = TypedDict('ComparedValue', {
    'name': 'str',
    'differs': 'bool',
    'items': 'list[ComparedItem]',
})

ComparedItem = TypedDict('ComparedItem', {
    'value': 'object',
    'unit': 'str | None',
    'difference': 'object',
})
