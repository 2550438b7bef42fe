"""Generated from catenary/platform/v1/user.proto by .ci/generate; not for editing."""

from typing import TypedDict

UserReference = TypedDict('UserReference', {
    'user_id': 'str',
    'staff_name': 'str',
})

User = TypedDict('User', {
    'user_id': 'str',
    'staff_name': 'str',
    'email': 'str',
    'staff_id': 'int | None',
    'company_centre_unit': 'str | None',
    'location_name': 'str | None',
    'grade_level': 'int | None',
    'my_people_page_url': 'str | None',
    'admin': 'bool | None',
    'disabled': 'bool | None',
    'created_at': 'str | None',
    'updated_at': 'str | None',
    'deleted_at': 'str | None',
    'tier': 'str | None',
    'email_verified': 'bool | None',
})
