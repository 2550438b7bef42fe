"""Generated from catenary/platform/v1/user_service.proto by .ci/generate; not for editing."""

from typing import TypedDict

from catenary.platform.v1 import user_shapes

GetMeRequest = TypedDict('GetMeRequest', {})

GetMeResponse = TypedDict('GetMeResponse', {
    'user': 'user_shapes.User | None',
})

UpdateMeRequest = TypedDict('UpdateMeRequest', {
    'location_name': 'str | None',
    'company_centre_unit': 'str | None',
    'my_people_page_url': 'str | None',
    'update_mask': 'object',
})

UpdateMeResponse = TypedDict('UpdateMeResponse', {
    'user': 'user_shapes.User | None',
})

ListUsersRequest = TypedDict('ListUsersRequest', {
    'limit': 'int | None',
    'cursor': 'str',
})

ListUsersResponse = TypedDict('ListUsersResponse', {
    'users': 'list[user_shapes.User]',
    'next_cursor': 'str | None',
})

GetUserRequest = TypedDict('GetUserRequest', {
    'user_id': 'str',
})

GetUserResponse = TypedDict('GetUserResponse', {
    'user': 'user_shapes.User | None',
})

UpdateUserRequest = TypedDict('UpdateUserRequest', {
    'user_id': 'str',
    'admin': 'bool | None',
    'disabled': 'bool | None',
    'location_name': 'str | None',
    'company_centre_unit': 'str | None',
    'my_people_page_url': 'str | None',
    'grade_level': 'int | None',
    'update_mask': 'object',
})

UpdateUserResponse = TypedDict('UpdateUserResponse', {
    'user': 'user_shapes.User | None',
})

DeleteUserRequest = TypedDict('DeleteUserRequest', {
    'user_id': 'str',
})

DeleteUserResponse = TypedDict('DeleteUserResponse', {
    'user': 'user_shapes.User | None',
})
