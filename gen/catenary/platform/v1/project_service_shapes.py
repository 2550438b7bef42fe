"""Generated from catenary/platform/v1/project_service.proto by .ci/generate; not for editing."""

from typing import TypedDict

from catenary.platform.v1 import project_shapes

ListProjectsRequest = TypedDict('ListProjectsRequest', {
    'limit': 'int | None',
    'cursor': 'str',
})

ListProjectsResponse = TypedDict('ListProjectsResponse', {
    'projects': 'list[project_shapes.Project]',
    'next_cursor': 'str | None',
})

CreateProjectRequest = TypedDict('CreateProjectRequest', {
    'name': 'str',
    'description': 'str',
    'environment_project_id': 'str | None',
})

CreateProjectResponse = TypedDict('CreateProjectResponse', {
    'project': 'project_shapes.Project | None',
})

GetProjectRequest = TypedDict('GetProjectRequest', {
    'project_id': 'str',
})

GetProjectResponse = TypedDict('GetProjectResponse', {
    'project': 'project_shapes.Project | None',
})

UpdateProjectRequest = TypedDict('UpdateProjectRequest', {
    'project_id': 'str',
    'name': 'str | None',
    'description': 'str | None',
    'environment_project_id': 'str | None',
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

ListProjectMembersRequest = TypedDict('ListProjectMembersRequest', {
    'project_id': 'str',
    'limit': 'int | None',
    'cursor': 'str',
})

ListProjectMembersResponse = TypedDict('ListProjectMembersResponse', {
    'members': 'list[project_shapes.ProjectMember]',
    'next_cursor': 'str | None',
})

PutProjectMemberRequest = TypedDict('PutProjectMemberRequest', {
    'project_id': 'str',
    'user_id': 'str',
    'role': 'str | None',
})

PutProjectMemberResponse = TypedDict('PutProjectMemberResponse', {
    'member': 'project_shapes.ProjectMember | None',
})

DeleteProjectMemberRequest = TypedDict('DeleteProjectMemberRequest', {
    'project_id': 'str',
    'user_id': 'str',
})

DeleteProjectMemberResponse = TypedDict('DeleteProjectMemberResponse', {
    'member': 'project_shapes.ProjectMember | None',
})
