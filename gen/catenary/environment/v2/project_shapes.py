"""Generated from catenary/environment/v2/project.proto by .ci/generate; not for editing."""

from typing import TypedDict

Project = TypedDict('Project', {
    'project_id': 'str',
    'project_number': 'str',
    'number': 'str',
    'short_title': 'str | None',
    'client_organisation_name': 'str | None',
    'centre_code': 'str | None',
    'confidential': 'bool',
    'project_director_name': 'str | None',
    'project_director_email': 'str | None',
    'project_manager_name': 'str | None',
    'project_manager_email': 'str | None',
    'project_url': 'str | None',
    'scope_of_works': 'str | None',
    'created_at': 'str | None',
    'updated_at': 'str | None',
    'deleted_at': 'str | None',
})
