"""Generated from catenary/platform/v1/user_service.proto by .ci/generate; not for editing."""

from typing import TypedDict

from catenary.platform.v1 import user_shapes

GetMeResponse = TypedDict('GetMeResponse', {
    'user': 'user_shapes.User | None',
})

UpdateMeResponse = TypedDict('UpdateMeResponse', {
    'user': 'user_shapes.User | None',
})

ListUsersResponse = TypedDict('ListUsersResponse', {
    'users': 'list[user_shapes.User]',
    'next_cursor': 'str | None',
})

GetUserResponse = TypedDict('GetUserResponse', {
    'user': 'user_shapes.User | None',
})

UpdateUserResponse = TypedDict('UpdateUserResponse', {
    'user': 'user_shapes.User | None',
})

DeleteUserResponse = TypedDict('DeleteUserResponse', {
    'user': 'user_shapes.User | None',
})
