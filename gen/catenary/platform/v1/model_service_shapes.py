"""Generated from catenary/platform/v1/model_service.proto by .ci/generate; not for editing."""

from typing import TypedDict

from catenary.platform.v1 import model_shapes

ListModelsRequest = TypedDict('ListModelsRequest', {
    'project_id': 'str',
    'limit': 'int | None',
    'cursor': 'str',
})

ListModelsResponse = TypedDict('ListModelsResponse', {
    'models': 'list[model_shapes.Model]',
    'next_cursor': 'str | None',
})

CreateModelRequest = TypedDict('CreateModelRequest', {
    'project_id': 'str',
    'name': 'str',
})

CreateModelResponse = TypedDict('CreateModelResponse', {
    'model': 'model_shapes.Model | None',
})

GetModelRequest = TypedDict('GetModelRequest', {
    'project_id': 'str',
    'model_id': 'str',
})

GetModelResponse = TypedDict('GetModelResponse', {
    'model': 'model_shapes.Model | None',
})

ListModelVersionsRequest = TypedDict('ListModelVersionsRequest', {
    'project_id': 'str',
    'model_id': 'str',
    'limit': 'int | None',
    'cursor': 'str',
})

ListModelVersionsResponse = TypedDict('ListModelVersionsResponse', {
    'model_versions': 'list[model_shapes.ModelVersion]',
    'next_cursor': 'str | None',
})

UploadModelVersionRequest = TypedDict('UploadModelVersionRequest', {
    'project_id': 'str',
    'model_id': 'str',
    'content_type': 'str',
    'chunk': 'bytes',
})

UploadModelVersionResponse = TypedDict('UploadModelVersionResponse', {
    'model_version': 'model_shapes.ModelVersion | None',
})

GetModelVersionRequest = TypedDict('GetModelVersionRequest', {
    'project_id': 'str',
    'model_id': 'str',
    'model_version_id': 'str',
})

GetModelVersionResponse = TypedDict('GetModelVersionResponse', {
    'model_version': 'model_shapes.ModelVersion | None',
})

DownloadModelSourceRequest = TypedDict('DownloadModelSourceRequest', {
    'project_id': 'str',
    'model_id': 'str',
    'model_version_id': 'str',
    'range': 'str',
    'if_range': 'str',
})

DownloadModelSourceResponse = TypedDict('DownloadModelSourceResponse', {
    'chunk': 'bytes',
})

ListDeploymentsRequest = TypedDict('ListDeploymentsRequest', {
    'project_id': 'str',
    'limit': 'int | None',
    'cursor': 'str',
})

ListDeploymentsResponse = TypedDict('ListDeploymentsResponse', {
    'deployments': 'list[model_shapes.Deployment]',
    'next_cursor': 'str | None',
})

CreateDeploymentRequest = TypedDict('CreateDeploymentRequest', {
    'project_id': 'str',
    'model_version_id': 'str',
})

CreateDeploymentResponse = TypedDict('CreateDeploymentResponse', {
    'deployment': 'model_shapes.Deployment | None',
})

ListParametersRequest = TypedDict('ListParametersRequest', {
    'project_id': 'str',
    'limit': 'int | None',
    'cursor': 'str',
})

ListParametersResponse = TypedDict('ListParametersResponse', {
    'parameters': 'list[model_shapes.ModelParameter]',
    'next_cursor': 'str | None',
})

UpdateParameterRequest = TypedDict('UpdateParameterRequest', {
    'project_id': 'str',
    'name': 'str',
    'min': 'object',
    'max': 'object',
    'default': 'object',
    'label': 'str | None',
    'update_mask': 'object',
})

UpdateParameterResponse = TypedDict('UpdateParameterResponse', {
    'parameter': 'model_shapes.ModelParameter | None',
})
