"""Generated from catenary/platform/v1/parameter_value.proto by .ci/generate; not for editing."""

from typing import TypedDict

ParameterValue = TypedDict('ParameterValue', {
    'number': 'float | None',
    'integer': 'int | None',
    'boolean': 'bool | None',
    'text': 'str | None',
    'quantity': 'Quantity | None',
    'point': 'Point | None',
    'json': 'object',
})

Quantity = TypedDict('Quantity', {
    'value': 'float',
    'unit': 'str',
})

Point = TypedDict('Point', {
    'x': 'float',
    'y': 'float',
    'z': 'float',
    'unit': 'str | None',
})
