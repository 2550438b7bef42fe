"""Generated from catenary/platform/v1/team.proto by .ci/generate; not for editing."""

from typing import TypedDict

from catenary.platform.v1 import user_shapes

Team = TypedDict('Team', {
    'team_id': 'str',
    'name': 'str',
    'created_by': 'user_shapes.UserReference | None',
    'created_at': 'str | None',
    'updated_at': 'str | None',
    'deleted_at': 'str | None',
})

TeamMember = TypedDict('TeamMember', {
    'user_id': 'str',
    'staff_name': 'str',
    'created_at': 'str | None',
})
