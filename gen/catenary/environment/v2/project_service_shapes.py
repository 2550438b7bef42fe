"""Generated from catenary/environment/v2/project_service.proto by .ci/generate; not for editing."""

from typing import TypedDict

from catenary.environment.v2 import project_shapes
from catenary.type.v1 import paging_shapes

ListProjectsRequest = TypedDict('ListProjectsRequest', {
    'project_id': 'list[str]',
    'number': 'list[str]',
    'page_limit': 'int | None',
    'before': 'str | None',
    'after': 'str | None',
    'sort_by': 'str | None',
    'order': 'str | None',
    'show_active': 'bool | None',
    'show_deleted': 'bool | None',
})

ListProjectsResponse = TypedDict('ListProjectsResponse', {
    'projects': 'list[project_shapes.Project]',
    'paging': 'paging_shapes.Paging | None',
    'summary': 'paging_shapes.Summary | None',
})

CreateProjectRequest = TypedDict('CreateProjectRequest', {
    'project_number': 'str | None',
    'number': 'str | None',
    'short_title': 'str | None',
    'client_organisation_name': 'str | None',
    'centre_code': 'str | None',
    'confidential': 'bool | None',
    'project_director_name': 'str | None',
    'project_director_email': 'str | None',
    'project_manager_name': 'str | None',
    'project_manager_email': 'str | None',
    'project_url': 'str | None',
    'scope_of_works': 'str | None',
})

CreateProjectResponse = TypedDict('CreateProjectResponse', {
    'project': 'project_shapes.Project | None',
})

GetProjectRequest = TypedDict('GetProjectRequest', {
    'project_id': 'str',
    'show_deleted': 'bool',
})

GetProjectResponse = TypedDict('GetProjectResponse', {
    'project': 'project_shapes.Project | None',
})

UpdateProjectRequest = TypedDict('UpdateProjectRequest', {
    'project_id': 'str',
    'project_number': 'str | None',
    'number': 'str | None',
    'short_title': 'str | None',
    'client_organisation_name': 'str | None',
    'centre_code': 'str | None',
    'confidential': 'bool | None',
    'project_director_name': 'str | None',
    'project_director_email': 'str | None',
    'project_manager_name': 'str | None',
    'project_manager_email': 'str | None',
    'project_url': 'str | None',
    'scope_of_works': 'str | None',
    'update_mask': 'object',
})

UpdateProjectResponse = TypedDict('UpdateProjectResponse', {
    'project': 'project_shapes.Project | None',
})

DeleteProjectRequest = TypedDict('DeleteProjectRequest', {
    'project_id': 'str',
})

DeleteProjectResponse = TypedDict('DeleteProjectResponse', {
    'project': 'project_shapes.Project | None',
})
