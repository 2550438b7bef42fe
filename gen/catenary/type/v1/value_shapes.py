"""Generated from catenary/type/v1/value.proto by .ci/generate; not for editing."""

from typing import TypedDict

Value = TypedDict('Value', {
    'string_value': 'str | None',
    'integer_value': 'int | None',
    'double_value': 'float | None',
    'bool_value': 'bool | None',
    'json_value': 'object',
})
