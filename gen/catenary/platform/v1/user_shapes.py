"""Generated from catenary/platform/v1/user.proto by .ci/generate; not for editing."""

from typing import TypedDict

User = TypedDict('User', {
    'user_id': 'str',
    'staff_name': 'str',
    'email': 'str',
    'staff_id': 'int',
    'company_centre_unit': 'str',
    'location_name': 'str',
    'grade_level': 'int | None',
    'my_people_page_url': 'str',
    'admin': 'bool',
    'disabled': 'bool',
    'created_at': 'str | None',
    'updated_at': 'str | None',
    'deleted_at': 'str | None',
})
