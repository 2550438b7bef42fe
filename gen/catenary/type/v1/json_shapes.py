"""Generated from catenary/type/v1/json.proto by .ci/generate; not for editing."""

from typing import TypedDict

Json = TypedDict('Json', {
    'text': 'str',
})
