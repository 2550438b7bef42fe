"""Generated from catenary/platform/v1/project_service.proto by .ci/generate; not for editing."""

from typing import TypedDict

from catenary.platform.v1 import project_shapes

ListProjectsResponse = TypedDict('ListProjectsResponse', {
    'projects': 'list[project_shapes.Project]',
    'next_cursor': 'str | None',
})

CreateProjectResponse = TypedDict('CreateProjectResponse', {
    'project': 'project_shapes.Project | None',
})

GetProjectResponse = TypedDict('GetProjectResponse', {
    'project': 'project_shapes.Project | None',
})

UpdateProjectResponse = TypedDict('UpdateProjectResponse', {
    'project': 'project_shapes.Project | None',
})

DeleteProjectResponse = TypedDict('DeleteProjectResponse', {
    'project': 'project_shapes.Project | None',
})

ListProjectMembersResponse = TypedDict('ListProjectMembersResponse', {
    'members': 'list[project_shapes.ProjectMember]',
    'next_cursor': 'str | None',
})

AddProjectMemberResponse = TypedDict('AddProjectMemberResponse', {
    'member': 'project_shapes.ProjectMember | None',
})

PutProjectMemberResponse = TypedDict('PutProjectMemberResponse', {
    'member': 'project_shapes.ProjectMember | None',
})

DeleteProjectMemberResponse = TypedDict('DeleteProjectMemberResponse', {
    'member': 'project_shapes.ProjectMember | None',
})
