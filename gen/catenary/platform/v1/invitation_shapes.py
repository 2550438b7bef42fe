"""Generated from catenary/platform/v1/invitation.proto by .ci/generate; not for editing."""

from typing import TypedDict

from catenary.platform.v1 import user_shapes

Invitation = TypedDict('Invitation', {
    'invitation_id': 'str',
    'project_id': 'str',
    'email': 'str',
    'email_verified': 'bool',
    'staff_name': 'str',
    'role': 'str | None',
    'status': 'str | None',
    'expires_at': 'str | None',
    'taken_by': 'user_shapes.UserReference | None',
    'created_by': 'user_shapes.UserReference | None',
    'created_at': 'str | None',
    'updated_at': 'str | None',
    'deleted_at': 'str | None',
})
