"""Generated from catenary/platform/v1/project.proto by .ci/generate; not for editing."""

from typing import TypedDict

Project = TypedDict('Project', {
    'project_id': 'str',
    'name': 'str',
    'description': 'str',
    'environment_project_id': 'str | None',
    'role': 'str | None',
    'deployed_model_version_id': 'str | None',
    'created_at': 'str | None',
    'updated_at': 'str | None',
    'deleted_at': 'str | None',
    'owner_user_id': 'str | None',
})

ProjectMember = TypedDict('ProjectMember', {
    'user_id': 'str | None',
    'team_id': 'str | None',
    'name': 'str',
    'role': 'str | None',
    'created_at': 'str | None',
    'updated_at': 'str | None',
    'expires_at': 'str | None',
    'share_id': 'str | None',
})
