"""Generated from catenary/environment/v2/project_service.proto by .ci/generate; not for editing."""

from typing import TypedDict

from catenary.environment.v2 import project_shapes
from catenary.type.v1 import paging_shapes

ListProjectsResponse = TypedDict('ListProjectsResponse', {
    'projects': 'list[project_shapes.Project]',
    'paging': 'paging_shapes.Paging | None',
    'summary': 'paging_shapes.Summary | None',
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
