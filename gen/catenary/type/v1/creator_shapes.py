"""Generated from catenary/type/v1/creator.proto by .ci/generate; not for editing."""

from typing import TypedDict

Creator = TypedDict('Creator', {
    'staff_name': 'str',
    'email': 'str',
})
